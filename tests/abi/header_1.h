// Version 1 of the public headers, without comments. Made by headers.py; never edit it.
#ifndef CLREDUCE_ROWS_H
#define CLREDUCE_ROWS_H
#define CLRED_STATUS_MAP(X) \
  X(INVALID_ARGUMENT, -4001, "an argument is missing or contradicts another") \
  X(INVALID_PROBLEM, -4002, "the problem is incomplete or contradicts itself") \
  X(UNKNOWN_NAME, -4003, "no operator, type, strategy, finish or fact has this name") \
  X(TYPE_NOT_SUPPORTED, -4004, "the device cannot compute with this element type") \
  X(OPERATOR_TYPE, -4005, "the operator is not defined for this element type") \
  X(STRATEGY_REFUSED, -4006, "the strategy cannot solve this problem on this device") \
  X(OUT_OF_RANGE, -4007, "offset and count reach past the end of a buffer") \
  X(COUNT_ABOVE_MAXIMUM, -4008, "the count is above the plan's count_max") \
  X(CONTEXT_MISMATCH, -4009, "a queue, buffer or event belongs to another context or device") \
  X(KERNEL_SOURCE, -4010, "a kernel source could not be read") \
  X(WRONG_RESULT, -4011, "the device gave a wrong result in a trial") \
  X(OVERFLOW, -4012, "a sum of integers left its range (overflow = detect)") \
  X(OPERATOR_TEXT, -4013, "the text of an operator is incomplete or wrong") \
  X(NO_HOST_OPERATOR, -4014, "the operator brings no host callbacks, and the host would have to compute with it") \
  X(INVALID_SEGMENTS, -4015, "offsets, heads or keys that only the device could look at were found wrong") \
  X(TUNING_FILE, -4016, "a file of tunings or findings could not be written")
#define CLRED_TYPE_MAP(X) \
  X(CHAR, 1, char, "int8", SIGNED, LONG, char, PLAIN, NOTHING) \
  X(UCHAR, 2, uchar, "uint8", UNSIGNED, ULONG, uchar, PLAIN, NOTHING) \
  X(SHORT, 3, short, "int16", SIGNED, LONG, short, PLAIN, NOTHING) \
  X(USHORT, 4, ushort, "uint16", UNSIGNED, ULONG, ushort, PLAIN, NOTHING) \
  X(INT, 5, int, "int32", SIGNED, LONG, int, PLAIN, NOTHING) \
  X(UINT, 6, uint, "uint32", UNSIGNED, ULONG, uint, PLAIN, NOTHING) \
  X(LONG, 7, long, "int64", SIGNED, LONG, long, PLAIN, NOTHING) \
  X(ULONG, 8, ulong, "uint64", UNSIGNED, ULONG, ulong, PLAIN, NOTHING) \
  X(FLOAT, 9, float, "float32", FLOATING, FLOAT, float, PLAIN, NOTHING) \
  X(DOUBLE, 10, double, "float64", FLOATING, DOUBLE, double, PLAIN, FP64) \
  X(HALF, 11, half, "float16", FLOATING, FLOAT, half, HALF, NOTHING) \
  X(BFLOAT16, 12, bfloat16, "bfloat16", FLOATING, FLOAT, ushort, BFLOAT16, NOTHING) \
  X(CFLOAT, 13, cfloat, "complex64", COMPLEX, FLOAT, float, COMPLEX, NOTHING) \
  X(CDOUBLE, 14, cdouble, "complex128", COMPLEX, DOUBLE, double, COMPLEX, FP64)
#define CLRED_OP_MAP(X) \
  X(ADD, 1, "add", "sum", "the sum") \
  X(MUL, 2, "mul", "prod", "the product") \
  X(MIN, 3, "min", "min", "the least element") \
  X(MAX, 4, "max", "max", "the greatest element") \
  X(AND, 5, "and", "and", "bitwise and") \
  X(OR, 6, "or", "or", "bitwise or") \
  X(XOR, 7, "xor", "xor", "bitwise exclusive or") \
  X(ALL, 8, "all", "all", "1 if no element is zero, else 0") \
  X(ANY, 9, "any", "any", "1 if some element is not zero, else 0") \
  X(COUNT_NONZERO, 10, "count_nonzero", "count_nonzero", "how many elements are not zero") \
  X(ARGMIN, 11, "argmin", "argmin", "where the least element stands first, and its value") \
  X(ARGMAX, 12, "argmax", "argmax", "where the greatest element stands first, and its value") \
  X(MINMAX, 13, "minmax", "minmax", "the least and the greatest element") \
  X(ARGMINMAX, 14, "argminmax", "argminmax", "the least and the greatest element, and where each stands first") \
  X(MEAN, 15, "mean", "mean", "the arithmetic mean; of integers exact before the division") \
  X(VAR, 16, "var", "var", "the variance of the population") \
  X(VAR_SAMPLE, 17, "var_sample", "var_sample", "the variance estimated from a sample: divided by n - 1") \
  X(STD, 18, "std", "std", "the standard deviation of the population") \
  X(NORM1, 19, "norm1", "norm1", "the sum of magnitudes") \
  X(NORM2, 20, "norm2", "norm2", "the Euclidean norm, without overflow in the middle") \
  X(SUMSQ, 21, "sumsq", "sumsq", "the sum of squares") \
  X(DOT, 22, "dot", "dot", "the sum of products with a second input") \
  X(LOGSUMEXP, 23, "logsumexp", "logsumexp", "the logarithm of the sum of exponentials") \
  X(STATS, 24, "stats", "stats", "count, NaNs, extremes and where they are, mean, variance, sum")
#endif
#ifndef CLREDUCE_H
#define CLREDUCE_H
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#define CLRED_API __attribute__((visibility("default")))
#else
#define CLRED_API
#endif
#define CLRED_INLINE static inline
#define CLRED_VERSION_MAJOR 0
#define CLRED_VERSION_MINOR 1
#define CLRED_VERSION_PATCH 0
#define CLRED_HEADER_VERSION 1
enum {
#define CLRED_STATUS_ENUM(name, value, sentence) CLRED_##name = value,
  CLRED_STATUS_MAP(CLRED_STATUS_ENUM)
#undef CLRED_STATUS_ENUM
};
typedef enum clred_type {
  CLRED_TYPE_NONE = 0,
#define CLRED_TYPE_ENUM(name, value, ...) CLRED_TYPE_##name = value,
  CLRED_TYPE_MAP(CLRED_TYPE_ENUM)
#undef CLRED_TYPE_ENUM
    CLRED_TYPE_LIMIT = 0x1fff
} clred_type;
typedef enum clred_op {
  CLRED_OP_NONE = 0,
#define CLRED_OP_ENUM(name, value, ...) CLRED_OP_##name = value,
  CLRED_OP_MAP(CLRED_OP_ENUM)
#undef CLRED_OP_ENUM
} clred_op;
#define CLRED_VECTOR(type, n) ((clred_type)((int)(type) | (int)(n) << 8))
typedef enum clred_scan { CLRED_SCAN_NONE = 0, CLRED_SCAN_INCLUSIVE = 1, CLRED_SCAN_EXCLUSIVE = 2 } clred_scan;
CLRED_API const char *clred_version(void);
CLRED_API const char *clred_status_name(cl_int status);
CLRED_API clred_type clred_type_from_name(const char *name);
CLRED_API clred_op clred_op_from_name(const char *name);
CLRED_API cl_int clred_result_type(clred_op op, clred_type type, clred_type *result);
typedef struct clred_runtime clred_runtime;
typedef struct clred_options {
  const char *assume;
  const char *build_options;
  void (*log)(const char *line, void *user_data);
  void *user_data;
  const char *tuning_file;
  const char *findings_file;
  const char *cache_folder;
  char *error;
  size_t error_size;
} clred_options;
CLRED_INLINE cl_int clred_runtime_create(cl_context context, cl_device_id device, const clred_options *options,
                                         clred_runtime **runtime);
CLRED_API void clred_runtime_release(clred_runtime *runtime);
CLRED_API size_t clred_runtime_save(clred_runtime *runtime);
typedef struct clred_runtime_info {
  size_t builds;
  size_t loads;
  const char *build_log;
  const char *tuning_note;
  const char *findings_note;
} clred_runtime_info;
CLRED_INLINE cl_int clred_runtime_inspect(clred_runtime *runtime, clred_runtime_info *info);
CLRED_API const char *clred_last_error(const clred_runtime *runtime);
CLRED_API size_t clred_copy_error(clred_runtime *runtime, char *text, size_t size);
typedef struct clred_selection clred_selection;
typedef struct clred_histogram clred_histogram;
typedef struct clred_operator clred_operator;
CLRED_API cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                                   void *result);
CLRED_API cl_int clred_scan_host(clred_runtime *runtime, clred_type type, clred_op op, clred_scan scan, const void *in,
                                 cl_ulong count, void *out);
CLRED_INLINE cl_int clred_select_host(clred_runtime *runtime, clred_type type, const clred_selection *selection,
                                      const void *in, cl_ulong count, void *out, cl_ulong *kept);
CLRED_INLINE cl_int clred_histogram_host(clred_runtime *runtime, clred_type type, const clred_histogram *histogram,
                                         const void *in, cl_ulong count, cl_ulong *counts);
typedef enum clred_nan { CLRED_NAN_PROPAGATE = 0, CLRED_NAN_IGNORE = 1 } clred_nan;
typedef enum clred_overflow { CLRED_OVERFLOW_WRAP = 0, CLRED_OVERFLOW_DETECT = 1 } clred_overflow;
typedef enum clred_layout {
  CLRED_LAYOUT_LINE = 0,
  CLRED_LAYOUT_STRIDED = 1,
  CLRED_LAYOUT_ROWS = 2,
  CLRED_LAYOUT_COLUMNS = 3,
  CLRED_LAYOUT_SEGMENTS = 4,
  CLRED_LAYOUT_HEADS = 5,
  CLRED_LAYOUT_KEYS = 6
} clred_layout;
typedef enum clred_order { CLRED_ORDER_DEFAULT = 0, CLRED_ORDER_FIXED = 1, CLRED_ORDER_ANY = 2 } clred_order;
typedef struct clred_problem {
  clred_type type;
  clred_op op;
  const clred_operator *custom;
  const clred_selection *selection;
  const clred_histogram *histogram;
  clred_scan scan;
  clred_type state;
  clred_nan nan;
  clred_overflow overflow;
  cl_bool reversed;
  cl_bool indices;
  clred_layout layout;
  clred_type segment_type;
  cl_bool in_place;
  cl_ulong count_max;
  const char *strategy;
  const char *finish;
  clred_order order;
  cl_ulong group_size;
  cl_ulong groups;
  cl_ulong elements;
  cl_uint in_flight;
  cl_bool profile;
} clred_problem;
typedef struct clred_plan clred_plan;
CLRED_INLINE cl_int clred_plan_create(clred_runtime *runtime, const clred_problem *problem, clred_plan **plan);
CLRED_API void clred_plan_release(clred_plan *plan);
CLRED_API cl_int clred_plan_warm(cl_command_queue queue, clred_plan *plan);
typedef struct clred_plan_info {
  const char *strategy;
  const char *finish;
  const char *order;
  cl_bool portable;
  clred_type result_type;
  clred_type state_type;
  size_t result_size;
  size_t parts;
  size_t element_size, state_size;
  cl_ulong group_size;
  cl_ulong groups;
  cl_ulong elements;
  cl_ulong vector_width;
  cl_ulong local_bytes;
  cl_ulong scratch_bytes;
  cl_ulong passes;
  cl_ulong kernel_work_group_size;
  cl_bool tuned;
} clred_plan_info;
CLRED_INLINE cl_int clred_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info);
typedef struct clred_part {
  const char *name;
  clred_type type;
  size_t offset;
} clred_part;
CLRED_INLINE cl_int clred_plan_part(const clred_plan *plan, size_t index, clred_part *part);
CLRED_API size_t clred_plan_describe(const clred_plan *plan, cl_ulong count, char *text, size_t size);
CLRED_API size_t clred_plan_source(const clred_plan *plan, char *text, size_t size);
CLRED_API cl_int clred_plan_seconds(clred_plan *plan, double *seconds);
CLRED_API cl_int clred_enqueue_reduce(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out,
                                      cl_ulong in_offset, cl_ulong out_offset, cl_ulong count,
                                      cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                      cl_event *event);
CLRED_API cl_int clred_enqueue_scan(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                                    cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event);
typedef struct clred_outcome {
  cl_ulong count;
  cl_ulong fault;
} clred_outcome;
typedef struct clred_call {
  cl_mem in;
  cl_ulong in_offset;
  const cl_mem *inputs;
  const cl_ulong *input_offsets;
  const void *const *parameters;
  cl_ulong count;
  cl_ulong stride;
  cl_ulong rows;
  cl_ulong row_stride;
  cl_ulong columns;
  cl_mem segments;
  cl_ulong segments_offset;
  cl_mem keys_out;
  cl_ulong keys_out_offset;
  cl_mem out;
  cl_ulong out_offset;
  cl_ulong out_stride;
  void *result;
  cl_bool blocking;
  const void *initial;
  cl_mem initial_buffer;
  cl_ulong initial_offset;
  clred_outcome *outcome;
  cl_mem outcome_buffer;
  cl_ulong outcome_offset;
} clred_call;
CLRED_INLINE cl_int clred_enqueue(cl_command_queue queue, clred_plan *plan, const clred_call *call,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
CLRED_INLINE cl_int clred_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions,
                                          const cl_ulong *shape, cl_uint axis);
typedef struct clred_host_call {
  const void *in;
  const void *const *inputs;
  const void *const *parameters;
  cl_ulong count;
  const void *initial;
  void *out;
  cl_ulong *kept;
} clred_host_call;
CLRED_INLINE cl_int clred_plan_run_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call);
CLRED_INLINE cl_int clred_plan_reference(const clred_plan *plan, const clred_host_call *call);
typedef struct clred_stream clred_stream;
typedef struct clred_stream_options {
  cl_ulong chunk;
  const void *const *parameters;
  cl_bool on_host;
} clred_stream_options;
CLRED_INLINE cl_int clred_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                                        clred_stream **stream);
CLRED_API void clred_stream_release(clred_stream *stream);
CLRED_API cl_int clred_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count);
CLRED_API cl_int clred_stream_room(clred_stream *stream, void **in, void **inputs, cl_ulong *count);
CLRED_API cl_int clred_stream_commit(clred_stream *stream, cl_ulong count);
CLRED_API cl_int clred_stream_finish(clred_stream *stream, void *result);
typedef struct clred_stream_info {
  cl_ulong chunk;
  cl_ulong count;
  size_t host_bytes;
  size_t device_bytes;
  cl_ulong launches;
  double seconds;
} clred_stream_info;
CLRED_INLINE cl_int clred_stream_inspect(const clred_stream *stream, clred_stream_info *info);
typedef struct clred_operand {
  const char *name;
  const char *type;
  size_t size;
} clred_operand;
typedef struct clred_host_operator {
  void (*identity)(void *state, void *user_data);
  void (*lift)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
               void *state, void *user_data);
  void (*combine)(void *a, const void *b, void *user_data);
  void (*lower)(const void *state, void *result, void *user_data);
  void *user_data;
} clred_host_operator;
struct clred_operator {
  const char *name;
  const char *preamble;
  const char *element;
  const char *state;
  const char *result;
  size_t element_size, state_size, result_size;
  const char *identity;
  const char *lift;
  const char *combine;
  const char *lower;
  const clred_operand *inputs;
  size_t input_count;
  const clred_operand *parameters;
  size_t parameter_count;
  cl_bool commutative;
  cl_bool elementwise;
  const clred_host_operator *host;
};
struct clred_histogram {
  cl_ulong bins;
  double low, high;
  const double *edges;
  const void *low_element;
  const void *high_element;
  const void *edge_elements;
};
CLRED_API cl_int clred_plan_edge(const clred_plan *plan, cl_ulong index, double *edge);
struct clred_selection {
  const char *name;
  const char *preamble;
  const char *element;
  size_t element_size;
  const char *keep;
  const clred_operand *inputs;
  size_t input_count;
  const clred_operand *parameters;
  size_t parameter_count;
  cl_uint (*host)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                  void *user_data);
  void *user_data;
};
#ifndef CLREDUCE_ABI_H
#define CLREDUCE_ABI_H
CLRED_API cl_int clred_runtime_create_v(cl_uint header, cl_context context, cl_device_id device,
                                        const clred_options *options, clred_runtime **runtime);
CLRED_API cl_int clred_runtime_inspect_v(cl_uint header, clred_runtime *runtime, clred_runtime_info *info);
CLRED_API cl_int clred_select_host_v(cl_uint header, clred_runtime *runtime, clred_type type,
                                     const clred_selection *selection, const void *in, cl_ulong count, void *out,
                                     cl_ulong *kept);
CLRED_API cl_int clred_histogram_host_v(cl_uint header, clred_runtime *runtime, clred_type type,
                                        const clred_histogram *histogram, const void *in, cl_ulong count,
                                        cl_ulong *counts);
CLRED_API cl_int clred_plan_create_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem,
                                     clred_plan **plan);
CLRED_API cl_int clred_plan_inspect_v(cl_uint header, const clred_plan *plan, cl_ulong count, clred_plan_info *info);
CLRED_API cl_int clred_plan_part_v(cl_uint header, const clred_plan *plan, size_t index, clred_part *part);
CLRED_API cl_int clred_enqueue_v(cl_uint header, cl_command_queue queue, clred_plan *plan, const clred_call *call,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
CLRED_API cl_int clred_call_along_axis_v(cl_uint header, clred_call *call, clred_layout *layout, cl_uint dimensions,
                                         const cl_ulong *shape, cl_uint axis);
CLRED_API cl_int clred_plan_run_host_v(cl_uint header, cl_command_queue queue, clred_plan *plan,
                                       const clred_host_call *call);
CLRED_API cl_int clred_plan_reference_v(cl_uint header, const clred_plan *plan, const clred_host_call *call);
CLRED_API cl_int clred_stream_create_v(cl_uint header, cl_command_queue queue, clred_plan *plan,
                                       const clred_stream_options *options, clred_stream **stream);
CLRED_API cl_int clred_stream_inspect_v(cl_uint header, const clred_stream *stream, clred_stream_info *info);
CLRED_INLINE cl_int clred_runtime_create(cl_context context, cl_device_id device, const clred_options *options,
                                         clred_runtime **runtime) {
  return clred_runtime_create_v(CLRED_HEADER_VERSION, context, device, options, runtime);
}
CLRED_INLINE cl_int clred_runtime_inspect(clred_runtime *runtime, clred_runtime_info *info) {
  return clred_runtime_inspect_v(CLRED_HEADER_VERSION, runtime, info);
}
CLRED_INLINE cl_int clred_select_host(clred_runtime *runtime, clred_type type, const clred_selection *selection,
                                      const void *in, cl_ulong count, void *out, cl_ulong *kept) {
  return clred_select_host_v(CLRED_HEADER_VERSION, runtime, type, selection, in, count, out, kept);
}
CLRED_INLINE cl_int clred_histogram_host(clred_runtime *runtime, clred_type type, const clred_histogram *histogram,
                                         const void *in, cl_ulong count, cl_ulong *counts) {
  return clred_histogram_host_v(CLRED_HEADER_VERSION, runtime, type, histogram, in, count, counts);
}
CLRED_INLINE cl_int clred_plan_create(clred_runtime *runtime, const clred_problem *problem, clred_plan **plan) {
  return clred_plan_create_v(CLRED_HEADER_VERSION, runtime, problem, plan);
}
CLRED_INLINE cl_int clred_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info) {
  return clred_plan_inspect_v(CLRED_HEADER_VERSION, plan, count, info);
}
CLRED_INLINE cl_int clred_plan_part(const clred_plan *plan, size_t index, clred_part *part) {
  return clred_plan_part_v(CLRED_HEADER_VERSION, plan, index, part);
}
CLRED_INLINE cl_int clred_enqueue(cl_command_queue queue, clred_plan *plan, const clred_call *call,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  return clred_enqueue_v(CLRED_HEADER_VERSION, queue, plan, call, num_events_in_wait_list, event_wait_list, event);
}
CLRED_INLINE cl_int clred_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions,
                                          const cl_ulong *shape, cl_uint axis) {
  return clred_call_along_axis_v(CLRED_HEADER_VERSION, call, layout, dimensions, shape, axis);
}
CLRED_INLINE cl_int clred_plan_run_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call) {
  return clred_plan_run_host_v(CLRED_HEADER_VERSION, queue, plan, call);
}
CLRED_INLINE cl_int clred_plan_reference(const clred_plan *plan, const clred_host_call *call) {
  return clred_plan_reference_v(CLRED_HEADER_VERSION, plan, call);
}
CLRED_INLINE cl_int clred_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                                        clred_stream **stream) {
  return clred_stream_create_v(CLRED_HEADER_VERSION, queue, plan, options, stream);
}
CLRED_INLINE cl_int clred_stream_inspect(const clred_stream *stream, clred_stream_info *info) {
  return clred_stream_inspect_v(CLRED_HEADER_VERSION, stream, info);
}
#endif
#ifdef __cplusplus
}
#endif
#endif
#ifndef CLREDUCE_DEVICE_H
#define CLREDUCE_DEVICE_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct clred_type_info {
  clred_type type;
  const char *name;
  const char *numpy_name;
  size_t size;
  cl_uint components;
  clred_type component;
  cl_bool floating;
  cl_bool is_signed;
  cl_bool is_complex;
  cl_bool needs_fp64;
} clred_type_info;
typedef struct clred_op_info {
  clred_op op;
  const char *name;
  const char *synonym;
  const char *sentence;
  cl_bool integers_only;
  cl_bool commutative;
  cl_uint inputs;
  cl_bool has_identity;
  cl_bool portable;
} clred_op_info;
CLRED_INLINE cl_int clred_type_inspect(clred_type type, clred_type_info *info);
CLRED_INLINE cl_int clred_op_inspect(clred_op op, clred_op_info *info);
typedef struct clred_fact {
  const char *name;
  cl_ulong value;
  cl_ulong reported;
  const char *sentence;
  const char *why;
} clred_fact;
CLRED_INLINE cl_int clred_runtime_fact(const clred_runtime *runtime, size_t index, clred_fact *fact);
typedef struct clred_strategy_info {
  const char *name;
  const char *sentence;
  cl_bool scans;
  cl_bool counts;
  cl_uint layouts;
  cl_bool fixed_order;
  cl_bool needs_bound;
  const char *finishes[5];
} clred_strategy_info;
CLRED_INLINE cl_int clred_strategy_at(size_t index, clred_strategy_info *info);
CLRED_INLINE cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem,
                                           char *reason, size_t size);
typedef struct clred_step {
  cl_ulong pass;
  char name[24];
  cl_ulong active_work_items;
  cl_ulong sub_groups;
  cl_ulong divergent_sub_groups;
  cl_ulong barriers;
  cl_ulong global_requests;
} clred_step;
CLRED_INLINE cl_int clred_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step);
typedef struct clred_tuned {
  const char *strategy;
  const char *length;
  cl_ulong count;
  double before, after;
  cl_ulong tried;
  char numbers[160];
} clred_tuned;
#define CLRED_TUNED_MAX 4
typedef struct clred_tune_options {
  double seconds;
  cl_bool (*progress)(double done, void *user_data);
  void *user_data;
} clred_tune_options;
CLRED_INLINE cl_int clred_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                               clred_tuned tuned[CLRED_TUNED_MAX], size_t *count);
CLRED_API cl_int clred_tuning_save(clred_runtime *runtime, const char *file);
typedef enum clred_verdict { CLRED_HOLDS = 0, CLRED_AVOIDED = 1, CLRED_WRONG = 2, CLRED_LACKING = 3 } clred_verdict;
#define CLRED_FINDING_DETAIL 240
typedef struct clred_finding {
  const char *name;
  const char *about;
  clred_verdict verdict;
  char detail[CLRED_FINDING_DETAIL];
} clred_finding;
typedef struct clred_probe_options {
  cl_bool full;
  const char *only;
  cl_bool (*begins)(const char *name, double done, void *user_data);
  void (*ends)(const clred_finding *finding, void *user_data);
  void *user_data;
} clred_probe_options;
typedef struct clred_probe_counts {
  cl_ulong holds, avoided, wrong, lacking;
} clred_probe_counts;
CLRED_INLINE cl_int clred_probe_device(clred_runtime *runtime, const clred_probe_options *options,
                                       clred_probe_counts *counts);
CLRED_INLINE cl_int clred_probed_fact(clred_runtime *runtime, size_t index, clred_fact *fact);
CLRED_API cl_int clred_findings_save(clred_runtime *runtime, const char *file);
typedef struct clred_law {
  const char *name;
  cl_bool claimed;
  cl_bool holds;
  double error;
  cl_ulong trials;
  char counterexample[640];
} clred_law;
#define CLRED_LAWS 3
CLRED_INLINE cl_int clred_check_laws(clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                     clred_law laws[CLRED_LAWS]);
CLRED_API cl_int clred_type_inspect_v(cl_uint header, clred_type type, clred_type_info *info);
CLRED_API cl_int clred_op_inspect_v(cl_uint header, clred_op op, clred_op_info *info);
CLRED_API cl_int clred_runtime_fact_v(cl_uint header, const clred_runtime *runtime, size_t index, clred_fact *fact);
CLRED_API cl_int clred_strategy_at_v(cl_uint header, size_t index, clred_strategy_info *info);
CLRED_API cl_int clred_strategy_applies_v(cl_uint header, clred_runtime *runtime, const char *strategy,
                                          const clred_problem *problem, char *reason, size_t size);
CLRED_API cl_int clred_plan_step_v(cl_uint header, const clred_plan *plan, cl_ulong count, cl_ulong index,
                                   clred_step *step);
CLRED_API cl_int clred_tune_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem,
                              const clred_tune_options *options, clred_tuned *tuned, size_t room, size_t *count);
CLRED_API cl_int clred_probe_device_v(cl_uint header, clred_runtime *runtime, const clred_probe_options *options,
                                      clred_probe_counts *counts);
CLRED_API cl_int clred_probed_fact_v(cl_uint header, clred_runtime *runtime, size_t index, clred_fact *fact);
CLRED_API cl_int clred_check_laws_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                    clred_law *laws, size_t room);
CLRED_INLINE cl_int clred_type_inspect(clred_type type, clred_type_info *info) {
  return clred_type_inspect_v(CLRED_HEADER_VERSION, type, info);
}
CLRED_INLINE cl_int clred_op_inspect(clred_op op, clred_op_info *info) {
  return clred_op_inspect_v(CLRED_HEADER_VERSION, op, info);
}
CLRED_INLINE cl_int clred_runtime_fact(const clred_runtime *runtime, size_t index, clred_fact *fact) {
  return clred_runtime_fact_v(CLRED_HEADER_VERSION, runtime, index, fact);
}
CLRED_INLINE cl_int clred_strategy_at(size_t index, clred_strategy_info *info) {
  return clred_strategy_at_v(CLRED_HEADER_VERSION, index, info);
}
CLRED_INLINE cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem,
                                           char *reason, size_t size) {
  return clred_strategy_applies_v(CLRED_HEADER_VERSION, runtime, strategy, problem, reason, size);
}
CLRED_INLINE cl_int clred_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step) {
  return clred_plan_step_v(CLRED_HEADER_VERSION, plan, count, index, step);
}
CLRED_INLINE cl_int clred_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                               clred_tuned tuned[CLRED_TUNED_MAX], size_t *count) {
  return clred_tune_v(CLRED_HEADER_VERSION, runtime, problem, options, tuned, CLRED_TUNED_MAX, count);
}
CLRED_INLINE cl_int clred_probe_device(clred_runtime *runtime, const clred_probe_options *options,
                                       clred_probe_counts *counts) {
  return clred_probe_device_v(CLRED_HEADER_VERSION, runtime, options, counts);
}
CLRED_INLINE cl_int clred_probed_fact(clred_runtime *runtime, size_t index, clred_fact *fact) {
  return clred_probed_fact_v(CLRED_HEADER_VERSION, runtime, index, fact);
}
CLRED_INLINE cl_int clred_check_laws(clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                     clred_law laws[CLRED_LAWS]) {
  return clred_check_laws_v(CLRED_HEADER_VERSION, runtime, problem, seed, laws, CLRED_LAWS);
}
#ifdef __cplusplus
}
#endif
#endif
