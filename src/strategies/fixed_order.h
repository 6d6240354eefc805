// Shared by the strategies of the order fixed/1 (docs/order.md): how elements are read, how many nodes a group folds,
// and the tree on the host.
#pragma once

#include "planning/strategy.h"

// Loops over states of more bytes are not unrolled: IS_LARGE in cl/group/node_list.clh.
#define CLR_LARGE_STATE 32

// For neighbouring work-items that read neighbouring memory: sets how many elements one load takes (16 bytes, the
// widest load, or less if states are large), how many rows of them are in flight, and how many nodes are folded at a
// time.
void clr_fixed_columns(const struct clr_operation *operation, struct clr_shape *shape);

// Returns the number of nodes that a work-item folds at a time: RADIX in cl/group/node_list.clh.
cl_ulong clr_fixed_radix(const struct clr_operation *operation);

// Sets how many rows of shape->vector elements are in flight: as many as registers hold. If elements have 4 bytes or
// more, the rows have at most about `elements` elements.
void clr_fixed_rows_at_once(const struct clr_operation *operation, cl_ulong elements, struct clr_shape *shape);

// True if the order exact can add terms in doubles (cl/exact/bins.clh).
bool clr_has_bins(const struct clr_facts *facts, const struct clr_problem *problem);

// Lanes of bins that a work-item of a CPU keeps.
#define CLR_BIN_LANES 16

// For a work-item that reads whole tiles: sets the widest useful vectors.
void clr_fixed_vectors(const struct clr_facts *facts, const struct clr_operation *operation, struct clr_shape *shape);

// True if the short rows of clr_fixed_vectors can be folded side by side (cl/group/short_rows.clh), and if that is
// faster than one row after another.
bool clr_fixed_folds_beside(const struct clr_operation *operation);

// For rows and columns on CPUs: sets how many units there are at most, and how large they are at least if the caller
// did not set the number. Units cost a second launch, which takes as long as folding some hundred tiles.
void clr_fixed_runs(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape);

// For work-items that read neighbouring columns: sets vectors of at most `most_bytes` bytes.
void clr_fixed_beside(const struct clr_operation *operation, cl_ulong most_bytes, struct clr_shape *shape);

// Sets how many nodes a group folds in one iteration: so few that several groups share a compute unit's local memory.
// Refuses states that are too large for local memory.
cl_int clr_fixed_nodes(const struct clr_facts *facts, struct clr_shape *shape, struct clr_status *status);

// Returns one state for each group.
cl_ulong clr_fixed_scratch(const struct clr_shape *shape);

cl_ulong clr_fixed_tile(const struct clr_shape *shape);               // elements of a tile
cl_ulong clr_fixed_tiles(const struct clr_shape *shape, cl_ulong n);  // tiles of n elements
cl_ulong clr_fixed_lanes(const struct clr_shape *shape, cl_ulong n);  // lanes of n elements, in all their tiles

// True if every order of combining gives the same bits, so a host may fold elements in order.
bool clr_fixed_is_any(const struct clr_operation *operation);

void clr_fixed_fold(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs);

// Folds each of `width` lines to one state. A line has values->count elements and begins `apart` elements after the
// line before it. All states together must fit a union clr_room. One call for many lines is faster than a call for each
// line if the lines are short or if `apart` is 1.
void clr_fixed_lines(const struct clr_shape *shape, const struct clr_values *values, cl_ulong apart, cl_ulong width,
                     void *states);
cl_int clr_fixed_reference(const struct clr_shape *shape, const struct clr_values *values, void *state);

// The launches of strategies of rows and columns: over units, and over the partials of units.
#define CLR_UNITS \
  .launches = {[CLR_KERNEL_ELEMENTS] = "units", [CLR_KERNEL_STATES] = "partials", [CLR_KERNEL_DELIVER] = "partials"}
