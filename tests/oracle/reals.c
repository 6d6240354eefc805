// Floating operators. States are doubles. Operations on floats are computed in double and rounded to float. For +, -,
// x, / and sqrt two roundings give the same bits as one, because 53 >= 2 * 24 + 2. This includes denormal results.

#include "oracle/column.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double rounded(bool single, double value) {
  // Without volatile, GCC 12 vectorizes neighbouring (double)(float)x and drops the rounding.
  const volatile float narrow = (float)value;
  return single ? (double)narrow : value;
}

static double sum_of(bool single, double a, double b) {
  return rounded(single, a + b);
}

static double product_of(bool single, double a, double b) {
  return rounded(single, a * b);
}

static double quotient_of(bool single, double a, double b) {
  return rounded(single, a / b);
}

static double root_of(bool single, double a) {
  return rounded(single, sqrt(a));
}

// ---------------------------------------------------------------- Combining

static void add(bool single, oracle_state *a, const oracle_state *b) {
  for (int i = 0; i < 3; i++)
    a->v[i] = sum_of(single, a->v[i], b->v[i]);
}

// A number of any size: value x 2^exponent.
struct wide {
  double value, exponent;
};

static struct wide wide_of(double value, double exponent) {
  int by = 0;
  const double fraction = isfinite(value) ? frexp(value, &by) : value;
  return (struct wide){fraction, exponent + by};
}

static struct wide wide_product(bool single, struct wide p, struct wide q) {
  return wide_of(product_of(single, p.value, q.value), p.exponent + q.exponent);
}

// A shift by 2200 binades leaves nothing.
static struct wide wide_sum(bool single, struct wide p, struct wide q) {
  const double top = p.value == 0 ? q.exponent : q.value == 0 ? p.exponent : fmax(p.exponent, q.exponent);
  const double left = ldexp(p.value, (int)fmax(p.exponent - top, -2200));
  const double right = ldexp(q.value, (int)fmax(q.exponent - top, -2200));
  return wide_of(sum_of(single, left, right), top);
}

static double narrow(bool single, double value, double exponent) {
  return rounded(single, ldexp(value, (int)fmin(fmax(exponent, -2200), 2200)));
}

enum { RE, IM, EXPONENT = 1, RE_EXPONENT, IM_EXPONENT };

static void multiply(bool single, oracle_state *a, const oracle_state *b) {
  const struct wide product = wide_product(single, wide_of(a->v[0], a->v[EXPONENT]), wide_of(b->v[0], b->v[EXPONENT]));
  a->v[0] = product.value;
  a->v[EXPONENT] = product.exponent;
}

static void multiply_complex(bool single, oracle_state *a, const oracle_state *b) {
  const struct wide p = wide_of(a->v[RE], a->v[RE_EXPONENT]), q = wide_of(a->v[IM], a->v[IM_EXPONENT]);
  const struct wide r = wide_of(b->v[RE], b->v[RE_EXPONENT]), s = wide_of(b->v[IM], b->v[IM_EXPONENT]);
  struct wide less = wide_product(single, q, s);
  less.value = -less.value;
  const struct wide re = wide_sum(single, wide_product(single, p, r), less);
  const struct wide im = wide_sum(single, wide_product(single, p, s), wide_product(single, q, r));
  *a = (oracle_state){{re.value, im.value, re.exponent, im.exponent}};
}

// A complex mean has a second mean and rest at IMAGINARY.
enum { COUNT, MEAN, REST, M2, IMAGINARY, SCALED = 6 };

// The exponents of the unit of `scaled`, and of the range of m2 where it is not kept.
static const struct spread { int unit, least, end; } spreads[] = {{700, -700, 800}, {90, -90, 100}};

static double weighted(bool single, double d, double weight) {
  return product_of(single, d, product_of(single, d, weight));
}

// p in the unit of large variances.
static double lowered(bool single, const double *p) {
  const struct spread *by = &spreads[single];
  const double down = ldexp(1, -by->unit);
  return p[M2] < ldexp(1, by->end) ? product_of(single, product_of(single, p[M2], down), down) : p[SCALED];
}

enum { PLAIN, RAISED, LOWERED };

// Merges the mean and rest that stand at MEAN and REST, counted from `first`. Adds the weighted square of the distance
// of b to `apart`: as it is, and in the units of small and of large variances.
static void merge_mean(bool single, int first, oracle_state *a, const oracle_state *b, double apart[3]) {
  double *const v = a->v + first;
  const double *const w = b->v + first;
  const double n = a->v[COUNT] + b->v[COUNT], some = rounded(single, n > 0 ? n : 1);
  const double a_count = rounded(single, a->v[COUNT]), b_count = rounded(single, b->v[COUNT]);
  const double a_share = quotient_of(single, a_count, some), b_share = quotient_of(single, b_count, some);
  const double from_mean = sum_of(single, sum_of(single, v[MEAN], -w[MEAN]), v[REST]);
  const double d = sum_of(single, w[REST], -from_mean);
  const double step = sum_of(single, v[REST], product_of(single, d, b_share)), before = v[MEAN];
  const double weight = product_of(single, a_count, b_share), down = ldexp(1, -spreads[single].unit);
  const double means = sum_of(single, product_of(single, v[MEAN], down), -product_of(single, w[MEAN], down));
  const double from = sum_of(single, means, product_of(single, v[REST], down));
  const double raised = weight > 0 ? product_of(single, d, ldexp(1, spreads[single].unit)) : 0;
  apart[PLAIN] = sum_of(single, apart[PLAIN], weighted(single, d, weight));
  apart[RAISED] = sum_of(single, apart[RAISED], weighted(single, raised, weight));
  apart[LOWERED] =
    sum_of(single, apart[LOWERED], weighted(single, sum_of(single, product_of(single, w[REST], down), -from), weight));
  if (a->v[COUNT] == 0) {
    v[MEAN] = w[MEAN];
    v[REST] = w[REST];
  } else if (isfinite(d)) {
    v[MEAN] = sum_of(single, before, step);
    v[REST] = sum_of(single, step, -sum_of(single, v[MEAN], -before));
  } else {
    v[MEAN] = sum_of(single, product_of(single, before, a_share), product_of(single, w[MEAN], b_share));
    v[REST] = -0.0;
  }
}

static void merge_m2(bool single, oracle_state *a, const oracle_state *b, const double apart[3]) {
  const double m2 = sum_of(single, sum_of(single, a->v[M2], b->v[M2]), apart[PLAIN]);
  const bool tiny = m2 < ldexp(1, spreads[single].least), huge = !(m2 < ldexp(1, spreads[single].end));
  if (tiny)
    a->v[SCALED] = sum_of(single, sum_of(single, a->v[SCALED], b->v[SCALED]), apart[RAISED]);
  else if (huge)
    a->v[SCALED] = sum_of(single, sum_of(single, lowered(single, a->v), lowered(single, b->v)), apart[LOWERED]);
  else
    a->v[SCALED] = 0;
  a->v[M2] = m2;
  a->v[COUNT] += b->v[COUNT];
}

static void merge_moments(bool single, oracle_state *a, const oracle_state *b) {
  double apart[3] = {-0.0, -0.0, -0.0};
  merge_mean(single, 0, a, b, apart);
  merge_m2(single, a, b, apart);
}

static void merge_complex_moments(bool single, oracle_state *a, const oracle_state *b) {
  double apart[3] = {-0.0, -0.0, -0.0};
  merge_mean(single, 0, a, b, apart);
  merge_mean(single, IMAGINARY - MEAN, a, b, apart);
  merge_m2(single, a, b, apart);
}

// ---------------------------------------------------------------- Lifting

static double modulus(bool single, double re, double im) {
  const double p = fmax(fabs(re), fabs(im)), q = fmin(fabs(re), fabs(im));
  if (isinf(re) || isinf(im))
    return INFINITY;
  if (isnan(re) || isnan(im))
    return NAN;
  const double r = p > 0 ? quotient_of(single, q, p) : 0;
  return product_of(single, p, root_of(single, sum_of(single, 1, product_of(single, r, r))));
}

enum { BIG, MIDDLE, SMALL };

// The exponents of two of the thresholds B and S and the scales D and U.
static const struct scales { int big, down, small, up; } scales[] = {{450, -600, -500, 600}, {42, -90, -60, 100}};

static oracle_state scaled_square(bool single, double x) {
  const struct scales *by = &scales[single];
  const double m = fabs(x);
  oracle_state state = {{0}};
  const int place = m >= ldexp(1, by->big) ? BIG : m <= ldexp(1, by->small) ? SMALL : MIDDLE;
  const double scaled = place == MIDDLE ? m : product_of(single, m, ldexp(1, place == BIG ? by->down : by->up));
  state.v[place] = product_of(single, scaled, scaled);
  return state;
}

static oracle_state squares(const oracle_column *column, bool single, uint64_t i) {
  oracle_state state = scaled_square(single, oracle_kept(column, i, 0));
  if (oracle_is_complex(column->problem->type)) {
    const oracle_column imaginary = oracle_imaginary(column);
    const oracle_state other = scaled_square(single, oracle_kept(&imaginary, i, 0));
    add(single, &state, &other);
  }
  return state;
}

// Magnitudes and squares; those of a complex number include both parts.
static double measure(const oracle_column *column, clred_op op, bool single, uint64_t i) {
  const double x = oracle_kept(column, i, 0);
  if (!oracle_is_complex(column->problem->type))
    return op == CLRED_OP_NORM1 ? fabs(x) : product_of(single, x, x);
  const oracle_column imaginary = oracle_imaginary(column);
  const double im = oracle_kept(&imaginary, i, 0);
  if (op == CLRED_OP_NORM1)
    return modulus(single, x, im);
  return sum_of(single, product_of(single, x, x), product_of(single, im, im));
}

// A part of the product of two complex numbers. The first one may be conjugate.
static double complex_product(const oracle_column *column, bool single, bool conjugate, uint64_t i) {
  const size_t back = column->component * oracle_size(column->type), part = oracle_size(column->type);
  const double a = oracle_real_at(column, column->x - back, i), b = oracle_real_at(column, column->x - back + part, i);
  const double c = oracle_real_at(column, column->y - back, i), d = oracle_real_at(column, column->y - back + part, i);
  if (oracle_is_ignored(column, a) || oracle_is_ignored(column, b) || oracle_is_ignored(column, c) ||
      oracle_is_ignored(column, d))
    return 0;
  if (column->component)
    return sum_of(single, product_of(single, a, d), product_of(single, conjugate ? -b : b, c));
  return sum_of(single, product_of(single, a, c), product_of(single, conjugate ? b : -b, d));
}

static double pair_product(const oracle_column *column, bool single, uint64_t i) {
  const double x = oracle_real_at(column, column->x, i), y = oracle_real_at(column, column->y, i);
  return oracle_is_ignored(column, x) || oracle_is_ignored(column, y) ? 0 : product_of(single, x, y);
}

static oracle_state moments(const oracle_column *column, uint64_t i) {
  const size_t back = column->component * oracle_size(column->type);
  const double x = oracle_real_at(column, column->x - back, i);
  if (!oracle_is_complex(column->problem->type))
    return (oracle_state){{oracle_is_ignored(column, x) ? 0 : 1, oracle_kept(column, i, -0.0), -0.0, 0}};
  const double im = oracle_real_at(column, column->x - back + oracle_size(column->type), i);
  if (oracle_is_ignored(column, x) || oracle_is_ignored(column, im))
    return (oracle_state){{0, -0.0, -0.0, 0, -0.0, -0.0}};
  return (oracle_state){{1, x, -0.0, 0, im, -0.0}};
}

static bool is_complex_product(const oracle_column *column, clred_op op) {
  return op == CLRED_OP_PROD && oracle_is_complex(column->problem->type);
}

// Both parts of a factor.
static oracle_state factor(const oracle_column *column, uint64_t i) {
  oracle_column real = *column;
  real.x -= column->component * oracle_size(column->type);
  const oracle_column imaginary = oracle_imaginary(&real);
  return (oracle_state){{oracle_kept(&real, i, 1), oracle_kept(&imaginary, i, 0)}};
}

static oracle_state lift(const oracle_column *column, clred_op op, bool single, uint64_t i) {
  if (is_complex_product(column, op))
    return factor(column, i);
  if (ORACLE_IS_ONE(op, ORACLE_MOMENTS))
    return moments(column, i);
  if (op == CLRED_OP_NORM2)
    return squares(column, single, i);
  if (ORACLE_IS_ONE(op, CLRED_OP_NORM1, CLRED_OP_SUMSQ))
    return (oracle_state){{measure(column, op, single, i)}};
  if (!oracle_is_dot(op))
    return (oracle_state){{oracle_kept(column, i, op == CLRED_OP_PROD)}};
  if (oracle_is_complex(column->problem->type))
    return (oracle_state){{complex_product(column, single, op == CLRED_OP_VDOT, i)}};
  return (oracle_state){{pair_product(column, single, i)}};
}

// ---------------------------------------------------------------- Lowering

static double scaled_root(bool single, const double *v) {
  const struct scales *by = &scales[single];
  const double down = ldexp(1, by->down), up = ldexp(1, by->up);
  const double lowered = product_of(single, product_of(single, v[MIDDLE], down), down);
  const double raised = quotient_of(single, quotient_of(single, v[SMALL], up), up);
  if (isnan(v[MIDDLE]))
    return NAN;
  if (v[BIG] > 0)
    return quotient_of(single, root_of(single, sum_of(single, v[BIG], lowered)), down);
  if (v[MIDDLE] > 0)
    return root_of(single, sum_of(single, v[MIDDLE], raised));
  return quotient_of(single, root_of(single, v[SMALL]), up);
}

// The variance or its root, for n - less elements.
static double spread_of(bool single, const double *v, double less, bool is_root) {
  const struct spread *by = &spreads[single];
  if (v[COUNT] == 0 || !isfinite(v[MEAN]) || !isfinite(v[IMAGINARY]))
    return NAN;
  const bool tiny = v[M2] < ldexp(1, by->least), plain = !tiny && v[M2] < ldexp(1, by->end);
  const double unit = plain ? 1 : ldexp(1, tiny ? -by->unit : by->unit);
  const double var = quotient_of(single, plain ? v[M2] : v[SCALED], sum_of(single, rounded(single, v[COUNT]), -less));
  if (is_root)
    return product_of(single, root_of(single, var), unit);
  return product_of(single, product_of(single, var, unit), unit);
}

static double lower(const oracle_column *column, clred_op op, bool single, const double *v) {
  const unsigned component = column->component;
  if (op == CLRED_OP_MEAN)
    return v[COUNT] > 0 ? v[component ? IMAGINARY : MEAN] : NAN;
  if (is_complex_product(column, op))
    return narrow(single, v[component], v[RE_EXPONENT + component]);
  if (ORACLE_IS_ONE(op, ORACLE_MOMENTS))
    return spread_of(single, v, ORACLE_IS_ONE(op, CLRED_OP_VAR_SAMPLE, CLRED_OP_STD_SAMPLE),
                     ORACLE_IS_ONE(op, CLRED_OP_STD, CLRED_OP_STD_SAMPLE));
  if (op == CLRED_OP_NORM2)
    return scaled_root(single, v);
  return op == CLRED_OP_PROD ? narrow(single, v[0], v[EXPONENT]) : v[0];
}

// ---------------------------------------------------------------- Order "any": a bound instead of bits

// The exact sum or product of n > 0 values v[0], and the bound of the device's error.
static void bound_of(const oracle_tree *tree, bool multiply, bool single, const oracle_state *x, uint64_t n,
                     double *value, double *bound) {
  const double unit = single ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
  const double tiny = single ? ldexp(1, -137) : ldexp(1, -1062);
  long double sum = multiply ? 1 : 0, size = sum;
  for (uint64_t i = 0; i < n; i++) {
    sum = multiply ? sum * x[i].v[0] : sum + x[i].v[0];
    size = multiply ? size * fabs(x[i].v[0]) : size + fabs(x[i].v[0]);
  }
  // A product is off by at most one unit a factor in any order; a long double may be no wider than a double.
  const double passes = multiply ? (double)n : oracle_depth(tree, n);
  const double own = (double)n * (double)(LDBL_EPSILON / 2) + DBL_EPSILON;
  *value = (double)sum;
  *bound = 1.01 * (passes * unit + own) * (double)size;
  // Products of denormals lose bits at the bottom of the range; sums do not.
  if (multiply)
    *bound += (double)n * tiny;
}

// ---------------------------------------------------------------- The fold

static bool takes_real(clred_op op) {
  return ORACLE_IS_ONE(op, ORACLE_MOMENTS, CLRED_OP_NORM2);
}

static oracle_algebra algebra_of(const oracle_column *column, clred_op op, bool single) {
  oracle_algebra how = {.single = single, .lanes = column->lanes, .combine = add};
  if (op == CLRED_OP_PROD)
    how.combine = is_complex_product(column, op) ? multiply_complex : multiply;
  else if (ORACLE_IS_ONE(op, ORACLE_MOMENTS))
    how.combine = oracle_is_complex(column->problem->type) ? merge_complex_moments : merge_moments;
  return how;
}

// The states of all elements; over no elements, the identity of sums and products.
static oracle_state *lift_all(const oracle_column *column, clred_op op, bool single) {
  oracle_state *x = oracle_claim(column->n + 1, sizeof *x);
  x[0] = (oracle_state){{op == CLRED_OP_PROD}};
  for (uint64_t i = 0; i < column->n; i++)
    x[i] = lift(column, op, single, i);
  return x;
}

void oracle_fold_reals(const oracle_column *column, clred_op op, oracle_part *part, unsigned component) {
  const clred_type type = takes_real(op) ? oracle_real(column->problem) : oracle_wide(column->problem);
  const bool single = type == CLRED_TYPE_FLOAT;
  const oracle_algebra how = algebra_of(column, op, single);
  oracle_state *x = lift_all(column, op, single);
  if (column->n && oracle_any_order(column->tree)) {
    part->open = true;
    if (takes_real(op))
      oracle_fail("there is no bound in an open order for", "this operator");
    bound_of(column->tree, op == CLRED_OP_PROD, single, x, column->n, &part->value[component], &part->bound[component]);
    x[0] = (oracle_state){{part->value[component]}};
  } else if (column->n) {
    oracle_fold(column->tree, &how, x, column->n);
  }
  part->bits[component] = oracle_float_bits(type, lower(column, op, single, x[0].v));
  free(x);
}

// ---------------------------------------------------------------- Scans

void oracle_scan_reals(const oracle_column *column, clred_op op, bool inclusive, const double *start, uint64_t *bits) {
  const clred_type type = takes_real(op) ? oracle_real(column->problem) : oracle_wide(column->problem);
  const bool single = type == CLRED_TYPE_FLOAT;
  const oracle_algebra how = algebra_of(column, op, single);
  const oracle_state identity = {{op == CLRED_OP_PROD}}, first = {{start ? start[0] : 0, start ? start[1] : 0}};
  oracle_state *x = lift_all(column, op, single), *prefixes = oracle_claim(column->n, sizeof *x);
  oracle_prefixes(column->tree, &how, x, column->n, start ? &first : NULL, inclusive, &identity, prefixes);
  for (uint64_t i = 0; i < column->n; i++)
    bits[i] = oracle_float_bits(type, lower(column, op, single, prefixes[i].v));
  free(x);
  free(prefixes);
}
