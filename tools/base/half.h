// half and bfloat16 on the host. Conversion rounds to nearest even by integer arithmetic, so that generated data has
// the same bits on every machine.

#ifndef CLREDUCE_TOOL_HALF_H
#define CLREDUCE_TOOL_HALF_H

#include <clreduce.h>

typedef cl_ushort cl_bfloat16;

cl_half half_from_double(double value);
cl_bfloat16 bfloat16_from_double(double value);

// Exact conversions.
double half_to_double(cl_half bits);
double bfloat16_to_double(cl_bfloat16 bits);

#endif
