// Exact values of floating sums, and nearly exact ones of products, to measure results against.

#ifndef CLREDUCE_TOOL_EXACT_H
#define CLREDUCE_TOOL_EXACT_H

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

// A sum of doubles without any rounding: one long fixed-point number that reaches from the least subnormal to above
// the greatest double, as words of 32 bits that have room to carry late. Start from {0}.
enum { EXACT_WORDS = 69 };

struct exact_sum {
  int64_t  words[EXACT_WORDS];  // words[0] counts in units of 2^-1074
  uint64_t pending;             // additions since the carries were last settled
  bool     has_nan, has_plus, has_minus;
};

void exact_sum_add(struct exact_sum *sum, double value);

// The sum, rounded once to the nearest double; inf or nan as the elements demand.
double exact_sum_value(const struct exact_sum *sum);

// What a result is measured against.
struct exact {
  double value;  // of the whole input, rounded to double
  double error;  // result - value, from the unrounded value; nan if both are the same inf or nan
  double scale;  // what one rounding of the computation is relative to: the sum of |x|, or |value| for a product
  bool   risky;  // an intermediate result may leave the type's range though the value is within it
};

// Over elements of a floating type; `result` is the one to be measured.
void exact_add(clred_type type, const void *data, uint64_t count, double result, struct exact *exact);
void exact_mul(clred_type type, const void *data, uint64_t count, double result, struct exact *exact);

// One unit in the last place of a floating type at this value.
double exact_ulp(clred_type type, double value);

// Half of the distance from 1 to the next value: the relative error of one rounding.
double exact_unit_roundoff(clred_type type);

#endif
