// The fixed-point sum, and constants of float and double.
#include "verify/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SETTLE_AFTER = 1 << 27, LEAST_EXPONENT = -1074 };

static const int64_t word_base = (int64_t)1 << 32;

// ---- The fixed-point sum

// Carries, so that every word but the last is in 0 .. 2^32 - 1. The last word has the sign.
static void settle(struct exact_sum *sum) {
  for (int i = 0; i + 1 < EXACT_WORDS; i++) {
    int64_t carry = sum->words[i] / word_base;
    if (sum->words[i] % word_base < 0)
      carry--;
    sum->words[i] -= carry * word_base;
    sum->words[i + 1] += carry;
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
  if (++sum->pending == SETTLE_AFTER)
    settle(sum);
}

static int highest_word(const struct exact_sum *sum) {
  int i = EXACT_WORDS - 1;
  while (i > 0 && sum->words[i] == 0)
    i--;
  return i;
}

static uint64_t word_at(const struct exact_sum *sum, int i) {
  return i < 0 ? 0 : (uint64_t)sum->words[i];
}

static int leading_zeros(uint64_t word) {
  int zeros = 0;
  while (zeros < 32 && (word << zeros & 0x80000000u) == 0)
    zeros++;
  return zeros;
}

// The top 64 bits of a settled sum that is not negative. The lowest bit is set if any lower bit is, so that the
// conversion to double rounds correctly.
static double round_settled(const struct exact_sum *sum) {
  int top = highest_word(sum);
  if (sum->words[top] == 0)
    return 0;
  int shift = leading_zeros(word_at(sum, top));
  uint64_t third = word_at(sum, top - 2) << shift;
  uint64_t bits = ((word_at(sum, top) << 32 | word_at(sum, top - 1)) << shift) | third >> 32;
  uint64_t rest = third & 0xffffffffu;
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
  settle(&copy);
  if (copy.words[EXACT_WORDS - 1] >= 0)
    return round_settled(&copy);
  for (int i = 0; i < EXACT_WORDS; i++)
    copy.words[i] = -copy.words[i];
  settle(&copy);
  return -round_settled(&copy);
}

static const struct measure {
  clred_type type;
  int digits;          // bits of the significand
  int least_exponent;  // exponent of the smallest subnormal
  double greatest;
} measures[] = {{CLRED_TYPE_FLOAT, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG, FLT_MAX},
                {CLRED_TYPE_DOUBLE, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG, DBL_MAX}};

static const struct measure *measure_of(clred_type type) {
  const struct measure *measure = measures;
  while (measure->type != type)
    measure++;
  return measure;
}

bool exact_knows(clred_type type) {
  return type == CLRED_TYPE_FLOAT || type == CLRED_TYPE_DOUBLE;
}

double exact_ulp(clred_type type, double value) {
  const struct measure *measure = measure_of(type);
  int exponent = measure->least_exponent;
  if (value != 0 && isfinite(value)) {
    frexp(value, &exponent);
    exponent -= measure->digits;
  }
  return ldexp(1, exponent > measure->least_exponent ? exponent : measure->least_exponent);
}

double exact_unit_roundoff(clred_type type) {
  return ldexp(1, -measure_of(type)->digits);
}

double exact_greatest(clred_type type) {
  return measure_of(type)->greatest;
}
