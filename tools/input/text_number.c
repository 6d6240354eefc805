// Reads numbers of every element type.
#include "input/text_number.h"

#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

// ---------------------------------------------------------------- Decimal digits to floats

// Four ways, the fastest first: one operation on doubles that are exact (Clinger, "How to Read Floating Point Numbers
// Accurately", 1990), a multiplication by a reciprocal, integers of 128 bits, and strtod. strtod gets digits and an
// exponent but never a point, so the locale does not matter.

enum { DECIMAL_DIGITS = 19, AT_ONCE = 8 };  // digits that always fit 64 bits; bytes in a word

#define EACH_BYTE(byte) (0x0101010101010101u * (byte))

// The first byte is the lowest. A digit becomes 0 to 9, any other byte more.
static inline uint64_t load_eight(const char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word ^ EACH_BYTE('0');
}

// 0 if all bytes are digits. The lowest bit that is set is the highest bit of the first byte that is none.
static inline uint64_t find_others(uint64_t word) {
  return ((word + EACH_BYTE(0x76)) | word) & EACH_BYTE(0x80);
}

// Neighbours are added three times: digits, pairs, fours.
static inline uint64_t add_eight(uint64_t word) {
  word = word * 10 + (word >> 8);
  return ((word & 0x000000ff000000ff) * (100 + (1000000ull << 32)) +
          (word >> 16 & 0x000000ff000000ff) * (1 + (10000ull << 32))) >>
         32;
}

// Appends the first `count` of eight digits to a number.
static inline uint64_t append_digits(uint64_t sum, uint64_t word, unsigned count) {
  static const uint64_t places[AT_ONCE + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  unsigned half = 4 * (AT_ONCE - count);  // a shift by 64 is not defined
  return sum * places[count] + add_eight(word << half << half);
}

// Reads digits up to the first other byte, and returns its place.
static inline const char *read_digits(const char *at, uint64_t *sum) {
  unsigned count;
  do {
    uint64_t word = load_eight(at), others = find_others(word);
    count = others != 0 ? (unsigned)__builtin_ctzll(others) / 8 : AT_ONCE;
    *sum = append_digits(*sum, word, count);
    at += count;
  } while (count == AT_ONCE);
  return at;
}

// Reads all bytes up to `end`. False if one is no digit.
static inline bool read_all_digits(const char *at, const char *end, uint64_t *sum) {
  uint64_t others = 0;
  for (; end - at >= AT_ONCE; at += AT_ONCE) {
    others |= find_others(load_eight(at));
    *sum = *sum * 100000000 + add_eight(load_eight(at));
  }
  unsigned count = (unsigned)(end - at), half = 4 * (AT_ONCE - count);
  others |= find_others(load_eight(at) << half << half);
  *sum = append_digits(*sum, load_eight(at), count);
  return others == 0;
}

// The value is `digits` * 10^exponent, for up to DECIMAL_DIGITS digits. If there are more, `digits` has the first of
// them, and the value is larger by less than 10^exponent.
struct decimal {
  bool negative;
  bool longer;
  uint64_t digits;
  int64_t exponent;
  const char *first;  // all digits, with the point
  const char *end;
};

// The powers of ten that a double has exactly.
enum { EXACT_TEN = 22 };
extern const double decimal_tens[EXACT_TEN + 1];

// ---- Digits

// Exponents beyond this are 0 or infinity for any number of digits in memory.
enum { EXPONENT_LIMIT = 1000000000 };

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
    if (sum < EXPONENT_LIMIT)
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

// Reads the whole text from `begin` to `end`; text_number.h says which bytes must be readable. False if it is not
// digits with an optional sign, point and exponent.
static bool decimal_read(const char *begin, const char *end, struct decimal *decimal) {
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

// Rounds (whole + a rest below 1) * 2^twos to `bits` bits. `whole` has more bits if there is a rest.
static double round_wide(wide whole, bool rest, int twos, int bits, bool odd) {
  uint64_t high = (uint64_t)(whole >> 64);
  int dropped = (high != 0 ? 64 + length_of(high) : length_of((uint64_t)whole)) - bits;
  if (dropped <= 0)
    return (double)(uint64_t)whole * power_of_two(twos);
  uint64_t kept = (uint64_t)(whole >> dropped);
  wide left = whole - ((wide)kept << dropped), half = (wide)1 << (dropped - 1);
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

// The magnitude, rounded to nearest even; infinity if it is out of range. decimal_odd rounds to odd instead: if the
// value is not exact, the last bit is 1. Rounding the result again to fewer bits then gives what rounding once gives.
static double decimal_double(const struct decimal *decimal) {
  double value;
  if (decimal->digits == 0)
    return 0;
  bool rounded = round_once(decimal, &value) || round_by_reciprocal(decimal, &value) ||
                 round_exactly(decimal, DBL_MANT_DIG, false, &value);
  return rounded ? value : by_strtod(decimal);
}

static float decimal_float(const struct decimal *decimal) {
  char text[DIGITS_ENOUGH + EXPONENT_TEXT];
  double value;
  if (decimal->digits == 0)
    return 0;
  if (round_exactly(decimal, FLT_MANT_DIG, false, &value) && value <= FLT_MAX)
    return (float)value;
  write_plainly(decimal, text);
  return strtof(text, NULL);
}

static double decimal_odd(const struct decimal *decimal) {
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

// ---------------------------------------------------------------- Numbers of each type

// ---- Integers

static enum text_verdict read_magnitude(const char *at, const char *end, uint64_t *magnitude) {
  uint64_t sum = 0;
  bool fits = true;
  if (at == end)
    return TEXT_NO_NUMBER;
  if (end - at <= DECIMAL_DIGITS)
    return read_all_digits(at, end, magnitude) ? TEXT_NUMBER : TEXT_NO_NUMBER;
  for (; at < end; at++) {
    unsigned digit = (unsigned char)(*at - '0');
    if (digit > 9)
      return TEXT_NO_NUMBER;
    fits = fits && sum <= (UINT64_MAX - digit) / 10;
    sum = sum * 10 + digit;
  }
  *magnitude = sum;
  return fits ? TEXT_NUMBER : TEXT_TOO_LARGE;
}

// `most` is the largest value of the type. Of a signed type, the magnitude of the least value is larger by one.
static enum text_verdict read_whole(const char *begin, const char *end, uint64_t most, bool is_signed, uint64_t *bits) {
  bool sign = begin < end && (*begin == '-' || *begin == '+'), negative = sign && *begin == '-';
  uint64_t magnitude = 0;
  enum text_verdict verdict = read_magnitude(begin + sign, end, &magnitude);
  if (verdict != TEXT_NUMBER)
    return verdict;
  *bits = negative ? 0 - magnitude : magnitude;
  uint64_t limit = !negative ? most : is_signed ? most + 1 : 0;
  return magnitude <= limit ? TEXT_NUMBER : TEXT_TOO_LARGE;
}

// ---- Floating values

static bool is_word(const char *begin, const char *end, const char *word) {
  for (; begin < end && *word != '\0'; begin++, word++)
    if ((*begin | ('a' - 'A')) != *word)
      return false;
  return begin == end && *word == '\0';
}

// Returns a positive value for the words, 0 for anything else.
static double read_word(const char *begin, const char *end) {
  if (is_word(begin, end, "nan"))
    return NAN;
  return is_word(begin, end, "inf") || is_word(begin, end, "infinity") ? (double)INFINITY : 0;
}

static enum text_verdict read_special(const char *begin, const char *end, double *value) {
  bool sign = begin < end && (*begin == '-' || *begin == '+');
  double word = read_word(begin + sign, end);
  *value = sign && *begin == '-' ? -word : word;
  return word != 0 ? TEXT_NUMBER : TEXT_NO_NUMBER;
}

// A number in digits has no infinite value.
#define FLOATING(read, name, kind, round, convert, infinite) \
  static enum text_verdict read(const char *begin, const char *end, void *value) { \
    struct decimal decimal; \
    double special = 0; \
    bool digits = decimal_read(begin, end, &decimal); \
    enum text_verdict verdict = digits ? TEXT_NUMBER : read_special(begin, end, &special); \
    const kind rounded = digits ? (decimal.negative ? -round(&decimal) : round(&decimal)) : (kind)special; \
    const cl_##name x = convert; \
    memcpy(value, &x, sizeof x); \
    return digits && (infinite) ? TEXT_TOO_LARGE : verdict; \
  }
FLOATING(read_float, float, float, decimal_float, rounded, isinf(rounded))
FLOATING(read_exact, double, double, decimal_double, rounded, isinf(rounded))
FLOATING(read_half, half, double, decimal_odd, half_from_double(rounded), isinf(half_to_double(x)))
FLOATING(read_bfloat16, bfloat16, double, decimal_odd, bfloat16_from_double(rounded), isinf(bfloat16_to_double(x)))

// The most common numbers: up to DECIMAL_DIGITS digits with an optional sign and point. False for all others.
static inline bool read_common(const char *begin, const char *end, void *value) {
  bool negative = *begin == '-';
  const char *first = begin + (negative || *begin == '+');
  uint64_t digits = 0, bits;
  const char *at = read_digits(first, &digits);
  bool has_point = *at == '.';
  int64_t count = end - first - has_point, decimals = end - at - has_point;
  if (count < 1 || count > DECIMAL_DIGITS || (at != end && (!has_point || !read_all_digits(at + 1, end, &digits))))
    return false;
  double rounded = (double)(int64_t)digits;
  if (decimals > 0)
    rounded /= decimal_tens[decimals];
  if (FLT_EVAL_METHOD != 0 || digits > (uint64_t)1 << DBL_MANT_DIG)
    rounded = decimal_double(&(struct decimal){.digits = digits, .exponent = -decimals, .first = first, .end = end});
  // Half of all numbers may be negative, so a branch would often be guessed wrong.
  memcpy(&bits, &rounded, sizeof bits);
  bits |= (uint64_t)negative << 63;
  memcpy(value, &bits, sizeof bits);
  return true;
}

static enum text_verdict read_double(const char *begin, const char *end, void *value) {
  return read_common(begin, end, value) ? TEXT_NUMBER : read_exact(begin, end, value);
}

// ---- Whole numbers that double lacks

// `value` is a whole number. The library prints all its digits.
static bool has_digits(double value, const char *begin, const char *end) {
  char digits[DBL_MAX_10_EXP + 2];
  while (begin < end && *begin == '0')
    begin++;
  int length = snprintf(digits, sizeof digits, "%.0f", value);
  return length == end - begin && memcmp(digits, begin, (size_t)length) == 0;
}

// Checks a number of 2^53 or more that was read as `value`. Returns TEXT_ROUNDED if it is written as a whole number and
// `value` is not exactly this number. A multiple of a power of two is exact if the other factor fits the mantissa.
static enum text_verdict check_whole(const char *begin, const char *end, double value) {
  uint64_t magnitude = 0;
  begin += *begin == '-' || *begin == '+';
  enum text_verdict verdict = read_magnitude(begin, end, &magnitude);
  bool exact = verdict == TEXT_NUMBER      ? magnitude / (magnitude & (0 - magnitude)) >> DBL_MANT_DIG == 0
               : verdict == TEXT_TOO_LARGE ? has_digits(fabs(value), begin, end)
                                           : true;
  return exact ? TEXT_NUMBER : TEXT_ROUNDED;
}

// Whole numbers below this are exact.
static const double exact_below = (double)((uint64_t)1 << DBL_MANT_DIG);

static enum text_verdict read_rare(const char *begin, const char *end, void *value) {
  double read;
  enum text_verdict verdict = read_exact(begin, end, &read);
  memcpy(value, &read, sizeof read);
  return verdict == TEXT_NUMBER && fabs(read) >= exact_below ? check_whole(begin, end, read) : verdict;
}

// Most numbers cost one comparison more than by read_double.
enum text_verdict text_read_unasked(const char *begin, const char *end, void *value) {
  double read;
  if (!read_common(begin, end, &read))
    return read_rare(begin, end, value);
  memcpy(value, &read, sizeof read);
  return fabs(read) < exact_below ? TEXT_NUMBER : check_whole(begin, end, read);
}

// ---- All types

#define INTEGER(name, is_signed) \
  static enum text_verdict read_##name(const char *begin, const char *end, void *value) { \
    const uint64_t most = UINT64_MAX >> (64 - 8 * sizeof(cl_##name) + (is_signed)); \
    uint64_t bits = 0; \
    enum text_verdict verdict = read_whole(begin, end, most, is_signed, &bits); \
    const cl_##name x = (cl_##name)bits; \
    memcpy(value, &x, sizeof x); \
    return verdict; \
  }
#define READ_SIGNED(name) INTEGER(name, true)
#define READ_UNSIGNED(name) INTEGER(name, false)
#define READ_FLOATING(name)
#define READ_COMPLEX(name)
#define READ(upper, value, name, numpy, class, ...) READ_##class(name)
CLRED_TYPE_MAP(READ)

static text_reader *const readers[] = {
#define ROW_SIGNED(upper, name) [CLRED_TYPE_##upper] = read_##name,
#define ROW_UNSIGNED(upper, name) [CLRED_TYPE_##upper] = read_##name,
#define ROW_FLOATING(upper, name) [CLRED_TYPE_##upper] = read_##name,
#define ROW_COMPLEX(upper, name) [CLRED_TYPE_##upper] = NULL,
#define ROW(upper, value, name, numpy, class, ...) ROW_##class(upper, name)
  CLRED_TYPE_MAP(ROW)};

text_reader *text_reader_of(clred_type type) {
  return (size_t)type < sizeof readers / sizeof readers[0] ? readers[type] : NULL;
}
