// Exact values, by compensated sums of long doubles, and the bounds of docs/numerics.md: see oracle.h.

#include "oracle/column.h"
#include "oracle/tree.h"

#include <float.h>
#include <math.h>

// ---------------------------------------------------------------- Sums

// Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (1974).
typedef struct long_real {
  long double sum, rest;
} long_real;

static void take_in(long_real *into, long double x) {
  const long double sum = into->sum + x;
  into->rest += fabsl(into->sum) >= fabsl(x) ? (into->sum - sum) + x : (x - sum) + into->sum;
  into->sum = sum;
}

// What is summed: a function of each element.
enum term { ITSELF, MAGNITUDE, SQUARE, PRODUCT, DISTANCE, DISTANCE_SQUARED };

static long double term_at(const oracle_column *column, enum term term, long double from, uint64_t i) {
  const long double x = oracle_real_at(column, column->x, i);
  oracle_column imaginary;
  long double im = 0;
  if (oracle_is_complex(column->problem->type) && (term == MAGNITUDE || term == SQUARE)) {
    imaginary = oracle_imaginary(column);
    im = oracle_real_at(&imaginary, imaginary.x, i);
  }
  switch (term) {
  case MAGNITUDE:
    return hypotl(x, im);
  case SQUARE:
    return x / from * (x / from) + im / from * (im / from);
  case PRODUCT:
    return x * oracle_real_at(column, column->y, i);
  case DISTANCE:
    return x - from;
  case DISTANCE_SQUARED:
    return (x - from) * (x - from);
  default:
    return x;
  }
}

static bool is_out(const oracle_column *column, enum term term, uint64_t i) {
  const double x = oracle_real_at(column, column->x, i);
  return oracle_is_ignored(column, x) ||
         (term == PRODUCT && oracle_is_ignored(column, oracle_real_at(column, column->y, i)));
}

static long double sum_up(const oracle_column *column, enum term term, long double from, bool magnitudes) {
  long_real total = {0, 0};
  for (uint64_t i = 0; i < column->n; i++)
    if (!is_out(column, term, i)) {
      const long double x = term_at(column, term, from, i);
      take_in(&total, magnitudes ? fabsl(x) : x);
    }
  return total.sum + total.rest;
}

// ---------------------------------------------------------------- What the bounds are made of

struct size {
  uint64_t kept;         // elements that are not ignored
  long double greatest;  // magnitude of an element
  double low, high;      // the smallest and the largest element
  bool finite;
};

static void measure(const oracle_column *column, const unsigned char *input, struct size *size) {
  for (uint64_t i = 0; i < column->n; i++) {
    const double x = oracle_real_at(column, input, i);
    // A NaN in one part of a complex number does not leave the element out: such data have no bound, because `finite`
    // is false.
    if (oracle_is_ignored(column, x) && !oracle_is_complex(column->problem->type))
      continue;
    size->kept++;
    size->finite = size->finite && isfinite(x);
    if (fabs(x) > (double)size->greatest)
      size->greatest = fabs(x);
    size->low = fmin(size->low, x);
    size->high = fmax(size->high, x);
  }
}

static struct size size_of(const oracle_column *column, clred_op op) {
  struct size size = {0, 0, (double)INFINITY, -(double)INFINITY, true}, other = size;
  measure(column, column->x, &size);
  if (oracle_is_dot(op))
    measure(column, column->y, &other);
  if (oracle_is_complex(column->problem->type) && op != CLRED_OP_SUM) {
    const oracle_column imaginary = oracle_imaginary(column);
    measure(&imaginary, imaginary.x, &other);
    size.greatest = fmaxl(size.greatest, other.greatest);
  }
  size.finite = size.finite && other.finite;
  return size;
}

static long double unit_of(clred_type type) {
  return type == CLRED_TYPE_FLOAT ? 0x1p-24L : 0x1p-53L;
}

static long double largest_of(clred_type type) {
  return type == CLRED_TYPE_FLOAT ? (long double)FLT_MAX : (long double)DBL_MAX;
}

// Below this value products and quotients lose bits that the bounds do not include.
static long double lowest_of(clred_type type) {
  return type == CLRED_TYPE_FLOAT ? 0x1p-149L : 0x1p-1074L;
}

// D: the depth of the tree.
static long double depth_of(uint64_t n) {
  unsigned levels = 0;
  while (levels < 63 && (uint64_t)1 << levels < n)
    levels++;
  return 16 + (long double)levels;
}

// ---------------------------------------------------------------- The operators

struct estimate {
  long double value, bound;
};

static bool is_sum(clred_op op) {
  return ORACLE_IS_ONE(op, ORACLE_SUMS);
}

static bool is_of_sample(clred_op op) {
  return op == CLRED_OP_VAR_SAMPLE || op == CLRED_OP_STD_SAMPLE;
}

static bool is_root(clred_op op) {
  return op == CLRED_OP_STD || op == CLRED_OP_STD_SAMPLE;
}

static bool is_of_moments(clred_op op) {
  return ORACLE_IS_ONE(op, ORACLE_MOMENTS);
}

static enum term term_of(clred_op op) {
  return op == CLRED_OP_SUM ? ITSELF : op == CLRED_OP_NORM1 ? MAGNITUDE : oracle_is_dot(op) ? PRODUCT : SQUARE;
}

static struct estimate sum_estimate(const oracle_column *column, clred_op op, long double D, long double u) {
  const long double value = sum_up(column, term_of(op), 1, false), size = sum_up(column, term_of(op), 1, true);
  const long double lost = 2 * (long double)column->n * lowest_of(oracle_wide(column->problem));
  return (struct estimate){value, op == CLRED_OP_SUM ? D * u * size : (D + 3) * u * size + lost};
}

static struct estimate norm2_estimate(const oracle_column *column, const struct size *size, long double D,
                                      long double u) {
  const long double from = size->greatest > 0 ? size->greatest : 1;
  const long double norm = from * sqrtl(sum_up(column, SQUARE, from, false));
  return (struct estimate){norm, (D / 2 + 4) * u * norm + lowest_of(oracle_real(column->problem))};
}

// Estimates that use the mean.
static struct estimate moments_estimate(const oracle_column *column, clred_op op, const struct size *size,
                                        long double D, long double u) {
  const clred_type real = oracle_real(column->problem);
  const long double n = (long double)size->kept, lowest = lowest_of(real);
  const long double R = (long double)size->high - (long double)size->low;
  const long double mean = sum_up(column, ITSELF, 0, false) / n;
  if (op == CLRED_OP_MEAN)
    return (struct estimate){mean, u * fabsl(mean) + (3 * D + 3) * u * R + 2 * D * lowest};
  // The mean of large elements is rounded by more than their distances are.
  const long double off = sum_up(column, DISTANCE, mean, false);
  const long double of_n = fmaxl(0, sum_up(column, DISTANCE_SQUARED, mean, false) - off * off / n) / n;
  const long double shift = (3 * D + 3) * u * R + 2 * D * lowest;
  const long double bound_of_n =
    (6 * D + 6) * u * (of_n + R * sqrtl(of_n)) + 4 * D * lowest * sqrtl(of_n) + shift * shift;
  const long double scale = is_of_sample(op) ? n / (n - 1) : 1, var = of_n * scale, bound = bound_of_n * scale;
  if (!is_root(op))
    return (struct estimate){var, bound + lowest};
  return (struct estimate){sqrtl(var), (var > 0 ? bound / 2 / sqrtl(var) : sqrtl(bound)) + lowest};
}

static struct estimate estimate_of(const oracle_column *column, clred_op op, const struct size *size) {
  const long double D = depth_of(column->n);
  const long double u = unit_of(is_sum(op) ? oracle_wide(column->problem) : oracle_real(column->problem));
  if (is_sum(op))
    return sum_estimate(column, op, D, u);
  return op == CLRED_OP_NORM2 ? norm2_estimate(column, size, D, u) : moments_estimate(column, op, size, D, u);
}

// The bounds hold if sums of magnitudes and the result are in range.
static bool stays_in_range(const oracle_column *column, clred_op op, struct estimate estimate) {
  const clred_type type = is_sum(op) ? oracle_wide(column->problem) : oracle_real(column->problem);
  const long double largest = largest_of(type);
  if (is_sum(op))
    return sum_up(column, term_of(op), 1, true) < largest;
  return estimate.value + estimate.bound < largest;
}

bool oracle_exact(const oracle_column *column, clred_op op, double *value, double *bound) {
  if (!is_sum(op) && !is_of_moments(op) && op != CLRED_OP_NORM2)
    return false;
  const struct size size = size_of(column, op);
  if (!size.finite || size.kept == 0 || (is_of_sample(op) && size.kept == 1))
    return false;
  if (op != CLRED_OP_NORM2 && oracle_is_integral(column->problem))  // bits are compared
    return false;
  if (oracle_is_complex(column->problem->type) && (oracle_is_dot(op) || is_of_moments(op)))
    return false;
  const struct estimate estimate = estimate_of(column, op, &size);
  if (!stays_in_range(column, op, estimate))
    return false;
  *value = (double)estimate.value;
  // The estimate leaves out terms in u^2 (u is the unit roundoff), and the exact value itself is rounded. So the bound
  // is made larger.
  *bound = (double)(1.01L * estimate.bound + (DBL_EPSILON + 4 * LDBL_EPSILON) * fabsl(estimate.value));
  return true;
}

// ---------------------------------------------------------------- The logarithm of a sum of exponentials

void oracle_logsumexp(const oracle_column *column, double *value, double *bound) {
  const clred_type real = oracle_real(column->problem);
  const long double D = depth_of(column->n), u = unit_of(real);
  long_real sum = {0, 0};
  long double distance = 0;
  double top = -(double)INFINITY;
  bool any_nan = false;
  *bound = 0;
  for (uint64_t i = 0; i < column->n; i++) {
    const double x = oracle_real_at(column, column->x, i);
    any_nan = any_nan || (isnan(x) && !oracle_is_ignored(column, x));
    top = x > top ? x : top;
  }
  *value = any_nan ? (double)NAN : top;
  if (!isfinite(*value))
    return;
  for (uint64_t i = 0; i < column->n; i++) {
    const long double away = (long double)oracle_real_at(column, column->x, i) - top;
    if (isfinite(away)) {
      take_in(&sum, expl(away));
      distance = fmaxl(distance, -away);
    }
  }
  *value = (double)(top + logl(sum.sum + sum.rest));
  // The bound of docs/numerics.md does not include the last addition, which rounds a value as large as the result. So
  // its rounding is added here.
  *bound = (double)(1.01L * (8 * D + 8) * u * (1 + distance) + 2 * u * fabsl((long double)*value));
}
