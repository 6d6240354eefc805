// The types that a caller's operator names, if they are types of the tables.
#ifndef CLR_MODEL_CUSTOM_TYPES_H
#define CLR_MODEL_CUSTOM_TYPES_H

#include "model/custom.h"

// How elements of a type are read: STRUCT if the tables do not have it.
enum clr_reading clr_custom_reading(const char *type);

// Whether the type exists in memory only: half and bfloat16, whose values are floats.
bool clr_custom_is_storage(enum clr_reading reading);

// Bytes; 0 if the tables do not have the type.
size_t clr_custom_size(const char *type);

// Judged by the types that the operator names; a preamble may use others.
bool clr_custom_needs_fp64(const struct clr_custom *custom);

// Checks that state, elements and inputs can be vectors if the caller says that the operator is elementwise.
cl_int clr_custom_check_elementwise(const struct clr_custom *custom, struct clr_status *status);

#endif
