// Counts elements in bins on the host. planning/host_passes.c and the reference call this.
#ifndef CLR_HOST_HISTOGRAMS_H
#define CLR_HOST_HISTOGRAMS_H

#include "model/histogram.h"

// Counts `count` neighbouring elements in bins.
void clr_count_elements(const struct clr_histogram *histogram, const struct clr_type *type, const void *elements,
                        cl_ulong count, cl_ulong *counts);

#endif
