// The verbs: each reads its arguments, prints on standard output only once all went well, and returns an exit code.

#ifndef CLREDUCE_TOOL_COMMANDS_H
#define CLREDUCE_TOOL_COMMANDS_H

#include "cli/args.h"

int cmd_query(const struct args *args);
int cmd_list(const struct args *args);
int cmd_reduce(const struct args *args);
int cmd_scan(const struct args *args);
int cmd_select(const struct args *args);
int cmd_histogram(const struct args *args);
int cmd_plan(const struct args *args);
int cmd_ladder(const struct args *args);
int cmd_check(const struct args *args);
int cmd_tune(const struct args *args);
int cmd_bench(const struct args *args);
int cmd_selftest(const struct args *args);

#endif
