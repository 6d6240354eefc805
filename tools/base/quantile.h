// Median and quantiles of at least one number. Both sort the numbers.

#ifndef CLREDUCE_TOOL_QUANTILE_H
#define CLREDUCE_TOOL_QUANTILE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The quantile for `share` (0 to 1), interpolated between the two nearest numbers.
double quantile(double *values, size_t count, double share);

double median(double *values, size_t count);

#ifdef __cplusplus
}
#endif

#endif
