// What the rows of measure.c's table share: a part to be measured, and the elements as numbers.

#ifndef CLREDUCE_TOOL_MEASURE_TASK_H
#define CLREDUCE_TOOL_MEASURE_TASK_H

#include "verify/measure.h"

struct task {
  const struct samples *samples;
  bool imaginary;  // the part is the imaginary one
  double unit;     // unit roundoff of the result's type
  double greatest;
  double depth;
  double result;
  struct measured *out;
};

// The parts of an element; where NaNs are ignored a real part that is one reads as `otherwise`, an imaginary one as 0.
double real_at(const struct samples *samples, uint64_t index, double otherwise);
double imaginary_at(const struct samples *samples, uint64_t index);

// A NaN that counts for nothing is no element at all to the operators that count or compare.
bool is_left_out(const struct samples *samples, uint64_t index);

// The largest magnitude of an element, NaN and infinity included; how many elements there are in `count`.
double largest(const struct samples *samples, uint64_t *count);

// A power of two that brings a magnitude near 1; 0 for what is not finite.
int exponent_of(double magnitude);

void measure_sum(const struct task *task);
void measure_dot(const struct task *task);
void measure_squares(const struct task *task);
void measure_magnitudes(const struct task *task);
void measure_product(const struct task *task);
void measure_norm(const struct task *task);
void measure_mean(const struct task *task);
void measure_var(const struct task *task);
void measure_var_sample(const struct task *task);
void measure_std(const struct task *task);
void measure_exponentials(const struct task *task);

#endif
