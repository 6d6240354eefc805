// Keys: integers that stand in the order of the elements they are made from, so that one comparison serves all types.
// Kernels make the same ones (cl/histogram.clh). Both zeros have one key; a NaN's lies above or below those of all
// numbers.
#ifndef CLR_MODEL_KEYS_H
#define CLR_MODEL_KEYS_H

#include "model/element.h"

// Of one element in memory, aligned in any way.
cl_ulong clr_key_at(const struct clr_type *type, const void *element);

// The number that has this key, to the nearest double.
double clr_key_number(const struct clr_type *type, cl_ulong key);

// Of a floating type: the key of the element nearest to the number, ties to even; false if that is infinite.
bool clr_key_nearest(const struct clr_type *type, double number, cl_ulong *key);

// Of an integer type: the key of the least element that is no less than the number; false if all are less.
bool clr_key_at_least(const struct clr_type *type, double number, cl_ulong *key);

// Of an integer type: the key of the greatest element that is no greater; false if all are greater.
bool clr_key_at_most(const struct clr_type *type, double number, cl_ulong *key);

// The greatest key of an integer type.
cl_ulong clr_key_last(const struct clr_type *type);

#endif
