// Conversion of values of any type to text and back: numbers, vectors and complex numbers.
#pragma once

#include <clreduce_device.h>
#include <stdbool.h>

#include "base/number.h"

enum { VALUE_COMPONENTS_MAX = 16, VALUE_TEXT_SIZE = VALUE_COMPONENTS_MAX * NUMBER_TEXT_SIZE };

// A value of any type, stored from the first byte on and aligned for OpenCL's largest vector.
union value {
  unsigned char bytes[sizeof(cl_double16)];
  cl_double16 align;
};

// The components as number_text writes them, separated by spaces.
void value_text(clred_type type, const void *from, char text[VALUE_TEXT_SIZE]);

// Reads the whole text: components separated by commas. A vector of 3 gets 0 as its fourth component.
bool value_parse(clred_type type, const char *text, void *to);

// True if the bits are equal. All NaNs count as equal.
bool value_same(clred_type type, const void *a, const void *b);

// What the library knows of a type; zeros if it is no type of the library.
clred_type_info type_info(clred_type type);

// The name of a type; "struct" for results of several parts.
const char *type_name(clred_type type);

// Size in bytes.
size_t value_size(clred_type type);

// Address of a component.
const void *value_component(const clred_type_info *type, const void *from, cl_uint component);

// ---- Types by name

// NumPy's short names (f4, u1) count, too. int8, int16, uint8, uint16 and float16 are scalar types in NumPy and vector
// types in OpenCL C. If both languages are allowed, the name is NumPy's. Returns false and leaves `type` unchanged if
// there is no such type.
bool type_of_numpy(const char *name, clred_type_info *type);
bool type_of_opencl(const char *name, clred_type_info *type);
bool type_of_either(const char *name, clred_type_info *type);
