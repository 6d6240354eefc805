// Values of any type as text and back: numbers, vectors and complex numbers.

#ifndef CLREDUCE_TOOL_VALUE_H
#define CLREDUCE_TOOL_VALUE_H

#include "base/number.h"
#include <clreduce_device.h>

enum { VALUE_COMPONENTS_MOST = 16, VALUE_TEXT_SIZE = VALUE_COMPONENTS_MOST * NUMBER_TEXT_SIZE };

// A value of any type, in its first bytes, aligned as OpenCL's largest vector wants it.
union value {
  unsigned char bytes[sizeof(cl_double16)];
  cl_double16 align;
};

// The components in number_text's form, separated by spaces.
void value_text(clred_type type, const void *from, char text[VALUE_TEXT_SIZE]);

// Reads the whole of `text`: the components, separated by commas. A vector of 3 gets a fourth of 0.
bool value_parse(clred_type type, const char *text, void *to);

// Whether the bits are equal; all NaNs are one.
bool value_same(clred_type type, const void *a, const void *b);

// Bytes of a value.
size_t value_size(clred_type type);

// The address of a component.
const void *value_component(const clred_type_info *type, const void *from, cl_uint component);

#endif
