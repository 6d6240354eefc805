// The library's problem struct, filled in from the command line.

#ifndef CLREDUCE_TOOL_PROBLEM_H
#define CLREDUCE_TOOL_PROBLEM_H

#include <clreduce.h>

#include "args.h"

// The operator of this name; NULL is a missing one. An exit code.
int problem_take_op(const struct args *args, const char *name, clred_op_info *op);

// Everything but count_max. Refuses an operator that is not defined for the type, before any data is read.
int problem_take(const struct args *args, const clred_op_info *op, const clred_type_info *type,
                 clred_problem *problem);

// The promise that goes with a count. It is 1 for no elements, because 0 is no promise at all.
cl_ulong problem_count_max(cl_ulong count);

#endif
