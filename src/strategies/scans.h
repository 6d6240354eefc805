// Shared by strategies for scans, segments and runs.
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

// --- Segments and runs: how groups copy segments to local memory, and lists of lanes ---

// False for half, which needs an extension to be copied, and for several inputs, each of which would need its own
// memory.
bool clr_segments_can_stage(const struct clr_operation *operation);

// Return the bytes of local memory for lists of lanes (cl/segments/list.clh), and how many of these bytes are for
// results.
cl_ulong clr_scan_list_bytes(const struct clr_problem *problem, const struct clr_shape *shape);
cl_ulong clr_scan_staged_bytes(const struct clr_problem *problem, const struct clr_shape *shape);
