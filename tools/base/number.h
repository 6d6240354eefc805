// Conversion of numbers to text and back, for every type with one component. value.h handles vectors and complex
// numbers.
#pragma once

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

enum { NUMBER_TEXT_SIZE = 40, NUMBER_SIZE = 8 };

// A number of any type, stored from the first byte on.
typedef union number {
  unsigned char bytes[NUMBER_SIZE];
  cl_ulong align_whole;
  cl_double align_floating;
} number;

// Integers are exact. Floating values have the fewest digits that read back to the same value; whole numbers below 1e16
// have all their digits. Others are "inf", "-inf" and "nan".
void number_text(clred_type type, const void *value, char text[NUMBER_TEXT_SIZE]);
void number_double_text(double value, char text[NUMBER_TEXT_SIZE]);

// Converts to double. Only large integers are rounded.
double number_as_double(clred_type type, const void *value);

// An integer, sign-extended or zero-extended to 64 bits.
uint64_t number_bits(clred_type type, const void *value);

// Maps a value to an integer, in the order of the values. Equal values, such as 0 and -0, have the same integer. NaN
// has UINT64_MAX, which no other floating value has.
uint64_t number_order(clred_type type, const void *value);

// ---- Numbers in text. Every conversion is exact: floating values are rounded once, to nearest even, whatever the
// number of digits. Pure functions of bytes, so that a fuzzer can try any bytes.

// TEXT_TOO_LARGE: a number, but outside the range of the type. TEXT_ROUNDED: a whole number that the type lacks.
enum text_verdict { TEXT_NUMBER, TEXT_NO_NUMBER, TEXT_TOO_LARGE, TEXT_ROUNDED };

// Reads the bytes from `begin` to `end` as one number and stores it at `value`. The byte at `end` must be readable, and
// no digit, point, sign or letter. Integers are decimal digits after an optional sign. Floating values may also have a
// point and an exponent, or be inf, infinity or nan in any case.
typedef enum text_verdict text_reader(const char *begin, const char *end, void *value);

// The reader of an element type. NULL for vectors and complex numbers.
text_reader *text_reader_of(clred_type type);

// The reader of double if the user did not name a type. It rejects a whole number that double cannot store exactly.
text_reader text_read_unasked;

// True if the whole text, or its first `length` characters, is a value of this type. The next character must be as
// above.
bool number_parse(clred_type type, const char *text, void *value);
bool number_parse_part(clred_type type, const char *text, size_t length, void *value);

// The same for `length` decimal digits without a sign.
bool count_parse(const char *text, size_t length, uint64_t *count);

// ---- half and bfloat16

typedef cl_ushort cl_bfloat16;

// Round to nearest even by integer arithmetic, so that generated data has the same bits on every machine.
cl_half half_from_double(double value);
cl_bfloat16 bfloat16_from_double(double value);

// Exact conversions.
double half_to_double(cl_half bits);
double bfloat16_to_double(cl_bfloat16 bits);

// ---- Quantiles of at least one number. Both sort the numbers.

// The quantile for `share` (0 to 1), interpolated between the two nearest numbers.
double quantile(double *values, size_t count, double share);

double median(double *values, size_t count);
