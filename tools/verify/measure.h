// Results of rounding operators against their exact values, with the bounds of docs/numerics.md.

#ifndef CLREDUCE_TOOL_MEASURE_H
#define CLREDUCE_TOOL_MEASURE_H

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

// The elements of one result, as numbers.
struct samples {
  clred_type type;  // of each number
  size_t stride;    // bytes from an element to the next
  const char *x;
  const char *y;     // the second input's, NULL if there is none
  size_t imaginary;  // bytes from the real part to the imaginary one; 0: there is none
  uint64_t count;
  bool ignore_nan;
};

struct measured {
  double value;  // exact, rounded to double
  double error;  // result - value, for a sum from the unrounded value; nan if both are the same inf or nan
  double bound;  // of the error's magnitude
  bool risky;    // an intermediate result may leave the type's range though the value is within it
};

// Measures a part ("" where there is one alone) of an operator's result over these elements. `depth` is the number of
// combinations that an element can pass through. False where no rounding takes part, so that bits are to be compared.
bool measure(clred_op op, const char *part, const struct samples *samples, clred_type type, double result, double depth,
             struct measured *measured);

// Whether the result is within the bound, or an intermediate result left the range.
bool measure_allows(const struct measured *measured, clred_type type, double result);

#endif
