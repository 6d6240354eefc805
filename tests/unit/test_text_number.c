// Numbers in text against the C library's strtod and strtof, against exact halfway cases, and against the limits of
// each integer type. CLREDUCE_TEST_ALL tries a hundred times as many random texts.
#include <math.h>

#include "base/number.h"
#include "support/suite.h"

enum { TEXT_ROOM = 1300, TEXTS = 100000 };

static enum text_verdict read_text(clred_type type, const char *text, void *value) {
  static char padded[TEXT_ROOM + 8];
  size_t length = strlen(text);
  ck_assert_uint_lt(length, TEXT_ROOM);
  memset(padded, '9', sizeof padded);  // digits behind the end must not count
  memcpy(padded, text, length);
  padded[length] = ',';
  return text_reader_of(type)(padded, padded + length, value);
}

static uint64_t random_word(void) {
  static uint64_t state = 1;
  state += 0x9e3779b97f4a7c15u;
  uint64_t word = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
  word = (word ^ word >> 27) * 0x94d049bb133111ebu;
  return word ^ word >> 31;
}

static size_t texts(void) {
  return TEXTS * (getenv("CLREDUCE_TEST_ALL") != NULL ? (size_t)100 : 1);
}

// ---------------------------------------------------------------- Against the C library

static void same_as_library(const char *text) {
  double wide, expected_wide = strtod(text, NULL);
  float narrow, expected_narrow = strtof(text, NULL);
  enum text_verdict verdict = read_text(CLRED_TYPE_DOUBLE, text, &wide);
  ck_assert_msg(verdict == (isinf(expected_wide) ? TEXT_TOO_LARGE : TEXT_NUMBER), "double %s: %d", text, verdict);
  ck_assert_msg(memcmp(&wide, &expected_wide, sizeof wide) == 0, "double %s: %a, not %a", text, wide, expected_wide);
  verdict = read_text(CLRED_TYPE_FLOAT, text, &narrow);
  ck_assert_msg(verdict == (isinf(expected_narrow) ? TEXT_TOO_LARGE : TEXT_NUMBER), "float %s: %d", text, verdict);
  ck_assert_msg(memcmp(&narrow, &expected_narrow, sizeof narrow) == 0, "float %s: %a, not %a", text, (double)narrow,
                (double)expected_narrow);
}

// Digits with a point somewhere, and sometimes a sign and an exponent.
TEST(random_digits_are_rounded_as_by_strtod) {
  for (size_t i = 0; i < texts(); i++) {
    char text[64], *at = text;
    unsigned digits = 1 + (unsigned)(random_word() % 25), point = (unsigned)(random_word() % 26);
    if (random_word() % 3 == 0)
      *at++ = random_word() % 2 == 0 ? '+' : '-';
    for (unsigned place = 0; place < digits; place++) {
      if (place == point)
        *at++ = '.';
      *at++ = (char)('0' + random_word() % 10);
    }
    *at = '\0';
    if (random_word() % 2 == 0)
      sprintf(at, "%c%+d", "eE"[random_word() % 2], (int)(random_word() % (random_word() % 8 == 0 ? 700 : 60)) - 30);
    same_as_library(text);
  }
}

// All bits are equally likely, so exponents are spread over the whole range, subnormal numbers included.
TEST(shortest_and_longest_texts_of_random_numbers_read_back) {
  for (size_t i = 0; i < texts() / 4; i++) {
    uint64_t bits = random_word();
    double value;
    char text[TEXT_ROOM];
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    snprintf(text, sizeof text, "%.*g", 15 + (int)(random_word() % 4), value);
    same_as_library(text);
    snprintf(text, sizeof text, "%.*e", (int)(random_word() % 800), value);
    same_as_library(text);
    snprintf(text, sizeof text, "%.*f", (int)(random_word() % 30), ldexp((double)(int64_t)bits, -60));
    same_as_library(text);
  }
}

// The value halfway between two neighbours, and texts just above and below it.
static void around(double halfway) {
  char text[TEXT_ROOM];
  snprintf(text, sizeof text, "%.770g", halfway);
  if (strchr(text, 'e') != NULL)
    return;
  same_as_library(text);
  if (strchr(text, '.') == NULL)
    strcat(text, ".");
  strcat(text, "00000000000000000000000000000001");
  same_as_library(text);
  memset(text + strlen(text) - 32, '9', 32);
  same_as_library(text);
}

TEST(ties_go_to_even) {
  for (size_t i = 0; i < texts() / 20; i++) {
    int64_t whole = (int64_t)(random_word() >> 40 | 1u << 23);
    around(ldexp((double)(2 * whole + 1), (int)(random_word() % 120) - 80));  // between two floats
    char text[TEXT_ROOM];
    // Between two doubles: an odd number of 54 bits, times a power of ten that leaves it exact.
    uint64_t odd = (random_word() >> 11) | (uint64_t)1 << 53 | 1;
    snprintf(text, sizeof text, "%" PRIu64, odd);
    same_as_library(text);
    snprintf(text, sizeof text, "%" PRIu64 "00000e-5", odd);
    same_as_library(text);
    snprintf(text, sizeof text, "%" PRIu64 ".%0*d1", odd, (int)(random_word() % 900), 0);
    same_as_library(text);
  }
}

// Between two doubles with one, two or three decimals: up to 19 digits, just above and below too.
TEST(ties_with_decimals_go_to_even) {
  for (size_t i = 0; i < texts() / 20; i++)
    for (int places = 1; places <= 3; places++) {
      uint64_t odd = random_word() >> 11 | (uint64_t)1 << 53 | 1, below = (uint64_t)1 << places;
      uint64_t decimals = (odd & (below - 1)) * (uint64_t)pow(5, places);
      char text[TEXT_ROOM];
      for (int add = -1; add <= 1; add++) {
        sprintf(text, "%" PRIu64 ".%0*" PRIu64, odd >> places, 3,
                decimals * (uint64_t)pow(10, 3 - places) + (uint64_t)add);
        same_as_library(text);
      }
      sprintf(text, "-%" PRIu64 ".%0*" PRIu64, odd >> places, places, decimals);
      same_as_library(text);
    }
}

TEST(points_may_stand_anywhere) {
  static const int lengths[] = {1, 2, 7, 8, 9, 15, 16, 17, 18, 19, 20, 40};
  for (size_t i = 0; i < COUNT_OF(lengths); i++)
    for (int point = 0; point <= lengths[i] + 1; point++)
      for (int sign = 0; sign < 3; sign++) {
        char text[TEXT_ROOM], digits[TEXT_ROOM];
        for (int place = 0; place < lengths[i]; place++)
          digits[place] = (char)('0' + random_word() % 10);
        digits[lengths[i]] = '\0';
        bool has_point = point <= lengths[i];
        int before = has_point ? point : lengths[i];
        sprintf(text, "%.*s%.*s%s%s", sign > 0, &"-+"[sign == 2], before, digits, has_point ? "." : "",
                digits + before);
        same_as_library(text);
        // One byte that is no digit, anywhere behind the sign.
        double value;
        size_t wrong = (sign > 0) + random_word() % (strlen(text) - (sign > 0));
        text[wrong] = ":/,\xb0"[random_word() % 4];
        ck_assert_msg(read_text(CLRED_TYPE_DOUBLE, text, &value) == TEXT_NO_NUMBER, "%s", text);
        ck_assert_msg(read_text(CLRED_TYPE_LONG, text, &value) == TEXT_NO_NUMBER, "%s", text);
      }
}

TEST(odd_forms_of_numbers) {
  static const char *const same[] = {
    "0",     "-0",     "+0",     "00",        "0.0",    ".5",
    "5.",    "-.5e1",  "007",    "0e5",       "1e0",    "1E+5",
    "1e-5",  "1e999",  "-1e999", "1e-999",    "0e999",  "1e99999999999999999999",
    "1e400", "1e-400", "4e-324", "2.5e-324",  "2e-324", "1.7976931348623157e308",
    "1e38",  "1e39",   "1e22",   "1e23",      "1e27",   "9007199254740993",
    "1e-22", "1e-23",  "1e-27",  "1e-28",     "1e28",   "18446744073709551615",
    "1e19",  "1e20",   "0.1",    "123456789", "1e-45",  "0.00000000000000000000000001"};
  for (size_t i = 0; i < COUNT_OF(same); i++)
    same_as_library(same[i]);
  char text[TEXT_ROOM];
  snprintf(text, sizeof text, "0.%01000d1e1000", 0);
  same_as_library(text);
  snprintf(text, sizeof text, "1%01000de-1000", 0);
  same_as_library(text);
}

// ---------------------------------------------------------------- 16 bits

static double widen(clred_type type, cl_ushort bits) {
  return type == CLRED_TYPE_HALF ? half_to_double(bits) : bfloat16_to_double(bits);
}

static cl_ushort read_short(clred_type type, const char *text) {
  cl_ushort bits;
  ck_assert_int_eq(read_text(type, text, &bits), TEXT_NUMBER);
  return bits;
}

// Neighbours differ by one in their bits. Halfway between them the even one is nearest; one digit more decides.
TEST(halves_are_rounded_once) {
  static const clred_type types[] = {CLRED_TYPE_HALF, CLRED_TYPE_BFLOAT16};
  for (size_t t = 0; t < COUNT_OF(types); t++)
    for (unsigned bits = 0; isfinite(widen(types[t], (cl_ushort)(bits + 1))); bits += 1 + bits % 7) {
      double low = widen(types[t], (cl_ushort)bits), high = widen(types[t], (cl_ushort)(bits + 1));
      char text[TEXT_ROOM];
      snprintf(text, sizeof text, "%.1000g", (low + high) / 2);
      char *exponent = strchr(text, 'e'), more[TEXT_ROOM] = "";
      if (exponent != NULL)
        strcpy(more, exponent), *exponent = '\0';
      size_t length = strlen(text);
      if (length > TEXT_ROOM - 60)
        continue;
      strcpy(text + length, more);
      ck_assert_uint_eq(read_short(types[t], text), bits + bits % 2u);
      snprintf(text + length, sizeof text - length, "%s00000000000000000000000000001%s",
               strchr(text, '.') == NULL ? "." : "", more);
      ck_assert_uint_eq(read_short(types[t], text), bits + 1u);
      ck_assert_uint_eq(read_short(types[t], (snprintf(text, sizeof text, "%.1000g", low), text)), bits);
    }
}

TEST(halves_have_their_range_and_exact_ties) {
  cl_ushort bits;
  ck_assert_uint_eq(read_short(CLRED_TYPE_HALF, "65519.9999999999999999999999999"), 0x7bff);
  ck_assert_int_eq(read_text(CLRED_TYPE_HALF, "65520", &bits), TEXT_TOO_LARGE);
  ck_assert_int_eq(read_text(CLRED_TYPE_HALF, "-1e9", &bits), TEXT_TOO_LARGE);
  ck_assert_int_eq(read_text(CLRED_TYPE_BFLOAT16, "1e39", &bits), TEXT_TOO_LARGE);
  ck_assert_uint_eq(read_short(CLRED_TYPE_HALF, "-inf"), 0xfc00);
  // Above a tie by less than the last bit of the quotient.
  ck_assert_uint_eq(read_short(CLRED_TYPE_HALF, "9.003906250000000000"), 0x4880);
  ck_assert_uint_eq(read_short(CLRED_TYPE_HALF, "9.003906250000000001"), 0x4881);
  ck_assert_uint_eq(read_short(CLRED_TYPE_HALF, "-0"), 0x8000);
}

// ---------------------------------------------------------------- Integers

static const struct {
  clred_type type;
  const char *least, *most, *below, *above;
} ranges[] = {
  {CLRED_TYPE_CHAR, "-128", "127", "-129", "128"},
  {CLRED_TYPE_UCHAR, "0", "255", "-1", "256"},
  {CLRED_TYPE_SHORT, "-32768", "32767", "-32769", "32768"},
  {CLRED_TYPE_USHORT, "0", "65535", "-1", "65536"},
  {CLRED_TYPE_INT, "-2147483648", "2147483647", "-2147483649", "2147483648"},
  {CLRED_TYPE_UINT, "0", "4294967295", "-1", "4294967296"},
  {CLRED_TYPE_LONG, "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808"},
  {CLRED_TYPE_ULONG, "0", "18446744073709551615", "-1", "18446744073709551616"},
};

TEST_ROWS(integers_have_their_range, ranges) {
  static const char *const ends[] = {"least", "most"};
  for (size_t i = 0; i < COUNT_OF(ends); i++) {
    const char *text = i == 0 ? ranges[_i].least : ranges[_i].most;
    number value = {{0}}, expected = {{0}};
    ck_assert_msg(read_text(ranges[_i].type, text, &value) == TEXT_NUMBER, "%s", text);
    ck_assert(number_parse(ranges[_i].type, text, &expected));
    ck_assert_msg(memcmp(&value, &expected, sizeof value) == 0, "%s", text);
  }
  number value = {{0}}, seven = {{0}};
  ck_assert_int_eq(read_text(ranges[_i].type, ranges[_i].below, &value), TEXT_TOO_LARGE);
  ck_assert_int_eq(read_text(ranges[_i].type, ranges[_i].above, &value), TEXT_TOO_LARGE);
  ck_assert_int_eq(read_text(ranges[_i].type, "99999999999999999999999999", &value), TEXT_TOO_LARGE);
  ck_assert_int_eq(read_text(ranges[_i].type, "+007", &value), TEXT_NUMBER);
  ck_assert(number_parse(ranges[_i].type, "7", &seven));
  ck_assert_mem_eq(&value, &seven, sizeof value);
}

// ---------------------------------------------------------------- No numbers

TEST(other_texts_are_no_numbers) {
  static const char *const wrong[] = {"",     "-",     "+",     ".",   "-.",   "e5",       "1e",    "1e+",
                                      "1e-",  "1.5.2", "1,5",   "1 5", " 1",   "1 ",       "--1",   "+-1",
                                      "0x10", "1_000", "1e5.0", "abc", "nanx", "nan()",    "infin", "in",
                                      "1f",   "1e5e5", "１",    "1\t", "i",    "infinityy"};
  double value;
  cl_long whole;
  for (size_t i = 0; i < COUNT_OF(wrong); i++) {
    ck_assert_msg(read_text(CLRED_TYPE_DOUBLE, wrong[i], &value) == TEXT_NO_NUMBER, "'%s'", wrong[i]);
    ck_assert_msg(read_text(CLRED_TYPE_LONG, wrong[i], &whole) == TEXT_NO_NUMBER, "'%s'", wrong[i]);
  }
  static const char *const fractions[] = {"1.5", "1.0", "1.", "1e3", "nan", "inf"};
  for (size_t i = 0; i < COUNT_OF(fractions); i++)
    ck_assert_msg(read_text(CLRED_TYPE_LONG, fractions[i], &whole) == TEXT_NO_NUMBER, "'%s'", fractions[i]);
}

TEST(words_for_special_values) {
  double value;
  ck_assert(read_text(CLRED_TYPE_DOUBLE, "NaN", &value) == TEXT_NUMBER && isnan(value));
  ck_assert(read_text(CLRED_TYPE_DOUBLE, "-nan", &value) == TEXT_NUMBER && isnan(value));
  ck_assert(read_text(CLRED_TYPE_DOUBLE, "Inf", &value) == TEXT_NUMBER && value == (double)INFINITY);
  ck_assert(read_text(CLRED_TYPE_DOUBLE, "-INFINITY", &value) == TEXT_NUMBER && value == -(double)INFINITY);
}

TEST(types_without_a_reader) {
  ck_assert(text_reader_of(CLRED_TYPE_CFLOAT) == NULL);
  ck_assert(text_reader_of(CLRED_VECTOR(CLRED_TYPE_FLOAT, 4)) == NULL);
  ck_assert(text_reader_of(CLRED_TYPE_NONE) == NULL);
}
