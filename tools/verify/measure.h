// Exact values of operators that round, and the bounds of docs/numerics.md around them.
#pragma once

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

// A sum of doubles without rounding: a fixed-point number from the smallest subnormal to above the largest double, in
// 32-bit words with room for late carries. Start from {0}.
enum { EXACT_WORDS = 69 };

struct exact_sum {
  int64_t words[EXACT_WORDS];  // words[0] has the unit 2^-1074
  uint64_t pending;            // additions since the last carry
  bool has_nan, has_plus, has_minus;
};

void exact_sum_add(struct exact_sum *sum, double value);

// The sum, rounded once to double. It is NaN or an infinity if the elements require it.
double exact_sum_value(const struct exact_sum *sum);

// True for float and double.
bool measure_knows(clred_type type);

// One unit in the last place at this value of a float or double.
double measure_ulp(clred_type type, double value);

// The elements of one result, as numbers.
struct samples {
  clred_type type;  // the type of each number
  size_t stride;    // bytes from an element to the next
  const char *x;
  const char *y;     // the second input; NULL if there is none
  size_t imaginary;  // bytes from the real part to the imaginary one; 0: there is none
  uint64_t count;
  bool ignore_nan;
};

struct measured {
  double value;  // exact value, rounded to double
  double error;  // result - value; of a sum: from the unrounded value; NaN if both are the same infinity or NaN
  double bound;  // the largest allowed magnitude of the error
  bool risky;    // an intermediate result may leave the type's range though the value is within it
};

// Measures a part of an operator's result over these elements; "" is the only part of a number. `depth` is the number
// of combinations that an element can pass through. Returns false if the operator does not round; compare bits then.
bool measure(clred_op op, const char *part, const struct samples *samples, clred_type type, double result, double depth,
             struct measured *measured);

// True if the result is within the bound, or if an intermediate result left the range.
bool measure_allows(const struct measured *measured, clred_type type, double result);
