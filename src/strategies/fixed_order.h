// What the strategies of the order fixed/1 (docs/order.md) share: how elements are read, how many nodes a group folds,
// and the tree on the host.
#ifndef CLR_STRATEGIES_FIXED_ORDER_H
#define CLR_STRATEGIES_FIXED_ORDER_H

#include "planning/steps.h"
#include "planning/strategy.h"

// How many neighbouring elements one work-item reads at once if neighbouring work-items read neighbouring memory: 16
// bytes, the widest load, or less if states are large; and how many rows of them are in flight.
void clr_fixed_columns(const struct clr_operation *operation, struct clr_shape *shape);

// The same if one work-item walks whole tiles: the widest vectors there are.
void clr_fixed_vectors(const struct clr_facts *facts, const struct clr_operation *operation, struct clr_shape *shape);

// The same if work-items take neighbouring columns: vectors of at most so many bytes.
void clr_fixed_beside(const struct clr_operation *operation, cl_ulong most_bytes, struct clr_shape *shape);

// Nodes a group folds in one turn, few enough that several groups share the local memory of a compute unit. Refuses
// states that local memory cannot hold.
cl_int clr_fixed_nodes(const struct clr_facts *facts, struct clr_shape *shape, struct clr_status *status);

// One state a group.
cl_ulong clr_fixed_scratch(const struct clr_shape *shape);

cl_ulong clr_fixed_tile(const struct clr_shape *shape);               // elements of a tile
cl_ulong clr_fixed_tiles(const struct clr_shape *shape, cl_ulong n);  // tiles of n elements
cl_ulong clr_fixed_lanes(const struct clr_shape *shape, cl_ulong n);  // lanes of n elements, in all their tiles

void clr_fixed_fold(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs);
cl_int clr_fixed_reference(const struct clr_shape *shape, const struct clr_values *values, void *state);

#endif
