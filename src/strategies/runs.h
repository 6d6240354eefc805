// Shared by reductions and scans of runs: the status array in which tiles publish their heads, the list of pieces of
// long runs, and the launches.
#pragma once

#include "strategies/segments.h"

// Sets the status array for as many tiles in a launch as the caller allows. Where the groups of a launch cannot wait
// for each other, a launch of a strategy with single work-items has one tile.
cl_int clr_runs_board(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                      struct clr_status *status);

// Sets the maximum of elements in a tile and the minimum of elements in a piece. A launch lists the pieces of runs that
// end in it, each run once, and at most `runs` runs that have fewer elements than a piece.
void clr_runs_pieces(cl_ulong tile, cl_ulong piece, cl_ulong runs, struct clr_shape *shape);

// Returns the states of scratch: for the status array, the list, and `of_piece` states for each piece.
cl_ulong clr_runs_scratch(const struct clr_shape *shape, cl_ulong of_piece);

// Returns the elements of a tile.
cl_ulong clr_runs_tile(const struct clr_shape *shape, const struct clr_extent *extent);

// Returns a limit of tiles or pieces: `least` on devices that end loops early.
cl_ulong clr_runs_limit(const struct clr_facts *facts, cl_ulong otherwise, cl_ulong least);

// A bound for the iterations of a work-item's loops in a launch.
cl_ulong clr_runs_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);

// Gives launch `index` of a call. For each full status array of tiles, a call launches the `kinds` kernels of a list,
// or only the first of them if no run can have more than `most` elements.
bool clr_runs_pass(const struct clr_shape *shape, const struct clr_extent *extent, const enum clr_kernel *kernels,
                   unsigned kinds, cl_ulong most, unsigned index, struct clr_pass *out);

#define CLR_RUNS_LAUNCHES \
  .trips = clr_runs_trips, \
  .launches = {[CLR_KERNEL_ELEMENTS] = "runs", [CLR_KERNEL_APPLY] = "pieces", [CLR_KERNEL_STATES] = "long runs"}
