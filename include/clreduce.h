// clreduce.h: reductions, scans, selections and histograms over OpenCL buffers and host memory.
//
// A first program. The context and the device come from OpenCL:
//
//   clred_runtime *runtime;
//   float total;
//   clred_runtime_create(context, device, NULL, &runtime);
//   clred_reduce_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, prices, count, &total);
//   clred_runtime_release(runtime);
//
// This reduces a buffer on the device. The plan is created once; the last line may run any number of times:
//
//   clred_plan *plan;
//   clred_plan_create(runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM}, &plan);
//   clred_reduce_buffer(queue, plan, in, 0, count, &total);
//
// clred_enqueue_reduce does not wait, and leaves the result in a buffer.
//
// Results have the same bits on every device in the default order. Exceptions: logsumexp, custom operators that call
// functions such as exp, and devices that do not round as the OpenCL standard requires (docs/order.md, "What breaks
// it"). The library prints nothing, never exits, creates no context and keeps no global state. One call runs on one
// device.
//
// Units. Counts, offsets and strides are in elements; out_offset and out_stride are in results. Comments say where the
// unit is bytes. Counts, offsets and strides have 64 bits. A reduction of 0 elements gives the identity of the
// operator, lowered: 0 for a sum, NaN for a mean. A scan or selection of 0 elements writes nothing.
//
// Errors. A function that can fail returns cl_int: CL_SUCCESS, a status of CLRED_STATUS_MAP, or a code of OpenCL. If a
// function that creates, builds or enqueues something fails, clred_last_error() returns one message about the cause. A
// function that refuses its arguments enqueues nothing. A NULL runtime, plan or stream is CLRED_INVALID_ARGUMENT,
// without a message.
//
// Memory. The library copies every struct and string that you pass, unless a comment says otherwise. Returned strings
// are constants, unless a comment says how long they are valid.
//
// Threads. All functions are thread-safe, also on the same runtime, plan and queue, with these exceptions:
//   - Release a runtime or plan only after all other calls that use it have returned.
//   - One thread at a time may use a stream. Different streams of one plan are independent.
//   - The strings of clred_last_error and clred_runtime_inspect change when another thread fails or builds.
//   - Use events or an in-order queue if two calls write the same memory, or if one reads what the other writes.
// A callback runs in the thread that called the library. Callbacks may run in several threads at the same time.
//
// Structs. Zero in a field means its default: set a struct to zero, then fill in what you need. Later versions of the
// library add fields only at the end. A program that was compiled with an older header runs with a newer library,
// because the inline functions pass the version of their header.

#ifndef CLREDUCE_H
#define CLREDUCE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120  // for a newer OpenCL, define it before the include
#endif
#include <CL/cl.h>
#include <stddef.h>

#include "clreduce_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

// On Windows, define CLRED_STATIC before the include if your program is linked with the static library.
#if defined(_WIN32) && defined(CLRED_BUILDS_DLL)
#define CLRED_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(CLRED_STATIC)
#define CLRED_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define CLRED_API __attribute__((visibility("default")))  // an exported function
#else
#define CLRED_API
#endif
#define CLRED_INLINE static inline  // the bodies of these functions are in clreduce_abi.h

// ---------------------------------------------------------------- Version, status, types, operators

// The version of this header. clred_version() gives the version of the library.
#define CLRED_VERSION_MAJOR 0
#define CLRED_VERSION_MINOR 1
#define CLRED_VERSION_PATCH 0
#define CLRED_HEADER_VERSION 1  // increases by 1 whenever a struct grows

// The statuses of this library, in addition to those of OpenCL: CLRED_INVALID_ARGUMENT, ... in the list of
// clreduce_rows.h.
enum {
#define CLRED_STATUS_ENUM(name, value, message) CLRED_##name = value,
  CLRED_STATUS_MAP(CLRED_STATUS_ENUM)
#undef CLRED_STATUS_ENUM
};

// The type of an element: CLRED_TYPE_CHAR, CLRED_TYPE_FLOAT, ... in the list of clreduce_rows.h. The values are 1, 2,
// 3, ... without gaps.
typedef enum clred_type {
  CLRED_TYPE_NONE = 0,  // no type: the field is not used, or the value has no single type
#define CLRED_TYPE_ENUM(name, value, ...) CLRED_TYPE_##name = value,
  CLRED_TYPE_MAP(CLRED_TYPE_ENUM)
#undef CLRED_TYPE_ENUM
    CLRED_TYPE_LIMIT = 0x1fff  // no type: in C++ it makes the enum wide enough for CLRED_VECTOR
} clred_type;

// A built-in operator: CLRED_OP_SUM, CLRED_OP_MIN, ... in the list of clreduce_rows.h. The values are 1, 2, 3, ...
// without gaps.
typedef enum clred_op {
  CLRED_OP_NONE = 0,  // no built-in operator
#define CLRED_OP_ENUM(name, value, ...) CLRED_OP_##name = value,
  CLRED_OP_MAP(CLRED_OP_ENUM)
#undef CLRED_OP_ENUM
} clred_op;

// An OpenCL vector of n = 2, 3, 4, 8 or 16 components of one of the types CHAR to DOUBLE:
// CLRED_VECTOR(CLRED_TYPE_FLOAT, 4) is float4. Products, and operators whose state is one number, reduce each component
// separately; other operators refuse vectors. As in OpenCL, a vector of 3 has the size of a vector of 4; the fourth
// component of a result is 0.
#define CLRED_VECTOR(type, n) ((clred_type)((int)(type) | (int)(n) << 8))

// A scan gives one result per element: the combination of all elements up to this one. The order of the elements is
// kept, so the operator need not commute. Blelloch, "Prefix Sums and Their Applications" (1990).
typedef enum clred_scan {
  CLRED_SCAN_NONE = 0,       // a reduction or a selection
  CLRED_SCAN_INCLUSIVE = 1,  // result i contains elements 0 to i
  CLRED_SCAN_EXCLUSIVE = 2   // result i contains elements 0 to i - 1; result 0 is call.initial or the identity
} clred_scan;

// The version of the library, as "major.minor.patch".
CLRED_API const char *clred_version(void);

// The name of a status in C: "CL_SUCCESS", "CLRED_OUT_OF_RANGE", "CL_OUT_OF_RESOURCES"; "unknown status" otherwise.
CLRED_API const char *clred_status_name(cl_int status);

// Returns the type with this name in OpenCL C or NumPy (also vectors), or the operator with this name.
// Returns NONE if the name is unknown or NULL.
CLRED_API clred_type clred_type_from_name(const char *name);
CLRED_API clred_op clred_op_from_name(const char *name);

// Gets the type of one result of `op` over elements of `type` (docs/numerics.md): long or ulong for integers, float for
// half, bfloat16 and float. NONE if the result has several parts: see clred_plan_part. problem.state and result_bits
// may choose another type. Errors: CLRED_OPERATOR_TYPE (not defined for this type), CLRED_INVALID_ARGUMENT.
CLRED_API cl_int clred_result_type(clred_op op, clred_type type, clred_type *result);

// ---------------------------------------------------------------- Runtime

// One device in one context, with its facts (clreduce_device.h), the programs that were built for it, and the last
// error.
typedef struct clred_runtime clred_runtime;

// Options of a runtime. All fields may stay 0.
typedef struct clred_options {
  // Values that replace facts of the device (clred_fact), such as "max_work_group_size=64,cpu=1". A limit above the
  // device's own limit is refused.
  const char *assume;
  const char *build_options;  // appended to the compiler's options; fast math breaks the guarantee of equal bits
  // Called for each program that is built, loaded or tried, for cache errors, and for a tuning file that is ignored.
  // NULL: not called.
  void (*log)(const char *line, void *user_data);
  void *user_data;              // is passed to `log`
  const char *tuning_file;      // a file of clred_tuning_save; plans use its numbers. NULL: none
  const char *cache_directory;  // keeps compiled programs from one process to the next (see below). NULL or "": none
  char *error;                  // gets the message if clred_runtime_create fails. NULL: not wanted
  size_t error_size;            // bytes at `error`, with the final 0
  // By default each program that a plan builds is tried once: clred_plan_create runs short calls on the device, which
  // cover every boundary of the plan's geometry. It compares their results with those of the host, and checks guard
  // bytes around the results. If a result is wrong, or the driver returns an error, the plan uses the next strategy or
  // finish that passes. The cache_directory keeps the outcome, so the next process skips the trial. For custom
  // operators and selections without host functions, only the guard bytes are checked. True: no program is tried.
  cl_bool trust_driver;
  // A command that tries programs in a separate process, so that your process survives if a driver crashes or hangs. An
  // array of strings that ends with NULL; the first string is a path. The command must call clred_serve_trials
  // (clreduce_device.h); the tool does so if its only argument is --serve-trials. NULL: your process tries its programs
  // itself. A process that ends during a trial leaves a record in the cache_directory; after two such records the
  // program counts as wrong.
  const char *const *trial_command;
  cl_uint trial_seconds;  // with trial_command: a step that takes longer counts as a hang; 0: 600
  cl_bool device_only;    // true: clred_plan_run_host and calls without a plan never compute on the host
} clred_options;

// Creates a runtime for one device of a context and retains both. Queries the device; builds nothing. `options` may be
// NULL. The environment variable CLREDUCE_CL_DIR may name a directory with other kernel sources. A missing tuning file
// is not an error. A damaged file, or a file from another driver, is ignored; clred_runtime_inspect and `log` give the
// reason. Errors: CLRED_INVALID_ARGUMENT, CLRED_UNKNOWN_NAME (a fact), CL_INVALID_DEVICE (not in the context,
// or older than OpenCL 1.2), CL_OUT_OF_HOST_MEMORY, those of OpenCL.
CLRED_INLINE cl_int clred_runtime_create(cl_context context, cl_device_id device, const clred_options *options,
                                         clred_runtime **runtime);

// Saves like clred_runtime_save_cache, then releases the runtime. Release its plans first. NULL does nothing.
CLRED_API void clred_runtime_release(clred_runtime *runtime);

// Writes the OpenCL programs that are not yet in the cache_directory. Call it if your process runs for a long time, or
// ends without clred_runtime_release. Returns the number of files that were written. Before you call it, wait until all
// enqueued calls of this runtime are complete.
//
// The cache loads a program if its text, device, compiler and options are the same. The first write creates the
// directory, for the current user only; the parent directory must exist. Several processes may use the directory, and
// you may delete it at any time. A binary is loaded only if its checksum is right and only you and root may write the
// file. A failure of the cache is not an error. Above 256 MiB the oldest files are deleted. A program is not cached if
// its text has the word include, import or embed. For GPUs, binaries are written after each build. Drivers for CPUs
// compile at a launch, so clred_runtime_release and clred_runtime_save_cache write their binaries.
CLRED_API size_t clred_runtime_save_cache(clred_runtime *runtime);

// What a runtime has built and loaded so far, and why it ignored a file.
typedef struct clred_runtime_info {
  size_t builds;            // programs built so far; failed builds do not count; an enqueue builds none
  size_t loads;             // programs that were loaded from cache_directory so far
  const char *build_log;    // errors of the compiler in the last program, no warnings; valid until the next build
  const char *tuning_note;  // why options.tuning_file was ignored, or "". Valid until the runtime is released
  size_t failed_trials;     // trials in this process that ended with a wrong result or an OpenCL error
} clred_runtime_info;

// Describes the runtime as it is now. Errors: CLRED_INVALID_ARGUMENT.
CLRED_INLINE cl_int clred_runtime_inspect(clred_runtime *runtime, clred_runtime_info *info);

// The message of the last failure on this runtime, in any thread; "" if none failed or the runtime is NULL. Valid
// until the next failure. Use clred_copy_error if several threads may fail.
CLRED_API const char *clred_last_error(const clred_runtime *runtime);

// Copies the message of clred_last_error: at most `size` bytes with the final 0. Returns its whole length in bytes,
// like snprintf.
CLRED_API size_t clred_copy_error(clred_runtime *runtime, char *text, size_t size);

// ---------------------------------------------------------------- One call on host memory

// clreduce_operator.h has the fields of these three structs.
typedef struct clred_selection clred_selection;
typedef struct clred_histogram clred_histogram;
typedef struct clred_operator clred_operator;

// These functions create a queue and a plan, run one call and wait for its results. When the device first computes a
// call of some kind, the library builds the program. A small call builds nothing (clred_plan_run_host says which calls
// are small). For many calls, keep a plan and use clred_plan_run_host. `in` points to `count` elements in host memory;
// no copy is made if the device shares the memory of the host. With count 0 `in` and `out` may be NULL. Errors: those
// of clred_plan_create and clred_enqueue; CL_INVALID_BUFFER_SIZE if the elements or the results of a scan or selection
// do not fit one buffer of the device. Elements of a reduction or histogram may exceed the device memory.

// Writes one result to `result`. clred_result_type says its type.
CLRED_API cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                                   void *result);

// Writes `count` results to `out`. `in` and `out` may overlap. Errors: CLRED_INVALID_ARGUMENT for CLRED_SCAN_NONE.
CLRED_API cl_int clred_scan_host(clred_runtime *runtime, clred_type type, clred_op op, clred_scan scan, const void *in,
                                 cl_ulong count, void *out);

// Writes the kept elements to `out`, which must have room for `count` elements, and their number to `kept`. `type` is
// CLRED_TYPE_NONE if the selection has its own element type.
CLRED_INLINE cl_int clred_select_host(clred_runtime *runtime, clred_type type, const clred_selection *selection,
                                      const void *in, cl_ulong count, void *out, cl_ulong *kept);

// Counts the elements in bins. Writes histogram->bins counts to `counts`. Weights and further axes need a plan:
// clred_plan_run_host.
CLRED_INLINE cl_int clred_histogram_host(clred_runtime *runtime, clred_type type, const clred_histogram *histogram,
                                         const void *in, cl_ulong count, cl_ulong *counts);

// ---------------------------------------------------------------- Plans

// What an operator does with elements that are NaN.
typedef enum clred_nan {
  CLRED_NAN_PROPAGATE = 0,  // one NaN makes the result NaN; argmin and argmax find the first NaN
  CLRED_NAN_IGNORE = 1      // NaNs count as absent; if all elements are NaN, the result is the identity
} clred_nan;

// What happens if an integer result exceeds the range of its type.
typedef enum clred_overflow {
  CLRED_OVERFLOW_WRAP = 0,   // the result is modulo 2^width, as for unsigned integers of C
  CLRED_OVERFLOW_DETECT = 1  // only for sum, prod, norm1, sumsq, dot and vdot of integers. The result has the parts
                             // value (wrapped) and overflow (uint, 0 or 1). A call that waits for `result` returns
                             // CLRED_OVERFLOW if overflow is 1
} clred_overflow;

// The width of integer results of sum, prod, min, max, and, or, xor, dot, norm1, sumsq, count and count_nonzero. A
// narrow result is the 64-bit result modulo 2^width, as in C. The state and call.initial have the type of the result.
// With CLRED_OVERFLOW_DETECT the states are those of 64-bit results. Of 0 elements, min gives the largest value of the
// narrow type, and max the smallest. clred_plan_create returns CLRED_OPERATOR_TYPE for other operators, for elements
// that are not integers, for results narrower than an element, and for a width together with `state`.
typedef enum clred_result_bits {
  CLRED_RESULT_DEFAULT = 0,  // 64 bits for integers: clred_result_type
  CLRED_RESULT_OWN = 1,      // as many bits as an element: sums of int are int, sums of uchar are uchar
  CLRED_RESULT_32 = 2,       // int or uint
  CLRED_RESULT_64 = 3        // long or ulong
} clred_result_bits;

// Where the elements of a call are. One row gives one result; a scan gives a result for each element of a row.
typedef enum clred_layout {
  CLRED_LAYOUT_LINE = 0,     // one row of contiguous elements
  CLRED_LAYOUT_STRIDED = 1,  // one row; elements are call.stride apart, which may be 0
  CLRED_LAYOUT_ROWS = 2,     // along the fastest (last) axis: call.rows rows of contiguous elements, row_stride apart
  // Across the fastest axis: call.rows blocks, such as images, of call.columns columns. Each column gives one result.
  // clred_call_along_axis sets these fields.
  CLRED_LAYOUT_COLUMNS = 3,
  // Rows of different lengths, given by offsets on the device as in CSR: row i has the elements from segments[i] to
  // segments[i + 1] - 1, and may be empty.
  CLRED_LAYOUT_SEGMENTS = 4,
  // Rows given by flags: call.segments has one uchar per element. Each element with a nonzero flag begins a row. The
  // first element always does. The device finds the number of rows: see call.outcome. count_max is needed by scans in
  // place, reversed scans, and the strategies segments_* and scan_segments_*.
  CLRED_LAYOUT_HEADS = 5,
  // Runs of equal keys: call.segments has one key per element. Keys are compared by ==, so each NaN is a run of one
  // element. count_max: as for CLRED_LAYOUT_HEADS.
  CLRED_LAYOUT_KEYS = 6
} clred_layout;

// The order in which elements are combined. It decides which bits a floating-point result has.
typedef enum clred_order {
  CLRED_ORDER_DEFAULT = 0,  // fixed, except for strategies from textbooks: each has its own tree (docs/strategies.md)
  CLRED_ORDER_FIXED = 1,    // docs/order.md; refused for textbook strategies
  CLRED_ORDER_ANY = 2,      // the fastest: floating-point results may differ from call to call
  CLRED_ORDER_EXACT = 3     // the exact result, rounded once, for any order of the elements. docs/order.md lists the
                            // operators that are refused, such as your own
} clred_order;

// For the strategy local_coarsened: where a group keeps its elements before it folds them. The bits are the same.
typedef enum clred_stage {
  CLRED_STAGE_LOCAL = 0,     // in local memory
  CLRED_STAGE_REGISTERS = 1  // in registers: each work-item folds elements as it reads them
} clred_stage;

#define CLRED_LIST_MAX 16  // operators of clred_problem.list

// What a plan computes, where the elements are, and how it is computed.
typedef struct clred_problem {
  // What is computed: `op`, `custom`, `selection`, `histogram` or `list`.
  clred_type type;                   // element type; not with `custom`
  clred_op op;                       // a built-in operator
  const clred_operator *custom;      // an operator of your own, with its own element type
  const clred_selection *selection;  // copies elements that satisfy a predicate; if it has its own type, `type` is NONE
  const clred_histogram *histogram;  // counts elements of the types CHAR to BFLOAT16 in bins, or sums their weights
  clred_scan scan;                   // NONE: a reduction
  clred_type state;         // built-in operators: FLOAT or DOUBLE, to compute in this type; NONE: docs/numerics.md
  clred_nan nan;            // built-in operators
  clred_overflow overflow;  // built-in operators
  cl_bool reversed;         // scans: from the last element to the first; an index still counts from the first
  cl_bool indices;          // selections: results are the positions of kept elements, as ulong
  // Where the elements are.
  clred_layout layout;      // one row, rows, columns, segments, or runs
  clred_type segment_type;  // SEGMENTS: UINT, INT, ULONG or LONG offsets. KEYS: CHAR to DOUBLE keys
  cl_bool in_place;         // scans: a call may write results over its elements; both must have the same size
  cl_ulong count_max;       // largest count of a call; 0: unlimited. Needed if the scratch memory grows with the count
  // How it is computed. All these fields may stay 0.
  const char *strategy;  // by name (docs/strategies.md); NULL or "auto": chosen from the facts of the device
  const char *finish;    // what folds the partials: "host", "relaunch", "atomic", "last_group"; NULL or "auto": chosen
  clred_order order;     // FIXED and ANY restrict the choice of the strategy
  cl_ulong group_size;   // work-items per group, a power of two
  // Largest number of groups, up to 2^20. Some strategies compute this number from the count. If `strategy` names such
  // a strategy, this field is refused; if auto chooses it, this field is ignored.
  cl_ulong groups;
  // local_coarsened: elements that a work-item folds before the tree, up to 2^20. With stage LOCAL the elements of a
  // group must also fit local memory. 0: chosen, so that the groups of a compute unit fit its local memory together.
  cl_ulong elements;
  cl_uint in_flight;  // calls that may overlap on the device, up to 64; 0: 1
  cl_bool profile;    // record times for clred_plan_seconds
  // hand_off: when a group has this number of partials left, it stops its tree and hands them to the next launch. A
  // power of two, at most the group size. If group_size is 0, a group size that is large enough is chosen. 0: the
  // device's preferred multiple of work-items, but at least 32 and at most 128.
  cl_ulong stop_at;
  clred_stage stage;  // for local_coarsened; other strategies refuse REGISTERS
  // Several built-in operators in one pass of the elements, instead of `op`: up to CLRED_LIST_MAX, each once. A
  // result has the parts of all of them, in this order (clred_plan_part). Each part has the bits that its operator
  // alone gives in the order fixed/1. For reductions in every layout, of scalars and complex numbers; dot, vdot,
  // vectors and scans are refused. `nan`, `state`, `overflow` and `result_bits` hold for all operators.
  const clred_op *list;
  size_t list_count;              // 0 with `list` NULL: no list
  clred_result_bits result_bits;  // built-in operators on integers
  // True: the library compiles nothing until a call needs the device. Use it if most calls are small
  // (clred_plan_run_host says which calls are small). The first call of clred_plan_run_host that needs the device
  // builds and tries the program, unless clred_plan_warm did so before. Both functions may return the errors of
  // clred_plan_create. While one thread builds, other threads that need the device wait. You can use the plan with
  // these two functions, clred_plan_reference, and the functions that describe plans. All other functions return
  // CLRED_INVALID_ARGUMENT. For such a plan clred_plan_source returns 0, and kernel_work_group_size is 0. If the host
  // cannot compute calls of the problem, the library makes an ordinary plan.
  cl_bool host_calls;
} clred_problem;

// The strategy, kernels, sizes and scratch memory for one problem. A plan never changes. Any thread may enqueue it.
//
// A plan has in_flight slots. Each call uses one slot until the call is complete. If all slots are taken, the next call
// is enqueued and waits on the device for the oldest call. The host is blocked only if every slot is busy with host
// work (host_serial, finish host). If the oldest call fails on the device, the waiting call fails, too. The plan
// retains the queues of its latest calls. If in_flight is 1 and the queue is in-order, a call with event NULL creates
// no event. A later call on another queue then waits for everything enqueued on the first queue. If commands on the
// first queue wait for user events, set these events before you wait for the later call: it cannot complete before
// them.
typedef struct clred_plan clred_plan;

// Does all slow work: chooses a strategy, builds the program (once per runtime), allocates. Errors:
// CLRED_INVALID_ARGUMENT, CLRED_INVALID_PROBLEM, CLRED_UNKNOWN_NAME, CLRED_OPERATOR_TYPE, CLRED_TYPE_NOT_SUPPORTED,
// CLRED_STRATEGY_REFUSED, CLRED_OPERATOR_TEXT (an error in your operator, by piece, line and column),
// CLRED_NO_HOST_OPERATOR, CLRED_KERNEL_SOURCE, CL_BUILD_PROGRAM_FAILURE (see clred_runtime_info.build_log),
// CLRED_WRONG_RESULT (the driver computes wrong with every strategy and finish that was not ruled out: see
// clred_options.trust_driver; or group_size is above the driver's CL_KERNEL_WORK_GROUP_SIZE, and a trial of it gave a
// wrong result), CL_OUT_OF_HOST_MEMORY, those of OpenCL.
//
//   status              which field of the problem
//   INVALID_PROBLEM     an enum without this value; more or less than one of op, custom, selection, histogram and list;
//                       a field that it excludes; a number outside its range; count_max, where a strategy needs it
//   UNKNOWN_NAME        strategy, finish
//   OPERATOR_TYPE       type, state, overflow or result_bits, if `op` is not defined for it
//   TYPE_NOT_SUPPORTED  type or state, if the device lacks it
//   STRATEGY_REFUSED    strategy, if it cannot solve the problem, or the device is too small for it
//   OPERATOR_TEXT       the texts of custom or selection
//   NO_HOST_OPERATOR    custom without `host`, if the strategy or finish works on the host
CLRED_INLINE cl_int clred_plan_create(clred_runtime *runtime, const clred_problem *problem, clred_plan **plan);

// Waits for host work of the plan, then releases it. Enqueued kernels complete. NULL does nothing.
CLRED_API void clred_plan_release(clred_plan *plan);

// Compiles what a driver compiles at the first launch of a kernel (PoCL on CPUs), so that later calls compile nothing.
// Runs short calls on `queue` and waits for them. It creates the buffers for these calls; all elements and parameters
// are 1. Nothing else in the plan changes. Kernels of streams are compiled at the first chunk. Errors: those of
// clred_enqueue, CL_OUT_OF_HOST_MEMORY.
CLRED_API cl_int clred_plan_warm(cl_command_queue queue, clred_plan *plan);

// What a plan runs for one count.
typedef struct clred_plan_info {
  const char *strategy;             // the name of the strategy that was chosen
  const char *finish;               // NULL if the strategy has no partials
  const char *order;                // "fixed/1", "own", "any" or "exact"
  cl_bool portable;                 // in the orders fixed/1 and exact every device gives the same bits
                                    // (docs/order.md). False for logsumexp. True for each custom operator, although
                                    // exp and other functions that it may call have other bits on other devices
  clred_type result_type;           // NONE if a result has several parts or is a struct of yours
  clred_type state_type;            // type of call.initial. For prod over floats: type of a state's first member
                                    // (clred_product_float). NONE if a state has other parts or is a struct of yours
  size_t result_size;               // bytes of one result
  size_t parts;                     // parts of a result; 0 for a struct that only operator.preamble declares
  size_t element_size, state_size;  // bytes
  cl_ulong group_size;              // work-items; 0 if no kernel runs
  cl_ulong groups;                  // groups of the launch that reads the elements; 0 if no kernel reads them
  cl_ulong elements;                // largest number of elements that a work-item folds before the tree
  cl_ulong vector_width;            // elements per load
  cl_ulong local_bytes;             // local memory per group
  cl_ulong scratch_bytes;           // device memory per slot
  cl_ulong passes;                  // kernel launches
  cl_ulong kernel_work_group_size;  // what the driver reports for the kernels. Some drivers report too little, so a
                                    // plan may have larger groups, after a trial. 0 if no kernel was built
  cl_bool tuned;                    // clred_tune measured some numbers of the plan; clred_plan_describe lists them
  cl_ulong stop_at;                 // hand_off: partials left when a group stops its tree; other strategies: 0
  cl_ulong elements_per_group;      // largest number of elements that a group folds; 0 if no kernel runs
} clred_plan_info;

// What a call with this count would run. Errors: CLRED_INVALID_ARGUMENT, CLRED_COUNT_ABOVE_MAXIMUM.
CLRED_INLINE cl_int clred_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info);

// A result is laid out like a C struct of its parts and has plan_info.result_size bytes.
typedef struct clred_part {
  // "" if the result is one value; valid until the plan is released. With problem.list: the name of the operator,
  // or of the operator and its part, as in argmin_index
  const char *name;
  clred_type type;
  size_t offset;  // bytes; all bytes between the parts are 0
  clred_op op;    // with problem.list: the operator that this part belongs to; otherwise NONE
} clred_part;

// The results of built-in operators with several parts. VALUE is the type of a sum of the elements: long, ulong, float
// or double (column `wide` of CLRED_TYPE_MAP).
//   clred_place_VALUE      argmin, argmax
//   clred_minmax_VALUE     minmax
//   clred_argminmax_VALUE  argminmax
//   clred_stats_VALUE      stats
//   clred_checked_VALUE    sums and products of integers with CLRED_OVERFLOW_DETECT; norm1 and sumsq are unsigned
// So argmax over half or float gives a clred_place_float. Over double, or with problem.state = CLRED_TYPE_DOUBLE, it
// gives a clred_place_double. With problem.result_bits, results have other types.
#define CLRED_RESULTS_OF(VALUE, REAL) \
  typedef struct clred_place_##VALUE { \
    cl_ulong index; \
    cl_##VALUE value; \
  } clred_place_##VALUE; \
  typedef struct clred_minmax_##VALUE { \
    cl_##VALUE min, max; \
  } clred_minmax_##VALUE; \
  typedef struct clred_argminmax_##VALUE { \
    cl_##VALUE min; \
    cl_ulong min_index; \
    cl_##VALUE max; \
    cl_ulong max_index; \
  } clred_argminmax_##VALUE; \
  typedef struct clred_stats_##VALUE { \
    cl_ulong count, nan_count; \
    cl_##VALUE min, max; \
    cl_ulong min_index, max_index; \
    cl_##REAL mean, var; \
    cl_##VALUE sum; \
  } clred_stats_##VALUE;
#define CLRED_CHECKED_OF(VALUE) \
  typedef struct clred_checked_##VALUE { \
    cl_##VALUE value; \
    cl_uint overflow; \
  } clred_checked_##VALUE;
CLRED_RESULTS_OF(long, double)
CLRED_RESULTS_OF(ulong, double)
CLRED_RESULTS_OF(float, float)
CLRED_RESULTS_OF(double, double)
CLRED_CHECKED_OF(long)
CLRED_CHECKED_OF(ulong)

// The state of prod over floating types, for example for call.initial of a scan: value x 2^(96 exponent) in float, and
// value x 2^(768 exponent) in double (docs/numerics.md). {v, 0} is the number v, for every v. A complex number has an
// exponent for each part. A vector of n components has n values, and then n exponents.
#define CLRED_PRODUCT_OF(VALUE, EXPONENT) \
  typedef struct clred_product_##VALUE { \
    cl_##VALUE value; \
    cl_##EXPONENT exponent; \
  } clred_product_##VALUE; \
  typedef struct clred_product_c##VALUE { \
    cl_##VALUE re, im; \
    cl_##EXPONENT re_exponent, im_exponent; \
  } clred_product_c##VALUE;
CLRED_PRODUCT_OF(float, int)
CLRED_PRODUCT_OF(double, long)

// Part `index` of a result. CLRED_INVALID_ARGUMENT after the last.
CLRED_INLINE cl_int clred_plan_part(const clred_plan *plan, size_t index, clred_part *part);

// Both functions write a text: at most `size` bytes with the final 0. They return its whole length in bytes, like
// snprintf; 0 if there is not enough memory. clred_plan_describe says what was chosen for this count, from which facts,
// and why the other strategies were not chosen. clred_plan_source gives the OpenCL C that the plan compiled, with the
// build options in line 1; it returns 0 if the plan runs no kernel.
CLRED_API size_t clred_plan_describe(const clred_plan *plan, cl_ulong count, char *text, size_t size);
CLRED_API size_t clred_plan_source(const clred_plan *plan, char *text, size_t size);

// Device time of the latest enqueued call in seconds, from the start of its first kernel to the end of its last kernel;
// 0 if no kernel ran. Needs problem.profile, CL_QUEUE_PROFILING_ENABLE and a complete event of the call: otherwise
// returns CL_PROFILING_INFO_NOT_AVAILABLE. Calls of streams do not count: see clred_stream_inspect.
CLRED_API cl_int clred_plan_seconds(clred_plan *plan, double *seconds);

// ---------------------------------------------------------------- Enqueue

// Reduces in[in_offset .. in_offset + count) to out[out_offset], of the result type. `out` may be the memory of `in`:
// the result is written after all elements were read. The flags of the buffers must allow the device to read `in` and
// to write `out`. If the plan works on the host, they must allow the host to do the same. With count 0 `in` may be
// NULL. `event` completes after the result is written. You release the event; give NULL if you want none. Builds and
// allocates nothing. A plan with host work (host_serial, finish host) blocks, and its event is complete on return.
//
// Errors with nothing enqueued: CLRED_INVALID_ARGUMENT (also for a plan that is not a reduction),
// CLRED_CONTEXT_MISMATCH, CLRED_OUT_OF_RANGE, CLRED_COUNT_ABOVE_MAXIMUM, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
// (an event of the list has failed). After an error of OpenCL a part of the call may still run: unless the call blocks,
// keep the memory of the call until the queue is finished. Returns CLRED_OVERFLOW if the plan detects overflow, the
// call waited for its result, and the result overflowed. The result is written in this case, too.
CLRED_API cl_int clred_enqueue_reduce(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out,
                                      cl_ulong in_offset, cl_ulong out_offset, cl_ulong count,
                                      cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                      cl_event *event);

// As clred_enqueue_reduce, but waits and writes the result to host memory.
CLRED_API cl_int clred_reduce_buffer(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_ulong in_offset,
                                     cl_ulong count, void *result);

// Scans in[in_offset .. in_offset + count) and writes `count` results to out[out_offset] and the following elements.
// `out` may be the memory of `in` if the plan has in_place; then each result replaces its element. Otherwise `in` and
// `out` must not overlap. With count 0 both buffers may be NULL. Everything else, also errors, is as for
// clred_enqueue_reduce.
CLRED_API cl_int clred_enqueue_scan(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                                    cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event);

// What the device finds out during a call: how many results there are, and whether the data is valid. Kernels write the
// same struct, so it never grows.
typedef struct clred_outcome {
  cl_ulong count;  // number of results of a selection; HEADS, KEYS: of all runs, even if `out` has room for fewer
  cl_ulong fault;  // 0: no fault. 1 + the index of a wrong offset; HEADS and KEYS: see call.rows
} clred_outcome;

// One call in full, for every plan: reductions, scans, selections, histograms.
typedef struct clred_call {
  cl_mem in;                      // the elements
  cl_ulong in_offset;             // the first element in `in`
  const cl_mem *inputs;           // further inputs of the operator or histogram, laid out like `in`; dot has one
  const cl_ulong *input_offsets;  // one for each input; NULL: all 0
  const void *const *parameters;  // pointers to the parameters of the operator; read before the call returns
  cl_ulong count;                 // elements per row
  cl_ulong stride;                // STRIDED, COLUMNS: from one element of a row to the next
  // ROWS, SEGMENTS: number of rows. COLUMNS: number of blocks. With 0 the call does nothing. HEADS, KEYS: number of
  // runs for which `out` and `keys_out` have room; 0: `count`. If the data has more runs, only the first `rows` are
  // written, and outcome.fault is 1 + rows.
  cl_ulong rows;
  // From the first element of a row to the first of the next row; 0: `count`. COLUMNS: from one block to the next; 0:
  // `count` times the larger of stride and columns. Example: images are 600 pixels wide and 480 high, with a pitch of
  // 640 pixels. Then count 480, stride 640 and columns 600 give one result for each column of each image.
  cl_ulong row_stride;
  cl_ulong columns;  // COLUMNS: columns of a block, contiguous; 0: the call does nothing
  // SEGMENTS: rows + 1 offsets; an offset of 0 means the element in[in_offset]. Offsets must not decrease or exceed
  // `count`; here `count` is the number of elements of all rows together. The device checks them: see `outcome`. If
  // they are wrong, the results are undefined, but no other memory is written. A scan writes no results for elements
  // outside all segments. HEADS: `count` flags. KEYS: `count` keys.
  cl_mem segments;
  cl_ulong segments_offset;  // in offsets, flags or keys
  // KEYS, reductions: gets the key of each run, with the bits of the run's first element (-0 and +0 are one key). Must
  // not overlap other memory. NULL: not wanted.
  cl_mem keys_out;
  cl_ulong keys_out_offset;  // in keys
  // Results: one per row; COLUMNS: one per column, rows x columns in all. A scan writes one per element, laid out like
  // `in`. A selection writes the kept elements, in order and byte for byte, and needs room for `count`. A histogram
  // writes its bins, as ulong or in the type of the sums of weights. `out` must not overlap `segments`. If the call
  // writes a single result or scans in place, `out` may overlap other memory that the call reads; else it must not.
  cl_mem out;               // not together with `result`
  cl_ulong out_offset;      // the first result in `out`
  cl_ulong out_stride;      // STRIDED scans: from one result to the next; 0: `stride`, or 1 if `stride` is 0
  void *result;             // host memory, instead of `out`: for one result, or all counts of a histogram
  cl_bool blocking;         // wait for `result` and `outcome`. If false, keep their memory until the event completes
  const void *initial;      // scans: a state before the first element; read before the call returns. NULL: none
  cl_mem initial_buffer;    // the same on the device; NULL: none
  cl_ulong initial_offset;  // in states
  clred_outcome *outcome;   // selections, SEGMENTS, HEADS, KEYS: host memory; NULL: not wanted
  cl_mem outcome_buffer;    // the same on the device, for your own kernels; must not overlap other memory. NULL: none
  cl_ulong outcome_offset;  // in outcomes
} clred_call;

// Enqueues a call. Events, blocking and errors are as for clred_enqueue_reduce. Returns CLRED_INVALID_SEGMENTS if the
// call waited and `outcome` has a fault; even then results are written and the event is created.
CLRED_INLINE cl_int clred_enqueue(cl_command_queue queue, clred_plan *plan, const clred_call *call,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);

// Prepares a call that reduces a C-ordered array of 1 to 8 dimensions along `axis` (0: the first). Sets count, stride,
// rows, row_stride and columns of the call, and `layout`: make the plan with this layout. Results are C-ordered,
// without that axis. CLRED_INVALID_ARGUMENT, with `call` unchanged, for an axis or a number of dimensions out of range,
// or if the product of all nonzero lengths exceeds 64 bits.
CLRED_INLINE cl_int clred_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions,
                                          const cl_ulong *shape, cl_uint axis);

// ---------------------------------------------------------------- Calls on host memory with a plan

// One call on elements in host memory.
typedef struct clred_host_call {
  const void *in;                 // the elements
  const void *const *inputs;      // further inputs of the operator, laid out like `in`
  const void *const *parameters;  // pointers to the parameters of the operator
  cl_ulong count;                 // elements; ROWS, COLUMNS: of a row
  const void *initial;            // scans: a state before the first element; NULL: none
  void *out;                      // results as in clred_call; a selection: room for `count`; a histogram: its bins
  cl_ulong *kept;                 // selections: gets the number of results
  cl_ulong stride;                // STRIDED, COLUMNS: from one element of a row to the next
  cl_ulong rows;                  // ROWS: number of rows. COLUMNS: number of blocks
  cl_ulong row_stride;            // from one row, or one block, to the next; 0: as in clred_call
  cl_ulong columns;               // COLUMNS: columns of a block, contiguous
} clred_host_call;

// Runs the plan and waits for the results. Layouts LINE, STRIDED, ROWS and COLUMNS.
//
// The host computes a small call itself, because a launch takes longer, and gives the same bits (docs/order.md). A call
// is small if the library expects that the host needs at most 45 us: a sum of 299 000 floats, a mean of 11 900, a scan
// of 640. The device always computes selections, histograms, your own operators, and operators that are not portable.
// It also computes all calls if the plan profiles, if the problem names a strategy or a finish, if the device has no
// denormals, or if clred_options.device_only is true.
//
// Otherwise the device computes. The function creates buffers for the call, without a copy if the device shares the
// memory of the host. `in` and `out` of a scan may overlap. Reductions of a line by the strategies wide and chunked may
// have more elements than a buffer holds; above 32 MiB, one part is copied while another is folded, with the same bits.
// Other plans return CL_INVALID_BUFFER_SIZE for so many elements. With count 0 `in` may be NULL. Other errors are those
// of clred_enqueue.
CLRED_INLINE cl_int clred_plan_run_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call);

// Computes on the host the results that the plan must give on the device, by the same tree, so with the same bits. If
// the device folds by atomics, the partials are folded in order instead. Slow: for tests. May allocate `count` states.
// No selections. Errors, without a message: CLRED_INVALID_ARGUMENT, CLRED_NO_HOST_OPERATOR, CL_OUT_OF_HOST_MEMORY.
CLRED_INLINE cl_int clred_plan_reference(const clred_plan *plan, const clred_host_call *call);

// ---------------------------------------------------------------- Streams

// A reduction of elements that arrive in host memory piece by piece. The elements need not fit in memory together. A
// stream folds one chunk at a time and keeps states. The result has the bits of one call over all elements, for every
// chunk size and every division into pieces. While one chunk is folded, the next chunk is copied and the chunk after
// that is filled. Release a stream before its plan. You may use the plan while the stream exists.
typedef struct clred_stream clred_stream;

// Options of a stream. All fields may stay 0, unless the operator has parameters.
typedef struct clred_stream_options {
  // Elements per chunk. Rounded down to 2^k tiles (docs/order.md) that fit one buffer; at least one tile. 0: 2 MiB of
  // all inputs together if the device shares the memory of the host, else 32 MiB.
  cl_ulong chunk;
  const void *const *parameters;  // pointers to the parameters of the operator
  cl_bool on_host;                // computes on the host, as clred_plan_reference does: slow, the same bits
} clred_stream_options;

// Creates an empty stream. The plan must have strategy wide or chunked and layout LINE. Kernels run on `queue`, which
// is retained; with on_host it may be NULL. `options` may be NULL. May build one program, for the first stream of a
// kind. Errors: CLRED_INVALID_ARGUMENT, CLRED_CONTEXT_MISMATCH, CLRED_NO_HOST_OPERATOR, CL_INVALID_BUFFER_SIZE (a tile
// does not fit one buffer), CL_BUILD_PROGRAM_FAILURE, CL_OUT_OF_HOST_MEMORY, those of OpenCL.
CLRED_INLINE cl_int clred_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                                        clred_stream **stream);

// Waits for all work of the stream. NULL does nothing.
CLRED_API void clred_stream_release(clred_stream *stream);

// Takes the next `count` elements from `in`, and `count` elements from each of `inputs` (NULL if there are none). On
// return you may change that memory. With count 0 all pointers may be NULL. CLRED_INVALID_ARGUMENT and
// CLRED_COUNT_ABOVE_MAXIMUM change nothing. After CL_OUT_OF_HOST_MEMORY and errors of OpenCL the stream can only be
// released.
CLRED_API cl_int clred_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count);

// These two functions do what clred_stream_push does, without a copy. `acquire` sets `in` and each of `inputs` to
// memory of the stream, and `count` to the number of elements that fit there. If no memory is free, it waits for the
// device. Write elements to the beginning of this memory. Then `commit` takes the first `count` elements; after that,
// do not write there. Errors: as clred_stream_push.
CLRED_API cl_int clred_stream_acquire(clred_stream *stream, void **in, void **inputs, cl_ulong *count);
CLRED_API cl_int clred_stream_commit(clred_stream *stream, cl_ulong count);

// Waits for the result over all elements (of 0 elements: the identity, lowered). The stream is then empty. Errors:
// those of clred_stream_push, CLRED_OVERFLOW.
CLRED_API cl_int clred_stream_finish(clred_stream *stream, void *result);

// The state of a stream.
typedef struct clred_stream_info {
  cl_ulong chunk;       // elements
  cl_ulong count;       // elements taken since the stream was empty
  size_t host_bytes;    // memory for up to three chunks; 0 if all chunks were folded directly in your memory
  size_t device_bytes;  // memory for states, and another host_bytes unless the device shares the memory of the host
  cl_ulong launches;    // kernel launches since the stream was created
  double seconds;       // device time of complete chunks since the stream was created; 0 without profiling
} clred_stream_info;

// Describes the stream as it is now. Errors: CLRED_INVALID_ARGUMENT.
CLRED_INLINE cl_int clred_stream_inspect(const clred_stream *stream, clred_stream_info *info);

// A scan of data that arrives chunk by chunk: clreduce_scan_stream.h.

#include "clreduce_abi.h"
#include "clreduce_operator.h"

#ifdef __cplusplus
}
#endif

#endif
