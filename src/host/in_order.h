// Loops over elements in order, on the host. planning/host_passes.c, strategies and references call these.
#pragma once

#include "host/scans.h"
#include "model/histogram.h"

// Folds at least one element in order.
void clr_fold_elements(const struct clr_values *values, void *state);

// Lane i has the elements i, i + apart, i + 2 * apart and so on, values->count of them. Folds `groups` groups of
// CLR_LANES_AT_ONCE neighbouring lanes, each to one state. Returns false if the operation has no function for lanes, if
// this function reads another type, or if the stride is not 1.
bool clr_fold_lanes(const struct clr_values *values, cl_ulong apart, cl_ulong groups, void *states);

// Scans; see struct clr_scan.
void clr_scan_in_order(const struct clr_scan *scan, const struct clr_values *values);

// Writes the kept elements one after another. Returns their number.
cl_ulong clr_select_in_order(const struct clr_values *values, void *results);

// Counts `count` neighbouring elements in bins.
void clr_count_elements(const struct clr_histogram *histogram, const struct clr_type *type, const void *elements,
                        cl_ulong count, cl_ulong *counts);
