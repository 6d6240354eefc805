// The numbers of a plan: geometry as arithmetic on facts and problem. Made once when a plan is made; what depends on a
// call's n follows from these by the strategy's own arithmetic.
#ifndef CLR_PLANNING_SHAPE_H
#define CLR_PLANNING_SHAPE_H

#include "model/facts.h"
#include "model/problem.h"

enum clr_finish { CLR_FINISH_HOST, CLR_FINISH_RELAUNCH, CLR_FINISH_LAST_GROUP, CLR_FINISH_ATOMIC, CLR_FINISH_NONE };
#define CLR_FINISHES 4

// How elements are counted in bins. A counter is 32 bits wide.
struct clr_counting {
  cl_ulong bins, slots;  // counters in a copy: one a bin, or one a value that an element can have
  bool by_value;         // the latter, with bins found when counters are added up
  bool guesses;          // where bins are equal
  cl_ulong copies;       // of a counter, which neighbouring work-items or elements take by turns
  cl_ulong turns;        // launches over the elements, each of which counts in some of the bins
  cl_ulong local_slots;  // of a copy that local memory holds; 0: work-items count in global memory
  cl_ulong local_edges;  // inner edges there, all or none
  bool in_totals;        // counts are added to the 64-bit results by atomics; else to partials of 32 bits
  bool has_rows;         // every work-item has partials of its own
  cl_ulong slice;        // elements that the counters bear
};

struct clr_shape {
  cl_ulong group_size;       // a power of two; 0 where no kernel runs
  cl_ulong groups_max;       // for strategies whose groups do not follow from n
  cl_ulong tiles_at_least;   // of a group in the order fixed/1
  struct clr_tuned tuned;    // numbers here that were measured
  cl_ulong elements;         // local_coarsened: fixed by hand; 0: from n
  cl_ulong left_over;        // hand_off: partials a group hands on
  cl_ulong lanes, rows;      // the tile of fixed/1
  bool in_order;             // the operator does not commute: a lane holds neighbours
  bool strided;              // elements of a row may lie apart
  cl_ulong vector;           // elements a load
  bool narrow;               // lanes of a tile are carried in 32 bits
  bool prefetches;           // vector_tiles.clh: asks for the next tile, by a builtin that CPUs' compilers have
  bool short_rows;           // vector_tiles.clh: many rows are shorter than a row of lanes
  bool vectors_at_once;      // vector_tiles.clh: all vectors of a row before the next row
  cl_ulong vectors_a_block;  // columns_chunked: vectors of neighbouring columns a work-item takes
  cl_ulong lane_batch;       // columns_wide: neighbouring lanes of a column that are read at once
  cl_ulong rows_at_once;     // of a column that are read before they are combined
  cl_ulong nodes;            // wide: nodes a group folds in one turn
  cl_ulong kept_bytes;       // wide: that loads leave in the shared cache; 0: they tell it nothing
  bool exact;                // wide: any order of combination gives the same bits
  bool places;               // wide: 31 bits count the elements of a group
  cl_ulong
    told_words;  // wide: cells in which its groups tell the one that waits for them of their partials; 0: none waits
  unsigned outcome;   // set of enum clr_outcome
  bool long_atomics;  // the device has those of 64 bits
  // Scans.
  clred_scan scan;
  bool reversed, in_place;
  bool holds;             // work-items keep their lanes in registers
  bool across;            // scan_lines: work-items take vectors of neighbouring columns
  cl_ulong strip_lanes;   // neighbouring lanes a work-item of a group takes
  bool exchanges;         // groups keep their tiles in local memory
  cl_ulong exchange_out;  // pieces in which results go through it; 0: they do not
  cl_ulong out_behind;    // bytes of it before the results' place
  cl_ulong room;          // bytes of it for both
  cl_ulong sweep;         // nodes of a group's lanes, at all levels
  cl_ulong levels;        // of look-back's tree; 0: there is no look-back
  cl_ulong tiles;         // a launch takes at most
  cl_ulong cell_bits;     // of the words in which its states travel
  cl_ulong cells;         // of its board
  // Segments.
  const struct clr_type *segment_type;  // of offsets; NULL: there are none
  const struct clr_type *key_type;      // of the keys whose runs they are; NULL: there are none
  bool counted;                         // the device says how many there are
  cl_ulong shortest;                    // elements of a segment that one work-item takes at once
  cl_ulong chunk;                       // places of a chunk, at least
  cl_ulong chunks_max, states_a_chunk;
  cl_ulong chunk_lanes;          // of a scan, that a group takes at a time
  cl_ulong staged;               // elements that come to local memory side by side; 0: they do not
  struct clr_counting counting;  // of a histogram
  cl_ulong local_bytes;          // a group uses
  cl_ulong scratch;              // states a slot holds
  cl_ulong count_max;            // calls are at most so long; CL_ULONG_MAX where scratch does not depend on n
  cl_ulong loop_trips;           // turns that the loops of a work-item may take in all; 0: any number
  bool loops_over_lanes;         // several states side by side are an array
  cl_ulong count_most;           // elements of a call that loops can bear; CL_ULONG_MAX: any number
  enum clr_finish finish;
  cl_ulong element_size, state_size;
  // Of a call, filled in when its passes are asked for: how many results.
  cl_ulong call_rows, call_columns;
  // Facts that strategies need again when n is known.
  cl_ulong compute_units, local_mem_size, preferred_multiple, ptx_target;
};

// Nodes on a stack of the kernels: enough for lists of 2^40 turns.
#define CLR_STACK_DEPTH 40

// Local memory a group needs beside its states: flags, and what compilers take for themselves.
#define CLR_LOCAL_RESERVE 64

const char *clr_finish_name(enum clr_finish finish);  // NULL for CLR_FINISH_NONE
enum clr_finish clr_finish_named(const char *name);   // CLR_FINISH_NONE if there is none

// Sum and product that stop at CL_ULONG_MAX, so that a size too large to hold stays too large.
cl_ulong clr_add(cl_ulong a, cl_ulong b);
cl_ulong clr_multiply(cl_ulong a, cl_ulong b);
cl_ulong clr_ceil_divide(cl_ulong value, cl_ulong divisor);
cl_ulong clr_power_of_two_below(cl_ulong value);  // the largest at most value; 1 for 0
cl_ulong clr_power_of_two_above(cl_ulong value);  // the smallest at least value; 1 for 0; 2^63 at most

// The tile of fixed/1 for elements of this size (docs/order.md).
void clr_shape_tile(struct clr_shape *shape);

// Work-items a group, if each needs so many bytes of local memory and the caller asked for `asked` (0: choose). Refuses
// what the device cannot hold, by the name of the limit.
cl_int clr_shape_group_size(const struct clr_facts *facts, cl_ulong asked, cl_ulong local_bytes_an_item,
                            cl_ulong *group_size, struct clr_status *status);

#endif
