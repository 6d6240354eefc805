// The middle of some numbers, and places beside it.

#ifndef CLREDUCE_TOOL_QUANTILE_H
#define CLREDUCE_TOOL_QUANTILE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The number that `share` of the numbers, from 0 to 1, do not exceed, between the two nearest where none stands there.
// At least one number; they are sorted.
double quantile(double *values, size_t count, double share);

double median(double *values, size_t count);

#ifdef __cplusplus
}
#endif

#endif
