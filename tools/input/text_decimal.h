// A decimal number, from its digits to the nearest binary value. text_number.c uses it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { DECIMAL_DIGITS = 19 };  // digits that always fit 64 bits

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

// Reads the whole text from `begin` to `end`; text_number.h says which bytes must be readable. False if it is not
// digits with an optional sign, point and exponent.
bool decimal_read(const char *begin, const char *end, struct decimal *decimal);

// Reads the most common numbers alone: up to DECIMAL_DIGITS digits with an optional sign and point. False for all
// others, which may be numbers.
bool decimal_simple(const char *begin, const char *end, double *value);

// The magnitude, rounded to nearest even; infinity if it is out of range. decimal_odd rounds to odd instead: if the
// value is not exact, the last bit is 1. Rounding the result again to fewer bits then gives what rounding once gives.
double decimal_double(const struct decimal *decimal);
float decimal_float(const struct decimal *decimal);
double decimal_odd(const struct decimal *decimal);
