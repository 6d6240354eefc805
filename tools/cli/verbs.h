// The table of verbs. Each verb reads its arguments, prints on standard output only after all work succeeded, and
// returns an exit code.
#pragma once

#include "cli/args.h"

// What the first operand of a verb is.
enum first_operand { OPERAND_NONE, OPERAND_OP, OPERAND_PREDICATE };

#define OPERANDS_ANY SIZE_MAX

struct verb {
  const char *name;
  enum verb_bit bit;
  const char *operands;  // as the usage line prints them
  const char *summary;   // for the list of verbs
  const char *about;     // for the verb's help and the manual
  size_t operands_most;  // OPERANDS_ANY: no limit
  enum first_operand first;
  bool takes_input;  // INPUT is the last operand
  int (*run)(const struct args *args);
};

// The last row has the name NULL.
extern const struct verb verbs[];

// NULL if there is no verb of this name.
const struct verb *verb_find(const char *name);

int cmd_query(const struct args *args);
int cmd_list(const struct args *args);
int cmd_compute(const struct args *args);  // also runs scan and select
int cmd_join(const struct args *args);
int cmd_histogram(const struct args *args);
int cmd_sort(const struct args *args);  // also runs argsort
int cmd_plan(const struct args *args);
int cmd_ladder(const struct args *args);
int cmd_check(const struct args *args);
int cmd_tune(const struct args *args);
int cmd_bench(const struct args *args);
int cmd_selftest(const struct args *args);
