// What an operator in the order exact must give, computed with MPFR: all sums and products have enough bits to be
// exact, and the result is rounded once. Nothing here knows the library's superaccumulators.
#pragma once

#include "support/device.h"

// Elements as doubles, which hold every type that has this order. Complex elements are pairs.
struct exact_values {
  clred_type type;  // of the result's components: FLOAT or DOUBLE
  const double *x, *y;
  size_t count;
  bool ignores_nan;
};

// Numbers of a state: what sums and sums of squares give the mean, the variance and their roots.
enum exact_kind {
  EXACT_SUM,
  EXACT_SUM_OF_MAGNITUDES,
  EXACT_SUM_OF_SQUARES,
  EXACT_DOT,
  EXACT_NORM,
  EXACT_MEAN,
  EXACT_VAR,
  EXACT_VAR_SAMPLE,
  EXACT_STD,
  EXACT_STD_SAMPLE
};

// The bits of the result; every NaN is the canonical one.
uint64_t exact_expected(enum exact_kind kind, const struct exact_values *values);
