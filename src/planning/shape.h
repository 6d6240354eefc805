// The numbers of a plan, computed from facts and the problem when the plan is made. The strategy uses them later to
// compute the passes of each call.
#pragma once

#include "base/arithmetic.h"
#include "model/facts.h"
#include "model/problem.h"

enum clr_finish { CLR_FINISH_HOST, CLR_FINISH_RELAUNCH, CLR_FINISH_LAST_GROUP, CLR_FINISH_ATOMIC, CLR_FINISH_NONE };
#define CLR_FINISHES 4

// How a work-item reads elements.
struct clr_loads {
  bool narrow;            // lanes of a tile are held in 32 bits
  bool prefetches;        // vector_tiles.clh: prefetches the next tile with a builtin of CPU compilers
  bool short_rows;        // vector_tiles.clh: many rows are shorter than a row of lanes
  bool rows_beside;       // short_rows.clh: folds several short rows side by side
  bool vectors_at_once;   // vector_tiles.clh: reads all vectors of a row before the next row
  cl_ulong rows_at_once;  // rows of a column that are loaded before they are combined
};

// How a reduction in the order fixed/1 folds elements and nodes.
struct clr_fold_shape {
  cl_ulong tiles_at_least;  // minimum number of tiles for a group
  cl_ulong nodes;           // *_wide: nodes that a group folds in one iteration
  cl_ulong radix;           // *_wide: nodes that a work-item folds at a time
  cl_ulong bin_lanes;       // lanes of bins that a work-item keeps (cl/exact/bins.clh); 0: no bins
  bool exact;               // any order of combination gives the same bits
};

// wide
struct clr_wide_shape {
  cl_ulong kept_bytes;      // bytes of elements that loads keep in the shared cache; 0: loads give no hint
  cl_ulong digit_cells;     // 64-bit words in which groups add up digits of exact sums; 0: they leave partials
  cl_ulong digit_copies;    // integers in local memory that a group adds exact terms to; 0: there are no bins
  bool counts_places;       // 31 bits are enough to count a group's elements
  cl_ulong handover_words;  // 64-bit words in which groups publish partials to the waiting group; 0: no group waits
};

// columns_chunked and columns_wide
struct clr_columns_shape {
  cl_ulong vectors_per_block;  // chunked: vectors of neighbouring columns for each work-item
  cl_ulong lane_batch;         // wide: neighbouring lanes of a column that are loaded at once
};

// local_coarsened and persistent
struct clr_staged_shape {
  cl_ulong elements;        // local_coarsened: elements for each work-item, as the caller asked; 0: computed from n
  cl_ulong factor_most;     // values for each work-item that a group's share of local memory holds
  cl_ulong groups_at_once;  // groups that the device runs at once
  cl_ulong values;          // values for each work-item that a group copies to local memory; 0: none
};

// hand_off
struct clr_hand_off_shape {
  cl_ulong partials;  // partials that a group leaves
};

// All scans
struct clr_scan_shape {
  clred_scan kind;
  bool reversed, in_place;
  bool indexed;      // kernels get the index of the first element
  bool keeps_lanes;  // work-items keep their lanes in registers
  bool across;       // scan_items: work-items take vectors of neighbouring columns
};

// scan_wide and scan_reduce_then_scan: a group scans a tile
struct clr_strip_shape {
  cl_ulong lanes;           // neighbouring lanes of one work-item
  bool exchanges;           // elements pass through local memory before work-items get them
  cl_ulong exchange_out;    // number of pieces in which results pass through local memory; 0: they do not
  cl_ulong out_offset;      // bytes of local memory before the results
  cl_ulong exchange_bytes;  // bytes of local memory for elements and results
  cl_ulong sweep_nodes;     // nodes of a group's lanes, at all levels
};

// Strategies whose groups publish nodes in a status array (cl/common/board.clh)
struct clr_board_shape {
  cl_ulong levels;     // levels of look-back's tree; 0: no look-back
  cl_ulong tiles;      // maximum number of tiles in a launch
  cl_ulong cell_bits;  // bits of the words in which groups publish nodes
  cl_ulong cells;      // number of these words
  cl_ulong ahead;      // scans: tiles ahead that a group fetches into a cache; 0: none
};

// Segments and runs
struct clr_segment_shape {
  const struct clr_type *offset_type;  // NULL: the plan has no segments
  const struct clr_type *key_type;     // the type of keys; runs of equal keys are the segments. NULL: no keys
  bool counted_on_device;              // only the device knows the number of segments
  cl_ulong shortest;                   // elements of a segment that one work-item folds at once
  cl_ulong staged;                     // elements copied to local memory at a time; 0: none
  cl_ulong staged_over;                // elements after these for which local memory has room
};

// Strategies for segments, which cut a call into chunks (segments.c)
struct clr_chunks_shape {
  cl_ulong size;    // minimum number of positions in a chunk
  cl_ulong most;    // maximum number of chunks
  cl_ulong states;  // states of scratch for each chunk
};

// Strategies that find runs (runs.c)
struct clr_runs_shape {
  cl_ulong tile;        // maximum number of elements in a tile
  cl_ulong piece;       // minimum number of elements in a piece of a long run
  cl_ulong pieces_max;  // pieces that a launch may list
  cl_ulong kept;        // runs_wide: results that wait in local memory for the number of their run
};

// scan_segments_wide and scan_runs_wide: lists of lanes (cl/segments/list.clh)
struct clr_lists_shape {
  cl_ulong lanes;   // lanes that a group processes at a time
  bool first_turn;  // loops with barriers run at least once, because PoCL makes far less code of such loops
};

// How elements are counted in bins. A counter has 32 bits.
struct clr_counting {
  cl_ulong bins, slots;   // counters in a copy: one for each bin, or one for each possible value of an element
  bool by_value;          // one counter for each value; the last pass adds them up in bins
  bool guesses;           // bins are equal, so a guess finds the bin
  cl_ulong copies;        // copies of each counter; neighbouring work-items or elements use different copies
  cl_ulong turns;         // launches over the elements, each of which counts only some of the bins
  cl_ulong local_slots;   // slots of a copy in local memory; 0: work-items count in global memory
  cl_ulong own_counters;  // counters that fit local or private memory; 0: none. Does not depend on the bins
  cl_ulong local_edges;   // inner edges in local memory: all of them or 0
  bool in_totals;         // atomics add counts to the 64-bit results; otherwise to 32-bit partials
  bool has_rows;          // every work-item has its own partials
  cl_ulong cells;         // histogram_cells: 64-bit cells for each bin; 0: another strategy
  cl_ulong axes;          // histogram_cells: the dimensions of the histogram
  cl_ulong at_once;       // histogram_cells: elements that a work-item reads before it adds their weights
  cl_ulong slice;         // elements that can be counted before a counter overflows
};

// Members of families that the strategy does not belong to are 0, so they can be read without a check.
struct clr_shape {
  const struct clr_strategy *strategy;
  cl_ulong group_size;   // a power of two; 0 if no kernel runs
  cl_ulong groups_max;   // maximum number of groups, for strategies whose groups do not follow from n
  cl_ulong lanes, rows;  // the tile of fixed/1
  bool in_order;         // the operator does not commute: a lane holds neighbours
  bool strided;          // elements of a row may be apart
  cl_ulong element_size, state_size, result_size;
  cl_ulong inputs;        // further inputs of the operator
  cl_ulong vector;        // elements of one load
  bool loops_over_lanes;  // several neighbouring states are held in an array
  enum clr_finish finish;
  unsigned outcome;        // set of enum clr_outcome
  cl_ulong local_bytes;    // bytes of local memory for a group
  cl_ulong scratch;        // states in a slot's scratch
  cl_ulong count_max;      // maximum number of elements in a call; CL_ULONG_MAX if scratch does not depend on n
  cl_ulong loop_trips;     // iterations that all loops of a work-item may take together; 0: no bound
  cl_ulong count_most;     // maximum number of elements in a call that loop_trips allows; CL_ULONG_MAX: no bound
  struct clr_tuned tuned;  // the numbers of this shape that were measured
  struct clr_loads loads;
  struct clr_fold_shape fold;
  struct clr_wide_shape wide;
  struct clr_columns_shape columns;
  struct clr_staged_shape staged;
  struct clr_hand_off_shape hand_off;
  struct clr_scan_shape scan;
  struct clr_strip_shape strip;
  struct clr_board_shape board;
  struct clr_segment_shape segments;
  struct clr_chunks_shape chunks;
  struct clr_runs_shape runs;
  struct clr_lists_shape lists;
  struct clr_counting counting;
  // Facts that kernels need, and that strategies need when n is known.
  cl_ulong compute_units, preferred_multiple, ptx_target, line_bytes;
  bool long_atomics;  // 64-bit atomics
};

// Nodes on a kernel's stack, one for each binary digit of a list's number of iterations: enough for 2^40 iterations.
#define CLR_STACK_DEPTH 40

// Bytes of local memory that a group needs in addition to its states: flags, and what compilers use themselves.
#define CLR_LOCAL_RESERVE 64

const char *clr_finish_name(enum clr_finish finish);  // NULL for CLR_FINISH_NONE
enum clr_finish clr_finish_named(const char *name);   // CLR_FINISH_NONE if there is none

// Sets the tile of fixed/1 for elements of this size (docs/order.md).
void clr_shape_tile(struct clr_shape *shape);

// True if a group may poll for what another group publishes.
bool clr_may_wait(const struct clr_facts *facts);

// True if several groups of a launch may find runs at the same time. They number tiles by atomics and wait.
bool clr_runs_are_side_by_side(const struct clr_facts *facts);

// Bytes of local memory that the states of a group may take.
cl_ulong clr_usable_local(const struct clr_facts *facts);

// The largest power of two up to `most` that the device's limits allow as a group size.
cl_ulong clr_largest_group(const struct clr_facts *facts, cl_ulong most);

// Sets the group size if each work-item needs this many bytes of local memory. `asked` is the caller's size; 0: choose
// one. The chosen size is `wanted`, or a few sub-groups if `wanted` is 0, but at least `least` and at most what the
// device can run. Refuses an `asked` size that the device cannot run, and names the limit.
cl_int clr_shape_group_size(const struct clr_facts *facts, cl_ulong asked, cl_ulong wanted, cl_ulong least,
                            cl_ulong local_bytes_per_item, cl_ulong *group_size, struct clr_status *status);
