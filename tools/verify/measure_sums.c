// Sums of terms, measured against their exact sum (exact.h). Terms that are no doubles exactly are products split in
// two, or rounded to double once.

#include <math.h>

#include "base/number.h"
#include "verify/exact.h"
#include "verify/measure_task.h"

// The terms of a sum, at most two an element, whose exact sum is the element's.
typedef int make_terms(const struct samples *samples, uint64_t index, double term[2]);

static int plain_terms(const struct samples *samples, uint64_t index, double term[2]) {
  term[0] = real_at(samples, index, 0);
  return 1;
}

static int imaginary_terms(const struct samples *samples, uint64_t index, double term[2]) {
  term[0] = imaginary_at(samples, index);
  return 1;
}

// A product and what its rounding lost.
static int product_terms(double x, double y, double term[2]) {
  term[0] = x * y;
  term[1] = isfinite(term[0]) ? fma(x, y, -term[0]) : 0;
  return 2;
}

static int dot_terms(const struct samples *samples, uint64_t index, double term[2]) {
  double x = real_at(samples, index, NAN), y = number_as_double(samples->type, samples->y + index * samples->stride);
  term[0] = 0;
  return samples->ignore_nan && (isnan(x) || isnan(y)) ? 1 : product_terms(x, y, term);
}

static int square_terms(const struct samples *samples, uint64_t index, double term[2]) {
  double x = real_at(samples, index, 0), y = imaginary_at(samples, index);
  if (samples->imaginary == 0)
    return product_terms(x, x, term);
  term[0] = x * x;
  term[1] = y * y;
  return 2;
}

static int magnitude_terms(const struct samples *samples, uint64_t index, double term[2]) {
  term[0] = hypot(real_at(samples, index, 0), imaginary_at(samples, index));
  return 1;
}

static void measure_terms(const struct task *task, make_terms *make, double roundings) {
  struct exact_sum sum = {{0}, 0, false, false, false};
  double magnitude = 0, term[2];
  for (uint64_t i = 0; i < task->samples->count; i++) {
    int count = make(task->samples, i, term);
    for (int k = 0; k < count; k++) {
      exact_sum_add(&sum, term[k]);
      magnitude += fabs(term[k]);
    }
  }
  struct measured *out = task->out;
  out->value = exact_sum_value(&sum);
  out->bound = roundings * task->unit * magnitude;
  out->risky = !(magnitude < task->greatest);
  out->error = task->result - out->value;
  if (isfinite(task->result) && isfinite(out->value)) {
    exact_sum_add(&sum, -task->result);
    out->error = -exact_sum_value(&sum);
  }
}

// One more than the contract's, for the rounding of the exact value's own magnitude.
void measure_sum(const struct task *task) {
  measure_terms(task, task->imaginary ? imaginary_terms : plain_terms, task->depth + 1);
}

void measure_dot(const struct task *task) {
  measure_terms(task, dot_terms, task->depth + 3);
}

void measure_squares(const struct task *task) {
  measure_terms(task, square_terms, task->depth + 3);
}

void measure_magnitudes(const struct task *task) {
  measure_terms(task, magnitude_terms, task->depth + 3);
}
