// Exact sums of doubles, and properties of floating types for measuring errors.
#pragma once

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

// A sum of doubles without rounding: a fixed-point number from the smallest subnormal to above the largest double, in
// words of 32 bits with room for late carries. Start from {0}.
enum { EXACT_WORDS = 69 };

struct exact_sum {
  int64_t words[EXACT_WORDS];  // words[0] has the unit 2^-1074
  uint64_t pending;            // additions since the last carry
  bool has_nan, has_plus, has_minus;
};

void exact_sum_add(struct exact_sum *sum, double value);

// The sum, rounded once to double; inf or nan if the elements require it.
double exact_sum_value(const struct exact_sum *sum);

// One unit in the last place at this value.
double exact_ulp(clred_type type, double value);

// Half the distance from 1 to the next value: the relative error of one rounding.
double exact_unit_roundoff(clred_type type);

double exact_greatest(clred_type type);

// True for float and double.
bool exact_knows(clred_type type);
