// Floating operators. States are doubles. Operations on floats are computed in double and rounded to float. For +, -,
// x, / and sqrt two roundings give the same bits as one, because 53 >= 2 * 24 + 2. This includes denormal results.

#include "oracle/column.h"

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

static void multiply(bool single, oracle_state *a, const oracle_state *b) {
  a->v[0] = product_of(single, a->v[0], b->v[0]);
}

enum { RE, IM };

static void multiply_complex(bool single, oracle_state *a, const oracle_state *b) {
  const double *p = a->v, *q = b->v;
  const double re = sum_of(single, product_of(single, p[RE], q[RE]), -product_of(single, p[IM], q[IM]));
  const double im = sum_of(single, product_of(single, p[RE], q[IM]), product_of(single, p[IM], q[RE]));
  a->v[RE] = re;
  a->v[IM] = im;
}

enum { COUNT, MEAN, REST, M2, SCALED };

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

// `scaled` of two states that are combined to m2, where their means are d apart.
static double scaled_of(bool single, const double *a, const double *b, double d, double weight, double m2) {
  const struct spread *by = &spreads[single];
  const double up = ldexp(1, by->unit), down = ldexp(1, -by->unit);
  if (m2 < ldexp(1, by->least)) {
    const double far = weight > 0 ? weighted(single, product_of(single, d, up), weight) : 0;
    return sum_of(single, sum_of(single, a[SCALED], b[SCALED]), far);
  }
  if (m2 < ldexp(1, by->end))
    return 0;
  const double means = sum_of(single, product_of(single, a[MEAN], down), -product_of(single, b[MEAN], down));
  const double from = sum_of(single, means, product_of(single, a[REST], down));
  const double far = sum_of(single, product_of(single, b[REST], down), -from);
  return sum_of(single, sum_of(single, lowered(single, a), lowered(single, b)), weighted(single, far, weight));
}

static void merge_moments(bool single, oracle_state *a, const oracle_state *b) {
  const double n = a->v[COUNT] + b->v[COUNT], some = rounded(single, n > 0 ? n : 1);
  const double a_count = rounded(single, a->v[COUNT]), b_count = rounded(single, b->v[COUNT]);
  const double a_share = quotient_of(single, a_count, some), b_share = quotient_of(single, b_count, some);
  const double from_mean = sum_of(single, sum_of(single, a->v[MEAN], -b->v[MEAN]), a->v[REST]);
  const double d = sum_of(single, b->v[REST], -from_mean);
  const double weight = product_of(single, a_count, b_share), apart = weighted(single, d, weight);
  const double step = sum_of(single, a->v[REST], product_of(single, d, b_share)), before = a->v[MEAN];
  const double m2 = sum_of(single, sum_of(single, a->v[M2], b->v[M2]), apart);
  a->v[SCALED] = scaled_of(single, a->v, b->v, d, weight, m2);
  a->v[M2] = m2;
  if (a->v[COUNT] == 0) {
    a->v[MEAN] = b->v[MEAN];
    a->v[REST] = b->v[REST];
  } else if (isfinite(d)) {
    a->v[MEAN] = sum_of(single, before, step);
    a->v[REST] = sum_of(single, step, -sum_of(single, a->v[MEAN], -before));
  } else {
    a->v[MEAN] = sum_of(single, product_of(single, before, a_share), product_of(single, b->v[MEAN], b_share));
    a->v[REST] = -0.0;
  }
  a->v[COUNT] = n;
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

static double pair_product(const oracle_column *column, bool single, uint64_t i) {
  const double x = oracle_real_at(column, column->x, i), y = oracle_real_at(column, column->y, i);
  return oracle_is_ignored(column, x) || oracle_is_ignored(column, y) ? 0 : product_of(single, x, y);
}

static oracle_state moments(const oracle_column *column, uint64_t i) {
  const double x = oracle_real_at(column, column->x, i);
  return (oracle_state){{oracle_is_ignored(column, x) ? 0 : 1, oracle_kept(column, i, -0.0), -0.0, 0}};
}

static oracle_state lift(const oracle_column *column, clred_op op, bool single, uint64_t i) {
  switch (op) {
  case CLRED_OP_MEAN:
  case CLRED_OP_VAR:
  case CLRED_OP_VAR_SAMPLE:
  case CLRED_OP_STD:
  case CLRED_OP_STD_SAMPLE:
    return moments(column, i);
  case CLRED_OP_NORM2:
    return squares(column, single, i);
  case CLRED_OP_NORM1:
  case CLRED_OP_SUMSQ:
    return (oracle_state){{measure(column, op, single, i)}};
  case CLRED_OP_DOT:
    return (oracle_state){{pair_product(column, single, i)}};
  default:
    return (oracle_state){{oracle_kept(column, i, op == CLRED_OP_MUL)}};
  }
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
  if (v[COUNT] == 0 || !isfinite(v[MEAN]))
    return NAN;
  const bool tiny = v[M2] < ldexp(1, by->least), plain = !tiny && v[M2] < ldexp(1, by->end);
  const double unit = plain ? 1 : ldexp(1, tiny ? -by->unit : by->unit);
  const double var = quotient_of(single, plain ? v[M2] : v[SCALED], sum_of(single, rounded(single, v[COUNT]), -less));
  if (is_root)
    return product_of(single, root_of(single, var), unit);
  return product_of(single, product_of(single, var, unit), unit);
}

static double lower(clred_op op, bool single, const double *v) {
  switch (op) {
  case CLRED_OP_MEAN:
    return v[COUNT] > 0 ? v[MEAN] : NAN;
  case CLRED_OP_VAR:
    return spread_of(single, v, 0, false);
  case CLRED_OP_VAR_SAMPLE:
    return spread_of(single, v, 1, false);
  case CLRED_OP_STD:
    return spread_of(single, v, 0, true);
  case CLRED_OP_STD_SAMPLE:
    return spread_of(single, v, 1, true);
  case CLRED_OP_NORM2:
    return scaled_root(single, v);
  default:
    return v[0];
  }
}

// ---------------------------------------------------------------- The fold

static bool takes_real(clred_op op) {
  return op == CLRED_OP_NORM2 || op == CLRED_OP_MEAN || op == CLRED_OP_VAR || op == CLRED_OP_VAR_SAMPLE ||
         op == CLRED_OP_STD || op == CLRED_OP_STD_SAMPLE;
}

static oracle_algebra algebra_of(const oracle_column *column, clred_op op, bool single) {
  oracle_algebra how = {.single = single, .lanes = column->lanes, .combine = add};
  if (op == CLRED_OP_MUL)
    how.combine = multiply;
  else if (takes_real(op) && op != CLRED_OP_NORM2)
    how.combine = merge_moments;
  return how;
}

// The states of all elements; over no elements, the identity of sums and products.
static oracle_state *lift_all(const oracle_column *column, clred_op op, bool single) {
  oracle_state *x = oracle_claim(column->n + 1, sizeof *x);
  x[0] = (oracle_state){{op == CLRED_OP_MUL}};
  for (uint64_t i = 0; i < column->n; i++)
    x[i] = lift(column, op, single, i);
  return x;
}

// Complex numbers as states, for products.
static oracle_state *lift_complex(const oracle_column *column) {
  const oracle_column imaginary = oracle_imaginary(column);
  oracle_state *x = oracle_claim(column->n + 1, sizeof *x);
  x[0] = (oracle_state){{1, 0}};
  for (uint64_t i = 0; i < column->n; i++)
    x[i] = (oracle_state){{oracle_kept(column, i, 1), oracle_kept(&imaginary, i, 0)}};
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
    oracle_bound(column->tree, op == CLRED_OP_MUL, single, x, column->n, &part->value[component],
                 &part->bound[component]);
    x[0].v[0] = part->value[component];
  } else if (column->n) {
    oracle_fold(column->tree, &how, x, column->n);
  }
  part->bits[component] = oracle_float_bits(type, lower(op, single, x[0].v));
  free(x);
}

void oracle_complex_product(const oracle_column *column, oracle_part *part) {
  const clred_type type = oracle_wide(column->problem);
  const bool single = type == CLRED_TYPE_FLOAT;
  const oracle_algebra how = {.single = single, .lanes = column->lanes, .combine = multiply_complex};
  oracle_state *x = lift_complex(column);
  if (column->n)
    oracle_fold(column->tree, &how, x, column->n);
  part->bits[RE] = oracle_float_bits(type, x[0].v[RE]);
  part->bits[IM] = oracle_float_bits(type, x[0].v[IM]);
  free(x);
}

// ---------------------------------------------------------------- Scans

void oracle_scan_reals(const oracle_column *column, clred_op op, bool inclusive, const double *start, uint64_t *bits) {
  const clred_type type = takes_real(op) ? oracle_real(column->problem) : oracle_wide(column->problem);
  const bool single = type == CLRED_TYPE_FLOAT;
  const oracle_algebra how = algebra_of(column, op, single);
  const oracle_state identity = {{op == CLRED_OP_MUL}}, first = {{start ? start[0] : 0}};
  oracle_state *x = lift_all(column, op, single), *prefixes = oracle_claim(column->n, sizeof *x);
  oracle_prefixes(column->tree, &how, x, column->n, start ? &first : NULL, inclusive, &identity, prefixes);
  for (uint64_t i = 0; i < column->n; i++)
    bits[i] = oracle_float_bits(type, lower(op, single, prefixes[i].v));
  free(x);
  free(prefixes);
}

void oracle_scan_complex_product(const oracle_column *column, bool inclusive, const double *start, uint64_t *bits) {
  const clred_type type = oracle_wide(column->problem);
  const oracle_algebra how = {.single = type == CLRED_TYPE_FLOAT, .combine = multiply_complex};
  const oracle_state one = {{1, 0}}, first = {{start ? start[RE] : 0, start ? start[IM] : 0}};
  oracle_state *x = lift_complex(column), *prefixes = oracle_claim(column->n, sizeof *x);
  oracle_prefixes(column->tree, &how, x, column->n, start ? &first : NULL, inclusive, &one, prefixes);
  for (uint64_t i = 0; i < 2 * column->n; i++)
    bits[i] = oracle_float_bits(type, prefixes[i / 2].v[i % 2 ? IM : RE]);
  free(x);
  free(prefixes);
}
