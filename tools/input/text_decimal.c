// Four ways, the fastest first: one operation on doubles that are exact (Clinger, "How to Read Floating Point Numbers
// Accurately", 1990), a multiplication by a reciprocal, integers of 128 bits, and strtod. strtod gets digits and an
// exponent but never a point, so the locale does not matter.
#include "input/text_decimal.h"

#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Digits

// Exponents beyond this are 0 or infinity for any number of digits in memory.
enum { EXPONENT_MOST = 1000000000 };

// Reads the first DECIMAL_DIGITS digits again, without leading zeros: the number of all digits may have overflowed.
static void take_first_digits(struct decimal *decimal) {
  int64_t left = 0;
  int taken = 0;
  decimal->digits = 0;
  for (const char *at = decimal->first; at < decimal->end; at++) {
    if (*at == '.')
      continue;
    if (taken < DECIMAL_DIGITS)
      decimal->digits = decimal->digits * 10 + (uint64_t)(*at - '0');
    else
      left++;
    taken += taken < DECIMAL_DIGITS && decimal->digits != 0;
  }
  decimal->longer = left > 0;
  decimal->exponent += left;
}

static bool is_digit(char byte) {
  return (unsigned char)(byte - '0') <= 9;
}

// NULL if there is an e without digits.
static const char *read_exponent(const char *at, int64_t *exponent) {
  bool negative = false;
  int64_t sum = 0;
  if (*at != 'e' && *at != 'E')
    return at;
  at++;
  if (*at == '-' || *at == '+')
    negative = *at++ == '-';
  if (!is_digit(*at))
    return NULL;
  for (; is_digit(*at); at++)
    if (sum < EXPONENT_MOST)
      sum = sum * 10 + (*at - '0');
  *exponent += negative ? -sum : sum;
  return at;
}

// Reads all but the exponent. Returns how many digits there are.
static inline int64_t read_plain(const char *begin, struct decimal *decimal) {
  bool negative = *begin == '-';
  const char *first = begin + (negative | (*begin == '+')), *point;
  uint64_t digits = 0;
  const char *at = point = read_digits(first, &digits);
  bool has_point = *at == '.';
  if (has_point) {
    point = at + 1;
    at = read_digits(point, &digits);
  }
  *decimal = (struct decimal){negative, false, digits, point - at, first, at};
  return at - first - has_point;
}

bool decimal_read(const char *begin, const char *end, struct decimal *decimal) {
  int64_t count = read_plain(begin, decimal);
  const char *at = decimal->end;
  if (at != end)
    at = read_exponent(at, &decimal->exponent);
  if (count > DECIMAL_DIGITS)
    take_first_digits(decimal);
  return count > 0 && at == end;
}

// ---- One operation

const double decimal_tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { EXACT_FIVE = 27 };

// The digits and the power of ten are exact, so there is one rounding.
static bool round_once(const struct decimal *decimal, double *value) {
  int64_t exponent = decimal->exponent;
  if (FLT_EVAL_METHOD != 0 || decimal->longer || decimal->digits > (uint64_t)1 << DBL_MANT_DIG ||
      exponent > EXACT_TEN || exponent < -EXACT_TEN)
    return false;
  double digits = (double)(int64_t)decimal->digits;
  *value = exponent < 0 ? digits / decimal_tens[-exponent] : digits * decimal_tens[exponent];
  return true;
}

// ---- 128 bits

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

// A reciprocal is 2^(63 + length of the power in bits), divided by the power and rounded down.
#define POWER(five) \
  { five, (uint64_t)(((wide)1 << (127 - __builtin_clzll(five))) / (five)) }
static const struct {
  uint64_t five, reciprocal;
} powers[EXACT_FIVE + 1] = {POWER(1),
                            POWER(5),
                            POWER(25),
                            POWER(125),
                            POWER(625),
                            POWER(3125),
                            POWER(15625),
                            POWER(78125),
                            POWER(390625),
                            POWER(1953125),
                            POWER(9765625),
                            POWER(48828125),
                            POWER(244140625),
                            POWER(1220703125),
                            POWER(6103515625),
                            POWER(30517578125),
                            POWER(152587890625),
                            POWER(762939453125),
                            POWER(3814697265625),
                            POWER(19073486328125),
                            POWER(95367431640625),
                            POWER(476837158203125),
                            POWER(2384185791015625),
                            POWER(11920928955078125),
                            POWER(59604644775390625),
                            POWER(298023223876953125),
                            POWER(1490116119384765625),
                            POWER(7450580596923828125)};

static int length_of(uint64_t bits) {
  return bits == 0 ? 0 : 64 - __builtin_clzll(bits);
}

static double power_of_two(int exponent) {
  uint64_t bits = (uint64_t)(DBL_MAX_EXP - 1 + exponent) << (DBL_MANT_DIG - 1);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Rounds (number + a rest below 1) * 2^twos to `bits` bits. `number` has more bits if there is a rest.
static double round_wide(wide number, bool rest, int twos, int bits, bool odd) {
  uint64_t high = (uint64_t)(number >> 64);
  int dropped = (high != 0 ? 64 + length_of(high) : length_of((uint64_t)number)) - bits;
  if (dropped <= 0)
    return (double)(uint64_t)number * power_of_two(twos);
  uint64_t kept = (uint64_t)(number >> dropped);
  wide left = number - ((wide)kept << dropped), half = (wide)1 << (dropped - 1);
  if (odd)
    kept |= left != 0 || rest;
  else
    kept += left > half || (left == half && (rest || (kept & 1) != 0));
  return (double)kept * power_of_two(twos + dropped);
}

// Five to the power of `exponent` divides or multiplies; the twos are an exponent of the result. A quotient gets more
// than 60 bits and fits 64.
static double round_digits(uint64_t digits, int exponent, int bits, bool odd) {
  if (exponent >= 0)
    return round_wide((wide)digits * powers[exponent].five, false, exponent, bits, odd);
  uint64_t divisor = powers[-exponent].five;
  int shift = length_of(divisor) + 62 - length_of(digits);
  wide whole = (wide)digits << shift;
  uint64_t quotient = (uint64_t)(whole / divisor);
  return round_wide(quotient, (wide)quotient * divisor != whole, exponent - shift, bits, odd);
}

// One multiplication, for up to DECIMAL_DIGITS digits and a negative exponent. The product is less than 2 below the
// exact value; it has at least 10 bits more than a double. False if these 2 could decide.
static bool round_by_reciprocal(const struct decimal *decimal, double *value) {
  int64_t exponent = decimal->exponent;
  if (exponent >= 0 || exponent < -EXACT_FIVE || decimal->longer)
    return false;
  int zeros = __builtin_clzll(decimal->digits);
  uint64_t product = (uint64_t)((wide)(decimal->digits << zeros) * powers[-exponent].reciprocal >> 64);
  int dropped = length_of(product) - DBL_MANT_DIG;
  uint64_t half = (uint64_t)1 << (dropped - 1), left = product & (2 * half - 1);
  int twos = (int)exponent - length_of(powers[-exponent].five) - zeros + 1;
  *value = (double)((product >> dropped) + (left > half)) * power_of_two(twos + dropped);
  return left > half || left + 2 <= half;
}

// False if the exponent is too far from 0, or if the digits beyond the first decide.
static bool round_exactly(const struct decimal *decimal, int bits, bool odd, double *value) {
  if (decimal->exponent > EXACT_FIVE || decimal->exponent < -EXACT_FIVE || (odd && decimal->longer))
    return false;
  int exponent = (int)decimal->exponent;
  *value = round_digits(decimal->digits, exponent, bits, odd);
  return !decimal->longer || *value == round_digits(decimal->digits + 1, exponent, bits, odd);
}
#else
static bool round_by_reciprocal(const struct decimal *decimal, double *value) {
  (void)decimal, (void)value;
  return false;
}

static bool round_exactly(const struct decimal *decimal, int bits, bool odd, double *value) {
  (void)decimal, (void)bits, (void)odd, (void)value;
  return false;
}
#endif

// ---- strtod

// No value halfway between two doubles has more digits. All further ones are as good as one that is not 0.
enum { DIGITS_ENOUGH = 800, EXPONENT_TEXT = 24 };

static void write_plainly(const struct decimal *decimal, char text[DIGITS_ENOUGH + EXPONENT_TEXT]) {
  int64_t exponent = decimal->exponent;
  size_t length = 0;
  bool more = false;
  for (const char *at = decimal->first; at < decimal->end; at++) {
    if (*at == '.' || (length == 0 && *at == '0'))
      continue;
    if (length < DIGITS_ENOUGH)
      text[length++] = *at;
    else
      more = more || *at != '0';
  }
  if (more)
    text[DIGITS_ENOUGH - 1] = '1';
  if (length > DECIMAL_DIGITS)
    exponent -= (int64_t)length - DECIMAL_DIGITS;
  snprintf(text + length, EXPONENT_TEXT, "e%" PRId64, exponent);
}

static double by_strtod(const struct decimal *decimal) {
  char text[DIGITS_ENOUGH + EXPONENT_TEXT];
  write_plainly(decimal, text);
  return strtod(text, NULL);
}

double decimal_double(const struct decimal *decimal) {
  double value;
  if (decimal->digits == 0)
    return 0;
  bool rounded = round_once(decimal, &value) || round_by_reciprocal(decimal, &value) ||
                 round_exactly(decimal, DBL_MANT_DIG, false, &value);
  return rounded ? value : by_strtod(decimal);
}

float decimal_float(const struct decimal *decimal) {
  char text[DIGITS_ENOUGH + EXPONENT_TEXT];
  double value;
  if (decimal->digits == 0)
    return 0;
  if (round_exactly(decimal, FLT_MANT_DIG, false, &value) && value <= FLT_MAX)
    return (float)value;
  write_plainly(decimal, text);
  return strtof(text, NULL);
}

double decimal_odd(const struct decimal *decimal) {
  double value, above;
  uint64_t bits;
  if (decimal->digits == 0)
    return 0;
  if (round_exactly(decimal, DBL_MANT_DIG, true, &value))
    return value;
  int before = fegetround();
  fesetround(FE_DOWNWARD);
  value = by_strtod(decimal);
  fesetround(FE_UPWARD);
  above = by_strtod(decimal);
  fesetround(before);
  memcpy(&bits, &value, sizeof bits);
  return (bits & 1) != 0 ? value : above;
}
