// Element types: the rows of CLRED_TYPE_MAP as the library needs them, vectors of them, and the keys of elements.
#pragma once

#include <stdbool.h>

#include "clreduce.h"

enum clr_class { CLR_SIGNED, CLR_UNSIGNED, CLR_FLOATING, CLR_COMPLEX };
enum clr_need { CLR_NEEDS_NOTHING, CLR_NEEDS_FP64 };
enum clr_reading { CLR_READING_PLAIN, CLR_READING_HALF, CLR_READING_BFLOAT16, CLR_READING_COMPLEX, CLR_READING_STRUCT };

// The types in which arithmetic is done. Integers narrower than long are for narrow results (clred_result_bits).
// Each row is X(id, type, ...), where ... are the further arguments of CLR_KIND_MAP.
#define CLR_KIND_MAP(X, ...) \
  X(CHAR, char, __VA_ARGS__) \
  X(UCHAR, uchar, __VA_ARGS__) \
  X(SHORT, short, __VA_ARGS__) \
  X(USHORT, ushort, __VA_ARGS__) \
  X(INT, int, __VA_ARGS__) \
  X(UINT, uint, __VA_ARGS__) \
  X(LONG, long, __VA_ARGS__) \
  X(ULONG, ulong, __VA_ARGS__) \
  X(FLOAT, float, __VA_ARGS__) \
  X(DOUBLE, double, __VA_ARGS__)
#define CLR_KIND_ID(id, ...) CLR_KIND_##id,
enum clr_kind { CLR_KIND_MAP(CLR_KIND_ID, ) CLR_KINDS };

struct clr_type {
  clred_type id;
  const char *name;
  const char *numpy_name;
  enum clr_class class;
  clred_type wide;     // the type of sums of this type
  const char *stored;  // OpenCL's type in memory; for a complex number, the type of each part
  enum clr_reading reading;
  enum clr_need need;
  size_t size;  // bytes of an element; of a complex number, of both parts
  // Converts an element to values of a kind; of a complex number, both parts.
  void (*widen[CLR_KINDS])(const void *elements, cl_ulong count, void *values);
};

// A type as callers name it: a row, or a vector of one.
struct clr_element {
  const struct clr_type *row;
  unsigned components;  // 1; for a vector 2 to 16
  size_t stride;        // components in memory: 4 for a vector of 3
  size_t size;          // bytes
  char name[16];
};

const struct clr_type *clr_type_at(size_t index);
const struct clr_type *clr_type_row(clred_type type);  // NULL for a value outside the table

// For a message about a value for which clr_element_make returns false.
#define CLR_NO_TYPE "type: %d is no type of CLRED_TYPE_MAP, nor a vector of one"

// False if the value is neither a type of the table nor a vector of one.
bool clr_element_make(clred_type type, struct clr_element *element);

// False for a caller's own operator: its elements have no row, and its text treats a pair like any other type.
bool clr_element_is_complex(const struct clr_element *element);

// The type with this name in OpenCL C ("int8" is a vector), or half or bfloat16. NONE if there is none.
clred_type clr_type_spelt(const char *name);

// The type with this name in OpenCL or NumPy, or a vector such as "float4". NONE if there is none.
clred_type clr_type_named(const char *name);

// The kind in which arithmetic on a type is done, and the type of a kind.
enum clr_kind clr_kind_of(clred_type type);
clred_type clr_kind_type(enum clr_kind kind);

// The kind of an integer of this class and size in bytes.
enum clr_kind clr_kind_of_integer(enum clr_class class, size_t size);

// The kind that REAL means for this kind: double for integers.
enum clr_kind clr_kind_real(enum clr_kind kind);

// --- Keys ---
// Keys are integers in the same order as the elements that they are made from, so that one comparison serves all types.
// Kernels compute the same keys (cl/histogram/words.clh). Both zeros have the same key. The key of a NaN is above or
// below the keys of all numbers.

// Write or read an integer of `size` bytes, 1, 2, 4 or 8, in memory that may be unaligned.
void clr_bits_put(cl_ulong bits, size_t size, void *to);
cl_ulong clr_bits_get(const void *from, size_t size);

// The key of one element in memory, which may be unaligned.
cl_ulong clr_key_at(const struct clr_type *type, const void *element);

// The number that has this key, to the nearest double.
double clr_key_number(const struct clr_type *type, cl_ulong key);

// For a floating type: the key of the element nearest to the number, ties to even. False if that element is infinite.
bool clr_key_nearest(const struct clr_type *type, double number, cl_ulong *key);

// For an integer type: the key of the smallest element that is at least the number. False if there is none.
bool clr_key_at_least(const struct clr_type *type, double number, cl_ulong *key);

// For an integer type: the key of the largest element that is at most the number. False if there is none.
bool clr_key_at_most(const struct clr_type *type, double number, cl_ulong *key);

// The largest key of an integer type.
cl_ulong clr_key_last(const struct clr_type *type);

// --- Places ---
// The place of a whole number is its distance from -2^63, or from 0 for ulong. "The end" is the number 2^64 above this
// origin; it has no place.

// The place of a type's lowest value.
cl_ulong clr_place_of_first(const struct clr_type *type);

// True if the number is whole and has a place, or if it is the end.
bool clr_has_place(const struct clr_type *type, double number);

// Returns the place of a number for which clr_has_place is true; 0 for the end.
cl_ulong clr_place_of(const struct clr_type *type, double number);
