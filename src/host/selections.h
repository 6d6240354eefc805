// Selections on the host. planning/host_passes.c and the reference call this.
#ifndef CLR_HOST_SELECTIONS_H
#define CLR_HOST_SELECTIONS_H

#include "host/values.h"

// Writes the kept elements one after another. Returns their number.
cl_ulong clr_select_in_order(const struct clr_values *values, void *results);

#endif
