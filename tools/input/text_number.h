// Numbers in text. Every conversion is exact: floating values are rounded once, to nearest even, whatever the number of
// digits. Pure functions of bytes, so that a fuzzer can try any bytes.
#pragma once

#include <clreduce.h>

// TEXT_TOO_LARGE: a number, but outside the range of the type. TEXT_ROUNDED: a whole number that the type lacks.
enum text_verdict { TEXT_NUMBER, TEXT_NO_NUMBER, TEXT_TOO_LARGE, TEXT_ROUNDED };

// Reads the bytes from `begin` to `end` as one number and stores it at `value`. The byte at `end` must be readable, and
// no digit, point, sign or letter. Integers are decimal digits after an optional sign. Floating values may also have a
// point and an exponent, or be inf, infinity or nan in any case.
typedef enum text_verdict text_reader(const char *begin, const char *end, void *value);

// The reader of an element type. NULL for vectors and complex numbers.
text_reader *text_reader_of(clred_type type);

// The reader of double for a user who did not ask for double: a whole number, of digits alone, must be exact.
text_reader text_read_unasked;
