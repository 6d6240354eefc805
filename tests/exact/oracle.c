// The oracle of the order exact: oracle.h.

#include "exact/oracle.h"

#include <math.h>
#include <mpfr.h>

// Sums of squares of doubles have 4261 bits, and count x squares - sum^2 has 128 more.
#define BITS 4800

// Sums of the finite terms, and flags for the other terms.
struct sums {
  mpfr_t sum, term;
  size_t count;
  bool has_nan, has_plus, has_minus, only_minus_zeros;
};

static void open_sums(struct sums *sums) {
  *sums = (struct sums){.only_minus_zeros = true};
  mpfr_inits2(BITS, sums->sum, sums->term, (mpfr_ptr)NULL);
  mpfr_set_zero(sums->sum, 1);
}

static void close_sums(struct sums *sums) {
  mpfr_clears(sums->sum, sums->term, (mpfr_ptr)NULL);
}

// Adds a x b.
static void add(struct sums *sums, double a, double b) {
  const double rough = a * b;
  const bool finite = isfinite(a) && isfinite(b), is_zero = a == 0 || b == 0;
  sums->only_minus_zeros &= finite && is_zero && signbit(rough);
  if (!finite) {
    sums->has_nan |= isnan(rough);
    sums->has_plus |= rough == INFINITY;
    sums->has_minus |= rough == -INFINITY;
    return;
  }
  mpfr_set_d(sums->term, a, MPFR_RNDN);
  mpfr_mul_d(sums->term, sums->term, b, MPFR_RNDN);
  mpfr_add(sums->sum, sums->sum, sums->term, MPFR_RNDN);
}

static void add_all(struct sums *sums, enum exact_kind kind, const struct exact_values *values) {
  for (size_t i = 0; i < values->count; i++) {
    double x = values->x[i], y = kind == EXACT_DOT ? values->y[i] : 0;
    const bool ignored = values->ignores_nan && (isnan(x) || isnan(y));
    sums->count += !ignored;
    if (ignored)
      x = y = 0;
    const double other = kind == EXACT_DOT ? y : kind == EXACT_SUM_OF_SQUARES || kind == EXACT_NORM ? x : 1;
    add(sums, kind == EXACT_SUM_OF_MAGNITUDES ? fabs(x) : x, other);
  }
}

// Rounds once. If `value` is a quotient or a root, it was rounded toward zero before, and `inexact` is not 0. A tie has
// few bits, so the next number above is on the right side of every tie.
static uint64_t rounded(clred_type type, mpfr_t value, int inexact) {
  if (inexact)
    mpfr_nextabove(value);
  return oracle_float_bits(type, type == CLRED_TYPE_FLOAT ? (double)mpfr_get_flt(value, MPFR_RNDN)
                                                          : mpfr_get_d(value, MPFR_RNDN));
}

// The result if a term is infinite or NaN, or if the exact value is 0; otherwise false.
static bool is_special(const struct sums *sums, clred_type type, uint64_t *bits) {
  if (sums->has_nan || (sums->has_plus && sums->has_minus))
    *bits = oracle_float_bits(type, NAN);
  else if (sums->has_plus || sums->has_minus)
    *bits = oracle_float_bits(type, sums->has_plus ? INFINITY : -INFINITY);
  else if (mpfr_zero_p(sums->sum))
    *bits = oracle_float_bits(type, sums->only_minus_zeros && sums->count ? -0. : 0.);
  else
    return false;
  return true;
}

static uint64_t plain(enum exact_kind kind, const struct exact_values *values) {
  struct sums sums;
  uint64_t bits;
  int inexact = 0;
  open_sums(&sums);
  add_all(&sums, kind, values);
  if (kind == EXACT_MEAN && sums.count == 0) {
    bits = oracle_float_bits(values->type, NAN);
  } else if (!is_special(&sums, values->type, &bits)) {
    const bool is_negative = mpfr_signbit(sums.sum);
    mpfr_abs(sums.sum, sums.sum, MPFR_RNDN);
    if (kind == EXACT_MEAN)
      inexact = mpfr_div_ui(sums.sum, sums.sum, sums.count, MPFR_RNDZ);
    if (kind == EXACT_NORM)
      inexact = mpfr_sqrt(sums.sum, sums.sum, MPFR_RNDZ);
    bits = rounded(values->type, sums.sum, inexact) | (uint64_t)is_negative
                                                        << (values->type == CLRED_TYPE_FLOAT ? 31 : 63);
  }
  close_sums(&sums);
  return bits;
}

// (n x squares - sum^2) / (n x divisor)
static uint64_t variance(enum exact_kind kind, const struct exact_values *values) {
  const bool is_sample = kind == EXACT_VAR_SAMPLE || kind == EXACT_STD_SAMPLE;
  struct sums sum, squares;
  uint64_t bits = oracle_float_bits(values->type, NAN);
  open_sums(&sum);
  open_sums(&squares);
  add_all(&sum, EXACT_SUM, values);
  add_all(&squares, EXACT_SUM_OF_SQUARES, values);
  const size_t n = sum.count;
  if (!sum.has_nan && !sum.has_plus && !sum.has_minus && n > is_sample) {
    mpfr_mul_ui(squares.sum, squares.sum, n, MPFR_RNDN);
    mpfr_sqr(sum.sum, sum.sum, MPFR_RNDN);
    mpfr_sub(squares.sum, squares.sum, sum.sum, MPFR_RNDN);
    mpfr_set_ui(sum.sum, n, MPFR_RNDN);
    mpfr_mul_ui(sum.sum, sum.sum, n - is_sample, MPFR_RNDN);
    int inexact = mpfr_div(squares.sum, squares.sum, sum.sum, MPFR_RNDZ);
    if (kind == EXACT_STD || kind == EXACT_STD_SAMPLE)
      inexact |= mpfr_sqrt(squares.sum, squares.sum, MPFR_RNDZ);
    bits = mpfr_zero_p(squares.sum) ? 0 : rounded(values->type, squares.sum, inexact);
  }
  close_sums(&sum);
  close_sums(&squares);
  return bits;
}

uint64_t exact_expected(enum exact_kind kind, const struct exact_values *values) {
  return kind >= EXACT_VAR ? variance(kind, values) : plain(kind, values);
}
