// Problems for the order exact: elements of one type whose sums are hard to round.
#pragma once

#include "support/random.h"

enum exact_data {
  DATA_ALL_EXPONENTS,
  DATA_NEAR,      // few exponents
  DATA_CANCELS,   // x and -x, and one small number
  DATA_HUGE,      // sums overflow on the way, or at the end
  DATA_TINY,      // subnormal numbers, and sums near them
  DATA_TIES,      // sums that are halfway between two numbers, or one smallest step beside it
  DATA_SPECIALS,  // infinities and NaNs among others
  DATA_ZEROS,     // zeros of both signs; sometimes all are -0
  DATAS
};

// Fills `count` elements of a real type, and their values as doubles.
void exact_data_fill(clred_type type, enum exact_data data, size_t count, random_state *random, void *elements,
                     double *values);
