// clreduce_partial.h: reductions and scans in parts. Each part may be reduced on another device, in another process or
// on another day. The joined parts give the result of one call, with the same bits. Units, errors and threads: see the
// head of clreduce.h.
//
//   clred_partial_create(plan, &(clred_partial_options){.first = first}, &mine);
//   clred_partial_fold(queue, mine, &(clred_call){.in = buffer, .count = count}, 0, NULL, NULL);
//   clred_partial_pack(mine, bytes, room, &size);            // write to a file, or send
//
//   clred_partial_unpack(plan, bytes, size, &other);         // in another process, with a plan of the same problem
//   clred_partial_join(whole, other);                        // they must be neighbours
//   clred_partial_result(whole, &total);
//
// Several devices of one process: clreduce_shares.h, which this file includes.

#ifndef CLREDUCE_PARTIAL_H
#define CLREDUCE_PARTIAL_H

#include "clreduce.h"

#ifdef __cplusplus
extern "C" {
#endif

// The elements `first` to `first + count - 1` of a sequence, reduced as far as possible without the other elements. A
// partial holds states of aligned runs of 2^k tiles (docs/order.md). At each end it may also hold the elements of an
// incomplete tile: a tile that does not have all its elements. Nothing in a partial depends on the length of the
// sequence. Release a partial before its plan. One thread at a time may use a partial.
//
// Some operators are exact in any order: sums and products of integers, min, max, argmin, ..., and all operators with
// the order `exact` (docs/order.md). With these operators a partial holds one state.
typedef struct clred_partial clred_partial;

// Where a partial begins, and the parameters of its operator. All fields may stay 0.
typedef struct clred_partial_options {
  cl_ulong first;                 // index of the first element in the sequence
  const void *const *parameters;  // pointers to the parameters of the operator
} clred_partial_options;

// Creates a partial without elements. The plan must be a reduction by strategy wide or chunked, with layout LINE or
// STRIDED. `options` may be NULL. Allocates what folds need: about 6000 states on the device, about 6000 states on the
// host, and four tiles of elements on the host. Errors: CLRED_INVALID_ARGUMENT, CL_OUT_OF_HOST_MEMORY, those of OpenCL.
CLRED_INLINE cl_int clred_partial_create(clred_plan *plan, const clred_partial_options *options,
                                         clred_partial **partial);

// Waits for the latest fold. NULL does nothing.
CLRED_API void clred_partial_release(clred_partial *partial);

// Appends the elements of a buffer after the last element of the partial. in, in_offset, inputs, input_offsets, count
// and, for layout STRIDED, stride are used as by clred_enqueue. `parameters` must be NULL or have the values that the
// partial has. `out`, `result` and `blocking` must be 0. Indices count from element 0 of the sequence.
// clred_plan_seconds does not count folds. Enqueues the work on `queue` and does not wait for it, but waits for an
// earlier fold of this partial. The other functions on the partial wait until the fold is complete. With count 0
// nothing is enqueued, except a marker for `event`. Errors with nothing changed: those of clred_enqueue, and
// CLRED_COUNT_ABOVE_MAXIMUM (the index of an element exceeds 64 bits). After other errors the partial can only be reset
// or released.
CLRED_INLINE cl_int clred_partial_fold(cl_command_queue queue, clred_partial *partial, const clred_call *call,
                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                       cl_event *event);

// Appends elements in host memory: in, inputs and count are used as by clred_plan_run_host; `parameters` as by
// clred_partial_fold; `initial`, `out` and `kept` must be NULL. Folds them on the device, piece by piece, and waits.
// There may be more elements than a buffer holds. Layout LINE only. Errors: as clred_partial_fold.
CLRED_INLINE cl_int clred_partial_push(cl_command_queue queue, clred_partial *partial, const clred_host_call *call);

// As clred_partial_push, but computes on the host: slow, with the same bits. logsumexp is computed on the device even
// then, because functions of the host may have other bits. Errors: as clred_partial_push, and CLRED_NO_HOST_OPERATOR.
CLRED_INLINE cl_int clred_partial_fold_host(clred_partial *partial, const clred_host_call *call);

// Removes all elements; the next element gets the index `first`. Works after an error, too. Waits for the latest fold,
// and returns its error.
CLRED_API cl_int clred_partial_reset(clred_partial *partial, cl_ulong first);

// Adds the elements of `right` to `left`; `right` stays as it is. The two must be neighbours: `right` begins where
// `left` ends, or ends where `left` begins. A partial without elements joins with every other. The partials may belong
// to different plans, contexts and devices, but their problems must be the same: operator, types, NaN and overflow
// policies, result type, order and parameters. Joining is associative: every order of joins gives the same bits. Joins
// run on the host; for an operator without host callbacks they run on the device of `left`. Errors with nothing
// changed: CLRED_PARTIAL_MISMATCH; CLRED_PARTIAL_GAP (they overlap or are the same, or elements between them are
// missing; the message names the elements of both).
CLRED_API cl_int clred_partial_join(clred_partial *left, clred_partial *right);

// Writes the result over all elements, with the bits of one call. The partial must begin at element 0. You may append
// more elements afterwards. The result of 0 elements is the identity, lowered. Errors: CLRED_PARTIAL_GAP (the elements
// before the first one are missing), CLRED_OVERFLOW.
CLRED_API cl_int clred_partial_result(clred_partial *partial, void *result);

// The largest number of bytes of a packed partial of this problem; 0 if the plan makes no partials. A float sum needs
// less than 9 KiB. If the operator is exact in any order, a partial takes 56 bytes plus the bytes of its parameters and
// of one state.
CLRED_API size_t clred_partial_bytes(const clred_plan *plan);

// Writes the partial as bytes that another process can unpack, on any machine: with a version, a checksum, and a
// fingerprint of the problem. Numbers are little-endian and padding is 0, so equal partials have equal bytes. Values of
// a type that only the operator's preamble declares are copied as they are in memory; the bytes then name the byte
// order, and machines of the other order refuse them. Sets `size` to the number of bytes. If `bytes` is NULL, does only
// this. Errors: CL_INVALID_BUFFER_SIZE (`room`, in bytes, is too small; nothing is written).
CLRED_API cl_int clred_partial_pack(clred_partial *partial, void *bytes, size_t room, size_t *size);

// Creates a partial from packed bytes. Checks every byte. Errors: CLRED_PARTIAL_DAMAGED (not a packed partial,
// truncated, altered, of another version, or with values of a preamble's type in the other byte order),
// CLRED_PARTIAL_MISMATCH (of another problem), and those of clred_partial_create.
CLRED_API cl_int clred_partial_unpack(clred_plan *plan, const void *bytes, size_t size, clred_partial **partial);

// As clred_partial_unpack, but into an existing partial: replaces its elements and the values of its parameters. Works
// on a partial with an error, too. Allocates nothing. Waits for the latest fold. Errors with nothing changed:
// CLRED_PARTIAL_DAMAGED, CLRED_PARTIAL_MISMATCH.
CLRED_API cl_int clred_partial_read(clred_partial *partial, const void *bytes, size_t size);

// What a partial holds.
typedef struct clred_partial_info {
  cl_ulong first;        // index of the first element
  cl_ulong count;        // elements that it holds
  cl_ulong nodes;        // states of aligned runs
  cl_ulong elements;     // elements of incomplete tiles, which are kept as they are
  cl_ulong fingerprint;  // of the problem and the values of the parameters; only partials with equal fingerprints join
} clred_partial_info;

// Describes the partial. Waits for the latest fold. Errors: CLRED_INVALID_ARGUMENT, those of the fold.
CLRED_INLINE cl_int clred_partial_inspect(clred_partial *partial, clred_partial_info *info);

// ---------------------------------------------------------------- Scans

// A scan in parts: the parts may be scanned on several devices or in several processes. All results together have the
// bits of one scan over all elements.
//
//   clred_plan_create_scan_partials(scan, &folds);                             // once
//   clred_partial_create(folds, &(clred_partial_options){.first = first}, &mine);
//   clred_partial_fold(queue, mine, &(clred_call){.in = in, .count = count}, 0, NULL, NULL);
//   // `before` is the partial of all elements before `first`: join the partials of others, or call clred_mpi_exscan.
//   clred_partial_scan(queue, scan, before, mine, &(clred_call){.in = in, .count = count, .out = out}, 0, NULL, NULL);

// Creates the plan that folds the elements of a scan: a reduction in the scan's order (docs/order.md). Every function
// that needs a plan of partials accepts it. `scan` must have layout LINE. It must be neither reversed nor a selection.
// If its operator is not exact in any order, its order must be fixed/1. Release `folds` before `scan`. Errors:
// CLRED_INVALID_ARGUMENT, those of clred_plan_create.
CLRED_API cl_int clred_plan_create_scan_partials(clred_plan *scan, clred_plan **folds);

// Scans the elements of `mine`. `before` must hold all elements before those of `mine`, from element 0 on; its plan is
// from clred_plan_create_scan_partials. Afterwards `before` holds the elements of `mine`, too, so the next part can
// follow. `mine` stays as it is; it may have been folded on another device. `call` is as for clred_enqueue_scan; its
// `count` is the number of elements of `mine`. `initial` is the state before element 0 of the sequence.
// `initial_buffer` must be NULL. `parameters` must be NULL or have the values that `mine` has. Indices count from
// element 0 of the sequence. The host must be allowed to write `out`. Waits until the partials are complete, enqueues
// the scan and does not wait for it. With count 0 nothing is enqueued, except a marker for `event`. For an operator
// without host callbacks, the call also waits for small kernels.
//
// Shares that begin at multiples of 2^k tiles take the fewest launches: at most one for each bit of the number of
// tiles. If `mine` begins within a tile, the host scans the elements up to the next tile. clred_plan_seconds counts the
// last launches only. Errors with nothing changed: those of clred_enqueue_scan, CLRED_PARTIAL_GAP (`before` begins
// after element 0, or does not end where `mine` begins), CLRED_PARTIAL_MISMATCH (`mine` or `before` is of another
// problem). After other errors `before` can only be reset or released.
CLRED_INLINE cl_int clred_partial_scan(cl_command_queue queue, clred_plan *scan, clred_partial *before,
                                       clred_partial *mine, const clred_call *call, cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event);

// ---------------------------------------------------------------- For libraries that carry partials

// These are for libraries on top of this one, such as clreduce_mpi.h.

// The number of elements of a tile. A share that begins at a multiple of this number begins with a whole tile. 0 if the
// plan makes no partials.
CLRED_API cl_ulong clred_partial_tile(const clred_plan *plan);

// Returns a number that identifies the problem of a plan: partials of plans with different numbers cannot be joined.
// The values of parameters do not change this number. Writes a name of the problem, such as "sum of float": at most
// `size` bytes with the final 0. `name` may be NULL.
CLRED_API cl_ulong clred_partial_fingerprint(const clred_plan *plan, char *name, size_t size);

// The plan that a partial was created with, and the runtime that a plan was created with. NULL for NULL.
CLRED_API clred_plan *clred_partial_plan(const clred_partial *partial);
CLRED_API clred_runtime *clred_plan_runtime(const clred_plan *plan);

// Sets the message that clred_last_error returns, unless `status` is CL_SUCCESS. Returns `status`.
CLRED_API cl_int clred_runtime_fail(clred_runtime *runtime, cl_int status, const char *message);

// The exported functions behind the inline ones: see clreduce_abi.h.
CLRED_API cl_int clred_partial_create_v(cl_uint header, clred_plan *plan, const clred_partial_options *options,
                                        clred_partial **partial);
CLRED_API cl_int clred_partial_fold_v(cl_uint header, cl_command_queue queue, clred_partial *partial,
                                      const clred_call *call, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event);
CLRED_API cl_int clred_partial_push_v(cl_uint header, cl_command_queue queue, clred_partial *partial,
                                      const clred_host_call *call);
CLRED_API cl_int clred_partial_fold_host_v(cl_uint header, clred_partial *partial, const clred_host_call *call);
CLRED_API cl_int clred_partial_inspect_v(cl_uint header, clred_partial *partial, clred_partial_info *info);

CLRED_API cl_int clred_partial_scan_v(cl_uint header, cl_command_queue queue, clred_plan *scan, clred_partial *before,
                                      clred_partial *mine, const clred_call *call, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event);

CLRED_INLINE cl_int clred_partial_scan(cl_command_queue queue, clred_plan *scan, clred_partial *before,
                                       clred_partial *mine, const clred_call *call, cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event) {
  return clred_partial_scan_v(CLRED_HEADER_VERSION, queue, scan, before, mine, call, num_events_in_wait_list,
                              event_wait_list, event);
}

CLRED_INLINE cl_int clred_partial_create(clred_plan *plan, const clred_partial_options *options,
                                         clred_partial **partial) {
  return clred_partial_create_v(CLRED_HEADER_VERSION, plan, options, partial);
}

CLRED_INLINE cl_int clred_partial_fold(cl_command_queue queue, clred_partial *partial, const clred_call *call,
                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                       cl_event *event) {
  return clred_partial_fold_v(CLRED_HEADER_VERSION, queue, partial, call, num_events_in_wait_list, event_wait_list,
                              event);
}

CLRED_INLINE cl_int clred_partial_push(cl_command_queue queue, clred_partial *partial, const clred_host_call *call) {
  return clred_partial_push_v(CLRED_HEADER_VERSION, queue, partial, call);
}

CLRED_INLINE cl_int clred_partial_fold_host(clred_partial *partial, const clred_host_call *call) {
  return clred_partial_fold_host_v(CLRED_HEADER_VERSION, partial, call);
}

CLRED_INLINE cl_int clred_partial_inspect(clred_partial *partial, clred_partial_info *info) {
  return clred_partial_inspect_v(CLRED_HEADER_VERSION, partial, info);
}

#ifdef __cplusplus
}
#endif

#include "clreduce_shares.h"

#endif
