// A partial: what is known of neighbouring elements of a whole. docs/order.md says why partials join to the bits of one
// call: every aligned run of 2^k tiles is a node of the tree, and an incomplete tile is kept as elements. If any order
// of combination is exact, a partial is one state.
#pragma once

#include "call/call.h"
#include "clreduce_partial.h"
#include "stream/host.h"

// Nodes of a range of tiles: at most two of each level.
#define CLR_PARTIAL_NODES 128

// The 2^level tiles from `tile` on; `tile` is a multiple of 2^level.
struct clr_node {
  cl_ulong tile;
  unsigned level;
};

// Neighbouring elements of one tile, from each source.
struct clr_incomplete_tile {
  cl_ulong count;
  unsigned char *elements[CLR_SOURCES_MAX];
};

// `count` neighbouring nodes of one level, whose states are neighbours, too.
struct clr_node_run {
  cl_ulong tile, count;
  unsigned level;
};

// A fold cuts its tiles into runs. Runs in the middle have the level that the strategy chooses, runs at the ends have
// lower levels.
#define CLR_PARTIAL_RUNS 16
#define CLR_PARTIAL_RATIO 256  // between the levels of neighbouring runs, so a run at an end has fewer nodes than this

// The latest fold. Its kernels write states to the scratch, behind the elements of incomplete tiles, which are copied
// there. One read brings all of this to `landing`. When the fold is complete, it becomes a part of the partial.
struct clr_pending {
  cl_event done;           // NULL: there is none
  cl_command_queue reads;  // the caller's queue by which clr_partial_take_results must read; NULL: a read is enqueued
  size_t from, bytes;      // of the scratch: what is read
  unsigned char *landing;
  struct clr_incomplete_tile before,
    after;                // in `landing`: elements before the first whole tile and after the last one
  unsigned char *states;  // in `landing`: of all runs
  struct clr_node_run runs[CLR_PARTIAL_RUNS];
  size_t run_count;
  bool repeats;  // stride 0: only one element was read, and stands for all of them
};

struct clred_partial {
  clred_plan *plan;
  cl_ulong first, count;  // the first element, and how many there are
  cl_ulong tile;          // elements of a tile
  size_t source_count, sizes[CLR_SOURCES_MAX];
  struct clr_incomplete_tile head;  // the elements before the first tile boundary, if the partial reaches it
  struct clr_incomplete_tile tail;  // the elements after the last tile boundary, or after `first`
  struct clr_node nodes[CLR_PARTIAL_NODES];
  size_t node_count;
  unsigned char *states;  // of the nodes
  cl_ulong base;          // the first state of a fold in the scratch
  bool any_order;         // any order of combination is exact: one state, and no incomplete tiles
  const void *parameters[CLR_OPERANDS_MAX];
  cl_ulong fingerprint;
  void *memory;               // of everything above
  struct clr_slot *slot;      // its kernels and scratch
  cl_command_queue queue;     // for operators without host callbacks; otherwise NULL
  struct clr_built *folding;  // the program with the kernel that folds states; NULL if it is the plan's program
  struct clr_pending flight;
  unsigned char *results;  // for scans: those of a tile, and those at the ends of runs (scan.c); otherwise NULL
  cl_event scanned;        // the latest scan, which reads `results`; NULL: there is none
  cl_int failed;           // the status of the first failure, or CL_SUCCESS
};

// --- partial.c ---
// As clred_partial_create. Release the partial with clr_partial_release, which accepts NULL.
cl_int clr_partial_create(clred_plan *plan, const clred_partial_options *options, clred_partial **partial,
                          struct clr_status *status);
void clr_partial_release(clred_partial *partial);

// As clred_partial_reset.
cl_int clr_partial_reset(clred_partial *partial, cl_ulong first, struct clr_status *status);

// Waits for the latest scan, if there is one.
static inline cl_int clr_partial_finish_scan(clred_partial *partial, struct clr_status *status) {
  return clr_finish_event(&partial->scanned, "the scan of a part", status);
}

// Fails if the plan makes no partials.
cl_int clr_partial_check(const clred_plan *plan, struct clr_status *status);

// Fails if the partial cannot take `count` more elements, or has other parameters.
cl_int clr_partial_check_fold(const clred_partial *partial, cl_ulong count, const void *const *parameters,
                              struct clr_status *status);

// --- append.c ---
// Append elements or a node to the partial. The node must begin where the partial ends.
cl_int clr_partial_take_elements(clred_partial *partial, const void *const *sources, cl_ulong count,
                                 struct clr_status *status);
cl_int clr_partial_take_node(clred_partial *partial, struct clr_node node, const void *state,
                             struct clr_status *status);

// Fails if the partials are of different problems or have different parameters.
cl_int clr_partial_check_same(const clred_partial *left, const clred_partial *right, struct clr_status *status);

// Sets which nodes and incomplete tiles an empty partial has if it gets the elements of its range.
void clr_partial_lay_out(clred_partial *partial);

// Implement the public functions of these names.
cl_int clr_partial_join(clred_partial *left, const clred_partial *right, struct clr_status *status);
cl_int clr_partial_result(clred_partial *partial, void *result, struct clr_status *status);

// --- fold.c ---
// Folds elements of a buffer, without waiting. With `reads_later`, the states are not read yet:
// clr_partial_take_results reads them, and blocks. On GPUs this is faster than a read and an event.
cl_int clr_partial_fold(clred_partial *partial, const struct clr_request *request, bool reads_later,
                        struct clr_status *status);

// Gives the caller the event of the last command, if the request wants it, and flushes the queue.
cl_int clr_partial_hand_event(const struct clr_request *request, cl_event last, struct clr_status *status);

// Waits for the latest fold and makes it a part of the partial. Fails if an earlier call failed.
cl_int clr_partial_take_results(clred_partial *partial, struct clr_status *status);

// Fold elements in host memory: by the host, or by the device.
cl_int clr_partial_fold_host(clred_partial *partial, const clred_host_call *call, struct clr_status *status);
cl_int clr_partial_push(cl_command_queue queue, clred_partial *partial, const clred_host_call *call,
                        struct clr_status *status);

// False for operators without host callbacks, and for built-in operators whose host functions may have other bits than
// the device's.
static inline bool clr_partial_is_joined_on_host(const struct clr_operation *operation) {
  return operation->custom ? clr_has_host(operation) : operation->portable;
}

// True if any order of combination is exact, so that a partial is one state.
static inline bool clr_partial_is_of_any_order(const struct clr_operation *operation) {
  return operation->exact && operation->commutes && clr_partial_is_joined_on_host(operation);
}

// The element behind the last one. Folds continue there.
static inline cl_ulong clr_partial_end(const clred_partial *partial) {
  return partial->first + partial->count;
}

// Forgets all elements; the next one gets the index `first`.
static inline void clr_partial_empty(clred_partial *partial, cl_ulong first) {
  partial->first = first;
  partial->count = partial->head.count = partial->tail.count = 0;
  partial->node_count = 0;
}

// --- operate.c: on the host if the operator has host callbacks, otherwise on the device ---
// Folds `count` neighbouring states in adjacent pairs into the first.
cl_int clr_partial_fold_states(const clred_partial *partial, void *states, cl_ulong count, struct clr_status *status);

// Folds up to a tile of elements, the first of which is element `first` of the whole.
cl_int clr_partial_fold_tile(const clred_partial *partial, const void *const *sources, cl_ulong first, cl_ulong count,
                             void *state, struct clr_status *status);

// Lowers the state; NULL stands for no elements.
cl_int clr_partial_lower(const clred_partial *partial, const void *state, void *result, struct clr_status *status);

// Opens what operators without host callbacks need; does nothing for other operators.
cl_int clr_partial_open_device(clred_partial *partial, struct clr_status *status);

// Describes launches of the partial's plan that leave states in its scratch.
struct clr_call clr_partial_call(const clred_partial *partial, cl_command_queue queue, const clred_call *asked);

// --- bytes.c ---
cl_int clr_partial_pack(const clred_partial *partial, void *bytes, size_t room, size_t *size,
                        struct clr_status *status);
cl_int clr_partial_unpack(clred_plan *plan, const void *bytes, size_t size, clred_partial **partial,
                          struct clr_status *status);
cl_int clr_partial_read(clred_partial *partial, const void *bytes, size_t size, struct clr_status *status);
size_t clr_partial_bytes(const clred_plan *plan);

// --- fingerprint.c ---
// A number that differs if the problems differ: operator, types, policies, order or parameters. `parameters` NULL:
// their values do not count.
cl_ulong clr_partial_fingerprint(const clred_plan *plan, const void *const *parameters);

// True if the elements of the partial were folded for this scan.
bool clr_partial_is_of_scan(const clred_partial *partial, const clred_plan *scan);

// Writes what the plan computes, for messages: "sum of float".
void clr_partial_describe(const clred_plan *plan, char *text, size_t size);

// --- scan.c ---
// As clred_partial_scan. Both partials must be settled.
cl_int clr_partial_scan(clred_plan *scan, clred_partial *before, const clred_partial *mine,
                        const struct clr_request *request, struct clr_status *status);

// --- devices.c ---
// Part `part` of `parts`, in the ratio of `weights`; NULL: all are equal.
struct clr_share_of {
  size_t parts, part;
  const double *weights;
};
cl_int clr_share(const clred_plan *plan, cl_ulong count, const struct clr_share_of *of, cl_ulong *first,
                 cl_ulong *share, struct clr_status *status);

// As the public functions of these names. Shares of a reduction have no `scan` and no `before`.
cl_int clr_devices_reduce(const clred_device_scan *shares, size_t count, void *result, struct clr_status *status);
cl_int clr_devices_scan(const clred_device_scan *shares, size_t count, struct clr_status *status);
