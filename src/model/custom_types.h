// The types that a caller's operator names, as far as the tables know them.
#ifndef CLR_MODEL_CUSTOM_TYPES_H
#define CLR_MODEL_CUSTOM_TYPES_H

#include "model/custom.h"

// How elements of a type are read: STRUCT for one that the tables do not know.
enum clr_reading clr_custom_reading(const char *type);

// Whether it is a type of memory only, without values of its own.
bool clr_custom_is_storage(enum clr_reading reading);

// Bytes; 0 for a type that the tables do not know.
size_t clr_custom_size(const char *type);

// As far as types are named; of a preamble only the compiler knows.
bool clr_custom_needs_fp64(const struct clr_custom *custom);

// Whether state, elements and inputs can be vectors, if that is claimed.
cl_int clr_custom_check_elementwise(const struct clr_custom *custom, struct clr_status *status);

#endif
