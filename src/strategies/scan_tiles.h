// The analysis of scans whose groups scan tile after tile. The tiles of a launch are divided into batches: the tiles of
// a batch do the same work. A step is described for one batch; clr_tiles_step adds up all batches.
#pragma once

#include "strategies/scans.h"

// The tiles of a launch.
struct clr_tile_launch {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong size;    // values of a whole tile
  cl_ulong values;  // of all tiles
  cl_ulong first;   // number of the first tile in the call
  cl_ulong turns;   // the most tiles that a group takes one after another
  bool chained;     // a tile has a prefix if there are tiles before it
};

// A batch: `count` tiles that do the same work, from tile `first` of the launch on, with `present` values each.
struct clr_tiles {
  const struct clr_tile_launch *launch;
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong size;
  cl_ulong count, first, present;
  bool prefixed;  // a prefix before the tile exists
  bool is_last;   // this is the last tile
};

// Describes a step of a batch. `number` is a stride, or the level of a sweep.
typedef void clr_tiles_do(const struct clr_tiles *it, cl_ulong number, struct clred_step *step);

cl_ulong clr_tiles_count(const struct clr_tile_launch *launch);

// Describes a step of all tiles of a launch.
void clr_tiles_step(const struct clr_tile_launch *launch, clr_tiles_do *describe, cl_ulong number,
                    struct clred_step *step);

// Begins a step in which work-items 0 to items - 1 are active for each tile.
struct clr_step_builder clr_tiles_begin(const struct clr_tiles *it, struct clred_step *step, cl_ulong items,
                                        const char *name);

// An access for each tile to `values` values, but not to the first `skip` of them, by the whole group.
struct clr_access clr_tiles_access(const struct clr_tiles *it, cl_ulong values, cl_ulong skip);

// Work-item 0 is idle, unless it has a value in a second iteration.
void clr_tiles_first_idle(const struct clr_tiles *it, struct clred_step *step);

// --- The steps of a launch, as a list ---

struct clr_tile_steps {
  struct {
    clr_tiles_do *describe;
    cl_ulong number;
  } list[64];
  unsigned count;
};

void clr_tiles_add(struct clr_tile_steps *steps, clr_tiles_do *describe, cl_ulong number);

// Describes step `index` of the list. False if there is no such step.
bool clr_tiles_listed(const struct clr_tile_launch *launch, const struct clr_tile_steps *steps, unsigned index,
                      struct clred_step *step);
