// Keys: integers in the same order as the elements they are made from, so that one comparison serves all types. Kernels
// compute the same keys (cl/histogram.clh). Both zeros have the same key. The key of a NaN is above or below the keys
// of all numbers.
#ifndef CLR_MODEL_KEYS_H
#define CLR_MODEL_KEYS_H

#include "model/element.h"

// The key of one element in memory, which may be unaligned.
cl_ulong clr_key_at(const struct clr_type *type, const void *element);

// The number that has this key, to the nearest double.
double clr_key_number(const struct clr_type *type, cl_ulong key);

// For a floating type: the key of the element nearest to the number, ties to even. False if that element is infinite.
bool clr_key_nearest(const struct clr_type *type, double number, cl_ulong *key);

// For an integer type: the key of the smallest element that is at least the number. False if there is none.
bool clr_key_at_least(const struct clr_type *type, double number, cl_ulong *key);

// For an integer type: the key of the greatest element that is at most the number. False if there is none.
bool clr_key_at_most(const struct clr_type *type, double number, cl_ulong *key);

// The greatest key of an integer type.
cl_ulong clr_key_last(const struct clr_type *type);

#endif
