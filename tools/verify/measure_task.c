// Elements as numbers.

#include "verify/measure_task.h"

#include <math.h>

#include "base/number.h"

static double kept(const struct samples *samples, const char *at, double otherwise) {
  double value = number_as_double(samples->type, at);
  return isnan(value) && samples->ignore_nan ? otherwise : value;
}

double real_at(const struct samples *samples, uint64_t index, double otherwise) {
  return kept(samples, samples->x + index * samples->stride, otherwise);
}

double imaginary_at(const struct samples *samples, uint64_t index) {
  return samples->imaginary == 0 ? 0 : kept(samples, samples->x + index * samples->stride + samples->imaginary, 0);
}

bool is_left_out(const struct samples *samples, uint64_t index) {
  return samples->ignore_nan && isnan(real_at(samples, index, NAN));
}

double largest(const struct samples *samples, uint64_t *count) {
  double most = 0;
  *count = 0;
  for (uint64_t i = 0; i < samples->count; i++) {
    double x = fabs(real_at(samples, i, 0)), y = fabs(imaginary_at(samples, i));
    most = x > most || isnan(x) ? x : most;
    most = y > most || isnan(y) ? y : most;
    *count += !is_left_out(samples, i);
    if (isnan(most))
      return most;
  }
  return most;
}

int exponent_of(double magnitude) {
  int exponent = 0;
  if (isfinite(magnitude))
    frexp(magnitude, &exponent);
  return exponent;
}
