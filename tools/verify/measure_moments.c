// Norm, mean, variance and the sum of exponentials. Their terms are rounded to double once. This error is far below the
// bound of other types, and a small part of the bound of double.
#include <math.h>

#include "verify/exact.h"
#include "verify/measure.h"

void measure_norm(const struct task *task) {
  uint64_t unused;
  struct exact_sum sum = {{0}, 0, false, false, false};
  double most = largest(task->samples, &unused), term[2];
  int exponent = exponent_of(most);
  for (uint64_t i = 0; i < task->samples->count && isfinite(most); i++) {
    term[0] = ldexp(real_at(task->samples, i, 0), -exponent);
    term[1] = ldexp(imaginary_at(task->samples, i), -exponent);
    exact_sum_add(&sum, term[0] * term[0]);
    exact_sum_add(&sum, term[1] * term[1]);
  }
  double norm = isfinite(most) ? ldexp(sqrt(exact_sum_value(&sum)), exponent) : most;
  task->out->value = norm;
  task->out->bound = (task->depth / 2 + 4) * task->unit * norm;
  task->out->risky = !(norm < task->greatest);
  task->out->error = task->result - norm;
}

// The elements are finite. They are divided by 2^exponent, so that their sum stays within double.
static double exact_mean(const struct samples *samples, int exponent, uint64_t count) {
  struct exact_sum sum = {{0}, 0, false, false, false};
  for (uint64_t i = 0; i < samples->count; i++)
    exact_sum_add(&sum, ldexp(real_at(samples, i, 0), -exponent));
  return count == 0 ? NAN : exact_sum_value(&sum) / (double)count;
}

// The difference between the greatest and the least element, divided by 2^exponent. NaN if an element is not finite.
static double exact_range(const struct samples *samples, int exponent) {
  double low = INFINITY, high = -INFINITY;
  for (uint64_t i = 0; i < samples->count; i++) {
    double x = real_at(samples, i, NAN);
    if (is_left_out(samples, i))
      continue;
    if (!isfinite(x))
      return NAN;
    low = fmin(low, x);
    high = fmax(high, x);
  }
  return ldexp(high, -exponent) - ldexp(low, -exponent);
}

void measure_mean(const struct task *task) {
  uint64_t count;
  int exponent = exponent_of(largest(task->samples, &count));
  double mean = exact_mean(task->samples, exponent, count), range = exact_range(task->samples, exponent);
  task->out->value = ldexp(mean, exponent);
  task->out->bound = ldexp(task->unit * (fabs(mean) + (3 * task->depth + 3) * range), exponent);
  task->out->error = task->result - task->out->value;
}

// The sum of squared distances from the mean, divided by 2^(2 exponent).
static double squared_distances(const struct samples *samples, int exponent, double mean) {
  struct exact_sum sum = {{0}, 0, false, false, false};
  for (uint64_t i = 0; i < samples->count; i++)
    if (!is_left_out(samples, i)) {
      long double distance = (long double)ldexp(real_at(samples, i, 0), -exponent) - (long double)mean;
      exact_sum_add(&sum, (double)(distance * distance));
    }
  return exact_sum_value(&sum);
}

void measure_var(const struct task *task) {
  uint64_t count;
  double most = largest(task->samples, &count), roundings = 6 * task->depth + 6;
  int exponent = exponent_of(most);
  double mean = exact_mean(task->samples, exponent, count), divisor = (double)count - (task->sample ? 1 : 0);
  double var = isfinite(mean) && divisor > 0 ? squared_distances(task->samples, exponent, mean) / divisor : NAN;
  double range = exact_range(task->samples, exponent), of_mean = (3 * task->depth + 3) * task->unit * range;
  double bound = roundings * task->unit * (var + range * sqrt(var)) + of_mean * of_mean;
  task->out->value = ldexp(var, 2 * exponent);
  task->out->bound = ldexp(bound, 2 * exponent);
  task->out->risky = !(4 * most * most < task->greatest);
  task->out->error = task->result - task->out->value;
}

// If the variance v has the error e, its root has the error e / (2 sqrt(v)) for small e, and never more than sqrt(e).
void measure_std(const struct task *task) {
  measure_var(task);
  double var = task->out->value, bound = task->out->bound, std = sqrt(var);
  task->out->value = std;
  task->out->bound = fmin(bound < var / 16 ? bound / std * 0.51 : bound / std, sqrt(bound)) + 2 * task->unit * std;
  task->out->error = task->result - std;
}

// ---- The sum of exponentials

// The greatest element, or NaN if there is one. `distance`: how far the least finite element is below it.
static double find_top(const struct samples *samples, double *distance) {
  double top = -INFINITY, least = INFINITY;
  for (uint64_t i = 0; i < samples->count; i++) {
    double x = real_at(samples, i, -INFINITY);
    if (isnan(x))
      return x;
    top = fmax(top, x);
    least = isfinite(x) ? fmin(least, x) : least;
  }
  *distance = isfinite(top) ? top - least : 0;
  return top;
}

void measure_exponentials(const struct task *task) {
  struct exact_sum sum = {{0}, 0, false, false, false};
  double distance = 0, top = find_top(task->samples, &distance);
  for (uint64_t i = 0; i < task->samples->count && isfinite(top); i++)
    exact_sum_add(&sum, (double)expl((long double)real_at(task->samples, i, -INFINITY) - (long double)top));
  task->out->value = isfinite(top) ? (double)((long double)top + logl((long double)exact_sum_value(&sum))) : top;
  task->out->bound = (8 * task->depth + 8) * task->unit * (1 + distance);
  task->out->error = task->result - task->out->value;
}
