// The table of operators that round, one row a part, and the judgement.

#include "verify/measure.h"

#include <math.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/measure_task.h"

static const struct row {
  clred_op op;
  const char *part;
  void (*measure)(const struct task *task);
} rows[] = {{CLRED_OP_ADD, "", measure_sum},
            {CLRED_OP_ADD, "re", measure_sum},
            {CLRED_OP_ADD, "im", measure_sum},
            {CLRED_OP_MUL, "", measure_product},
            {CLRED_OP_MUL, "re", measure_product},
            {CLRED_OP_MUL, "im", measure_product},
            {CLRED_OP_MEAN, "", measure_mean},
            {CLRED_OP_VAR, "", measure_var},
            {CLRED_OP_VAR_SAMPLE, "", measure_var_sample},
            {CLRED_OP_STD, "", measure_std},
            {CLRED_OP_NORM1, "", measure_magnitudes},
            {CLRED_OP_NORM2, "", measure_norm},
            {CLRED_OP_SUMSQ, "", measure_squares},
            {CLRED_OP_DOT, "", measure_dot},
            {CLRED_OP_LOGSUMEXP, "", measure_exponentials},
            {CLRED_OP_STATS, "mean", measure_mean},
            {CLRED_OP_STATS, "var", measure_var},
            {CLRED_OP_STATS, "sum", measure_sum}};

static const struct row *find_row(clred_op op, const char *part) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].op == op && strcmp(rows[i].part, part) == 0)
      return &rows[i];
  return NULL;
}

bool measure(clred_op op, const char *part, const struct samples *samples, clred_type type, double result, double depth,
             struct measured *measured) {
  const struct row *row = find_row(op, part);
  if (row == NULL || !exact_knows(type))
    return false;
  *measured = (struct measured){0};
  const struct task task = {
    samples, strcmp(part, "im") == 0, exact_unit_roundoff(type), exact_greatest(type), depth, result, measured};
  row->measure(&task);
  // Each term of products may fall below the least subnormal.
  measured->bound += op == CLRED_OP_ADD ? 0 : ((double)samples->count + 1) * exact_ulp(type, 0);
  return true;
}

static bool left_the_range(clred_type type, double result) {
  double least_normal = exact_ulp(type, 0) / (2 * exact_unit_roundoff(type));
  return !isfinite(result) || fabs(result) < least_normal;
}

// Where partial sums overflow to both sides, even an infinite sum may come out as NaN.
bool measure_allows(const struct measured *measured, clred_type type, double result) {
  if (isnan(measured->value))
    return isnan(result);
  if (isinf(measured->value))
    return result == measured->value || (measured->risky && isnan(result));
  if (measured->risky && left_the_range(type, result))
    return true;
  return fabs(measured->error) <= measured->bound;
}
