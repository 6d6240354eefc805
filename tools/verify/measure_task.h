// What measure.c and measure_moments.c share: a part to be measured, and the elements as numbers.

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

// The parts of an element. If NaNs are ignored, a real part that is NaN reads as `otherwise`, an imaginary part as 0.
double real_at(const struct samples *samples, uint64_t index, double otherwise);
double imaginary_at(const struct samples *samples, uint64_t index);

// True for a NaN that is ignored. Operators that count or compare elements skip it.
bool is_left_out(const struct samples *samples, uint64_t index);

// The largest magnitude of an element; NaN and infinity are possible. `count` gets the number of elements.
double largest(const struct samples *samples, uint64_t *count);

// The exponent of a magnitude; 0 if it is not finite.
int exponent_of(double magnitude);

void measure_norm(const struct task *task);
void measure_mean(const struct task *task);
void measure_var(const struct task *task);
void measure_var_sample(const struct task *task);
void measure_std(const struct task *task);
void measure_exponentials(const struct task *task);

#endif
