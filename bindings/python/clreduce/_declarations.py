"""The declarations of clreduce.h and OpenCL that the module uses, for cffi. The test `declarations` compares them with
the header: names, sizes and offsets. A field `in` is `in_` here, because Python reserves the word."""

HEADER_VERSION = 1  # CLRED_HEADER_VERSION of the header that these structs were written after

OPENCL = """
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint32_t cl_bool;
typedef uint64_t cl_ulong;
typedef uint64_t cl_bitfield;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_event *cl_event;

cl_int clGetPlatformIDs(cl_uint, cl_platform_id *, cl_uint *);
cl_int clGetPlatformInfo(cl_platform_id, cl_uint, size_t, void *, size_t *);
cl_int clGetDeviceIDs(cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *);
cl_int clGetDeviceInfo(cl_device_id, cl_uint, size_t, void *, size_t *);
cl_context clCreateContext(const intptr_t *, cl_uint, const cl_device_id *, void *, void *, cl_int *);
cl_int clReleaseContext(cl_context);
cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_bitfield, cl_int *);
cl_int clRetainCommandQueue(cl_command_queue);
cl_int clReleaseCommandQueue(cl_command_queue);
cl_int clGetCommandQueueInfo(cl_command_queue, cl_uint, size_t, void *, size_t *);
cl_mem clCreateBuffer(cl_context, cl_bitfield, size_t, void *, cl_int *);
cl_int clReleaseMemObject(cl_mem);
cl_int clGetMemObjectInfo(cl_mem, cl_uint, size_t, void *, size_t *);
cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *,
                           cl_event *);
cl_int clFlush(cl_command_queue);
cl_int clFinish(cl_command_queue);
cl_int clWaitForEvents(cl_uint, const cl_event *);
cl_int clGetEventInfo(cl_event, cl_uint, size_t, void *, size_t *);
cl_int clReleaseEvent(cl_event);
"""

CLREDUCE = """
typedef enum { CLRED_TYPE_NONE, CLRED_TYPE_LIMIT = 0x1fff } clred_type;
typedef enum { CLRED_OP_NONE } clred_op;
typedef enum { CLRED_SCAN_NONE, CLRED_SCAN_INCLUSIVE, CLRED_SCAN_EXCLUSIVE } clred_scan;
typedef enum { CLRED_NAN_PROPAGATE, CLRED_NAN_IGNORE } clred_nan;
typedef enum { CLRED_OVERFLOW_WRAP, CLRED_OVERFLOW_DETECT } clred_overflow;
typedef enum { CLRED_RESULT_DEFAULT, CLRED_RESULT_OWN, CLRED_RESULT_32, CLRED_RESULT_64 } clred_result_bits;
typedef enum { CLRED_LAYOUT_LINE, CLRED_LAYOUT_STRIDED, CLRED_LAYOUT_ROWS, CLRED_LAYOUT_COLUMNS,
               CLRED_LAYOUT_SEGMENTS, CLRED_LAYOUT_HEADS, CLRED_LAYOUT_KEYS } clred_layout;
typedef enum { CLRED_ORDER_DEFAULT, CLRED_ORDER_FIXED, CLRED_ORDER_ANY, CLRED_ORDER_EXACT } clred_order;
typedef enum { CLRED_STAGE_LOCAL, CLRED_STAGE_REGISTERS } clred_stage;
typedef enum { CLRED_INTERPOLATION_LINEAR, CLRED_INTERPOLATION_LOWER, CLRED_INTERPOLATION_HIGHER,
               CLRED_INTERPOLATION_NEAREST } clred_interpolation;
typedef enum { CLRED_SORT_KEYS, CLRED_SORT_PAIRS, CLRED_SORT_INDICES } clred_sort_form;

typedef struct clred_runtime clred_runtime;
typedef struct clred_plan clred_plan;
typedef struct clred_stream clred_stream;
typedef struct clred_scan_stream clred_scan_stream;
typedef struct clred_quantile clred_quantile;
typedef struct clred_partial clred_partial;
typedef struct clred_sorter clred_sorter;

typedef struct { const char *assume; const char *build_options; void *log; void *user_data; const char *tuning_file;
                 const char *cache_directory; char *error; size_t error_size;
                 cl_bool trust_driver; const char *const *trial_command; cl_uint trial_seconds;
                 cl_bool device_only; } clred_options;

typedef struct { const char *name; const char *type; size_t size; } clred_operand;

typedef struct {
  const char *name; const char *preamble; const char *element; const char *state; const char *result;
  size_t element_size, state_size, result_size;
  const char *identity; const char *lift; const char *combine; const char *lower;
  const clred_operand *inputs; size_t input_count; const clred_operand *parameters; size_t parameter_count;
  cl_bool commutative; cl_bool elementwise; const void *host;
} clred_operator;

typedef struct {
  const char *name; const char *preamble; const char *element; size_t element_size; const char *keep;
  const clred_operand *inputs; size_t input_count; const clred_operand *parameters; size_t parameter_count;
  void *host; void *user_data;
} clred_selection;

typedef struct clred_histogram { cl_ulong bins; double low, high; const double *edges; const void *low_element;
                 const void *high_element; const void *edge_elements; clred_type weight_type;
                 const struct clred_histogram *next; } clred_histogram;

typedef struct {
  clred_type type; clred_op op; const clred_operator *custom; const clred_selection *selection;
  const clred_histogram *histogram; clred_scan scan; clred_type state; clred_nan nan; clred_overflow overflow;
  cl_bool reversed; cl_bool indices; clred_layout layout; clred_type segment_type; cl_bool in_place;
  cl_ulong count_max; const char *strategy; const char *finish; clred_order order; cl_ulong group_size;
  cl_ulong groups; cl_ulong elements; cl_uint in_flight; cl_bool profile; cl_ulong stop_at; clred_stage stage;
  const clred_op *list; size_t list_count; clred_result_bits result_bits; cl_bool host_calls;
} clred_problem;

typedef struct {
  const char *strategy; const char *finish; const char *order; cl_bool portable; clred_type result_type;
  clred_type state_type; size_t result_size; size_t parts; size_t element_size, state_size; cl_ulong group_size;
  cl_ulong groups; cl_ulong elements; cl_ulong vector_width; cl_ulong local_bytes; cl_ulong scratch_bytes;
  cl_ulong passes; cl_ulong kernel_work_group_size; cl_bool tuned; cl_ulong stop_at; cl_ulong elements_per_group;
} clred_plan_info;

typedef struct { const char *name; clred_type type; size_t offset; clred_op op; } clred_part;
typedef struct { cl_ulong count; cl_ulong fault; } clred_outcome;

typedef struct {
  cl_mem in_; cl_ulong in_offset; const cl_mem *inputs; const cl_ulong *input_offsets;
  const void *const *parameters; cl_ulong count; cl_ulong stride; cl_ulong rows; cl_ulong row_stride;
  cl_ulong columns; cl_mem segments; cl_ulong segments_offset; cl_mem keys_out; cl_ulong keys_out_offset; cl_mem out;
  cl_ulong out_offset; cl_ulong out_stride; void *result; cl_bool blocking; const void *initial;
  cl_mem initial_buffer; cl_ulong initial_offset; clred_outcome *outcome; cl_mem outcome_buffer;
  cl_ulong outcome_offset;
} clred_call;

typedef struct { const void *in_; const void *const *inputs; const void *const *parameters; cl_ulong count;
                 const void *initial; void *out; cl_ulong *kept; cl_ulong stride, rows, row_stride, columns;
               } clred_host_call;
typedef struct { cl_ulong chunk; const void *const *parameters; cl_bool on_host; } clred_stream_options;
typedef struct { clred_type type; const double *at; size_t at_count; cl_ulong top; cl_ulong bottom;
                 clred_interpolation interpolation; clred_nan nan; cl_ulong count_max; } clred_quantile_problem;
typedef struct { cl_ulong first; const void *const *parameters; } clred_partial_options;
typedef struct { cl_ulong first; cl_ulong count; cl_ulong nodes; cl_ulong elements;
                 cl_ulong fingerprint; } clred_partial_info;
typedef struct { clred_type type; clred_sort_form form; cl_bool descending, nans_first; cl_uint begin_bit, end_bit;
                 size_t value_size; cl_ulong count_max; clred_layout layout; clred_type segment_type;
                 cl_ulong row_max; cl_bool host_calls; } clred_sort_problem;
typedef struct { clred_type index_type; size_t value_size; cl_ulong group_size, tile, passes, alone_max;
                 size_t device_bytes; } clred_sorter_info;
typedef struct { cl_mem keys; cl_ulong keys_offset, count; cl_mem keys_out; cl_ulong keys_out_offset; cl_mem values;
                 cl_ulong values_offset; cl_mem values_out; cl_ulong values_out_offset, rows; cl_mem segments;
                 cl_ulong segments_offset; cl_mem outcome; cl_ulong outcome_offset; } clred_sort_call;
typedef struct { const void *keys; cl_ulong count; void *keys_out; const void *values; void *values_out;
                 cl_ulong rows; const void *segments; } clred_sort_host_call;

const char *clred_version(void);
const char *clred_status_name(cl_int);
clred_type clred_type_from_name(const char *);
clred_op clred_op_from_name(const char *);
cl_int clred_runtime_create_v(cl_uint, cl_context, cl_device_id, const clred_options *, clred_runtime **);
void clred_runtime_release(clred_runtime *);
size_t clred_runtime_save_cache(clred_runtime *);
size_t clred_copy_error(clred_runtime *, char *, size_t);
cl_int clred_plan_create_v(cl_uint, clred_runtime *, const clred_problem *, clred_plan **);
void clred_plan_release(clred_plan *);
cl_int clred_plan_warm(cl_command_queue, clred_plan *);
cl_int clred_plan_inspect_v(cl_uint, const clred_plan *, cl_ulong, clred_plan_info *);
cl_int clred_plan_part_v(cl_uint, const clred_plan *, size_t, clred_part *);
cl_int clred_plan_edge(const clred_plan *, cl_ulong, double *);
size_t clred_plan_describe(const clred_plan *, cl_ulong, char *, size_t);
size_t clred_plan_source(const clred_plan *, char *, size_t);
cl_int clred_enqueue_v(cl_uint, cl_command_queue, clred_plan *, const clred_call *, cl_uint, const cl_event *,
                       cl_event *);
cl_int clred_call_along_axis_v(cl_uint, clred_call *, clred_layout *, cl_uint, const cl_ulong *, cl_uint);
cl_int clred_plan_run_host_v(cl_uint, cl_command_queue, clred_plan *, const clred_host_call *);
cl_int clred_plan_reference_v(cl_uint, const clred_plan *, const clred_host_call *);
cl_int clred_stream_create_v(cl_uint, cl_command_queue, clred_plan *, const clred_stream_options *,
                             clred_stream **);
void clred_stream_release(clred_stream *);
cl_int clred_stream_push(clred_stream *, const void *, const void *const *, cl_ulong);
cl_int clred_stream_finish(clred_stream *, void *);
cl_int clred_scan_stream_create(cl_command_queue, clred_plan *, cl_ulong *, const void *, clred_scan_stream **);
cl_int clred_scan_stream_next(clred_scan_stream *, const void *, const void *const *, cl_ulong, void *);
void clred_scan_stream_release(clred_scan_stream *);
cl_int clred_quantile_create_v(cl_uint, clred_runtime *, const clred_quantile_problem *, clred_quantile **);
void clred_quantile_release(clred_quantile *);
cl_int clred_quantile_run(cl_command_queue, clred_quantile *, cl_mem, cl_ulong, cl_ulong, void *, cl_ulong *, cl_uint,
                          const cl_event *);
cl_int clred_quantile_run_host(cl_command_queue, clred_quantile *, const void *, cl_ulong, void *, cl_ulong *);
cl_int clred_partial_create_v(cl_uint, clred_plan *, const clred_partial_options *, clred_partial **);
void clred_partial_release(clred_partial *);
cl_int clred_partial_push_v(cl_uint, cl_command_queue, clred_partial *, const clred_host_call *);
cl_int clred_partial_fold_v(cl_uint, cl_command_queue, clred_partial *, const clred_call *, cl_uint, const cl_event *,
                            cl_event *);
cl_int clred_partial_join(clred_partial *, clred_partial *);
cl_int clred_partial_result(clred_partial *, void *);
cl_int clred_partial_pack(clred_partial *, void *, size_t, size_t *);
cl_int clred_partial_unpack(clred_plan *, const void *, size_t, clred_partial **);
cl_int clred_partial_inspect_v(cl_uint, clred_partial *, clred_partial_info *);
cl_int clred_sorter_create_v(cl_uint, clred_runtime *, const clred_sort_problem *, clred_sorter **);
void clred_sorter_release(clred_sorter *);
cl_int clred_sorter_inspect_v(cl_uint, const clred_sorter *, clred_sorter_info *);
cl_int clred_enqueue_sort_v(cl_uint, cl_command_queue, clred_sorter *, const clred_sort_call *, cl_uint,
                            const cl_event *, cl_event *);
cl_int clred_sorter_run_host_v(cl_uint, cl_command_queue, clred_sorter *, const clred_sort_host_call *);
"""
