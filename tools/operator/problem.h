// The library's problem struct, filled in from the command line.

#ifndef CLREDUCE_TOOL_PROBLEM_H
#define CLREDUCE_TOOL_PROBLEM_H

#include <clreduce.h>

#include "operator/operation.h"

// Everything but layout and count_max. Refuses an operator that is not defined for the type, before any data is read.
// An exit code. `operation` must stay where it is as long as the problem is used.
int problem_take(const struct args *args, struct operation *operation, const clred_type_info *type,
                 clred_problem *problem);

// "inclusive" or "exclusive"; NULL where the problem is a reduction.
const char *problem_scan_name(const clred_problem *problem);

// The promise that goes with a count. It is 1 for no elements, because 0 is no promise at all.
cl_ulong problem_count_max(cl_ulong count);

#endif
