// Our own side of a comparison, as a user's program: plans over buffers, by the public header alone.
#include <clreduce.h>
#include <clreduce_shares.h>
#include <clreduce_sort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer_side.h"

enum { DEVICE_COUNT_MAX = 64, TEXT_SIZE = 256 };

enum { WALL, PROFILED, CLOCKS };  // queues and plans without and with profiling

// A device in use: [0] is the one that was asked for, [1] the next one, for sums on two devices.
static struct opened_device {
  cl_context context;
  cl_command_queue queues[CLOCKS];
  clred_runtime *runtime;
} opened[2];
static unsigned device_index;
static char described[2 * TEXT_SIZE];

// In the order of enum bench_type.
static const clred_type types[BENCH_TYPES] = {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_INT,
                                              CLRED_TYPE_UCHAR, CLRED_TYPE_HALF,   CLRED_TYPE_USHORT,
                                              CLRED_TYPE_LONG,  CLRED_TYPE_UINT,   CLRED_TYPE_ULONG};

struct own_job {
  struct bench_job job;
  clred_plan *plans[CLOCKS];
  clred_call call;
  cl_mem second;  // a further input of the operator
  cl_mem parts[BENCH_PARTS];
  clred_sorter *sorter;
  clred_sort_call sort;
  // Of a sum on several devices.
  clred_plan *other_plan;
  clred_partial *partials[2];
  cl_mem other_elements;
  cl_float sum;
};

// ---- The device

static size_t list_devices(cl_device_id ids[DEVICE_COUNT_MAX]) {
  cl_platform_id platforms[DEVICE_COUNT_MAX];
  cl_uint platform_count = 0, found;
  size_t count = 0;
  if (clGetPlatformIDs(DEVICE_COUNT_MAX, platforms, &platform_count) != CL_SUCCESS)
    return 0;
  for (cl_uint i = 0; i < platform_count && i < DEVICE_COUNT_MAX; i++)
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, (cl_uint)(DEVICE_COUNT_MAX - count), ids + count, &found) ==
        CL_SUCCESS)
      count = count + found < DEVICE_COUNT_MAX ? count + found : DEVICE_COUNT_MAX;
  return count;
}

static cl_device_type type_of(cl_device_id id) {
  cl_device_type type = 0;
  clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  return type;
}

// "-" selects the device of this index, "auto" the first GPU or else the first device. Another text selects the first
// device whose name contains it. Returns NULL if there is none.
static cl_device_id find_device(unsigned *index, const char *name, char text[TEXT_SIZE]) {
  static cl_device_id ids[DEVICE_COUNT_MAX];
  const size_t count = list_devices(ids);
  const int automatic = strcmp(name, "auto") == 0, by_index = strcmp(name, "-") == 0;
  unsigned found = by_index ? *index : (unsigned)count;
  for (unsigned i = 0; i < count && found == count && !by_index; i++) {
    clGetDeviceInfo(ids[i], CL_DEVICE_NAME, TEXT_SIZE, text, NULL);
    if (automatic ? (type_of(ids[i]) & CL_DEVICE_TYPE_GPU) != 0 : strstr(text, name) != NULL)
      found = i;
  }
  *index = automatic && found == count ? 0 : found;
  if (*index >= count || clGetDeviceInfo(ids[*index], CL_DEVICE_NAME, TEXT_SIZE, text, NULL) != CL_SUCCESS)
    return NULL;
  return ids[*index];
}

static int open_context(struct opened_device *to, cl_device_id id) {
  const clred_options options = {.trust_driver = CL_TRUE};  // every result is compared
  cl_int status;
  to->context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
  for (int clock = 0; clock < CLOCKS && status == CL_SUCCESS; clock++)
    to->queues[clock] =
      clCreateCommandQueue(to->context, id, clock == PROFILED ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
  return status != CL_SUCCESS || clred_runtime_create(to->context, id, &options, &to->runtime) != CL_SUCCESS;
}

static int open_device(unsigned index, const char *name) {
  char text[TEXT_SIZE] = "";
  const cl_device_id id = find_device(&index, name, text);
  if (id == NULL)
    return 1;
  const cl_device_type type = type_of(id);
  device_index = index;
  snprintf(described, sizeof described, "%s %u %s",
           type & CL_DEVICE_TYPE_GPU   ? "gpu"
           : type & CL_DEVICE_TYPE_CPU ? "cpu"
                                       : "other",
           index, text);
  return open_context(&opened[0], id);
}

static const char *describe(void) {
  return described;
}

// ---- Plans

static cl_mem upload(const struct opened_device *to, const void *data, size_t bytes) {
  return data == NULL ? NULL
                      : clCreateBuffer(to->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)data, NULL);
}

static int make_plans(struct own_job *own, clred_problem *problem) {
  cl_int status = CL_SUCCESS;
  for (int clock = 0; clock < CLOCKS && status == CL_SUCCESS; clock++) {
    problem->profile = clock == PROFILED;
    status = clred_plan_create(opened[0].runtime, problem, &own->plans[clock]);
  }
  if (status != CL_SUCCESS)
    fprintf(stderr, "clreduce: %s\n", clred_last_error(opened[0].runtime));
  return status != CL_SUCCESS;
}

static void set_segments(struct own_job *own, clred_problem *problem) {
  const struct bench_work *work = &own->job.work;
  own->call.rows = work->results;
  problem->layout = work->length > 0 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_SEGMENTS;
  problem->segment_type = work->length > 0 ? CLRED_TYPE_NONE : CLRED_TYPE_UINT;
  if (work->length > 0)
    own->call.count = problem->count_max = work->length;
  else
    own->call.segments = upload(&opened[0], work->offsets, (work->results + 1) * sizeof *work->offsets);
}

static void set_keys(struct own_job *own, clred_problem *problem) {
  const struct bench_work *work = &own->job.work;
  problem->layout = CLRED_LAYOUT_KEYS;
  problem->segment_type = CLRED_TYPE_INT;
  own->call.segments = upload(&opened[0], work->keys, work->count * sizeof *work->keys);
}

static int set_shape(struct own_job *own, clred_problem *problem) {
  const cl_ulong shape[2] = {own->job.work.shape[0], own->job.work.shape[1]};
  problem->count_max = 0;
  return clred_call_along_axis(&own->call, &problem->layout, 2, shape, own->job.work.axis) != CL_SUCCESS;
}

// own_sum and own_dot are operators that a user would write.
static int make_operator(struct own_job *own, clred_problem *problem) {
  const struct bench_work *work = &own->job.work;
  static const char *const names[] = {"float", "double", "int", "uchar", "half", "ushort", "long", "uint", "ulong"};
  const char *element = names[work->type];
  const clred_operand y = {"y", element, bench_size(work->type)};
  const int is_own = strncmp(work->name, "own_", 4) == 0, dots = strcmp(work->name, "own_dot") == 0;
  const clred_operator written = {.name = work->name,
                                  .element = element,
                                  .state = element,
                                  .identity = "0",
                                  .lift = dots ? "x * y" : NULL,
                                  .combine = "a + b",
                                  .inputs = &y,
                                  .input_count = (size_t)dots,
                                  .commutative = CL_TRUE,
                                  .elementwise = CL_TRUE};
  if (is_own)
    problem->custom = &written, problem->type = CLRED_TYPE_NONE;
  if (dots || problem->op == CLRED_OP_DOT)
    own->second = upload(&opened[0], work->elements, work->count * bench_size(work->type));
  own->call.inputs = own->second != NULL ? &own->second : NULL;
  return make_plans(own, problem);
}

static int make(struct own_job *own, clred_problem *problem) {
  static const clred_selection positive = {.name = "positive", .keep = "x > 0"};
  static const clred_result_bits bits[] = {CLRED_RESULT_DEFAULT, CLRED_RESULT_OWN, CLRED_RESULT_32};
  const struct bench_work *work = &own->job.work;
  const clred_histogram histogram = {.bins = work->results, .low = work->low, .high = work->high};
  const int by_key = work->kind == BENCH_REDUCE_BY_KEY || work->kind == BENCH_SCAN_BY_KEY;
  problem->scan = work->kind == BENCH_EXCLUSIVE                                      ? CLRED_SCAN_EXCLUSIVE
                  : work->kind == BENCH_INCLUSIVE || work->kind == BENCH_SCAN_BY_KEY ? CLRED_SCAN_INCLUSIVE
                                                                                     : CLRED_SCAN_NONE;
  problem->op = problem->scan || by_key || work->kind == BENCH_SEGMENTS ? CLRED_OP_SUM : clred_op_from_name(work->name);
  problem->result_bits = problem->scan ? bits[work->narrow] : CLRED_RESULT_DEFAULT;
  problem->selection = work->kind == BENCH_SELECT ? &positive : NULL;
  problem->histogram = work->kind == BENCH_HISTOGRAM ? &histogram : NULL;
  if (work->kind == BENCH_SEGMENTS)
    set_segments(own, problem);
  if (by_key)
    set_keys(own, problem);
  if (work->shape[0] > 0 && set_shape(own, problem))
    return 1;
  return work->kind == BENCH_OTHER ? make_operator(own, problem) : make_plans(own, problem);
}

// ---- Sums on two devices, or on one by a call that waits for its result

static int make_shares(struct own_job *own, clred_problem problem) {
  const struct bench_work *work = &own->job.work;
  unsigned index = device_index + 1;
  char text[TEXT_SIZE];
  cl_ulong from, first = work->first;
  if (work->devices < 2)
    return 0;
  problem.profile = CL_FALSE;
  const cl_device_id id = find_device(&index, "-", text);
  if (id == NULL || (opened[1].runtime == NULL && open_context(&opened[1], id)))
    return 1;
  own->other_elements = upload(&opened[1], work->elements, work->count * bench_size(work->type));
  if (own->other_elements == NULL || clred_plan_create(opened[1].runtime, &problem, &own->other_plan) != CL_SUCCESS ||
      clred_partial_create(own->plans[WALL], NULL, &own->partials[0]) != CL_SUCCESS ||
      clred_partial_create(own->other_plan, NULL, &own->partials[1]) != CL_SUCCESS)
    return 1;
  if (first == 0 && clred_share(own->plans[WALL], work->count, 2, 0, &from, &first) != CL_SUCCESS)
    return 1;
  own->job.work.first = first;
  return 0;
}

static cl_int sum_on_devices(struct own_job *own) {
  const size_t count = own->job.work.count, first = own->job.work.first;
  clred_call calls[2] = {own->call, {.in = own->other_elements, .in_offset = first, .count = count - first}};
  const clred_device_share shares[2] = {{opened[0].queues[WALL], own->partials[0], &calls[0]},
                                        {opened[1].queues[WALL], own->partials[1], &calls[1]}};
  calls[0].out = NULL;
  calls[0].count = first;
  if (own->job.work.devices == 2)
    return clred_devices_reduce(shares, 2, &own->sum);
  calls[0].count = count;
  calls[0].result = &own->sum;
  calls[0].blocking = CL_TRUE;
  return clred_enqueue(opened[0].queues[WALL], own->plans[WALL], &calls[0], 0, NULL, NULL);
}

// ---- Buffers

// Results of other integer types are read as long.
static enum bench_type type_of_results(clred_type type) {
  int i = 0;
  while (i < BENCH_TYPES && types[i] != type)
    i++;
  return i < BENCH_TYPES ? (enum bench_type)i : BENCH_LONG;
}

static int make_parts(struct own_job *own, size_t bytes_of_other) {
  const struct bench_work *work = &own->job.work;
  for (int i = 0; i < BENCH_PARTS; i++) {
    size_t bytes = bench_part_count(work, (enum bench_part)i) * bench_part_size(work, (enum bench_part)i);
    if (i == BENCH_RESULTS && work->kind == BENCH_OTHER)
      bytes = bytes_of_other;
    if (bytes > 0 &&
        (own->parts[i] = clCreateBuffer(opened[0].context, CL_MEM_READ_WRITE, bytes + 64, NULL, NULL)) == NULL)
      return 1;
  }
  return 0;
}

static int make_buffers(struct own_job *own) {
  const struct bench_work *work = &own->job.work;
  clred_plan_info info;
  if (clred_plan_inspect(own->plans[WALL], own->call.count, &info) != CL_SUCCESS ||
      make_parts(own, info.result_size * (work->shape[0] > 0 ? work->count : 1)))
    return 1;
  own->job.result_type = type_of_results(info.result_type);
  own->job.name = info.strategy;
  own->call.out = own->parts[BENCH_RESULTS];
  own->call.keys_out = own->parts[BENCH_KEYS_OUT];
  own->call.outcome_buffer = own->parts[BENCH_NUMBER];
  return 0;
}

static void release_buffer(cl_mem buffer) {
  if (buffer != NULL)
    clReleaseMemObject(buffer);
}

static void release(struct bench_job *job) {
  struct own_job *own = (struct own_job *)job;
  for (int i = 0; i < 2; i++) {
    clFinish(opened[0].queues[i]);
    clred_partial_release(own->partials[i]);
    clred_plan_release(own->plans[i]);
  }
  clred_plan_release(own->other_plan);
  clred_sorter_release(own->sorter);
  for (int part = 0; part < BENCH_PARTS; part++)
    release_buffer(own->parts[part]);
  release_buffer((cl_mem)own->call.in);
  release_buffer(own->call.segments);
  release_buffer(own->sort.values);
  release_buffer(own->sort.segments);
  release_buffer(own->second);
  release_buffer(own->other_elements);
  free(own);
}

// ---- Sorts

static int make_sort(struct own_job *own) {
  static const clred_sort_form forms[] = {CLRED_SORT_KEYS, CLRED_SORT_PAIRS, CLRED_SORT_INDICES, CLRED_SORT_KEYS};
  const struct bench_work *work = &own->job.work;
  const int indices = work->kind == BENCH_ARGSORT, pairs = work->kind == BENCH_SORT_PAIRS;
  clred_sort_problem problem = {.type = types[work->type], .count_max = work->count};
  const int segments = work->kind == BENCH_SEGMENTED_SORT && work->length == 0;
  if (work->strategy != NULL || work->count > UINT32_MAX)
    return 1;
  if (work->kind == BENCH_SEGMENTED_SORT)
    problem.layout = segments ? CLRED_LAYOUT_SEGMENTS : CLRED_LAYOUT_ROWS;
  problem.segment_type = segments ? CLRED_TYPE_UINT : CLRED_TYPE_NONE;
  problem.form = forms[work->kind - BENCH_SORT_KEYS];
  problem.value_size = pairs ? sizeof *work->values : 0;
  if (clred_sorter_create(opened[0].runtime, &problem, &own->sorter) != CL_SUCCESS || make_parts(own, 0))
    return 1;
  own->job.name = "sort";
  own->sort = (clred_sort_call){
    .keys = own->call.in,
    .count = work->count,
    .keys_out = indices ? NULL : own->parts[BENCH_RESULTS],
    .values = pairs ? upload(&opened[0], work->values, work->count * sizeof *work->values) : NULL,
    .values_out = own->parts[indices ? BENCH_RESULTS : BENCH_VALUES_OUT],
  };
  if (work->kind != BENCH_SEGMENTED_SORT)
    return 0;
  own->sort.rows = work->results;
  own->sort.count = segments ? work->count : work->length;
  if (segments)
    own->sort.segments = upload(&opened[0], work->offsets, (work->results + 1) * sizeof *work->offsets);
  return 0;
}

static int event_time(cl_event event, cl_ulong *time) {
  const int failed = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof *time, time, NULL) != CL_SUCCESS;
  clReleaseEvent(event);
  return failed;
}

// From the end of a fill before the call, because CUDA's events count the gaps between launches, too.
static int time_sort(struct own_job *own, double *seconds) {
  cl_command_queue queue = opened[0].queues[PROFILED];
  const cl_uint zero = 0;
  cl_event before, sorted;
  cl_ulong begun, ended;
  if (clEnqueueFillBuffer(queue, own->parts[BENCH_RESULTS], &zero, sizeof zero, 0, sizeof zero, 0, NULL, &before) !=
        CL_SUCCESS ||
      clred_enqueue_sort(queue, own->sorter, &own->sort, 0, NULL, &sorted) != CL_SUCCESS ||
      clFinish(queue) != CL_SUCCESS)
    return 1;
  const int failed = event_time(before, &begun) + event_time(sorted, &ended);
  *seconds = (double)(ended - begun) * 1e-9;
  return failed;
}

// ---- Jobs

static int make_plan_job(struct own_job *own) {
  const struct bench_work *work = &own->job.work;
  clred_problem problem = {.type = types[work->type], .count_max = work->count, .strategy = work->strategy};
  return make(own, &problem) || make_shares(own, problem) || make_buffers(own);
}

static struct bench_job *prepare(const struct bench_work *work) {
  struct own_job *own = calloc(1, sizeof *own);
  if (own == NULL)
    return NULL;
  own->job.work = *work;
  own->call.in = upload(&opened[0], work->elements, work->count * bench_size(work->type));
  own->call.count = work->count;
  if (own->call.in != NULL && (bench_is_sort(work) ? make_sort(own) : make_plan_job(own)) == 0)
    return &own->job;
  release(&own->job);
  return NULL;
}

// ---- Runs

static int enqueue(struct bench_job *job) {
  struct own_job *own = (struct own_job *)job;
  if (bench_is_sort(&job->work))
    return clred_enqueue_sort(opened[0].queues[WALL], own->sorter, &own->sort, 0, NULL, NULL);
  return job->work.devices > 0 ? sum_on_devices(own)
                               : clred_enqueue(opened[0].queues[WALL], own->plans[WALL], &own->call, 0, NULL, NULL);
}

static int finish(struct bench_job *job) {
  (void)job;
  return clFinish(opened[0].queues[WALL]);
}

static int time_on_device(struct bench_job *job, double *seconds) {
  struct own_job *own = (struct own_job *)job;
  cl_command_queue queue = opened[0].queues[PROFILED];
  if (bench_is_sort(&job->work))
    return time_sort(own, seconds);
  return clred_enqueue(queue, own->plans[PROFILED], &own->call, 0, NULL, NULL) != CL_SUCCESS ||
         clFinish(queue) != CL_SUCCESS || clred_plan_seconds(own->plans[PROFILED], seconds) != CL_SUCCESS;
}

static int copy(struct bench_job *job, enum bench_part part, int into_part, size_t at, size_t bytes, void *memory) {
  struct own_job *own = (struct own_job *)job;
  cl_command_queue queue = opened[0].queues[WALL];
  if (job->work.devices > 0 && bytes > sizeof own->sum)
    bytes = sizeof own->sum;
  if (job->work.devices > 0)
    memcpy(into_part ? (void *)&own->sum : memory, into_part ? memory : &own->sum, bytes);
  else if (into_part)
    return clEnqueueWriteBuffer(queue, own->parts[part], CL_TRUE, at, bytes, memory, 0, NULL, NULL);
  else
    return clEnqueueReadBuffer(queue, own->parts[part], CL_TRUE, at, bytes, memory, 0, NULL, NULL);
  return 0;
}

const struct bench_side bench_peer = {.name = "clreduce",
                                      .open = open_device,
                                      .prepare = prepare,
                                      .release = release,
                                      .enqueue = enqueue,
                                      .finish = finish,
                                      .time_on_device = time_on_device,
                                      .copy = copy,
                                      .describe = describe};
