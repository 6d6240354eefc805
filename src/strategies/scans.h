// What scan strategies share.
#ifndef CLR_STRATEGIES_SCANS_H
#define CLR_STRATEGIES_SCANS_H

#include "planning/steps.h"
#include "planning/strategy.h"

// A group's tile, with local memory for `nodes_beside` further nodes: sets how elements and results reach the
// work-items. Halves a group size that the caller did not set until all fits. Otherwise refuses and names the limit.
cl_int clr_scan_fit_tile(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong nodes_beside,
                         struct clr_shape *shape, struct clr_status *status);

// Neighbouring lanes, or columns, that a work-item of a CPU-like device scans at once: 1 if states are no vectors.
void clr_scan_fit_block(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape);

// Elements of a group's tile.
cl_ulong clr_scan_tile(const struct clr_shape *shape);

bool clr_scan_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                   unsigned index, struct clred_step *step);

// The order fixed/1.
cl_int clr_scan_fixed_reference(const struct clr_shape *shape, const struct clr_values *values,
                                const struct clr_scan *scan);

#endif
