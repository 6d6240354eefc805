// Loops over elements in order, on the host. planning/host_passes.c, strategies and references call these.
#pragma once

#include "host/scans.h"
#include "model/histogram.h"

// Folds at least one element in order.
void clr_fold_elements(const struct clr_values *values, void *state);

// Lanes of values->count elements each. Neighbours of a lane are values->stride elements apart.
struct clr_lanes {
  cl_ulong width;          // number of lanes
  cl_ulong apart, across;  // from the first element of a lane to that of the next lane: in elements, and by index
  cl_ulong turn;           // from the index of an element to that of the next one in its lane
};

// True if the operation has functions for lanes and pairs.
bool clr_has_lanes(const struct clr_operation *operation);

// Folds each lane in order, and writes one state for each. If the result depends on the order, a lane has at most 16
// elements.
void clr_fold_lanes(const struct clr_values *values, const struct clr_lanes *lanes, void *states);

// Scans; see struct clr_scan.
void clr_scan_in_order(const struct clr_scan *scan, const struct clr_values *values);

// Writes the kept elements one after another. Returns their number.
cl_ulong clr_select_in_order(const struct clr_values *values, void *results);

// Counts neighbouring elements in bins, or sums their weights. With weights, `room` has a state of their sum for each
// result.
void clr_count_elements(const struct clr_histogram *histogram, const struct clr_values *values, void *room,
                        void *results);
