// Numbers as text and back, for every type that is one number: results, constants, counts. value.h has the others.

#ifndef CLREDUCE_TOOL_NUMBER_H
#define CLREDUCE_TOOL_NUMBER_H

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

enum { NUMBER_TEXT_SIZE = 40, NUMBER_SIZE = 8 };

// A number of any type, in its first bytes.
typedef union number {
  unsigned char bytes[NUMBER_SIZE];
  cl_ulong align_whole;
  cl_double align_floating;
} number;

// Integers exactly; floating values in the least digits that read back to the same value of their type, whole numbers
// below 1e16 in all their digits; "inf", "-inf" and "nan".
void number_text(clred_type type, const void *value, char text[NUMBER_TEXT_SIZE]);
void number_double_text(double value, char text[NUMBER_TEXT_SIZE]);

// The value as a double: rounded for large integers only.
double number_as_double(clred_type type, const void *value);

// Reads the whole of `text` as a value of this type, rounded to nearest where it is floating; false if it is none or
// does not fit.
bool number_parse(clred_type type, const char *text, void *value);

// Reads `length` decimal digits and nothing else.
bool count_parse(const char *text, size_t length, uint64_t *count);

#endif
