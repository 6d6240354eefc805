// Shared by strategies for segments and for runs: how groups copy segments to local memory, and lists of lanes.
#pragma once

#include "strategies/scans.h"

// False for half, which needs an extension to be copied, and for several inputs, each of which would need its own
// memory.
bool clr_segments_can_stage(const struct clr_operation *operation);

// Return the bytes of local memory for lists of lanes (cl/segments/list.clh), and how many of these bytes are for
// results.
cl_ulong clr_scan_list_bytes(const struct clr_problem *problem, const struct clr_shape *shape);
cl_ulong clr_scan_staged_bytes(const struct clr_problem *problem, const struct clr_shape *shape);
