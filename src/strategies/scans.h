// Shared by the scan strategies.
#pragma once

#include "planning/strategy.h"

// Sets how the elements and results of a group's tile pass through local memory, which also holds `nodes_beside`
// further nodes. Halves the group size, if the caller did not set it, until all fits. Otherwise refuses and names the
// limit.
cl_int clr_scan_fit_tile(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong nodes_beside,
                         struct clr_shape *shape, struct clr_status *status);

// Sets how many neighbouring lanes, or columns, a work-item of a CPU scans at once: 1 if lanes of states are not
// vectors.
void clr_scan_fit_block(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape);

// Sets the status array in which the groups of a launch publish nodes of `node_size` bytes (cl/common/board.clh): for
// as many tiles as the caller allows, at most 32 to the power `levels`.
cl_int clr_board_fit(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong levels,
                     cl_ulong node_size, struct clr_shape *shape, struct clr_status *status);

// Returns the elements of a group's tile.
cl_ulong clr_scan_tile(const struct clr_shape *shape);

// Scans on the host in the order fixed/1.
cl_int clr_scan_fixed_reference(const struct clr_shape *shape, const struct clr_values *values,
                                const struct clr_scan *scan);

// The analyses of scan_blelloch and scan_blelloch_recursive.
bool clr_blelloch_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step);
bool clr_blelloch_recursive_step(const struct clr_shape *shape, const struct clr_extent *extent,
                                 const struct clr_pass *pass, unsigned index, struct clred_step *step);
