// clreduce.h: reductions, scans and histograms over OpenCL buffers, on a context, a device and queues that you own.
//
// What it does: one plan is made from a plain description of the problem; enqueueing it folds `count` elements of a
// buffer into one result, or scans them: one result for every element, of all those up to it. Unless asked otherwise
// results have the same bits on every device (docs/order.md).
// What it does not do: it picks no platform, makes no queue of yours, prints nothing, never exits, keeps no global
// state, and does not spread one call over several devices.
//
// Offsets and counts are in elements and 64-bit throughout; a reduction of 0 elements gives the operator's identity, a
// scan of 0 elements nothing. Functions that can fail return cl_int: CL_SUCCESS, a status of CLRED_STATUS_MAP, or
// OpenCL's own code unchanged. When one that makes, builds or enqueues something fails, clred_last_error() has a
// sentence that names the culprit; the ones that only look something up say all they know by their status. A call
// refused by our own checks has enqueued nothing. Strings the library returns without saying otherwise are constants.
//
// Threads. Any number of them may use one runtime and its plans at once, by any functions, on queues of their own or
// the same ones: what a call works in is its own while it is in flight. What must not be done at once:
//   - releasing a runtime or plan, and anything else with it: the last user releases, and none is then inside a call;
//   - clred_last_error and clred_build_log, read while another thread may fail or build: they point to what that would
//   replace
//     (clred_copy_error copies);
//   - two functions on one stream: a stream has one user at a time, and different streams of one plan as many users as
//   there are;
//   - two calls that write the same memory, or one that writes what another reads: events or an in-order queue put them
//   in order,
//     as with OpenCL's own commands.
// Callbacks (clred_options.log, clred_host_operator, clred_selection.host) are called in whichever thread needs them,
// also in several at once. OpenCL's first look for devices (clGetDeviceIDs) and changes of the environment are the
// program's: PoCL 3.1 finds no device where several threads are the first.
//
// Define CL_TARGET_OPENCL_VERSION before this header if your program wants OpenCL's newer declarations; 120 otherwise.

#ifndef CLREDUCE_H
#define CLREDUCE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stddef.h>

#include "clreduce_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(CLREDUCE_SHARED)
#ifdef CLREDUCE_BUILDING
#define CLRED_API __declspec(dllexport)
#else
#define CLRED_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLRED_API __attribute__((visibility("default")))
#else
#define CLRED_API
#endif

// ---------------------------------------------------------------- Version

#define CLRED_VERSION_MAJOR 0
#define CLRED_VERSION_MINOR 1
#define CLRED_VERSION_PATCH 0

// The version of the library in use, as "major.minor.patch"; a constant string.
CLRED_API const char *clred_version(void);

// ---------------------------------------------------------------- Status

enum {
#define CLRED_STATUS_ENUM(name, value, sentence) CLRED_##name = value,
  CLRED_STATUS_MAP(CLRED_STATUS_ENUM)
#undef CLRED_STATUS_ENUM
};

// The status as it is spelt in C: "CL_SUCCESS", "CLRED_OUT_OF_RANGE", "CL_OUT_OF_RESOURCES". Never NULL; an unknown
// code gives "unknown status".
CLRED_API const char *clred_status_name(cl_int status);

// ---------------------------------------------------------------- Types and operators

typedef enum clred_type {
  CLRED_TYPE_NONE = 0,
#define CLRED_TYPE_ENUM(name, value, ...) CLRED_TYPE_##name = value,
  CLRED_TYPE_MAP(CLRED_TYPE_ENUM)
#undef CLRED_TYPE_ENUM
} clred_type;

typedef enum clred_op {
  CLRED_OP_NONE = 0,
#define CLRED_OP_ENUM(name, value, ...) CLRED_OP_##name = value,
  CLRED_OP_MAP(CLRED_OP_ENUM)
#undef CLRED_OP_ENUM
} clred_op;

// OpenCL's vector of n = 2, 3, 4, 8 or 16 of one of the first ten types, as an element type:
// CLRED_VECTOR(CLRED_TYPE_FLOAT, 4) is float4. Operators whose state is one number act on each component; the others
// refuse vectors. As in OpenCL, a vector of 3 takes the room of 4; the fourth component of a result is 0.
#define CLRED_VECTOR(type, n) ((clred_type)((int)(type) | (int)(n) << 8))

typedef struct clred_type_info {
  clred_type type;
  const char *name;        // OpenCL C's name; cfloat, cdouble and bfloat16, which it does not know
  const char *numpy_name;  // of one component
  size_t size;             // bytes of an element
  cl_uint components;      // 1; of a vector n; of a complex number 2
  clred_type component;    // the type of each: float for cfloat, float4 and float; half for half
  cl_bool floating;
  cl_bool is_signed;
  cl_bool is_complex;
  cl_bool needs_fp64;  // the device must have double
} clred_type_info;

typedef struct clred_op_info {
  clred_op op;
  const char *name;
  const char *synonym;  // the same as name where there is none
  const char *sentence;
  cl_bool integers_only;
  cl_bool commutative;
  cl_uint inputs;        // buffers it reads: 1, or 2 for dot
  cl_bool has_identity;  // a range of 0 elements has a result: false for argmin and its kin, minmax and stats
  cl_bool portable;      // the same bits on every device; false where exp or log take part
} clred_op_info;

// Row `index` of the tables, in their order: CL_SUCCESS, or CLRED_INVALID_ARGUMENT past the end or without `info`.
// Vectors are no rows; clred_type_describe and clred_type_from_name know them.
CLRED_API cl_int clred_type_at(size_t index, clred_type_info *info);
CLRED_API cl_int clred_op_at(size_t index, clred_op_info *info);

// The row with this name: types by OpenCL's or NumPy's, operators by name or synonym. NONE if there is none, or for
// NULL.
CLRED_API clred_type clred_type_from_name(const char *name);
CLRED_API clred_op clred_op_from_name(const char *name);

// The row of a type, or of an operator: CL_SUCCESS, or CLRED_INVALID_ARGUMENT for a value outside the table.
CLRED_API cl_int clred_type_describe(clred_type type, clred_type_info *info);
CLRED_API cl_int clred_op_describe(clred_op op, clred_op_info *info);

// The type of the result of `op` over elements of `type`, if it is one value: the type its states have (long or ulong
// for integers, the element's own for float and double, float for half and bfloat16; docs/numerics.md has the table).
// CLRED_TYPE_NONE where the result has several parts: see clred_plan_part. CLRED_OPERATOR_TYPE where the operator is
// not defined for the type, and CLRED_INVALID_ARGUMENT for values outside the tables.
CLRED_API cl_int clred_result_type(clred_op op, clred_type type, clred_type *result);

// ---------------------------------------------------------------- Operators of your own

// Text pieces below are OpenCL C 1.2. Identifiers must not begin with clred_. The words that the built-in operators are
// written in may be used as well (docs/operators.md). A piece is an expression; lift, combine and lower may instead be
// a function's body in braces that returns one. Reduction in this form: Blelloch, "Prefix Sums and Their Applications"
// (1990).

// A further input or a parameter: what lift calls it, and its type. An input is read at the element's own index.
typedef struct clred_operand {
  const char *name;
  const char
    *type;      // an OpenCL type, half or bfloat16 (inputs only; lift gets a float), or one that the preamble declares
  size_t size;  // sizeof on the host; 0: not checked
} clred_operand;

// The operator on the host, for host_serial, finish host and clred_plan_reference. All four are needed. `inputs` and
// `parameters` are arrays in the operator's order, of pointers to the value that belongs to this element, or to the
// call.
typedef struct clred_host_operator {
  void (*identity)(void *state, void *user_data);
  void (*lift)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
               void *state, void *user_data);
  void (*combine)(void *a, const void *b, void *user_data);  // a becomes combine(a, b)
  void (*lower)(const void *state, void *result, void *user_data);
  void *user_data;
} clred_host_operator;

typedef struct clred_operator {
  const char *name;      // for messages; required
  const char *preamble;  // structs, functions, constants; NULL: none
  // Types: an OpenCL type, or one that the preamble declares. state and result may also be a list of scalars in braces,
  // "{ float value; ulong index; }", which makes them a struct with these members.
  const char *element;                           // half and bfloat16 are storage: lift gets a float. Required
  const char *state;                             // at most 256 bytes; required
  const char *result;                            // NULL: the state's
  size_t element_size, state_size, result_size;  // sizeof on the host; 0: not checked against the device's
  const char *identity;                          // of type state, or an initialiser in braces; required
  const char *lift;     // in x (the element), index (ulong, its position in the range), inputs and parameters; NULL: x
  const char *combine;  // in a and b, a standing before b; required, and must be associative
  const char *lower;    // in s, the last state; NULL: s
  const clred_operand *inputs;
  size_t input_count;  // up to 8
  const clred_operand *parameters;
  size_t parameter_count;  // up to 16
  cl_bool commutative;     // elements may be taken out of order; without it they are combined in order
  cl_bool elementwise;  // lift and combine stay valid when every scalar is an OpenCL vector of one width; the state is
                        // a scalar or a list in braces. Much faster on CPUs
  const clred_host_operator *host;  // NULL: none; what the host would compute is then refused
} clred_operator;

// Elements that satisfy a predicate (stream compaction): docs/operators.md. Text pieces as above.
typedef struct clred_selection {
  const char *name;      // for messages; required
  const char *preamble;  // structs, functions, constants; NULL: none
  const char *element;   // as in clred_operator; NULL: problem.type says it (of complex numbers x is a vector of two)
  size_t element_size;   // sizeof on the host; 0: not checked against the device's
  const char *keep;  // in x, index, inputs and parameters: nonzero keeps the element. An expression, or a function's
                     // body in braces that returns an int; required
  const clred_operand *inputs;
  size_t input_count;  // up to 8
  const clred_operand *parameters;
  size_t parameter_count;  // up to 16
  // The same on the host, for scan_host_serial; NULL: none.
  cl_uint (*host)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                  void *user_data);
  void *user_data;
} clred_selection;

// ---------------------------------------------------------------- Runtime

// One device in one context: its facts, the programs built for it, the last error. Any thread may use it.
typedef struct clred_runtime clred_runtime;

typedef struct clred_options {
  const char *assume;  // facts to use in place of the device's own, as "max_work_group_size=64,cpu=1"; they bind.
                       // NULL: none. A limit above the device's own is refused
  const char *build_options;  // appended to the compiler's options; NULL: none. Fast-math options break docs/order.md
  void (*log)(const char *line,
              void *user_data);  // told of each program built or loaded, of what the cache could not do,
                                 // also by clred_runtime_release, and of a tuning file ignored; NULL: silence
  void *user_data;               // given to log
  const char
    *tuning_file;  // numbers measured for this device by clred_tune, which plans then take; NULL: none. A file that is
                   // not there, or says nothing of this device, is none; one that is damaged, or was written with
                   // another driver or version, is ignored, and clred_tuning_note and `log` say so
  char *error;     // where the sentence goes if clred_runtime_create itself fails; NULL: nowhere
  size_t error_size;          // bytes at error, the ending 0 included
  const char *findings_file;  // what clred_probe_device found of this device, which facts then go by; NULL: none. The
                              // rest as tuning_file, with clred_findings_note
  const char
    *cache_folder;  // where binaries of programs are kept from one process to the next, see below; NULL or "": nowhere
} clred_options;

// Makes a runtime for one device of a context. Retains both; queries the device; builds nothing. `options` may be NULL
// and need not outlive the call. Kernel sources are those in the library, unless the environment variable
// CLREDUCE_CL_DIR names a folder to read them from. Errors: CLRED_INVALID_ARGUMENT, CLRED_UNKNOWN_NAME (a fact),
// CL_INVALID_DEVICE (not of this context, or older than OpenCL 1.2), CL_OUT_OF_HOST_MEMORY, OpenCL's own.
CLRED_API cl_int clred_runtime_create(cl_context context, cl_device_id device, const clred_options *options,
                                      clred_runtime **runtime);

// With a cache_folder, programs that were built by an earlier process from the same text, by the same compiler for the
// same device with the same options, are loaded instead. The folder is made when something is first written, with
// rights for its user alone; folders above it must be there. It may be removed at any time, and several processes may
// use it. A binary is loaded only after it was compared with what was written, whole, and only from a file of the
// process's user or of root which nobody else may write: it is code that runs in the process. A cache that cannot be
// read or written is no error: programs are then built. The oldest files go where it would take more than 256 MiB.
// Programs whose text or options may read files (the words include, import and embed) are not kept. Without POSIX
// nothing is.
//
// Binaries are written when programs are built, but where the device is a CPU: drivers of those go on compiling at a
// kernel's first launch, so it is done for programs that were launched, by clred_runtime_release or clred_runtime_save.
// PoCL compiles more for it, which takes up to as long as the build did. Never by an enqueue.

// Writes what was built, and launched, and is not yet in the cache_folder; for programs that go on for long or end
// without releasing. Calls should be complete. How many files it wrote.
CLRED_API size_t clred_runtime_save(clred_runtime *runtime);

// Releases the runtime, having done as clred_runtime_save; its plans must have been released before. NULL does nothing.
CLRED_API void clred_runtime_release(clred_runtime *runtime);

typedef struct clred_fact {
  const char *name;   // as --assume takes it
  cl_ulong value;     // in use: the device's own, unless assumed
  cl_ulong reported;  // what the device says of itself
  const char *sentence;
  const char
    *why;  // it is known to be otherwise than reported; "" where nothing is known. Valid as long as the runtime
} clred_fact;

// Row `index` of the facts this runtime decides by; CLRED_INVALID_ARGUMENT past the end.
CLRED_API cl_int clred_runtime_fact(const clred_runtime *runtime, size_t index, clred_fact *fact);

// Programs built so far, failed builds not counted: 0 after creation, and unchanged by any enqueue. Those that were
// loaded from the cache_folder are not among them.
CLRED_API size_t clred_runtime_builds(clred_runtime *runtime);

// Programs loaded from the cache_folder so far.
CLRED_API size_t clred_runtime_loads(clred_runtime *runtime);

// The sentence of the last failure on this runtime, "" if there was none. Valid until the next failure on it, by any
// thread: where others may fail meanwhile, clred_copy_error.
CLRED_API const char *clred_last_error(const clred_runtime *runtime);

// The same, copied whole: like snprintf at most `size` bytes with the ending 0; the length the whole has. Of several
// threads that fail it is the last one's, and each knows by the status what its own call met.
CLRED_API size_t clred_copy_error(clred_runtime *runtime, char *text, size_t size);

// The compiler's words on the last program built, "" if it had none. Valid until the next build, by any thread. They
// are errors: warnings are turned off, because some drivers print how many there were to the process's error stream.
CLRED_API const char *clred_build_log(const clred_runtime *runtime);

// ---------------------------------------------------------------- One call, host memory

// One result, or one for every element: what the elements up to it give, with it or without it. Scans keep the order of
// the elements, so operators need not commute. Blelloch, "Prefix Sums and Their Applications" (1990).
typedef enum clred_scan {
  CLRED_SCAN_NONE = 0,       // a reduction, or a selection
  CLRED_SCAN_INCLUSIVE = 1,  // result i has elements 0 to i in it
  CLRED_SCAN_EXCLUSIVE = 2   // result i has elements 0 to i - 1 in it; the first is the initial state, or the identity
} clred_scan;

// Folds `count` elements of host memory and waits for the result, which is written to `result` (of clred_result_type's
// size). There may be more of them than one buffer, or the device's memory, holds; they are not copied where it shares
// the host's. count 0 gives the identity, and `in` may then be NULL. The program is built on the first call of its
// kind; each call makes a queue and a plan, so a caller in a hurry keeps a plan and uses clred_plan_reduce_host.
// Errors: those of clred_plan_create and clred_enqueue_reduce.
CLRED_API cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                                   void *result);

// Scans `count` elements of host memory, inclusively or exclusively, and waits for the results, which are written to
// `out`: as many as there are elements, each of clred_result_type's size. Elements and results must each fit one buffer
// of the device; neither are copied where it shares the host's memory, but for elements that overlap `out`. count 0
// does nothing, and `in` and `out` may then be NULL. A caller in a hurry keeps a plan and uses clred_plan_scan_host.
// Errors: those of clred_plan_create and clred_enqueue_scan, so CLRED_INVALID_ARGUMENT for CLRED_SCAN_NONE;
// CL_INVALID_BUFFER_SIZE for more elements or results than one buffer holds.
CLRED_API cl_int clred_scan_host(clred_runtime *runtime, clred_type type, clred_op op, clred_scan scan, const void *in,
                                 cl_ulong count, void *out);

// Writes those of `count` elements of host memory that the selection keeps to `out`, which must have room for all of
// them, and how many there are to `kept`. `type` is CLRED_TYPE_NONE where the selection has an element of its own. A
// caller in a hurry keeps a plan and uses clred_plan_select_host. Errors: those of clred_plan_create and
// clred_enqueue_select; CL_INVALID_BUFFER_SIZE.
CLRED_API cl_int clred_select_host(clred_runtime *runtime, clred_type type, const clred_selection *selection,
                                   const void *in, cl_ulong count, void *out, cl_ulong *kept);

struct clred_histogram;

// Counts `count` elements of host memory in bins and waits for the counts: histogram->bins of them are written to
// `counts`. The rest as clred_reduce_host. A caller in a hurry keeps a plan and uses clred_plan_reduce_host, to which
// `counts` is the result.
CLRED_API cl_int clred_histogram_host(clred_runtime *runtime, clred_type type, const struct clred_histogram *histogram,
                                      const void *in, cl_ulong count, cl_ulong *counts);

// ---------------------------------------------------------------- Plans

typedef enum clred_order {
  CLRED_ORDER_DEFAULT = 0,  // fixed for auto, wide and chunked; a textbook strategy's own tree for the others
  CLRED_ORDER_FIXED = 1,    // docs/order.md; refused with strategies that have a tree of their own
  CLRED_ORDER_ANY = 2       // whatever is quickest: floating results may differ from call to call
} clred_order;

typedef enum clred_nan {
  CLRED_NAN_PROPAGATE = 0,  // a NaN makes the result NaN; argmin and argmax find the first one
  CLRED_NAN_IGNORE = 1      // as if elements that are NaN were not there; if all are, the result is the identity's
} clred_nan;

typedef enum clred_overflow {
  CLRED_OVERFLOW_WRAP = 0,
  CLRED_OVERFLOW_DETECT = 1  // of integers: add, mul, norm1, sumsq, dot; refused for all else. The result has two
                             // parts, value (wrapped) and overflow (uint: 0 or 1). A call that waits for its `result`
                             // returns CLRED_OVERFLOW
} clred_overflow;

// Where the elements of a call are. A row is what one result is made of.
typedef enum clred_layout {
  CLRED_LAYOUT_LINE = 0,     // one row of neighbours
  CLRED_LAYOUT_STRIDED = 1,  // one row; clred_call.stride elements from one to the next, 0 and up
  CLRED_LAYOUT_ROWS = 2,     // clred_call.rows rows of neighbours, row_stride apart: along the fastest axis
  CLRED_LAYOUT_COLUMNS =
    3,  // rows x columns results: across the fastest axis, as clred_call_along_axis fills it in. Of a scan there
        // are `count` results in each row of ROWS and COLUMNS, where its elements are
  CLRED_LAYOUT_SEGMENTS =
    4,  // clred_call.rows rows of different lengths, given by offsets on the device, as in CSR: row i is
        // elements segments[i] to segments[i + 1] - 1, and may be empty. Segments of one length are ROWS
  CLRED_LAYOUT_HEADS = 5,  // rows by flags: a row begins with each element whose flag, a uchar in `segments`, is not 0,
                           // and with the first element. How many there are the device finds: see clred_call.outcome
  CLRED_LAYOUT_KEYS = 6    // runs of equal keys, of which there is one in `segments` for each element; equal as == has
                           // it: a NaN is a run of its own. HEADS and KEYS need count_max
} clred_layout;

// Bins, for a histogram: how many elements lie between neighbouring edges. Bin k has the elements from edge k on, up to
// but not including edge k + 1; the last one has its upper edge, too. What lies outside and NaNs are not counted; -0 is
// 0. So the counts are those of NumPy's histogram, and the same on every device. Over integers elements compare with
// edges as numbers do, and equal bins from one whole number to another have the edges low + k (high - low) / bins
// exactly, as fractions; 256 bins from 0 to 256 have one value of uchar each. Over floating elements edges are
// elements: numbers are rounded to the nearest, equal bins' after they were computed in double as k * ((high - low) /
// bins) + low, which is also so where low or high of integers is a fraction. docs/histograms.md says more.
typedef struct clred_histogram {
  cl_ulong bins;        // 1 to 2^31
  double low, high;     // of equal bins: the first edge and the last
  const double *edges;  // in their place bins + 1 edges, each above the one before; NULL: equal bins
  const void
    *low_element;  // in place of low and high, and of edges: as elements of the problem's type, for long and ulong
  const void *high_element;  // that no double is equal to
  const void *edge_elements;
} clred_histogram;

// What is asked. Zero in a field means its default, so designated initialisers make a call read like a form.
typedef struct clred_problem {
  clred_type type;               // of the elements; required, but not with `custom`
  clred_op op;                   // required, but not with `custom`
  const clred_operator *custom;  // an operator of your own in place of type and op; copied. NULL: none
  clred_type state;  // built-in operators: double, to compute in it over elements narrower than it; not for complex
                     // ones. NONE: the table of docs/numerics.md
  clred_nan nan;     // built-in operators
  clred_overflow overflow;
  clred_layout layout;
  clred_type
    segment_type;   // SEGMENTS: of the offsets: uint, int, ulong or long. KEYS: of the keys, one of the first ten types
  clred_scan scan;  // NONE: a reduction
  const clred_histogram
    *histogram;  // in place of an operator: counts elements of `type`, one of the first twelve, in bins; copied
  cl_bool
    reversed;  // scans: from the last element to the first, as if they stood in that order; lift gets true indices
  cl_bool in_place;  // scans: calls may name the elements' own memory as `out`; results are then as large as elements
  const clred_selection
    *selection;          // elements that it keeps, in place of an operator; copied. With type, or its own element.
                         // The strategies are those of scans, as far as they serve selections. NULL: none
  cl_bool indices;       // selections: the results are where kept elements stand in the range, as ulong
  cl_ulong count_max;    // a promise that no count is larger; 0: none. Needed where scratch grows with n
  const char *strategy;  // by name; NULL or "auto": wide or chunked, or their like for rows and columns, as the
                         // device's facts say
  const char *finish;    // who folds the partials: "host", "relaunch", "atomic", "last_group"; NULL or "auto": chosen
  clred_order order;
  cl_ulong group_size;  // work-items a group, a power of two; 0: chosen
  cl_ulong groups;    // at most so many groups, up to 2^20; 0: chosen. A strategy whose number of groups follows from n
                      // refuses it by name; under auto such a strategy ignores it
  cl_ulong elements;  // a work-item folds before the tree, up to 2^20, for local_coarsened; 0: chosen
  cl_uint in_flight;  // calls that may overlap on the device, up to 64; 0: 1
  cl_bool profile;    // keep what clred_plan_seconds needs
} clred_problem;

// A prepared answer: kernels, scratch and numbers. It never changes; any thread may enqueue it. It retains the queues
// of its latest calls. On an in-order queue a call that asks for no event makes none, if in_flight is 1; a call on
// another queue after it then waits for all that was enqueued in the first until now: a thread should not block on it
// before it has set a user event that something there waits for. A call that finds all in_flight slots taken is put
// behind one of them on the device and does not wait in the host, unless other threads are at that moment doing
// host-side work (host_serial, finish host) in every slot. If the call it was put behind fails on the device, it fails
// as well.
typedef struct clred_plan clred_plan;

// Does all that is slow: chooses, builds (once per program and runtime), allocates. `problem` is copied. Errors:
// CLRED_INVALID_ARGUMENT, CLRED_INVALID_PROBLEM, CLRED_UNKNOWN_NAME, CLRED_OPERATOR_TYPE, CLRED_TYPE_NOT_SUPPORTED,
// CLRED_STRATEGY_REFUSED, CLRED_OPERATOR_TEXT (what is wrong in a caller's operator, by piece, line and column),
// CLRED_NO_HOST_OPERATOR, CLRED_KERNEL_SOURCE, CL_BUILD_PROGRAM_FAILURE (see clred_build_log), CLRED_WRONG_RESULT (a
// group_size asked for, above the driver's hint, did not pass a trial; of an operator that cannot be tried it is
// CLRED_STRATEGY_REFUSED), CL_OUT_OF_HOST_MEMORY, OpenCL's own.
CLRED_API cl_int clred_plan_create(clred_runtime *runtime, const clred_problem *problem, clred_plan **plan);

// Does all that a driver compiles at a kernel's first launch, so that calls of this plan compile nothing. Drivers of
// CPUs (PoCL) need this; for others it does no harm. Runs short calls on `queue` over buffers of its own, which it
// releases, and waits for them; parameters and elements are 1. The plan's results, scratch memory and
// clred_plan_seconds stay as if nothing had run. Streams compile at their first chunk. Errors: those of clred_enqueue,
// CL_OUT_OF_HOST_MEMORY.
CLRED_API cl_int clred_plan_warm(cl_command_queue queue, clred_plan *plan);

// Releases the plan. Its work in flight goes on to its end, for which this call may wait. NULL does nothing.
CLRED_API void clred_plan_release(clred_plan *plan);

typedef struct clred_plan_info {
  const char *strategy;
  const char *finish;               // NULL where the strategy has no partials
  const char *order;                // "fixed/1", "own" or "any"
  cl_bool portable;                 // fixed and own orders give the same bits on every device: no exp or log takes part
  clred_type result_type;           // NONE where the result has several parts, or is a struct of a caller's own
  clred_type state_type;            // of an initial state; NONE likewise
  size_t result_size;               // bytes of one result
  size_t parts;                     // of the result; 0 for a struct that only the caller's preamble knows
  size_t element_size, state_size;  // bytes
  cl_ulong group_size;              // work-items; 0 where no kernel runs
  cl_ulong groups;                  // of the launch that reads the elements; 0 where none does
  cl_ulong elements;                // a work-item folds before the tree, at most
  cl_ulong vector_width;            // elements a load
  cl_ulong local_bytes;             // of local memory a group uses
  cl_ulong scratch_bytes;           // of device memory a slot holds
  cl_ulong passes;                  // kernel launches in all
  cl_ulong kernel_work_group_size;  // what the driver says of the kernel; 0 where none was built
  cl_bool tuned;                    // some of these numbers were measured (clred_tune); clred_plan_describe says which
} clred_plan_info;

// What a call with this count would run. Errors: CLRED_INVALID_ARGUMENT, CLRED_COUNT_ABOVE_MAXIMUM.
CLRED_API cl_int clred_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info);

// A part of a result: result_size bytes hold them all, laid out as a C struct of these members.
typedef struct clred_part {
  const char *name;  // "" where the result is one value. Valid as long as the plan
  clred_type type;
  size_t offset;  // bytes
} clred_part;

// Part `index` of the plan's results; CLRED_INVALID_ARGUMENT past the last.
CLRED_API cl_int clred_plan_part(const clred_plan *plan, size_t index, clred_part *part);

// Writes what was chosen, from which facts, and why the other strategies were not: lines of text, like snprintf at most
// `size` bytes with the ending 0; returns the length the whole has, 0 where memory is out.
CLRED_API size_t clred_plan_describe(const clred_plan *plan, cl_ulong count, char *text, size_t size);

// Writes the text of the plan's program. The first line is a comment with the build options; the other lines are what the
// compiler was given. Like snprintf at most `size` bytes with the ending 0; returns the length of the whole text, 0 if the
// plan has no program because the host does the work, or if memory is out.
CLRED_API size_t clred_plan_source(const clred_plan *plan, char *text, size_t size);

// Edge `index` of a histogram's bins, from 0 to `bins`, as the nearest double: that of a floating type after rounding.
// CLRED_INVALID_ARGUMENT past the last and for other plans.
CLRED_API cl_int clred_plan_edge(const clred_plan *plan, cl_ulong index, double *edge);

// One step of a strategy's tree, counted over all groups of the launch. Full sub-groups are those of the device's
// preferred multiple; one is divergent if only some of its work-items are active.
typedef struct clred_step {
  cl_ulong pass;  // launch it belongs to, from 0
  char name[24];  // "load", "stride 4", "partials", ...
  cl_ulong active_work_items;
  cl_ulong sub_groups;
  cl_ulong divergent_sub_groups;
  cl_ulong barriers;         // that one group meets in this step
  cl_ulong global_requests;  // elements and states read from or written to global memory
} clred_step;

// Step `index` of a call with this count, after the formulas of the textbooks (docs/strategies.md);
// CLRED_INVALID_ARGUMENT past the last.
CLRED_API cl_int clred_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step);

// Computes on the host, from host memory, what the plan must give on the device: the same tree, combination by
// combination, so the same bits; where the device folds by atomics, the partials are folded in order instead. Slow: for
// tests and --verify. May allocate count states. Errors, without a sentence in clred_last_error:
// CLRED_INVALID_ARGUMENT, CLRED_NO_HOST_OPERATOR, CL_OUT_OF_HOST_MEMORY.
CLRED_API cl_int clred_plan_reference(const clred_plan *plan, const void *in, cl_ulong count, void *result);

// What a call reads, in host memory: `count` neighbouring elements of each input.
typedef struct clred_host_call {
  const void *in;
  const void *const *inputs;      // the operator's further inputs
  const void *const *parameters;  // pointers to the operator's parameters
  cl_ulong count;
  const void *initial;  // scans: the state before the first element; NULL: none
} clred_host_call;

// The same for operators that have more to read than elements. CLRED_NO_HOST_OPERATOR where a caller's operator brings
// no host callbacks.
CLRED_API cl_int clred_plan_reference_call(const clred_plan *plan, const clred_host_call *call, void *result);

// Device time of the latest call that was enqueued, from the start of its first launch to the end of its last, in
// seconds; 0 where no kernel ran. Needs problem.profile and a queue with CL_QUEUE_PROFILING_ENABLE; call it once the
// call's event is complete. CL_PROFILING_INFO_NOT_AVAILABLE otherwise. Streams, and calls on host memory that stream,
// are none of these calls: see clred_stream_inspect.
CLRED_API cl_int clred_plan_seconds(clred_plan *plan, double *seconds);

// ---------------------------------------------------------------- Enqueue

// Folds elements in[in_offset .. in_offset + count) and writes the result to out[out_offset], an array of the result
// type. `in` is not changed, unless `out` is the same memory: then the result is written when all elements were read.
// The device must be allowed to read `in` and write `out`, and the host as well where it does work of the call. Offsets
// and count are in elements, that of `out` in results. `event` (NULL: not wanted) completes with the result, also on an
// out-of-order queue; the caller releases it. Nothing is built or allocated here. Plans with host-side work
// (host_serial, finish host) block, and their event is complete on return. With count 0 `in` may be NULL. Errors, with
// nothing enqueued: CLRED_INVALID_ARGUMENT, CLRED_CONTEXT_MISMATCH, CLRED_OUT_OF_RANGE, CLRED_COUNT_ABOVE_MAXIMUM,
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST for an event that has failed already. OpenCL's own, after which a part
// of the call may be under way: what it was given must stay until the queue is finished, unless the call waits for its
// result; then nothing is. CLRED_OVERFLOW where the call waited and overflow = detect saw one; then the result is
// delivered and the event made all the same. A plan that scans is CLRED_INVALID_ARGUMENT here.
CLRED_API cl_int clred_enqueue_reduce(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out,
                                      cl_ulong in_offset, cl_ulong out_offset, cl_ulong count,
                                      cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                      cl_event *event);

// The same, with the result read into host memory at `result`; blocking as in clEnqueueReadBuffer: without it `result`
// must stay valid until the event is complete.
CLRED_API cl_int clred_enqueue_reduce_read(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_bool blocking,
                                           cl_ulong in_offset, cl_ulong count, void *result,
                                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                           cl_event *event);

// Scans elements in[in_offset .. in_offset + count) and writes as many results to out from out_offset on. Where `out`
// is the elements' own memory the plan must have been made with in_place, and every result goes where its element was;
// else the two must not overlap. The rest as clred_enqueue_reduce, also of plans with host-side work
// (scan_host_serial). With count 0 both buffers may be NULL. A plan that reduces is CLRED_INVALID_ARGUMENT here. An
// initial state, further inputs, parameters and strides: clred_enqueue.
CLRED_API cl_int clred_enqueue_scan(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                                    cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event);

// What only the device knows once the call is done.
typedef struct clred_outcome {
  cl_ulong count;  // results written; of runs by heads and keys how many there are, be there room for them or not
  cl_ulong fault;  // 0, or 1 + the index of the first thing found wrong in the device's data
} clred_outcome;

// Writes those of elements in[in_offset .. in_offset + count) that the plan's selection keeps to out, from out_offset
// on, in their order and byte for byte as they are, or where they stand (problem.indices); the rest of out stays as it
// is. As only the device knows how many are kept, out must have room for `count` results, whatever is kept, and not
// overlap what is read. How many were written goes to outcome_buffer[outcome_offset] on the device and to `outcome` in
// host memory, either of which may be NULL; with `blocking` the call waits for `outcome`, else it is there when the
// event is complete. The rest as clred_enqueue_reduce. Further inputs, parameters and strides: clred_enqueue. Of a
// selection there is no clred_plan_reference.
CLRED_API cl_int clred_enqueue_select(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_bool blocking,
                                      cl_ulong in_offset, cl_ulong out_offset, cl_ulong count, cl_mem outcome_buffer,
                                      cl_ulong outcome_offset, clred_outcome *outcome, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event);

// Everything a call can say. Zero in a field means its default.
typedef struct clred_call {
  cl_mem in;
  cl_ulong in_offset;             // elements
  const cl_mem *inputs;           // the operator's further inputs (dot: one), laid out as `in` is
  const cl_ulong *input_offsets;  // elements, one for each; NULL: all 0
  const void *const *parameters;  // pointers to the operator's parameters, read before the call returns
  cl_ulong count;                 // elements a row
  cl_ulong stride;                // STRIDED and COLUMNS: from an element of a row to the next, in elements
  cl_ulong rows;  // ROWS, COLUMNS, SEGMENTS: how many rows, or rows of columns; 0: nothing is done. HEADS and KEYS: how
                  // many runs `out` and `keys_out` have room for, 0: `count`; where there are more, those are not
                  // written, and the outcome has the fault 1 + rows
  cl_ulong row_stride;  // from the first element of a row to that of the next; 0: they follow each other. COLUMNS: from
                        // one row of columns to the next; 0: count x stride, or count x columns if that is more. So
                        // images of 480 lines of 600 pixels, 640 pixels apart, have count 480, stride 640, columns 600
  cl_mem
    segments;  // SEGMENTS: rows + 1 offsets that do not decrease, counted from in_offset; none above `count`, which
               // says how many elements there are. Looked at on the device: see `outcome`. Where they
               // are wrong results mean nothing, but nothing beside them is written. Scans write no
               // results for elements of no segment. HEADS: `count` flags. KEYS: `count` keys
  cl_ulong segments_offset;  // offsets, flags or keys
  cl_mem keys_out;           // KEYS, reductions: gets the key of each run; NULL: not wanted. Apart from all else
  cl_ulong keys_out_offset;  // keys
  cl_ulong columns;          // COLUMNS: neighbouring elements that each begin a row of their own; 0: nothing is done
  cl_mem out;                // gets one result a row (rows x columns of them) from out_offset on; NULL: `result` does.
                             // A call with both is refused
  cl_ulong out_offset;       // results
  void *result;              // host memory in place of `out`, for a call with one result
  cl_bool blocking;  // wait for `result` and `outcome`; otherwise they must stay valid until the event is complete
  // Scans: `out` gets a result for every element, laid out as `in` is, from out_offset on.
  cl_ulong out_stride;      // STRIDED: from one result to the next; 0: as `stride`, or 1 if that is 0
  const void *initial;      // a state that stands before the first element, read before the call returns; NULL: none
  cl_mem initial_buffer;    // the same on the device; NULL: none
  cl_ulong initial_offset;  // states
  // Of plans whose number of results, or whose correctness, only the device knows; other plans refuse them.
  clred_outcome *outcome;   // host memory; NULL: not wanted
  cl_mem outcome_buffer;    // the same on the device, for kernels that go on from there; NULL: not wanted
  cl_ulong outcome_offset;  // outcomes
} clred_call;

// The general form of clred_enqueue_reduce, clred_enqueue_reduce_read and clred_enqueue_scan. With host-side work, or
// CLRED_OVERFLOW_DETECT and `blocking`, it waits. Several results must not overlap what is read (in, inputs, segments),
// nor results of segments, be it one, the segments: CLRED_INVALID_ARGUMENT. Errors: as theirs; CLRED_INVALID_SEGMENTS
// where the call waited and `outcome` has a fault; then results are delivered and the event made all the same.
CLRED_API cl_int clred_enqueue(cl_command_queue queue, clred_plan *plan, const clred_call *call,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);

// Fills in count, stride, rows, row_stride and columns for a reduction of a C-ordered array of 1 to 8 dimensions along
// `axis`, counted from 0, and the layout that the plan's problem must have. Results are C-ordered, without that axis.
// CLRED_INVALID_ARGUMENT for an axis or a number of dimensions out of range, and for lengths whose product, lengths of
// 0 left out, does not fit 64 bits; `call` is then unchanged.
CLRED_API cl_int clred_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions,
                                       const cl_ulong *shape, cl_uint axis);

// The same for host memory at `in`, waiting for the result. Makes a buffer for the call: zero-copy where the device
// shares the host's memory. What is more than one buffer holds is folded buffer by buffer, and what is to be copied, if
// it is more than 32 MiB, while it is copied, in the memory of a stream (below): the same bits. That takes wide or
// chunked over one line; for other plans more than one buffer holds is CL_INVALID_BUFFER_SIZE.
CLRED_API cl_int clred_plan_reduce_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count,
                                        void *result);

// The same with the operator's further inputs and parameters. `initial` must be NULL.
CLRED_API cl_int clred_plan_reduce_host_call(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                                             void *result);

// Counts elements in[in_offset .. in_offset + count) in the bins of problem.histogram and writes `bins` counts, of
// cl_ulong, to out from out_offset (counts) on, in place of what was there. `out` must not overlap what is read. The
// rest as clred_enqueue_reduce; only histogram_host_serial blocks. clred_enqueue does the same, also into host memory
// at `result`, which then has room for all counts. Any other plan is CLRED_INVALID_ARGUMENT here.
CLRED_API cl_int clred_enqueue_histogram(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out,
                                         cl_ulong in_offset, cl_ulong out_offset, cl_ulong count,
                                         cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                         cl_event *event);

// A scan of host memory at `in` into host memory at `out`, waiting for the results, with a buffer for each: zero-copy
// likewise. They may overlap, whatever in_place says; the elements are then copied.
CLRED_API cl_int clred_plan_scan_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count,
                                      void *out);

// A selection from host memory at `in` to host memory at `out`, which must have room for `count` results, waiting for
// them; how many there are is written to `kept`. As clred_plan_scan_host otherwise.
CLRED_API cl_int clred_plan_select_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count,
                                        void *out, cl_ulong *kept);

// ---------------------------------------------------------------- Streams

// A reduction of elements that arrive in host memory piece by piece: more of them than there is memory, or nobody knows
// how many. A stream folds a chunk at a time, a run of a power of two of tiles of docs/order.md, and keeps states; so
// its result has the bits of one call over all elements, whatever the chunk and the pieces. While a chunk is folded the
// next is transferred and the one after filled. One thread at a time may use a stream; its plan may be used beside it,
// and must be released later.
typedef struct clred_stream clred_stream;

typedef struct clred_stream_options {
  cl_ulong chunk;  // elements folded at a time, at most: taken down to a power of two of tiles, and to what one buffer
                   // of the device holds; one tile at least. 0: chosen, 2 MiB of all inputs together where the device
                   // shares the host's memory, else 32 MiB
  const void *const *parameters;  // pointers to the operator's parameters, which are copied
  cl_bool on_host;                // the host folds, as clred_plan_reference does: the same bits, slowly
} clred_stream_options;

// Makes an empty stream for a plan of wide or chunked over one line. Kernels run on `queue`, which is retained (on the
// host it may be NULL). `options` may be NULL. Builds nothing. Errors: CLRED_INVALID_ARGUMENT, CLRED_CONTEXT_MISMATCH,
// CLRED_NO_HOST_OPERATOR, CL_INVALID_BUFFER_SIZE (not even a tile fits one buffer), CL_OUT_OF_HOST_MEMORY, OpenCL's
// own.
CLRED_API cl_int clred_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                                     clred_stream **stream);

// Takes `count` further elements at `in`, and as many at each of `inputs` (NULL where the operator has none). When it
// returns the memory is the caller's again: elements were copied, or, of whole chunks where the device shares the
// host's memory, folded in place. Waits only for that. With count 0 all may be NULL. Errors: CLRED_INVALID_ARGUMENT and
// CLRED_COUNT_ABOVE_MAXIMUM, which change nothing; CL_OUT_OF_HOST_MEMORY and OpenCL's own, after which the stream can
// only be released.
CLRED_API cl_int clred_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count);

// The same without a copy, for those who read a file or compute: room for `count` elements at `in`, and at each of
// `inputs`, in memory that the device can fetch from, valid until clred_stream_commit says how many were written there,
// from the first on. Waits until there is room: where the device is slower than the caller, for the device.
CLRED_API cl_int clred_stream_room(clred_stream *stream, void **in, void **inputs, cl_ulong *count);
CLRED_API cl_int clred_stream_commit(clred_stream *stream, cl_ulong count);

// Folds what is left and waits for the result over all elements; of none it is the identity. The stream is then empty,
// as it was made. CLRED_OVERFLOW as in clred_enqueue_reduce.
CLRED_API cl_int clred_stream_finish(clred_stream *stream, void *result);

typedef struct clred_stream_info {
  cl_ulong chunk;       // elements
  cl_ulong count;       // taken since it was empty
  size_t host_bytes;    // for three chunks, allocated when first needed: with whole chunks folded in place never
  size_t device_bytes;  // of states, and for three chunks where the device does not share the host's memory
  cl_ulong launches;    // since it was made
  double
    seconds;  // of device time in chunks that are done, since it was made; needs what clred_plan_seconds needs, else 0
} clred_stream_info;

CLRED_API cl_int clred_stream_inspect(const clred_stream *stream, clred_stream_info *info);

// Waits for what is under way. NULL does nothing.
CLRED_API void clred_stream_release(clred_stream *stream);

// ---------------------------------------------------------------- Strategies

typedef struct clred_strategy_info {
  const char *name;
  const char *sentence;
  cl_bool scans;            // one result for every element; false: reduces, or
  cl_bool counts;           // counts elements in bins: a histogram
  cl_uint layouts;          // that it serves: bit 1 << CLRED_LAYOUT_ROWS for rows, and so on
  cl_bool fixed_order;      // computes the order fixed/1
  cl_bool needs_bound;      // its scratch grows with n, at least with some finish: give count_max
  const char *finishes[5];  // that it can be combined with, NULL-terminated; the first is its default, or relaunch
                            // where that is last_group and no device fence is certain (fact device_fence)
} clred_strategy_info;

// Row `index` of the strategies; CLRED_INVALID_ARGUMENT past the end.
CLRED_API cl_int clred_strategy_at(size_t index, clred_strategy_info *info);

// Whether the strategy can solve the problem on this device, in place of problem->strategy: CL_SUCCESS, or the
// status clred_plan_create would give, with the reason as a sentence in `reason` (at most `size` bytes). Builds
// nothing, so a caller's operator must say the sizes of types that only its preamble knows.
CLRED_API cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem,
                                        char *reason, size_t size);

// ---------------------------------------------------------------- Tuning

// Plans' numbers follow from facts of the device. Measured ones take their place where that is quicker: how many
// groups, how large, how much each takes, how it reads. They choose who computes which part of the order fixed/1 and
// never the order, so that results keep their bits. docs/tuning.md says what is measured, and how it is kept.

// One kind of call, and the numbers that were found for it.
typedef struct clred_tuned {
  const char *strategy;
  const char *length;  // of calls: "small", "middle" or "large", taken where count_max says so; "any" where it does not
  cl_ulong count;  // elements of the calls that were measured; 0 for "any", which is chosen among the others' numbers
  double before, after;  // seconds a call took with the numbers that follow from facts, and with those found; medians.
                         // 0 for "any"
  cl_ulong tried;        // numbers that were tried
  char numbers[160];     // "vector=8,tiles_at_least=16"; "" where nothing was quicker than facts
} clred_tuned;

#define CLRED_TUNED_MAX 4

typedef struct clred_tune_options {
  double seconds;  // not much longer than that; 0: 10. What is not tried by then stays as it is
  // Called between measurements with the share that is done, from 0 to 1; nonzero ends the tuning early, which keeps
  // what was found so far. NULL: not wanted. It must not use the runtime.
  cl_bool (*progress)(double done, void *user_data);
  void *user_data;
} clred_tune_options;

// Measures on the device the numbers of plans for this problem, over data of the library's own, and keeps those that
// were clearly quicker: plans that this runtime makes from then on for the operator, type of elements and strategy take
// them, unless they ask for numbers themselves. With count_max calls of that length are measured, else three lengths.
// Every result is compared with the plan's that has no measured numbers, bit by bit; numbers that give another one are
// dropped. Takes memory on the device for its elements, and a queue of its own; the device should have nothing else to
// do. `tuned` gets the findings, *count how many there are; both may be NULL. `options` may be NULL. Errors: those of
// clred_plan_create and of clred_enqueue; CLRED_STRATEGY_REFUSED for a problem without free numbers: only reductions of
// one line of neighbours have them.
CLRED_API cl_int clred_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                            clred_tuned tuned[CLRED_TUNED_MAX], size_t *count);

// Writes what the runtime knows of its device to a file, in place of what the file had about this device under this
// driver or another one; what it says of other devices stays. The file is replaced as a whole, so that readers see the
// old one or the new one; of two writers at once the later wins. A damaged tuning file is replaced, what is none, or is
// of a later version, is not. Errors: CLRED_INVALID_ARGUMENT, CLRED_TUNING_FILE (it cannot be written, or is not
// replaced; the sentence names it), CL_OUT_OF_HOST_MEMORY.
CLRED_API cl_int clred_tuning_save(clred_runtime *runtime, const char *file);

// Why options.tuning_file was ignored, as a sentence; "" where it was not. Valid as long as the runtime.
CLRED_API const char *clred_tuning_note(const clred_runtime *runtime);

// ---------------------------------------------------------------- Does a device keep its word?

// Drivers report limits that cannot be held, and compile what does not work. Probes try what plans rely on, and every
// strategy, operator and type against the host's reference. What is not as reported becomes a fact: a smaller limit, a
// flag taken away, a strategy or a type that is refused; plans follow from those, so nothing that was shown not to work
// is chosen. docs/selftest.md has the list. What is known of a device by its name is a fact without any probe;
// clred_fact.why says so.

typedef enum clred_verdict {
  CLRED_HOLDS = 0,
  CLRED_AVOIDED = 1,  // it does not hold, and plans do without
  CLRED_WRONG = 2,    // it does not hold, and plans would use it all the same
  CLRED_LACKING = 3   // the device says that it has none, or it was not tried: `detail` says why
} clred_verdict;

#define CLRED_FINDING_DETAIL 240

typedef struct clred_finding {
  const char *name;   // of the probe: "local memory"
  const char *about;  // "limits", "memory", "numbers", "atomics", "strategies", "operators", "order", "choices"
  clred_verdict verdict;
  char detail[CLRED_FINDING_DETAIL];  // one line; "" where all holds
} clred_finding;

typedef struct clred_probe_options {
  cl_bool full;      // every operator over every type and every finish, and longer trials; else each at least once
  const char *only;  // of the probes those about these, as "limits,memory"; NULL: all. What is not probed counts as it
                     // is reported
  // Told of a probe before it runs, with the share that is done; nonzero ends the probing early with CL_SUCCESS, and
  // what was found so far counts. Where a driver brings the process down, the name says which probe did. NULL: not
  // wanted. Neither may use the runtime.
  cl_bool (*begins)(const char *name, double done, void *user_data);
  void (*ends)(const clred_finding *finding, void *user_data);  // told of what came out; NULL: not wanted
  void *user_data;
} clred_probe_options;

typedef struct clred_probe_counts {
  cl_ulong holds, avoided, wrong, lacking;
} clred_probe_counts;

// Probes the runtime's device, whatever is known of it or assumed. Builds programs, takes memory on the device for a
// buffer as large as it allows, and a queue of its own; the device should have nothing else to do. The runtime's own
// plans stay as they are: clred_findings_save keeps what was found for runtimes made later. `options` and `counts` may
// be NULL. CL_SUCCESS whatever is found. Errors: CL_OUT_OF_HOST_MEMORY; OpenCL's own where not even a queue can be had.
CLRED_API cl_int clred_probe_device(clred_runtime *runtime, const clred_probe_options *options,
                                    clred_probe_counts *counts);

// Row `index` of the facts as the latest clred_probe_device of this runtime leaves them, or as they were reported
// before the first; CLRED_INVALID_ARGUMENT past the end. `why` is valid until the next.
CLRED_API cl_int clred_probed_fact(clred_runtime *runtime, size_t index, clred_fact *fact);

// Writes what the latest clred_probe_device of this runtime found to a file, in place of what the file had about this
// device. The rest as clred_tuning_save.
CLRED_API cl_int clred_findings_save(clred_runtime *runtime, const char *file);

// Why options.findings_file was ignored, as a sentence; "" where it was not. Valid as long as the runtime.
CLRED_API const char *clred_findings_note(const clred_runtime *runtime);

// ---------------------------------------------------------------- Does an operator keep its word?

// A law of monoids, tried on states made from edge values and random elements.
typedef struct clred_law {
  const char *name;  // "identity", "associativity", "commutativity"
  cl_bool claimed;   // the operator says it holds: identity and associativity always are
  cl_bool holds;     // in every trial; for floating results up to rounding, and but for NaNs among the elements
  double error;      // largest difference met between elements of moderate size, relative to the largest number that
                     // took part; 0: none, but for the sign of zeros
  cl_ulong trials;
  char counterexample[640];  // the smallest found, with both results; where the law holds "", or one with a NaN
} clred_law;

#define CLRED_LAWS 3

// Tries the laws on the device for problem->custom, or for problem->op over problem->type. `seed` chooses the random
// elements. Results are compared part by part; structs and unions that cannot be read in the preamble are compared byte
// by byte. Parameters are given 1, then 2, 3, ..., then 0. docs/operators.md says what counts as rounding. CL_SUCCESS
// whether the laws hold or not: look at `holds`. Errors: those of clred_plan_create.
CLRED_API cl_int clred_check_laws(clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                  clred_law laws[CLRED_LAWS]);

#ifdef __cplusplus
}
#endif

#endif
