// Exact sums of doubles, and what is to be known of a floating type when results are measured.

#ifndef CLREDUCE_TOOL_EXACT_H
#define CLREDUCE_TOOL_EXACT_H

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

// A sum of doubles without any rounding: one long fixed-point number that reaches from the least subnormal to above
// the greatest double, as words of 32 bits that have room to carry late. Start from {0}.
enum { EXACT_WORDS = 69 };

struct exact_sum {
  int64_t words[EXACT_WORDS];  // words[0] counts in units of 2^-1074
  uint64_t pending;            // additions since the carries were last settled
  bool has_nan, has_plus, has_minus;
};

void exact_sum_add(struct exact_sum *sum, double value);

// The sum, rounded once to the nearest double; inf or nan as the elements demand.
double exact_sum_value(const struct exact_sum *sum);

// One unit in the last place of a floating type at this value.
double exact_ulp(clred_type type, double value);

// Half of the distance from 1 to the next value: the relative error of one rounding.
double exact_unit_roundoff(clred_type type);

double exact_greatest(clred_type type);

// Whether the type is one of those these measures know: float or double.
bool exact_knows(clred_type type);

#endif
