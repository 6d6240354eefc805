// The analysis of scans whose groups scan tile after tile. The tiles of a launch are divided into lots: the tiles of a
// lot do the same work. A step is described for one lot; clr_tiles_step adds up all lots.
#pragma once

#include "strategies/scans.h"

// The tiles of a launch.
struct clr_tile_launch {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong size;    // values of a whole tile
  cl_ulong values;  // of all tiles
  cl_ulong first;   // number of the first tile in the call
  cl_ulong turns;   // tiles that a group takes one after another, at most
  bool chained;     // a tile has a prefix if there are tiles before it
};

// A lot: `count` tiles that do the same work, from tile `first` of the launch on, with `present` values each.
struct clr_tiles {
  const struct clr_tile_launch *launch;
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong size;
  cl_ulong count, first, present;
  bool prefixed;  // a prefix before the tile exists
  bool is_last;   // this is the last tile
};

// Describes a step of a lot. `number` is a stride, or the level of a sweep.
typedef void clr_tiles_do(const struct clr_tiles *it, cl_ulong number, struct clred_step *step);

cl_ulong clr_tiles_count(const struct clr_tile_launch *launch);

// Describes a step of all tiles of a launch.
void clr_tiles_step(const struct clr_tile_launch *launch, clr_tiles_do *describe, cl_ulong number,
                    struct clred_step *step);

// Begins a step in which work-items 0 to items - 1 are active for each tile.
struct clr_making clr_tiles_begin(const struct clr_tiles *it, struct clred_step *step, cl_ulong items,
                                  const char *name);

// An access for each tile to `values` values, but not to the first `skip` of them, by the whole group.
struct clr_access clr_tiles_access(const struct clr_tiles *it, cl_ulong values, cl_ulong skip);

// Work-item 0 is idle, unless it has a value in a second turn.
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

// A group reads a tile of elements, sweeps its nodes up and down, and writes the results (cl/scan/strip.clh,
// sweep.clh). `waits`: a barrier comes before the group loads.
void clr_tiles_add_loads(const struct clr_shape *shape, bool waits, struct clr_tile_steps *steps);
void clr_tiles_add_ups(const struct clr_shape *shape, struct clr_tile_steps *steps);
void clr_tiles_add_downs(const struct clr_shape *shape, struct clr_tile_steps *steps);
void clr_tiles_add_results(const struct clr_shape *shape, struct clr_tile_steps *steps);

// Describes step `index` of the list. False if there is no such step.
bool clr_tiles_listed(const struct clr_tile_launch *launch, const struct clr_tile_steps *steps, unsigned index,
                      struct clred_step *step);

// The strips of each tile: work-items that have values.
cl_ulong clr_tiles_strips(const struct clr_tiles *it);

// The work-items that sweep, and whether the others wait for them without a barrier of the group: TEAM in sweep.clh.
cl_ulong clr_scan_team(const struct clr_shape *shape);
bool clr_scan_has_team(const struct clr_shape *shape);

// --- A binary counter over `tiles` tiles: clred_count_tile in scan.clh ---

// Returns how often nodes are carried to the next digit.
cl_ulong clr_counted_carries(cl_ulong tiles);

// Returns how many tiles have a prefix besides the node that they complete. `starts`: the first tile has a prefix.
cl_ulong clr_counted_joins(cl_ulong tiles, bool starts);
