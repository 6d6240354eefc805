// The numbers of a plan: geometry computed from facts and problem when the plan is made. The strategy computes what
// depends on a call's extent from these numbers, when the call's passes are asked for.
#ifndef CLR_PLANNING_SHAPE_H
#define CLR_PLANNING_SHAPE_H

#include "base/arithmetic.h"
#include "model/facts.h"
#include "model/problem.h"

enum clr_finish { CLR_FINISH_HOST, CLR_FINISH_RELAUNCH, CLR_FINISH_LAST_GROUP, CLR_FINISH_ATOMIC, CLR_FINISH_NONE };
#define CLR_FINISHES 4

// How a work-item reads elements.
struct clr_loads {
  bool narrow;               // lanes of a tile are carried in 32 bits
  bool prefetches;           // vector_tiles.clh: prefetch the next tile, by a builtin of compilers for CPUs
  bool short_rows;           // vector_tiles.clh: many rows are shorter than a row of lanes
  bool vectors_at_once;      // vector_tiles.clh: all vectors of a row before the next row
  cl_ulong rows_at_once;     // rows of a column that are read before they are combined
  cl_ulong vectors_a_block;  // columns_chunked: vectors of neighbouring columns a work-item takes
  cl_ulong lane_batch;       // columns_wide: neighbouring lanes of a column that are read at once
};

// How a reduction folds elements and partials.
struct clr_fold_shape {
  cl_ulong tiles_at_least;    // tiles a group takes, at least
  cl_ulong elements;          // local_coarsened: elements a work-item, as the caller asked; 0: from n
  cl_ulong partials_a_group;  // hand_off
  cl_ulong nodes;             // *_wide: nodes a group folds in one turn
  cl_ulong kept_bytes;        // wide: bytes of elements that loads keep in the shared cache; 0: loads give no hint
  bool exact;                 // wide: any order of combination gives the same bits
  bool counts_places;         // wide: 31 bits count the elements of a group
  cl_ulong handover_words;    // wide: 64-bit words in which groups publish partials to the waiting group; 0: none waits
};

struct clr_scan_shape {
  clred_scan kind;
  bool reversed, in_place;
  bool keeps_lanes;         // work-items keep their lanes in registers
  bool across;              // scan_lines: work-items take vectors of neighbouring columns
  cl_ulong strip_lanes;     // neighbouring lanes a work-item takes
  bool exchanges;           // elements pass through local memory on their way to work-items
  cl_ulong exchange_out;    // pieces in which results pass through it; 0: they do not
  cl_ulong out_offset;      // bytes of it before the results
  cl_ulong exchange_bytes;  // bytes of it for elements and results
  cl_ulong sweep_nodes;     // nodes of a group's lanes, at all levels
  cl_ulong levels;          // levels of look-back's tree; 0: no look-back
  cl_ulong tiles;           // tiles of a launch, at most
  cl_ulong cell_bits;       // bits of the words in which look-back publishes states
  cl_ulong cells;           // number of these words
};

struct clr_segment_shape {
  const struct clr_type *offset_type;  // NULL: the plan has no segments
  const struct clr_type *key_type;     // of keys whose runs are the segments; NULL: no keys
  bool counted_on_device;              // only the device knows the number of segments
  cl_ulong shortest;                   // elements of a segment that one work-item takes at once
  cl_ulong chunk;                      // places of a chunk, at least
  cl_ulong chunks_max, states_a_chunk;
  cl_ulong chunk_lanes;  // scans: lanes of a chunk that a group takes at a time
  cl_ulong staged;       // elements copied to local memory at a time; 0: none
};

// How elements are counted in bins. A counter has 32 bits.
struct clr_counting {
  cl_ulong bins, slots;  // counters in a copy: one a bin, or one a value that an element can have
  bool by_value;         // one a value: bins are found when counters are added up
  bool guesses;          // bins are equal: a guess finds the bin
  cl_ulong copies;       // of a counter, which neighbouring work-items or elements take by turns
  cl_ulong turns;        // launches over the elements, each of which counts in some of the bins
  cl_ulong local_slots;  // slots of a copy in local memory; 0: work-items count in global memory
  cl_ulong local_edges;  // inner edges in local memory, all or none
  bool in_totals;        // atomics add counts to the 64-bit results; otherwise to partials of 32 bits
  bool has_rows;         // every work-item has partials of its own
  cl_ulong slice;        // elements that can be counted before a counter overflows
};

// A member of a family that the strategy does not belong to is 0, so that it can be read without a check.
struct clr_shape {
  const struct clr_strategy *strategy;
  cl_ulong group_size;   // a power of two; 0 if no kernel runs
  cl_ulong groups_max;   // for strategies whose groups do not follow from n
  cl_ulong lanes, rows;  // the tile of fixed/1
  bool in_order;         // the operator does not commute: a lane holds neighbours
  bool strided;          // elements of a row may lie apart
  cl_ulong element_size, state_size;
  cl_ulong vector;        // elements a load
  bool loops_over_lanes;  // several states side by side are an array
  enum clr_finish finish;
  unsigned outcome;        // set of enum clr_outcome
  cl_ulong local_bytes;    // of a group
  cl_ulong scratch;        // states of a slot
  cl_ulong count_max;      // elements of a call, at most; CL_ULONG_MAX if scratch does not depend on n
  cl_ulong loop_trips;     // turns that the loops of a work-item may take in all; 0: no bound
  cl_ulong count_most;     // elements of a call for which loop_trips suffices; CL_ULONG_MAX: any number
  struct clr_tuned tuned;  // which numbers here were measured
  struct clr_loads loads;
  struct clr_fold_shape fold;
  struct clr_scan_shape scan;
  struct clr_segment_shape segments;
  struct clr_counting counting;
  // Facts that strategies need again when n is known, and kernels.
  cl_ulong compute_units, local_mem_size, preferred_multiple, ptx_target;
  bool long_atomics;  // 64-bit atomics
};

// Nodes on a stack of the kernels: enough for lists of 2^40 turns.
#define CLR_STACK_DEPTH 40

// Local memory a group needs beside its states: flags, and what compilers take for themselves.
#define CLR_LOCAL_RESERVE 64

const char *clr_finish_name(enum clr_finish finish);  // NULL for CLR_FINISH_NONE
enum clr_finish clr_finish_named(const char *name);   // CLR_FINISH_NONE if there is none

// The tile of fixed/1 for elements of this size (docs/order.md).
void clr_shape_tile(struct clr_shape *shape);

// Bytes of local memory that the states of a group may take.
cl_ulong clr_usable_local(const struct clr_facts *facts);

// Work-items a group if each needs so many bytes of local memory and the caller asked for `asked` (0: choose). Refuses
// a size that the device cannot run and names the limit.
cl_int clr_shape_group_size(const struct clr_facts *facts, cl_ulong asked, cl_ulong local_bytes_an_item,
                            cl_ulong *group_size, struct clr_status *status);

#endif
