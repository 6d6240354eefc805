// The fixed-point sum, the product with its exponent kept apart, and the two measures of a floating type.

#include "exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "number.h"

enum { SETTLE_AFTER = 1 << 27, LEAST_EXPONENT = -1074 };

static const int64_t word_base = (int64_t)1 << 32;

// ---- The fixed-point sum

// Brings every word but the last into 0 .. 2^32 - 1; the last then has the sum's sign.
static void settle(struct exact_sum *sum)
{
  for (int i = 0; i + 1 < EXACT_WORDS; i++) {
    int64_t carry = sum->words[i] / word_base;
    if (sum->words[i] % word_base < 0)
      carry--;
    sum->words[i] -= carry * word_base;
    sum->words[i + 1] += carry;
  }
  sum->pending = 0;
}

static void note_special(struct exact_sum *sum, double value)
{
  sum->has_nan |= isnan(value) != 0;
  sum->has_plus |= isinf(value) && value > 0;
  sum->has_minus |= isinf(value) && value < 0;
}

void exact_sum_add(struct exact_sum *sum, double value)
{
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
  int64_t  sign = bits >> 63 ? -1 : 1;
  int64_t *words = sum->words + place / 32;
  words[0] += sign * (int64_t)(low & 0xffffffffu);
  words[1] += sign * (int64_t)((low >> 32) + (high & 0xffffffffu));
  words[2] += sign * (int64_t)(high >> 32);
  if (++sum->pending == SETTLE_AFTER)
    settle(sum);
}

static int highest_word(const struct exact_sum *sum)
{
  int i = EXACT_WORDS - 1;
  while (i > 0 && sum->words[i] == 0)
    i--;
  return i;
}

static uint64_t word_at(const struct exact_sum *sum, int i)
{
  return i < 0 ? 0 : (uint64_t)sum->words[i];
}

static int leading_zeros(uint64_t word)
{
  int zeros = 0;
  while (zeros < 32 && (word << zeros & 0x80000000u) == 0)
    zeros++;
  return zeros;
}

// The top 64 bits of a settled sum that is not negative, with everything below them gathered in the lowest bit: the
// conversion to double then rounds as if it saw it all.
static double round_settled(const struct exact_sum *sum)
{
  int top = highest_word(sum);
  if (sum->words[top] == 0)
    return 0;
  int      shift = leading_zeros(word_at(sum, top));
  uint64_t third = word_at(sum, top - 2) << shift;
  uint64_t bits = ((word_at(sum, top) << 32 | word_at(sum, top - 1)) << shift) | third >> 32;
  uint64_t rest = third & 0xffffffffu;
  for (int i = 0; i < top - 2; i++)
    rest |= word_at(sum, i);
  return ldexp((double)(bits | (rest != 0)), LEAST_EXPONENT + 32 * (top - 1) - shift);
}

double exact_sum_value(const struct exact_sum *sum)
{
  struct exact_sum copy = *sum;
  if (sum->has_nan || (sum->has_plus && sum->has_minus))
    return NAN;
  if (sum->has_plus || sum->has_minus)
    return sum->has_plus ? INFINITY : -INFINITY;
  settle(&copy);
  if (copy.words[EXACT_WORDS - 1] >= 0)
    return round_settled(&copy);
  for (int i = 0; i < EXACT_WORDS; i++)
    copy.words[i] = -copy.words[i];
  settle(&copy);
  return -round_settled(&copy);
}

// ---- Types

static const struct measure {
  clred_type type;
  int        digits;          // of the significand, in bits
  int        least_exponent;  // of the least subnormal
  double     greatest;
} measures[] = {
  {CLRED_TYPE_FLOAT,  FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG, FLT_MAX},
  {CLRED_TYPE_DOUBLE, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG, DBL_MAX}
};

static const struct measure *measure_of(clred_type type)
{
  const struct measure *measure = measures;
  while (measure->type != type)
    measure++;
  return measure;
}

double exact_ulp(clred_type type, double value)
{
  const struct measure *measure = measure_of(type);
  int                   exponent = measure->least_exponent;
  if (value != 0 && isfinite(value)) {
    frexp(value, &exponent);
    exponent -= measure->digits;
  }
  return ldexp(1, exponent > measure->least_exponent ? exponent : measure->least_exponent);
}

double exact_unit_roundoff(clred_type type)
{
  return ldexp(1, -measure_of(type)->digits);
}

// ---- Against the input

static double element_at(clred_type type, const void *data, size_t size, uint64_t index)
{
  return number_as_double(type, (const char *)data + index * size);
}

static size_t size_of(clred_type type)
{
  clred_type_info info;
  clred_type_describe(type, &info);
  return info.size;
}

void exact_add(clred_type type, const void *data, uint64_t count, double result, struct exact *exact)
{
  struct exact_sum sum = {{0}, 0, false, false, false};
  size_t           size = size_of(type);
  double           magnitude = 0;
  for (uint64_t i = 0; i < count; i++) {
    double x = element_at(type, data, size, i);
    exact_sum_add(&sum, x);
    magnitude += fabs(x);
  }
  exact->value = exact_sum_value(&sum);
  exact->scale = magnitude;
  exact->risky = !(magnitude < measure_of(type)->greatest);
  exact->error = result - exact->value;
  if (isfinite(result) && isfinite(exact->value)) {
    exact_sum_add(&sum, -result);
    exact->error = -exact_sum_value(&sum);
  }
}

// A product as significand and exponent; `above` and `below` bound the exponents that any part of it can reach.
struct product {
  long double significand;
  int64_t     exponent, above, below;
};

static void multiply(struct product *product, double x)
{
  int exponent = 0;
  product->significand *= (long double)frexp(x, &exponent);
  product->exponent += exponent;
  *(exponent > 0 ? &product->above : &product->below) += exponent > 0 ? exponent : 1 - exponent;
  product->significand = frexpl(product->significand, &exponent);
  product->exponent += exponent;
}

static long double product_value(const struct product *product)
{
  int64_t limit = 1 << 20;
  int64_t exponent = product->exponent > limit ? limit : product->exponent < -limit ? -limit : product->exponent;
  return ldexpl(product->significand, (int)exponent);
}

void exact_mul(clred_type type, const void *data, uint64_t count, double result, struct exact *exact)
{
  const struct measure *measure = measure_of(type);
  size_t                size = size_of(type);
  struct product        product = {1, 0, 0, 0};
  for (uint64_t i = 0; i < count; i++)
    multiply(&product, element_at(type, data, size, i));
  long double value = product_value(&product);
  exact->value = (double)value;
  exact->scale = fabs(exact->value);
  exact->risky = product.above >= -measure->least_exponent - measure->digits ||
                 product.below >= -measure->least_exponent - measure->digits;
  exact->error = (double)((long double)result - value);
}
