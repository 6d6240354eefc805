// Fills the library's problem struct from the command line.

#ifndef CLREDUCE_TOOL_PROBLEM_H
#define CLREDUCE_TOOL_PROBLEM_H

#include <clreduce.h>

#include "operator/operation.h"

// Sets everything but layout and count_max. Refuses an operator that is not defined for the type, before data is read.
// Returns an exit code. `operation` must not move while the problem is used.
int problem_take(const struct args *args, struct operation *operation, const clred_type_info *type,
                 clred_problem *problem);

// "inclusive" or "exclusive"; NULL for a reduction.
const char *problem_scan_name(const clred_problem *problem);

// count_max for this count. It is at least 1, because 0 means no bound.
cl_ulong problem_count_max(cl_ulong count);

#endif
