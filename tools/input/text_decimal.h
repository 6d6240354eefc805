// A decimal number, from its digits (text_digits.c) to the nearest binary value (text_decimal.c). text_number.c uses
// it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "input/text_digits.h"

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

// The powers of ten that a double has exactly.
enum { EXACT_TEN = 22 };
extern const double decimal_tens[EXACT_TEN + 1];

// The magnitude, rounded to nearest even; infinity if it is out of range. decimal_odd rounds to odd instead: if the
// value is not exact, the last bit is 1. Rounding the result again to fewer bits then gives what rounding once gives.
double decimal_double(const struct decimal *decimal);
float decimal_float(const struct decimal *decimal);
double decimal_odd(const struct decimal *decimal);
