// The interface of the last release. Made by headers.py; never edit it.
// clang-format off
#include <CL/cl.h>
#define CLRED_API __attribute__((visibility("default")))
enum {
  CLRED_INVALID_ARGUMENT = -4001, CLRED_INVALID_PROBLEM = -4002, CLRED_UNKNOWN_NAME = -4003,
  CLRED_TYPE_NOT_SUPPORTED = -4004, CLRED_OPERATOR_TYPE = -4005, CLRED_STRATEGY_REFUSED = -4006,
  CLRED_OUT_OF_RANGE = -4007, CLRED_COUNT_ABOVE_MAXIMUM = -4008, CLRED_CONTEXT_MISMATCH = -4009,
  CLRED_KERNEL_SOURCE = -4010, CLRED_WRONG_RESULT = -4011, CLRED_OVERFLOW = -4012, CLRED_OPERATOR_TEXT = -4013,
  CLRED_NO_HOST_OPERATOR = -4014, CLRED_INVALID_SEGMENTS = -4015, CLRED_TUNING_FILE = -4016,
  CLRED_PARTIAL_MISMATCH = -4017, CLRED_PARTIAL_GAP = -4018, CLRED_PARTIAL_DAMAGED = -4019,
  CLRED_MPI_FAILED = -4020,
};
typedef enum clred_type {
  CLRED_TYPE_NONE = 0,
  CLRED_TYPE_CHAR = 1, CLRED_TYPE_UCHAR = 2, CLRED_TYPE_SHORT = 3, CLRED_TYPE_USHORT = 4, CLRED_TYPE_INT = 5,
  CLRED_TYPE_UINT = 6, CLRED_TYPE_LONG = 7, CLRED_TYPE_ULONG = 8, CLRED_TYPE_FLOAT = 9, CLRED_TYPE_DOUBLE = 10,
  CLRED_TYPE_HALF = 11, CLRED_TYPE_BFLOAT16 = 12, CLRED_TYPE_CFLOAT = 13,
  CLRED_TYPE_CDOUBLE = 14,
    CLRED_TYPE_LIMIT = 0x1fff
} clred_type;
typedef enum clred_op {
  CLRED_OP_NONE = 0,
  CLRED_OP_SUM = 1, CLRED_OP_PROD = 2, CLRED_OP_MIN = 3, CLRED_OP_MAX = 4, CLRED_OP_AND = 5, CLRED_OP_OR = 6,
  CLRED_OP_XOR = 7, CLRED_OP_ALL = 8, CLRED_OP_ANY = 9, CLRED_OP_COUNT_NONZERO = 10, CLRED_OP_ARGMIN = 11,
  CLRED_OP_ARGMAX = 12, CLRED_OP_MINMAX = 13, CLRED_OP_ARGMINMAX = 14, CLRED_OP_MEAN = 15, CLRED_OP_VAR = 16,
  CLRED_OP_VAR_SAMPLE = 17, CLRED_OP_STD = 18, CLRED_OP_NORM1 = 19, CLRED_OP_NORM2 = 20, CLRED_OP_SUMSQ = 21,
  CLRED_OP_DOT = 22, CLRED_OP_LOGSUMEXP = 23, CLRED_OP_STATS = 24, CLRED_OP_COUNT = 25,
  CLRED_OP_STD_SAMPLE = 26,
} clred_op;
typedef enum clred_scan {
  CLRED_SCAN_NONE = 0,
  CLRED_SCAN_INCLUSIVE = 1,
  CLRED_SCAN_EXCLUSIVE = 2
} clred_scan;
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
CLRED_API void clred_runtime_release(clred_runtime *runtime);
CLRED_API size_t clred_runtime_save(clred_runtime *runtime);
typedef struct clred_runtime_info {
  size_t builds;
  size_t loads;
  const char *build_log;
  const char *tuning_note;
  const char *findings_note;
} clred_runtime_info;
CLRED_API const char *clred_last_error(const clred_runtime *runtime);
CLRED_API size_t clred_copy_error(clred_runtime *runtime, char *text, size_t size);
typedef struct clred_selection clred_selection;
typedef struct clred_histogram clred_histogram;
typedef struct clred_operator clred_operator;
CLRED_API cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                                   void *result);
CLRED_API cl_int clred_scan_host(clred_runtime *runtime, clred_type type, clred_op op, clred_scan scan, const void *in,
                                 cl_ulong count, void *out);
typedef enum clred_nan {
  CLRED_NAN_PROPAGATE = 0,
  CLRED_NAN_IGNORE = 1
} clred_nan;
typedef enum clred_overflow {
  CLRED_OVERFLOW_WRAP = 0,
  CLRED_OVERFLOW_DETECT = 1
} clred_overflow;
typedef enum clred_result_bits {
  CLRED_RESULT_DEFAULT = 0,
  CLRED_RESULT_OWN = 1,
  CLRED_RESULT_32 = 2,
  CLRED_RESULT_64 = 3
} clred_result_bits;
typedef enum clred_layout {
  CLRED_LAYOUT_LINE = 0,
  CLRED_LAYOUT_STRIDED = 1,
  CLRED_LAYOUT_ROWS = 2,
  CLRED_LAYOUT_COLUMNS = 3,
  CLRED_LAYOUT_SEGMENTS = 4,
  CLRED_LAYOUT_HEADS = 5,
  CLRED_LAYOUT_KEYS = 6
} clred_layout;
typedef enum clred_order {
  CLRED_ORDER_DEFAULT = 0,
  CLRED_ORDER_FIXED = 1,
  CLRED_ORDER_ANY = 2
} clred_order;
typedef enum clred_stage {
  CLRED_STAGE_LOCAL = 0,
  CLRED_STAGE_REGISTERS = 1
} clred_stage;
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
  cl_ulong stop_at;
  clred_stage stage;
  const clred_op *list;
  size_t list_count;
  clred_result_bits result_bits;
} clred_problem;
typedef struct clred_plan clred_plan;
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
  cl_ulong stop_at;
  cl_ulong elements_per_group;
} clred_plan_info;
typedef struct clred_part {
  const char *name;
  clred_type type;
  size_t offset;
  clred_op op;
} clred_part;
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
typedef struct clred_host_call {
  const void *in;
  const void *const *inputs;
  const void *const *parameters;
  cl_ulong count;
  const void *initial;
  void *out;
  cl_ulong *kept;
} clred_host_call;
typedef struct clred_stream clred_stream;
typedef struct clred_stream_options {
  cl_ulong chunk;
  const void *const *parameters;
  cl_bool on_host;
} clred_stream_options;
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
struct clred_histogram {
  cl_ulong bins;
  double low, high;
  const double *edges;
  const void *low_element;
  const void *high_element;
  const void *edge_elements;
};
CLRED_API cl_int clred_plan_edge(const clred_plan *plan, cl_ulong index, double *edge);
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
  const char *sentence;
  cl_bool integers_only;
  cl_bool commutative;
  cl_uint inputs;
  cl_bool has_identity;
  cl_bool portable;
} clred_op_info;
typedef struct clred_fact {
  const char *name;
  cl_ulong value;
  cl_ulong reported;
  const char *sentence;
  const char *why;
} clred_fact;
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
typedef struct clred_step {
  cl_ulong pass;
  char name[24];
  cl_ulong active_work_items;
  cl_ulong sub_groups;
  cl_ulong divergent_sub_groups;
  cl_ulong barriers;
  cl_ulong global_accesses;
  cl_ulong idle_work_items;
  cl_ulong operations;
  cl_ulong depth;
  cl_ulong operations_at_once;
  cl_ulong requests;
  cl_ulong lines;
  cl_ulong local_accesses;
  cl_ulong bank_conflicts;
} clred_step;
typedef struct clred_analysis {
  cl_ulong launches;
  cl_ulong steps;
  cl_ulong operations;
  cl_ulong depth;
  cl_ulong barriers;
  cl_ulong active_work_items, idle_work_items;
  cl_ulong sub_groups, divergent_sub_groups;
  cl_ulong global_accesses, requests, lines;
  cl_ulong local_accesses, bank_conflicts;
  cl_ulong peak_parallelism;
  double mean_parallelism;
  double utilisation;
  double work_ratio;
} clred_analysis;
typedef struct clred_tuned {
  const char *strategy;
  const char *length;
  cl_ulong count;
  double before, after;
  cl_ulong tried;
  char numbers[160];
} clred_tuned;
typedef struct clred_tune_options {
  double seconds;
  cl_bool (*progress)(double done, void *user_data);
  void *user_data;
} clred_tune_options;
CLRED_API cl_int clred_tuning_save(clred_runtime *runtime, const char *file);
typedef enum clred_verdict {
  CLRED_HOLDS = 0,
  CLRED_AVOIDED = 1,
  CLRED_WRONG = 2,
  CLRED_LACKING = 3
} clred_verdict;
typedef struct clred_finding {
  const char *name;
  const char *about;
  clred_verdict verdict;
  char detail[240];
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
CLRED_API cl_int clred_findings_save(clred_runtime *runtime, const char *file);
typedef struct clred_law {
  const char *name;
  cl_bool claimed;
  cl_bool holds;
  double error;
  cl_ulong trials;
  char counterexample[640];
} clred_law;
CLRED_API cl_int clred_type_inspect_v(cl_uint header, clred_type type, clred_type_info *info);
CLRED_API cl_int clred_op_inspect_v(cl_uint header, clred_op op, clred_op_info *info);
CLRED_API cl_int clred_runtime_fact_v(cl_uint header, const clred_runtime *runtime, size_t index, clred_fact *fact);
CLRED_API cl_int clred_strategy_at_v(cl_uint header, size_t index, clred_strategy_info *info);
CLRED_API cl_int clred_strategy_applies_v(cl_uint header, clred_runtime *runtime, const char *strategy,
                                          const clred_problem *problem, char *reason, size_t size);
CLRED_API cl_int clred_plan_step_v(cl_uint header, const clred_plan *plan, cl_ulong count, cl_ulong index,
                                   clred_step *step);
CLRED_API cl_int clred_plan_analysis_v(cl_uint header, const clred_plan *plan, cl_ulong count,
                                       clred_analysis *analysis);
CLRED_API cl_int clred_tune_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem,
                              const clred_tune_options *options, clred_tuned *tuned, size_t room, size_t *count);
CLRED_API cl_int clred_probe_device_v(cl_uint header, clred_runtime *runtime, const clred_probe_options *options,
                                      clred_probe_counts *counts);
CLRED_API cl_int clred_probed_fact_v(cl_uint header, clred_runtime *runtime, size_t index, clred_fact *fact);
CLRED_API cl_int clred_check_laws_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                    clred_law *laws, size_t room);
typedef struct clred_partial clred_partial;
typedef struct clred_partial_options {
  cl_ulong first;
  const void *const *parameters;
} clred_partial_options;
CLRED_API void clred_partial_release(clred_partial *partial);
CLRED_API cl_int clred_partial_reset(clred_partial *partial, cl_ulong first);
CLRED_API cl_int clred_partial_join(clred_partial *left, clred_partial *right);
CLRED_API cl_int clred_partial_result(clred_partial *partial, void *result);
CLRED_API size_t clred_partial_bytes(const clred_plan *plan);
CLRED_API cl_int clred_partial_pack(clred_partial *partial, void *bytes, size_t room, size_t *size);
CLRED_API cl_int clred_partial_unpack(clred_plan *plan, const void *bytes, size_t size, clred_partial **partial);
CLRED_API cl_int clred_partial_read(clred_partial *partial, const void *bytes, size_t size);
typedef struct clred_partial_info {
  cl_ulong first;
  cl_ulong count;
  cl_ulong nodes;
  cl_ulong elements;
  cl_ulong fingerprint;
} clred_partial_info;
CLRED_API cl_int clred_share(clred_plan *plan, cl_ulong count, size_t parts, size_t part, cl_ulong *first,
                             cl_ulong *share);
CLRED_API cl_int clred_share_weighted(clred_plan *plan, cl_ulong count, size_t parts, const double *weights,
                                      size_t part, cl_ulong *first, cl_ulong *share);
typedef struct clred_device_share {
  cl_command_queue queue;
  clred_partial *partial;
  const clred_call *call;
} clred_device_share;
CLRED_API cl_ulong clred_partial_tile(const clred_plan *plan);
CLRED_API cl_ulong clred_partial_fingerprint(const clred_plan *plan, char *name, size_t size);
CLRED_API clred_plan *clred_partial_plan(const clred_partial *partial);
CLRED_API clred_runtime *clred_plan_runtime(const clred_plan *plan);
CLRED_API cl_int clred_runtime_fail(clred_runtime *runtime, cl_int status, const char *sentence);
CLRED_API cl_int clred_partial_create_v(cl_uint header, clred_plan *plan, const clred_partial_options *options,
                                        clred_partial **partial);
CLRED_API cl_int clred_partial_fold_v(cl_uint header, cl_command_queue queue, clred_partial *partial,
                                      const clred_call *call, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event);
CLRED_API cl_int clred_partial_push_v(cl_uint header, cl_command_queue queue, clred_partial *partial,
                                      const clred_host_call *call);
CLRED_API cl_int clred_partial_fold_host_v(cl_uint header, clred_partial *partial, const clred_host_call *call);
CLRED_API cl_int clred_partial_inspect_v(cl_uint header, clred_partial *partial, clred_partial_info *info);
CLRED_API cl_int clred_devices_reduce_v(cl_uint header, const clred_device_share *shares, size_t count, void *result);
typedef enum clred_interpolation {
  CLRED_INTERPOLATION_LINEAR = 0,
  CLRED_INTERPOLATION_LOWER = 1,
  CLRED_INTERPOLATION_HIGHER = 2,
  CLRED_INTERPOLATION_NEAREST = 3
} clred_interpolation;
typedef struct clred_quantile_problem {
  clred_type type;
  const double *at;
  size_t at_count;
  cl_ulong top;
  cl_ulong bottom;
  clred_interpolation interpolation;
  clred_nan nan;
  cl_ulong count_max;
} clred_quantile_problem;
typedef struct clred_quantile clred_quantile;
CLRED_API void clred_quantile_release(clred_quantile *quantile);
CLRED_API cl_int clred_quantile_warm(cl_command_queue queue, clred_quantile *quantile);
typedef struct clred_quantile_info {
  clred_type result_type;
  size_t result_size;
  cl_ulong results;
  cl_ulong readings;
  cl_ulong launches;
  cl_ulong nans;
  size_t device_bytes;
  cl_double seconds;
} clred_quantile_info;
CLRED_API cl_int clred_quantile_run(cl_command_queue queue, clred_quantile *quantile, cl_mem in, cl_ulong in_offset,
                                    cl_ulong count, void *results, cl_ulong *places, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list);
CLRED_API cl_int clred_quantile_run_host(cl_command_queue queue, clred_quantile *quantile, const void *in,
                                         cl_ulong count, void *results, cl_ulong *places);
CLRED_API cl_int clred_quantile_create_v(cl_uint header, clred_runtime *runtime, const clred_quantile_problem *problem,
                                         clred_quantile **quantile);
CLRED_API cl_int clred_quantile_inspect_v(cl_uint header, const clred_quantile *quantile, clred_quantile_info *info);
typedef struct clred_scan_stream clred_scan_stream;
CLRED_API cl_int clred_scan_stream_create(cl_command_queue queue, clred_plan *plan, cl_ulong *chunk,
                                          const void *initial, clred_scan_stream **stream);
CLRED_API cl_int clred_scan_stream_next(clred_scan_stream *stream, const void *in, const void *const *inputs,
                                        cl_ulong count, void *out);
CLRED_API cl_int clred_scan_stream_seconds(const clred_scan_stream *stream, double *seconds);
CLRED_API void clred_scan_stream_release(clred_scan_stream *stream);
