// Selections on the host.
#ifndef CLR_HOST_SELECTIONS_H
#define CLR_HOST_SELECTIONS_H

#include "host/values.h"

// Writes what is kept, one behind the other; returns how many that were.
cl_ulong clr_select_in_order(const struct clr_values *values, void *results);

#endif
