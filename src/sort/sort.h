// Sorts on the device and on the host. make.c checks a problem, builds and allocates; run.c enqueues a call; host.c has
// the calls of host memory.
#pragma once

#include "base/arithmetic.h"
#include "clreduce_sort.h"
#include "opencl/launch.h"
#include "opencl/session.h"
#include "quantile/order.h"
#include "runtime/runtime.h"

// The kernels of four programs (make.c): rows or not, in chunks or in tiles.
enum clr_sort_kernel {
  CLR_SORT_COUNT,
  CLR_SORT_CHOOSE,
  CLR_SORT_RECOUNT,
  CLR_SORT_SCAN,
  CLR_SORT_MOVE,
  CLR_SORT_COPY,
  CLR_SORT_SMALL,
  CLR_SORT_CLEAR,
  CLR_SORT_FIND,
  CLR_SORT_GATHER,
  CLR_SORT_KERNELS
};

// The numbers of a sort (cl/sort/sort.clh).
struct clr_sort_shape {
  bool in_chunks;      // CPUs: groups of one work-item
  bool has_rows;       // each row is sorted by itself
  bool has_votes;      // groups rank elements by votes
  bool takes_tickets;  // groups take tiles by a ticket
  cl_uint key_bits;    // bits of a key that count
  cl_uint radix_log2;  // bits of a digit
  cl_uint digits;      // passes
  cl_ulong group_size, items, tile;
  cl_ulong portion;    // most elements of a launch, in whole tiles
  cl_ulong chunks;     // most chunks of a sort in chunks
  cl_ulong alone_max;  // most elements of a sort in one launch
  cl_ulong short_max;  // with rows, in tiles: most elements of a row that is sorted in local memory
  cl_ulong row_most;   // with rows: most elements of a row
  size_t position_size;
  size_t index_size;
  size_t carried_size;   // bytes of the value or index that moves in each pass
  size_t gathered_size;  // bytes of the value that is copied at the end
};

struct clred_sorter {
  clred_runtime *runtime;
  clred_sort_problem problem;
  struct clr_ordering ordering;
  struct clr_sort_shape shape;
  clr_mutex lock;                  // one thread at a time enqueues, or makes `device`
  _Atomic(clred_sorter *) device;  // with host_calls: the sorter for calls of the device, once one was needed
  // Absent with host_calls.
  struct clr_built *built;  // owned by the runtime
  bool is_right;            // a trial has found the program right
  cl_kernel kernels[CLR_SORT_KERNELS];
  cl_mem table, counts;  // counts: cells of tiles, or counts of chunks
  cl_mem spare_keys, spare_values;
  cl_mem sorted_keys;              // INDICES: the keys after the last pass
  cl_mem indices, gathered;        // for values that are copied at the end
  cl_mem first_rows, row_of_slot;  // with rows, in tiles (cl/sort/segments.clh)
  cl_mem outcome;                  // with rows: for calls without an outcome
  size_t device_bytes;
  cl_command_queue queue;  // of the latest call; retained
  cl_event last;           // the end of the latest call; NULL: it has no event
  struct clr_kept_events kept;
};

// All keys of a call.
static inline cl_ulong clr_sort_keys(const clred_sorter *sorter, cl_ulong count, cl_ulong rows) {
  return sorter->problem.layout == CLRED_LAYOUT_ROWS ? clr_multiply(count, rows) : count;
}

// Slots of tiles of long rows (cl/sort/segments.clh), and how many of them are for first tiles.
static inline cl_ulong clr_sort_first_slots(const struct clr_sort_shape *shape, cl_ulong keys) {
  return keys / shape->short_max + 1;
}
static inline cl_ulong clr_sort_slots(const struct clr_sort_shape *shape, cl_ulong keys) {
  return clr_sort_first_slots(shape, keys) + keys / shape->tile + 1;
}

// --- make.c ---
// A number that stands for what a trial covers.
unsigned clr_sort_cover(const clred_sorter *sorter);

// Makes a sorter. With host_calls nothing is built.
cl_int clr_sorter_make(clred_runtime *runtime, const clred_sort_problem *problem, enum clr_vetting vetting,
                       clred_sorter **made, struct clr_status *status);
void clr_sorter_release(clred_sorter *sorter);
void clr_sorter_inspect(const clred_sorter *sorter, clred_sorter_info *info);

// Compute the numbers of a checked problem on a device with these facts, and write them as plan.clh of the program.
cl_int clr_sort_resolve(const clred_sort_problem *problem, const struct clr_facts *facts, struct clr_sort_shape *shape,
                        struct clr_status *status);
void clr_sort_write_plan(const clred_sorter *sorter, struct clr_text *text);

// --- run.c ---
struct clr_sort_request {
  cl_command_queue queue;
  clred_sort_call call;
  cl_uint waits;
  const cl_event *wait_list;
  cl_event *event;  // may be NULL
  bool by_passes;   // for trials: a short sort takes the passes of a long one
};
cl_int clr_enqueue_sort(clred_sorter *sorter, const struct clr_sort_request *request, struct clr_status *status);

// --- host.c ---
// Checks a call of host memory.
cl_int clr_sort_check_host(cl_command_queue queue, const clred_sorter *sorter, const clred_sort_host_call *call,
                           struct clr_status *status);

// Sorts on the host.
cl_int clr_sort_on_host(const clred_sorter *sorter, const clred_sort_host_call *call, struct clr_status *status);

// Sorts on the device, through buffers around the memory of the call.
cl_int clr_sort_host_memory(cl_command_queue queue, clred_sorter *sorter, const clred_sort_host_call *call,
                            bool by_passes, struct clr_status *status);
