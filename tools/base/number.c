// One row of functions per element type, made from CLRED_TYPE_MAP by the type's class.

#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"

typedef double read_back(const char *text);

// What a floating type is to this file: from its stored form to a double and back, and the value that a text stands
// for.
#define WIDEN_float(x) ((double)(x))
#define WIDEN_double(x) (x)
#define WIDEN_half(x) half_to_double(x)
#define WIDEN_bfloat16(x) bfloat16_to_double(x)
#define NARROW_float(x) ((cl_float)(x))
#define NARROW_double(x) (x)
#define NARROW_half(x) half_from_double(x)
#define NARROW_bfloat16(x) bfloat16_from_double(x)

static double read_back_float(const char *text) {
  return (double)strtof(text, NULL);
}
static double read_back_double(const char *text) {
  return strtod(text, NULL);
}
static double read_back_half(const char *text) {
  return WIDEN_half(NARROW_half(strtod(text, NULL)));
}
static double read_back_bfloat16(const char *text) {
  return WIDEN_bfloat16(NARROW_bfloat16(strtod(text, NULL)));
}

// A script may count in these: 100000, not 1e+05. 1e16 is where doubles stop telling whole numbers apart.
static bool is_whole(double value) {
  return fabs(value) < 1e16 && (double)(int64_t)value == value;
}

static void shortest(double value, read_back *read, char text[NUMBER_TEXT_SIZE]) {
  if (isnan(value)) {
    strcpy(text, "nan");  // printf may say "-nan"
    return;
  }
  if (is_whole(value)) {
    snprintf(text, NUMBER_TEXT_SIZE, "%.0f", value);
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, NUMBER_TEXT_SIZE, "%.*g", digits, value);
    if (read(text) == value)
      return;
  }
}

static bool starts_a_number(const char *text) {
  return *text != '\0' && !isspace((unsigned char)*text);
}

static bool parse_signed(const char *text, int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return starts_a_number(text) && end != text && *end == '\0' && errno == 0;
}

static bool parse_unsigned(const char *text, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return isdigit((unsigned char)*text) && *end == '\0' && errno == 0;
}

static bool parse_floating(const char *text, read_back *read, double *value) {
  char *end;
  (void)strtod(text, &end);
  *value = read(text);
  return starts_a_number(text) && end != text && *end == '\0';
}

#define FUNCTIONS_WHOLE(name, carrier, parse, format) \
  static void text_##name(const void *value, char *text) { \
    cl_##name x; \
    memcpy(&x, value, sizeof x); \
    snprintf(text, NUMBER_TEXT_SIZE, "%" format, (carrier)x); \
  } \
  static bool parse_##name(const char *text, void *value) { \
    carrier wide; \
    if (!parse(text, &wide)) \
      return false; \
    cl_##name x = (cl_##name)wide; \
    memcpy(value, &x, sizeof x); \
    return (carrier)x == wide; \
  } \
  FUNCTION_DOUBLE(name, (double)x)
#define FUNCTIONS_SIGNED(name) FUNCTIONS_WHOLE(name, int64_t, parse_signed, PRId64)
#define FUNCTIONS_UNSIGNED(name) FUNCTIONS_WHOLE(name, uint64_t, parse_unsigned, PRIu64)
#define FUNCTIONS_FLOATING(name) \
  static void text_##name(const void *value, char *text) { \
    cl_##name x; \
    memcpy(&x, value, sizeof x); \
    shortest(WIDEN_##name(x), read_back_##name, text); \
  } \
  static bool parse_##name(const char *text, void *value) { \
    double wide; \
    if (!parse_floating(text, read_back_##name, &wide)) \
      return false; \
    cl_##name x = NARROW_##name(wide); \
    memcpy(value, &x, sizeof x); \
    return true; \
  } \
  FUNCTION_DOUBLE(name, WIDEN_##name(x))
#define FUNCTIONS_COMPLEX(name)  // two numbers, which value.h deals in
#define FUNCTION_DOUBLE(name, widened) \
  static double double_##name(const void *value) { \
    cl_##name x; \
    memcpy(&x, value, sizeof x); \
    return widened; \
  }
#define FUNCTIONS(upper, value, name, numpy, class, ...) FUNCTIONS_##class(name)
CLRED_TYPE_MAP(FUNCTIONS)

static const struct row {
  void (*text)(const void *value, char *text);
  double (*as_double)(const void *value);
  bool (*parse)(const char *text, void *value);
} rows[] = {
#define ROW_SIGNED(upper, name) [CLRED_TYPE_##upper] = {text_##name, double_##name, parse_##name},
#define ROW_UNSIGNED(upper, name) ROW_SIGNED(upper, name)
#define ROW_FLOATING(upper, name) ROW_SIGNED(upper, name)
#define ROW_COMPLEX(upper, name)
#define ROW(upper, value, name, numpy, class, ...) ROW_##class(upper, name)
  CLRED_TYPE_MAP(ROW)};

void number_text(clred_type type, const void *value, char text[NUMBER_TEXT_SIZE]) {
  rows[type].text(value, text);
}

void number_double_text(double value, char text[NUMBER_TEXT_SIZE]) {
  shortest(value, read_back_double, text);
}

double number_as_double(clred_type type, const void *value) {
  return rows[type].as_double(value);
}

bool number_parse(clred_type type, const char *text, void *value) {
  return rows[type].parse(text, value);
}

bool count_parse(const char *text, size_t length, uint64_t *count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < length; i++) {
    if (!isdigit((unsigned char)text[i]))
      return false;
    uint64_t digit = (uint64_t)(text[i] - '0');
    if (sum > (UINT64_MAX - digit) / 10)
      return false;
    sum = sum * 10 + digit;
  }
  *count = sum;
  return length > 0;
}
