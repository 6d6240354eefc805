// The analysis of scans by look-back (cl/scan/look_back.clh).
#pragma once

#include "strategies/scan_tiles.h"

// The same as FAN and FAN_LOG2 in cl/scan/board.clh.
#define CLR_LOOK_FAN 32
#define CLR_LOOK_DIGIT 5

bool clr_look_back_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                        unsigned index, struct clred_step *step);
bool clr_chunked_scan_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                           unsigned index, struct clred_step *step);

// Returns a launch over tiles of `size` elements.
struct clr_tile_launch clr_board_launch(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong size);

// Returns the binary digits that are 1, of all numbers below `end`.
cl_ulong clr_board_ones(cl_ulong end);

// A step that gives out tiles: one work-item of each group counts the group by an atomic and passes the number on in
// local memory, and one work-item sets the count to 0.
void clr_board_ticket(const struct clr_tiles *it, cl_ulong number, struct clred_step *step);

// Adds that a work-item of each of `groups` groups publishes a node.
void clr_board_publish(const struct clr_making *making, cl_ulong groups);

// Adds that `readers` work-items of each group read the prefix of the launch, unless it is the first.
void clr_board_launch_prefix(const struct clr_making *making, cl_ulong groups, cl_ulong readers);

// Adds what the last tile of a full launch does to give the prefix of the next launch.
void clr_board_end_launch(const struct clr_making *making);

// Returns how many of the tiles complete a node of the level above, as its last child.
cl_ulong clr_board_completing(const struct clr_tiles *it, cl_ulong level);

// True if one of `count` tiles from tile `first` on has earlier children in its window of this level.
bool clr_board_waits(cl_ulong first, cl_ulong count, cl_ulong level);
