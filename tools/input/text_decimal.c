// Three ways, the fastest first: one operation on doubles that are exact (Clinger, "How to Read Floating Point Numbers
// Accurately", 1990), integers of 128 bits, and strtod. strtod gets digits and an exponent but never a point, so the
// locale does not matter.
#include "input/text_decimal.h"

#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Digits

// Exponents beyond this are 0 or infinity for any number of digits in memory.
enum { EXPONENT_MOST = 1000000000, AT_ONCE = 8 };

#define EACH_BYTE(byte) (0x0101010101010101u * (byte))

// Reads up to 8 digits without a branch for each. A byte that is a digit becomes 0 to 9, others more; the sum of
// neighbours is taken three times: of digits, of pairs, of fours.
static inline uint64_t read_eight(const char *at, unsigned *count) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  word ^= EACH_BYTE('0');
  uint64_t others = ((word + EACH_BYTE(0x76)) | word) & EACH_BYTE(0x80);
  *count = others != 0 ? (unsigned)__builtin_ctzll(others) / 8 : AT_ONCE;
  unsigned half = 4 * (AT_ONCE - *count);  // a shift by 64 is not defined
  word = word << half << half;
  word = word * 10 + (word >> 8);
  word = (word & 0x00ff00ff00ff00ff) * 100 + (word >> 16 & 0x00ff00ff00ff00ff);
  return (word & 0xffff) * 10000 + (word >> 32 & 0xffff);
}

static inline const char *read_digits(const char *at, uint64_t *sum) {
  static const uint64_t places[AT_ONCE + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  unsigned count;
  do {
    uint64_t eight = read_eight(at, &count);
    *sum = *sum * places[count] + eight;
    at += count;
  } while (count == AT_ONCE);
  return at;
}

// The first digits that are not leading zeros, because the sum of all may have overflowed.
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

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { EXACT_TEN = 22, EXACT_FIVE = 27 };

// The digits and the power of ten are exact, so there is one rounding.
static bool round_once(const struct decimal *decimal, double *value) {
  int64_t exponent = decimal->exponent;
  if (FLT_EVAL_METHOD != 0 || decimal->longer || decimal->digits > (uint64_t)1 << DBL_MANT_DIG ||
      exponent > EXACT_TEN || exponent < -EXACT_TEN)
    return false;
  double digits = (double)(int64_t)decimal->digits;
  *value = exponent < 0 ? digits / tens[-exponent] : digits * tens[exponent];
  return true;
}

// ---- 128 bits

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

static const uint64_t fives[EXACT_FIVE + 1] = {1,
                                               5,
                                               25,
                                               125,
                                               625,
                                               3125,
                                               15625,
                                               78125,
                                               390625,
                                               1953125,
                                               9765625,
                                               48828125,
                                               244140625,
                                               1220703125,
                                               6103515625,
                                               30517578125,
                                               152587890625,
                                               762939453125,
                                               3814697265625,
                                               19073486328125,
                                               95367431640625,
                                               476837158203125,
                                               2384185791015625,
                                               11920928955078125,
                                               59604644775390625,
                                               298023223876953125,
                                               1490116119384765625,
                                               7450580596923828125};

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
    return round_wide((wide)digits * fives[exponent], false, exponent, bits, odd);
  uint64_t divisor = fives[-exponent];
  int shift = length_of(divisor) + 62 - length_of(digits);
  wide whole = (wide)digits << shift;
  uint64_t quotient = (uint64_t)(whole / divisor);
  return round_wide(quotient, (wide)quotient * divisor != whole, exponent - shift, bits, odd);
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

bool decimal_simple(const char *begin, const char *end, double *value) {
  struct decimal decimal;
  int64_t count = read_plain(begin, &decimal);
  uint64_t bits;
  if (decimal.end != end || count < 1 || count > DECIMAL_DIGITS)
    return false;
  if (!round_once(&decimal, value) && !round_exactly(&decimal, DBL_MANT_DIG, false, value))
    return false;
  // Half of all numbers may be negative, so a branch would often be guessed wrong.
  memcpy(&bits, value, sizeof bits);
  bits |= (uint64_t)decimal.negative << 63;
  memcpy(value, &bits, sizeof bits);
  return true;
}

double decimal_double(const struct decimal *decimal) {
  double value;
  if (decimal->digits == 0)
    return 0;
  return round_once(decimal, &value) || round_exactly(decimal, DBL_MANT_DIG, false, &value) ? value
                                                                                            : by_strtod(decimal);
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
