// The types that a caller's operator names, if they are types of the tables.
#ifndef CLR_MODEL_CUSTOM_TYPES_H
#define CLR_MODEL_CUSTOM_TYPES_H

#include "model/custom.h"

// Returns how elements of a type are read: STRUCT if the tables do not have it.
enum clr_reading clr_custom_reading(const char *type);

// True for types that exist in memory only: half and bfloat16. Their values are floats.
bool clr_custom_is_storage(enum clr_reading reading);

// Returns bytes; 0 if the tables do not have the type.
size_t clr_custom_size(const char *type);

// True if a type that the operator names is double. Types in the preamble are not searched.
bool clr_custom_needs_fp64(const struct clr_custom *custom);

// Checks that state, elements and inputs can be vectors if the caller says that the operator is elementwise.
cl_int clr_custom_check_elementwise(const struct clr_custom *custom, struct clr_status *status);

#endif
