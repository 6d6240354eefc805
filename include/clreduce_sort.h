// clreduce_sort.h: sorts of keys, of keys with values, and of indices (argsort).
//
//   clred_sort_host(runtime, CLRED_TYPE_FLOAT, prices, count);  // in place
//
// This sorts a buffer on the device. The sorter is created once; the last line may run any number of times:
//
//   clred_sorter *sorter;
//   clred_sorter_create(runtime, &(clred_sort_problem){.type = CLRED_TYPE_FLOAT, .count_max = count}, &sorter);
//   clred_enqueue_sort(queue, sorter, &(clred_sort_call){.keys = prices, .count = count}, 0, NULL, NULL);
//
// Sorts are stable: equal keys keep their order, also in descending sorts. Keys are compared as numbers: -0 equals 0,
// and all NaNs are equal. Keys and values move with their own bits, so the results have the same bytes on every device.
// Units, errors, threads and structs: see the head of clreduce.h.

#ifndef CLREDUCE_SORT_H
#define CLREDUCE_SORT_H

#include "clreduce.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a sort moves.
typedef enum clred_sort_form {
  CLRED_SORT_KEYS = 0,    // the keys
  CLRED_SORT_PAIRS = 1,   // the keys, and a value with each key
  CLRED_SORT_INDICES = 2  // writes the index, from 0, of each key in sorted order. The keys do not change
} clred_sort_form;

// What a sorter sorts.
typedef struct clred_sort_problem {
  clred_type type;       // of the keys: CHAR to BFLOAT16. Complex numbers and vectors have no order
  clred_sort_form form;  // what moves
  cl_bool descending;    // from the largest key to the smallest
  cl_bool nans_first;    // NaNs come before all numbers; otherwise they come last. In descending sorts, too
  // Integer keys may be compared by some of their bits only: from bit begin_bit up to bit end_bit - 1, where 0 is the
  // lowest. The highest bit of a signed type counts as its sign. end_bit 0: up to the highest bit.
  cl_uint begin_bit, end_bit;
  size_t value_size;  // PAIRS: bytes of a value, 1 to CLRED_SORT_VALUE_MAX
  // The largest number of keys of a call, in all rows together; 1 to 2^40 - 1. The scratch memory grows with it.
  cl_ulong count_max;
  // LINE: one row. ROWS: rows of the same length, one after another. SEGMENTS: rows of different lengths, given by
  // offsets on the device as in CSR. Each row is sorted by itself; indices begin with 0 in each row. A row of ROWS and
  // SEGMENTS has at most 2^30 - 1 keys.
  clred_layout layout;
  clred_type segment_type;  // SEGMENTS: UINT, INT, ULONG or LONG offsets
  // ROWS, SEGMENTS: the largest length of a row; 0: unknown. If it is small, calls launch fewer kernels. ROWS: longer
  // rows are CLRED_COUNT_ABOVE_MAXIMUM. SEGMENTS: a longer row is a wrong offset.
  cl_ulong row_max;
  // True: the sorter is for clred_sorter_run_host only, and nothing is built or allocated until a call has more than
  // CLRED_SORT_HOST_MAX keys. The host sorts fewer keys itself, unless the runtime has device_only.
  cl_bool host_calls;
} clred_sort_problem;

#define CLRED_SORT_VALUE_MAX 65536  // bytes of a value
#define CLRED_SORT_HOST_MAX 16384   // keys that the host sorts, in a sorter with host_calls

// Kernels and scratch memory for one problem. Any thread may enqueue with a sorter. A call uses the scratch memory, so
// it waits on the device until the sorter's call before it is complete.
typedef struct clred_sorter clred_sorter;

// Builds the program (once per runtime) and allocates the scratch memory: room for count_max keys, and for count_max
// values or indices. INDICES needs room for two times count_max keys; values of other sizes than 1, 2, 4 and 8 bytes
// need two indices more each. On GPUs, rows need up to 6 bytes more for each key. clred_sorter_info.device_bytes is the
// sum. Errors: CLRED_INVALID_ARGUMENT, CLRED_INVALID_PROBLEM, CLRED_OPERATOR_TYPE (a type without an order),
// CLRED_TYPE_NOT_SUPPORTED, CLRED_STRATEGY_REFUSED (the device lacks what the kernels need), CLRED_KERNEL_SOURCE,
// CLRED_WRONG_RESULT (the driver sorts wrong: see clred_options.trust_driver), CL_BUILD_PROGRAM_FAILURE,
// CL_OUT_OF_HOST_MEMORY, those of OpenCL.
CLRED_INLINE cl_int clred_sorter_create(clred_runtime *runtime, const clred_sort_problem *problem,
                                        clred_sorter **sorter);

// Releases kernels and scratch memory. Enqueued calls complete; the function waits for calls that wait for events. Call
// it before you release the runtime. NULL does nothing.
CLRED_API void clred_sorter_release(clred_sorter *sorter);

// Compiles what a driver compiles at the first launch of a kernel (PoCL on CPUs), so that later calls compile nothing.
// Sorts a few keys of its own on `queue` and waits. Errors: CLRED_INVALID_ARGUMENT, CLRED_CONTEXT_MISMATCH, those of
// OpenCL.
CLRED_API cl_int clred_sorter_warm(cl_command_queue queue, clred_sorter *sorter);

// Sizes of a sorter.
typedef struct clred_sorter_info {
  clred_type index_type;  // INDICES: UINT if count_max is below 2^32, otherwise ULONG; other forms: NONE
  size_t value_size;      // bytes of a value or index; KEYS: 0
  cl_ulong group_size;    // work-items
  cl_ulong tile;          // keys that a group sorts at once; 0 if a group has one work-item
  cl_ulong passes;        // digits of a key. A call leaves out digits that are the same in all keys
  cl_ulong alone_max;     // LINE: up to this count, one launch does the whole sort
  size_t device_bytes;    // scratch memory on the device
} clred_sorter_info;

// Describes a sorter. Errors: CLRED_INVALID_ARGUMENT.
CLRED_INLINE cl_int clred_sorter_inspect(const clred_sorter *sorter, clred_sorter_info *info);

// One sort. `keys_offset` and `keys_out_offset` are in keys, the offsets of values and indices in values.
typedef struct clred_sort_call {
  cl_mem keys;           // keys[keys_offset .. keys_offset + count); ROWS: up to keys_offset + rows x count
  cl_ulong keys_offset;  // in keys
  cl_ulong count;        // LINE, SEGMENTS: all keys. ROWS: the keys of a row
  // KEYS, PAIRS: gets the sorted keys. NULL, or the memory of `keys`: the sort is in place. INDICES: NULL.
  cl_mem keys_out;
  cl_ulong keys_out_offset;
  cl_mem values;           // PAIRS: the values. Other forms: NULL
  cl_ulong values_offset;  // in values
  // PAIRS: gets the values in the order of the keys. NULL, or the memory of `values`: in place. INDICES: gets the
  // indices, of index_type. KEYS: NULL.
  cl_mem values_out;
  cl_ulong values_out_offset;
  cl_ulong rows;  // ROWS, SEGMENTS: the number of rows, below 2^32 - 1. LINE: 0
  // SEGMENTS: rows + 1 offsets. Row i has the keys segments[i] to segments[i + 1] - 1, counted from keys_offset, and
  // the same values, counted from values_offset. What is outside all rows is not written.
  cl_mem segments;
  cl_ulong segments_offset;  // in offsets
  // SEGMENTS: gets the number of rows as its count. If an offset is wrong, it gets the fault and the count 0, and
  // nothing else is written. NULL: not wanted.
  cl_mem outcome;
  cl_ulong outcome_offset;  // in outcomes
} clred_sort_call;

// Enqueues a sort. What is not sorted in place must not overlap. With count 0 nothing is written, also no outcome, and
// all buffers may be NULL. `event` completes after the results are written. You release the event; give NULL if you
// want none. Builds and allocates nothing.
//
// Errors with nothing enqueued: CLRED_INVALID_ARGUMENT (a buffer is missing, is not of this form, or overlaps another),
// CLRED_OUT_OF_RANGE, CLRED_COUNT_ABOVE_MAXIMUM, CLRED_CONTEXT_MISMATCH,
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST. After an error of OpenCL a part of the call may still run: keep the
// memory of the call until the queue is finished.
CLRED_INLINE cl_int clred_enqueue_sort(cl_command_queue queue, clred_sorter *sorter, const clred_sort_call *call,
                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                       cl_event *event);

// One sort of host memory. The fields are those of clred_sort_call.
typedef struct clred_sort_host_call {
  const void *keys;      // `count` keys
  cl_ulong count;        // at most count_max
  void *keys_out;        // KEYS, PAIRS; may be the memory of `keys`. INDICES: NULL
  const void *values;    // PAIRS
  void *values_out;      // PAIRS, INDICES; may be the memory of `values`
  cl_ulong rows;         // ROWS, SEGMENTS
  const void *segments;  // SEGMENTS: rows + 1 offsets of segment_type
} clred_sort_host_call;

// Sorts host memory and waits. Creates buffers for the call, without copies if the device shares the memory of the
// host. With host_calls the first call that needs the device builds. Errors: as clred_enqueue_sort; with host_calls
// also those of clred_sorter_create; CLRED_INVALID_SEGMENTS (a wrong offset); CL_INVALID_BUFFER_SIZE if the keys or
// values fit no buffer of the device. The results do not change after an error in the arguments.
CLRED_INLINE cl_int clred_sorter_run_host(cl_command_queue queue, clred_sorter *sorter,
                                          const clred_sort_host_call *call);

// Sorts `count` keys in host memory, in place and ascending, with NaNs last. Creates a queue and a sorter for the call;
// for many calls keep a sorter. The host sorts up to CLRED_SORT_HOST_MAX keys. Errors: those of clred_sorter_create and
// clred_sorter_run_host.
CLRED_API cl_int clred_sort_host(clred_runtime *runtime, clred_type type, void *keys, cl_ulong count);

// Writes to `indices` the index, from 0, of each key in ascending order: keys[indices[0]] is the smallest. Everything
// else is as for clred_sort_host.
CLRED_API cl_int clred_argsort_host(clred_runtime *runtime, clred_type type, const void *keys, cl_ulong count,
                                    cl_ulong *indices);

// ---------------------------------------------------------------- Exported functions (see clreduce_abi.h)

CLRED_API cl_int clred_sorter_create_v(cl_uint header, clred_runtime *runtime, const clred_sort_problem *problem,
                                       clred_sorter **sorter);
CLRED_API cl_int clred_sorter_inspect_v(cl_uint header, const clred_sorter *sorter, clred_sorter_info *info);
CLRED_API cl_int clred_enqueue_sort_v(cl_uint header, cl_command_queue queue, clred_sorter *sorter,
                                      const clred_sort_call *call, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event);
CLRED_API cl_int clred_sorter_run_host_v(cl_uint header, cl_command_queue queue, clred_sorter *sorter,
                                         const clred_sort_host_call *call);

CLRED_INLINE cl_int clred_sorter_create(clred_runtime *runtime, const clred_sort_problem *problem,
                                        clred_sorter **sorter) {
  return clred_sorter_create_v(CLRED_HEADER_VERSION, runtime, problem, sorter);
}

CLRED_INLINE cl_int clred_sorter_inspect(const clred_sorter *sorter, clred_sorter_info *info) {
  return clred_sorter_inspect_v(CLRED_HEADER_VERSION, sorter, info);
}

CLRED_INLINE cl_int clred_enqueue_sort(cl_command_queue queue, clred_sorter *sorter, const clred_sort_call *call,
                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                       cl_event *event) {
  return clred_enqueue_sort_v(CLRED_HEADER_VERSION, queue, sorter, call, num_events_in_wait_list, event_wait_list,
                              event);
}

CLRED_INLINE cl_int clred_sorter_run_host(cl_command_queue queue, clred_sorter *sorter,
                                          const clred_sort_host_call *call) {
  return clred_sorter_run_host_v(CLRED_HEADER_VERSION, queue, sorter, call);
}

#ifdef __cplusplus
}
#endif

#endif
