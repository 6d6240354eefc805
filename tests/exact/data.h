// Problems for the order exact: elements of one type. Their sums are hard to round.
#pragma once

#include "support/random.h"

enum exact_data {
  DATA_ALL_EXPONENTS,
  DATA_NEAR,      // few exponents, sometimes of one sign
  DATA_CANCELS,   // x and -x, and what is left
  DATA_FINE,      // the same, over a hundred binades
  DATA_HIDDEN,    // small elements among great ones that cancel
  DATA_HUGE,      // sums overflow on the way, or at the end
  DATA_TINY,      // subnormal numbers, and sums near them
  DATA_TIES,      // sums that are halfway between two numbers, some of them a little beside it
  DATA_STEPS,     // the magnitude changes every few hundred elements, and the later half cancels the earlier one
  DATA_SPECIALS,  // infinities and NaNs among others
  DATA_ZEROS,     // zeros of both signs; sometimes all are -0
  DATA_EQUAL,     // one number with other last bits, so that nothing is left of leading bits in a variance
  DATA_EVEN,      // variances that are halfway between two numbers, sometimes a little above it
  DATAS
};

// Fills `count` elements of a real type, and their values as doubles.
void exact_data_fill(clred_type type, enum exact_data data, size_t count, random_state *random, void *elements,
                     double *values);
