// Exact sums of doubles, and how far results are from exact values.
#include "verify/measure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

// ---------------------------------------------------------------- The exact sum

enum { CARRY_AFTER = 1 << 27, LEAST_EXPONENT = -1074 };

// Carries, so that every word but the last is in 0 .. 2^32 - 1. The last word has the sign.
static void carry_all(struct exact_sum *sum) {
  for (int i = 0; i + 1 < EXACT_WORDS; i++) {
    const int64_t low = sum->words[i] & UINT32_MAX;
    sum->words[i + 1] += (sum->words[i] - low) / ((int64_t)1 << 32);
    sum->words[i] = low;
  }
  sum->pending = 0;
}

static void note_special(struct exact_sum *sum, double value) {
  sum->has_nan |= isnan(value) != 0;
  sum->has_plus |= isinf(value) && value > 0;
  sum->has_minus |= isinf(value) && value < 0;
}

void exact_sum_add(struct exact_sum *sum, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t exponent = bits >> 52 & 0x7ff, fraction = bits & 0xfffffffffffffu;
  if (exponent == 0x7ff) {
    note_special(sum, value);
    return;
  }
  uint64_t place = exponent == 0 ? 0 : exponent - 1;
  uint64_t whole = fraction | (exponent == 0 ? 0 : (uint64_t)1 << 52);
  uint64_t low = (whole & 0xffffffffu) << place % 32, high = (whole >> 32) << place % 32;
  int64_t sign = bits >> 63 ? -1 : 1;
  int64_t *words = sum->words + place / 32;
  words[0] += sign * (int64_t)(low & 0xffffffffu);
  words[1] += sign * (int64_t)((low >> 32) + (high & 0xffffffffu));
  words[2] += sign * (int64_t)(high >> 32);
  if (++sum->pending == CARRY_AFTER)
    carry_all(sum);
}

static uint64_t word_at(const struct exact_sum *sum, int i) {
  return i < 0 ? 0 : (uint64_t)sum->words[i];
}

// Rounds a sum without carries that is not negative. Takes the top 64 bits, and sets the lowest of them if any lower
// bit is set, so that the conversion to double rounds correctly.
static double round_words(const struct exact_sum *sum) {
  int top = EXACT_WORDS - 1, length;
  while (top > 0 && sum->words[top] == 0)
    top--;
  frexp((double)sum->words[top], &length);
  const int shift = 32 - length;
  const uint64_t third = word_at(sum, top - 2) << shift;
  const uint64_t bits = ((word_at(sum, top) << 32 | word_at(sum, top - 1)) << shift) | third >> 32;
  uint64_t rest = third & UINT32_MAX;
  for (int i = 0; i < top - 2; i++)
    rest |= word_at(sum, i);
  return ldexp((double)(bits | (rest != 0)), LEAST_EXPONENT + 32 * (top - 1) - shift);
}

double exact_sum_value(const struct exact_sum *sum) {
  struct exact_sum copy = *sum;
  if (sum->has_nan || (sum->has_plus && sum->has_minus))
    return NAN;
  if (sum->has_plus || sum->has_minus)
    return sum->has_plus ? INFINITY : -INFINITY;
  carry_all(&copy);
  if (copy.words[EXACT_WORDS - 1] >= 0)
    return round_words(&copy);
  for (int i = 0; i < EXACT_WORDS; i++)
    copy.words[i] = -copy.words[i];
  carry_all(&copy);
  return -round_words(&copy);
}

// ---------------------------------------------------------------- float and double

static const struct format {
  int digits;          // bits of the significand
  int least_exponent;  // exponent of the smallest subnormal
  double greatest;
} formats[] = {{FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG, FLT_MAX},
               {DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG, DBL_MAX}};

static const struct format *format_of(clred_type type) {
  return &formats[type == CLRED_TYPE_DOUBLE];
}

bool measure_knows(clred_type type) {
  return type == CLRED_TYPE_FLOAT || type == CLRED_TYPE_DOUBLE;
}

double measure_ulp(clred_type type, double value) {
  const struct format *format = format_of(type);
  int exponent = format->least_exponent;
  if (value != 0 && isfinite(value)) {
    frexp(value, &exponent);
    exponent -= format->digits;
  }
  return ldexp(1, exponent > format->least_exponent ? exponent : format->least_exponent);
}

// Half the distance from 1 to the next value: the relative error of one rounding.
static double unit_roundoff(clred_type type) {
  return ldexp(1, -format_of(type)->digits);
}

// ---------------------------------------------------------------- Elements

static double kept(const struct samples *samples, const char *at, double otherwise) {
  double value = number_as_double(samples->type, at);
  return isnan(value) && samples->ignore_nan ? otherwise : value;
}

// The parts of an element. If NaNs are ignored, a real part that is NaN reads as `otherwise`, an imaginary part as 0.
static double real_at(const struct samples *samples, uint64_t index, double otherwise) {
  return kept(samples, samples->x + index * samples->stride, otherwise);
}

static double imaginary_at(const struct samples *samples, uint64_t index) {
  return samples->imaginary == 0 ? 0 : kept(samples, samples->x + index * samples->stride + samples->imaginary, 0);
}

// True for a NaN that is ignored. Operators that count or compare elements skip it.
static bool is_left_out(const struct samples *samples, uint64_t index) {
  return samples->ignore_nan && isnan(real_at(samples, index, NAN));
}

// The elements that are not left out.
struct survey {
  uint64_t count;
  double most;  // the largest magnitude of a real or imaginary part; NaN and infinity are possible
  double low;   // the smallest finite real part
  double high;  // the largest real part
};

// Ends at the first NaN that is not ignored.
static struct survey survey(const struct samples *samples) {
  struct survey all = {0, 0, INFINITY, -INFINITY};
  for (uint64_t i = 0; i < samples->count && !isnan(all.most); i++) {
    const double x = real_at(samples, i, 0), re = fabs(x), im = fabs(imaginary_at(samples, i));
    all.most = isnan(re) || re > all.most ? re : all.most;
    all.most = isnan(im) || im > all.most ? im : all.most;
    if (is_left_out(samples, i))
      continue;
    all.count++;
    all.low = isfinite(x) ? fmin(all.low, x) : all.low;
    all.high = fmax(all.high, x);
  }
  return all;
}

// The exponent of a magnitude; 0 if it is not finite.
static int exponent_of(double magnitude) {
  int exponent = 0;
  if (isfinite(magnitude))
    frexp(magnitude, &exponent);
  return exponent;
}

// ---------------------------------------------------------------- Sums

// A part of a result, which is measured.
struct task {
  const struct samples *samples;
  bool imaginary;  // the part is the imaginary one
  bool sample;     // the variance is that of a sample
  double unit;     // unit roundoff of the result's type
  double greatest;
  double depth;
  double result;
  struct measured *out;
};

// Writes the one or two terms that an element adds to the sum. A real product is exact: its rounded value and the error
// of rounding are two terms. Magnitudes, and squares of the parts of complex numbers, are rounded to double.
typedef int make_terms(const struct samples *samples, uint64_t index, double term[2]);

static int plain_terms(const struct samples *samples, uint64_t index, double term[2]) {
  term[0] = real_at(samples, index, 0);
  return 1;
}

static int imaginary_terms(const struct samples *samples, uint64_t index, double term[2]) {
  term[0] = imaginary_at(samples, index);
  return 1;
}

// A product, and the error of its rounding.
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
  struct exact_sum sum = {.pending = 0};
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

// ---------------------------------------------------------------- Products

// A product as significand and exponent; complex if the elements are. `above` and `below` bound the exponents that a
// product of some of the elements can have.
struct product {
  long double re, im;
  int64_t exponent, above, below;
};

static void multiply(struct product *product, double x, double y) {
  int exponent = exponent_of(fmax(fabs(x), fabs(y)));
  long double re = product->re, im = product->im, u = (long double)x, v = (long double)y;
  if (isfinite(x) && isfinite(y)) {
    u = ldexpl(u, -exponent);
    v = ldexpl(v, -exponent);
  }
  product->re = re * u - im * v;
  product->im = re * v + im * u;
  product->exponent += exponent;
  *(exponent > 0 ? &product->above : &product->below) += exponent > 0 ? exponent : 1 - exponent;
  long double most = fmaxl(fabsl(product->re), fabsl(product->im));
  if (isfinite(most) && most > 0) {
    frexpl(most, &exponent);
    product->re = ldexpl(product->re, -exponent);
    product->im = ldexpl(product->im, -exponent);
    product->exponent += exponent;
  }
}

static void multiply_real(struct product *product, double x) {
  int exponent = exponent_of(x);
  product->re *= isfinite(x) ? ldexpl((long double)x, -exponent) : (long double)x;
  product->exponent += exponent;
  *(exponent > 0 ? &product->above : &product->below) += exponent > 0 ? exponent : 1 - exponent;
  if (isfinite(product->re)) {
    product->re = frexpl(product->re, &exponent);
    product->exponent += exponent;
  }
}

static long double scaled(long double significand, int64_t exponent) {
  int64_t limit = 1 << 20;
  return ldexpl(significand, (int)(exponent > limit ? limit : exponent < -limit ? -limit : exponent));
}

// Each rounding changes the whole product, so all roundings add up. A complex multiplication has three.
static void measure_product(const struct task *task) {
  const struct samples *samples = task->samples;
  struct product product = {1, 0, 0, 0, 0};
  for (uint64_t i = 0; i < samples->count; i++)
    if (samples->imaginary == 0)
      multiply_real(&product, real_at(samples, i, 1));
    else
      multiply(&product, real_at(samples, i, 1), imaginary_at(samples, i));
  long double value = scaled(task->imaginary ? product.im : product.re, product.exponent);
  long double modulus = scaled(hypotl(product.re, product.im), product.exponent);
  double roundings = (samples->imaginary == 0 ? 1 : 3) * ((double)samples->count + 1);
  int range = exponent_of(task->greatest) - 3;
  task->out->value = (double)value;
  task->out->bound = roundings * task->unit * (double)modulus;
  task->out->risky = product.above >= range || product.below >= range;
  task->out->error = (double)((long double)task->result - value);
}

// ---------------------------------------------------------------- Norms, means, variances, sums of exponentials

// Their terms are rounded to double once. This error is far below the bound of other types, and a small part of the
// bound of double.

static void measure_norm(const struct task *task) {
  struct exact_sum sum = {.pending = 0};
  const double most = survey(task->samples).most;
  int exponent = exponent_of(most);
  for (uint64_t i = 0; i < task->samples->count && isfinite(most); i++) {
    const double re = ldexp(real_at(task->samples, i, 0), -exponent),
                 im = ldexp(imaginary_at(task->samples, i), -exponent);
    exact_sum_add(&sum, re * re);
    exact_sum_add(&sum, im * im);
  }
  double norm = isfinite(most) ? ldexp(sqrt(exact_sum_value(&sum)), exponent) : most;
  task->out->value = norm;
  task->out->bound = (task->depth / 2 + 4) * task->unit * norm;
  task->out->risky = !(norm < task->greatest);
  task->out->error = task->result - norm;
}

// The elements are finite. They are divided by 2^exponent, so that their sum stays within double.
static double exact_mean(const struct samples *samples, int exponent, uint64_t count) {
  struct exact_sum sum = {.pending = 0};
  for (uint64_t i = 0; i < samples->count; i++)
    exact_sum_add(&sum, ldexp(real_at(samples, i, 0), -exponent));
  return count == 0 ? NAN : exact_sum_value(&sum) / (double)count;
}

// The difference between the largest and the smallest element, divided by 2^exponent. NaN if an element is not finite.
static double range_of(struct survey all, int exponent) {
  return isfinite(all.most) ? ldexp(all.high, -exponent) - ldexp(all.low, -exponent) : NAN;
}

static void measure_mean(const struct task *task) {
  const struct survey all = survey(task->samples);
  const int exponent = exponent_of(all.most);
  const double mean = exact_mean(task->samples, exponent, all.count), range = range_of(all, exponent);
  task->out->value = ldexp(mean, exponent);
  task->out->bound = ldexp(task->unit * (fabs(mean) + (3 * task->depth + 3) * range), exponent);
  task->out->error = task->result - task->out->value;
}

// The sum of squared distances from the mean, divided by 2^(2 exponent).
static double squared_distances(const struct samples *samples, int exponent, double mean) {
  struct exact_sum sum = {.pending = 0};
  for (uint64_t i = 0; i < samples->count; i++)
    if (!is_left_out(samples, i)) {
      long double distance = (long double)ldexp(real_at(samples, i, 0), -exponent) - (long double)mean;
      exact_sum_add(&sum, (double)(distance * distance));
    }
  return exact_sum_value(&sum);
}

static void measure_var(const struct task *task) {
  const struct survey all = survey(task->samples);
  const int exponent = exponent_of(all.most);
  const double mean = exact_mean(task->samples, exponent, all.count), range = range_of(all, exponent);
  const double divisor = (double)all.count - (task->sample ? 1 : 0);
  double var = isfinite(mean) && divisor > 0 ? squared_distances(task->samples, exponent, mean) / divisor : NAN;
  double of_mean = (3 * task->depth + 3) * task->unit * range;
  double bound = (6 * task->depth + 6) * task->unit * (var + range * sqrt(var)) + of_mean * of_mean;
  task->out->value = ldexp(var, 2 * exponent);
  task->out->bound = ldexp(bound, 2 * exponent);
  task->out->risky = !(4 * all.most * all.most < task->greatest);
  task->out->error = task->result - task->out->value;
}

// If the variance v has the error e, its root has the error e / (2 sqrt(v)) for small e, and never more than sqrt(e).
static void measure_std(const struct task *task) {
  measure_var(task);
  double var = task->out->value, bound = task->out->bound, std = sqrt(var);
  task->out->value = std;
  task->out->bound = fmin(bound < var / 16 ? bound / std * 0.51 : bound / std, sqrt(bound)) + 2 * task->unit * std;
  task->out->error = task->result - std;
}

static void measure_exponentials(const struct task *task) {
  struct exact_sum sum = {.pending = 0};
  const struct survey all = survey(task->samples);
  const double top = isnan(all.most) ? NAN : all.high, distance = isfinite(top) ? top - all.low : 0;
  for (uint64_t i = 0; i < task->samples->count && isfinite(top); i++)
    exact_sum_add(&sum, (double)expl((long double)real_at(task->samples, i, -INFINITY) - (long double)top));
  task->out->value = isfinite(top) ? (double)((long double)top + logl((long double)exact_sum_value(&sum))) : top;
  task->out->bound = (8 * task->depth + 8) * task->unit * (1 + distance);
  task->out->error = task->result - task->out->value;
}

// ---------------------------------------------------------------- The operators that round

static const struct row {
  clred_op op;
  const char *part;
  void (*measure)(const struct task *task);  // NULL: a sum of the terms
  make_terms *terms;
  int roundings;  // roundings of a term, besides the tree's; one of them covers the rounding of the exact magnitude
} rows[] = {
  {CLRED_OP_SUM, "", NULL, plain_terms, 1},        {CLRED_OP_SUM, "re", NULL, plain_terms, 1},
  {CLRED_OP_SUM, "im", NULL, imaginary_terms, 1},  {CLRED_OP_PROD, "", measure_product, NULL, 0},
  {CLRED_OP_PROD, "re", measure_product, NULL, 0}, {CLRED_OP_PROD, "im", measure_product, NULL, 0},
  {CLRED_OP_MEAN, "", measure_mean, NULL, 0},      {CLRED_OP_VAR, "", measure_var, NULL, 0},
  {CLRED_OP_VAR_SAMPLE, "", measure_var, NULL, 0}, {CLRED_OP_STD, "", measure_std, NULL, 0},
  {CLRED_OP_STD_SAMPLE, "", measure_std, NULL, 0}, {CLRED_OP_NORM1, "", NULL, magnitude_terms, 3},
  {CLRED_OP_NORM2, "", measure_norm, NULL, 0},     {CLRED_OP_SUMSQ, "", NULL, square_terms, 3},
  {CLRED_OP_DOT, "", NULL, dot_terms, 3},          {CLRED_OP_LOGSUMEXP, "", measure_exponentials, NULL, 0},
  {CLRED_OP_STATS, "mean", measure_mean, NULL, 0}, {CLRED_OP_STATS, "var", measure_var, NULL, 0},
  {CLRED_OP_STATS, "sum", NULL, plain_terms, 1},
};

static const struct row *find_row(clred_op op, const char *part) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].op == op && strcmp(rows[i].part, part) == 0)
      return &rows[i];
  return NULL;
}

bool measure(clred_op op, const char *part, const struct samples *samples, clred_type type, double result, double depth,
             struct measured *measured) {
  const struct row *row = find_row(op, part);
  if (row == NULL || !measure_knows(type))
    return false;
  *measured = (struct measured){0};
  const struct task task = {samples,
                            strcmp(part, "im") == 0,
                            op == CLRED_OP_VAR_SAMPLE || op == CLRED_OP_STD_SAMPLE,
                            unit_roundoff(type),
                            format_of(type)->greatest,
                            depth,
                            result,
                            measured};
  if (row->measure != NULL)
    row->measure(&task);
  else
    measure_terms(&task, row->terms, depth + row->roundings);
  // Each term of products may fall below the smallest subnormal.
  measured->bound += op == CLRED_OP_SUM ? 0 : ((double)samples->count + 1) * measure_ulp(type, 0);
  return true;
}

static bool left_the_range(clred_type type, double result) {
  double least_normal = measure_ulp(type, 0) / (2 * unit_roundoff(type));
  return !isfinite(result) || fabs(result) < least_normal;
}

// If partial sums overflow to both sides, a sum that is infinite may become NaN.
bool measure_allows(const struct measured *measured, clred_type type, double result) {
  if (isnan(measured->value))
    return isnan(result);
  if (isinf(measured->value))
    return result == measured->value || (measured->risky && isnan(result));
  if (measured->risky && left_the_range(type, result))
    return true;
  return fabs(measured->error) <= measured->bound;
}
