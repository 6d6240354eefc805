// Our own side of a comparison, as a user's program: plans over buffers, by the public header alone.
#define _POSIX_C_SOURCE 200809L

#include <clreduce.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer_side.h"

enum { DEVICE_COUNT_MAX = 64, TEXT_SIZE = 256 };

static cl_device_id device;
static char described[2 * TEXT_SIZE];
static cl_context context;
static cl_command_queue queues[BENCH_CLOCKS];  // that of the device's clock keeps times
static clred_runtime *runtime;

struct own_job {
  struct bench_job job;
  clred_plan *plans[BENCH_CLOCKS];
  clred_call call;
  cl_mem second;  // a further input of the operator, or the target of a copy
  int copies;     // the work is a copy by the driver
  clred_type result_type;
  cl_mem parts[BENCH_PARTS];
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

// The name "-" means the device of this index, "auto" the first GPU or else the first device, another name the first
// device that has it in its own. NULL: there is none.
static cl_device_id find_device(unsigned *index, const char *name, char text[TEXT_SIZE]) {
  static cl_device_id ids[DEVICE_COUNT_MAX];
  const size_t count = list_devices(ids);
  const int automatic = strcmp(name, "auto") == 0, by_index = strcmp(name, "-") == 0;
  unsigned found = by_index ? *index : (unsigned)count;
  for (unsigned i = 0; i < count && found == count; i++) {
    clGetDeviceInfo(ids[i], CL_DEVICE_NAME, TEXT_SIZE, text, NULL);
    if (automatic ? (type_of(ids[i]) & CL_DEVICE_TYPE_GPU) != 0 : strstr(text, name) != NULL)
      found = i;
  }
  *index = automatic && found == count ? 0 : found;
  if (*index >= count || clGetDeviceInfo(ids[*index], CL_DEVICE_NAME, TEXT_SIZE, text, NULL) != CL_SUCCESS)
    return NULL;
  return ids[*index];
}

static int open_device(unsigned index, const char *name) {
  const clred_options options = {.trust_driver = CL_TRUE};  // every result is compared
  char text[TEXT_SIZE] = "";
  cl_int status;
  device = find_device(&index, name, text);
  if (device == NULL)
    return 1;
  snprintf(described, sizeof described, "%s %u %s",
           type_of(device) & CL_DEVICE_TYPE_GPU   ? "gpu"
           : type_of(device) & CL_DEVICE_TYPE_CPU ? "cpu"
                                                  : "other",
           index, text);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  for (int clock = 0; clock < BENCH_CLOCKS && status == CL_SUCCESS; clock++)
    queues[clock] =
      clCreateCommandQueue(context, device, clock == BENCH_DEVICE ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
  return status != CL_SUCCESS || clred_runtime_create(context, device, &options, &runtime) != CL_SUCCESS;
}

static const char *describe(void) {
  return described;
}

// ---- Plans

static cl_mem copy(const void *data, size_t bytes) {
  return data == NULL ? NULL
                      : clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)data, NULL);
}

static cl_int make_plans(struct own_job *own, clred_problem *problem) {
  cl_int status = CL_SUCCESS;
  for (int clock = 0; clock < BENCH_CLOCKS && status == CL_SUCCESS; clock++) {
    problem->profile = clock == BENCH_DEVICE;
    status = clred_plan_create(runtime, problem, &own->plans[clock]);
  }
  if (status != CL_SUCCESS)
    fprintf(stderr, "clreduce: %s\n", clred_last_error(runtime));
  return status;
}

static void set_segments(struct own_job *own, clred_problem *problem) {
  const struct bench_work *work = &own->job.work;
  own->call.rows = work->results;
  problem->layout = work->length > 0 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_SEGMENTS;
  problem->segment_type = work->length > 0 ? CLRED_TYPE_NONE : CLRED_TYPE_UINT;
  if (work->length > 0)
    own->call.count = problem->count_max = work->length;
  else
    own->call.segments = copy(work->offsets, (work->results + 1) * sizeof *work->offsets);
}

static void set_keys(struct own_job *own, clred_problem *problem) {
  problem->layout = CLRED_LAYOUT_KEYS;
  problem->segment_type = CLRED_TYPE_INT;
  own->call.segments = copy(own->job.work.keys, own->job.work.count * sizeof *own->job.work.keys);
}

// An operator by its name, a line or an axis of an array; own_sum and own_dot are what a user would write.
static cl_int make_other(struct own_job *own, clred_problem *problem) {
  const struct bench_work *work = &own->job.work;
  static const char *const names[] = {"float", "double", "int", "uchar", "half", "ushort", "long"};
  const char *element = names[work->type];
  const cl_ulong shape[2] = {work->shape[0], work->shape[1]};
  const clred_operand y = {"y", element, bench_size(work->type)};
  const int dots = strcmp(work->name, "own_dot") == 0;
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
  own->copies = strcmp(work->name, "copy") == 0;
  problem->scan = strcmp(work->name, "inclusive") == 0 ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
  if (strncmp(work->name, "own_", 4) == 0) {
    problem->custom = &written;
    problem->type = CLRED_TYPE_NONE;
  } else
    problem->op = problem->scan || own->copies ? CLRED_OP_SUM : clred_op_from_name(work->name);
  if (dots || own->copies || problem->op == CLRED_OP_DOT) {
    own->second = copy(work->elements, work->count * bench_size(work->type));
    own->call.inputs = own->copies ? NULL : &own->second;
  }
  if (shape[0] > 0 && clred_call_along_axis(&own->call, &problem->layout, 2, shape, work->axis) != CL_SUCCESS)
    return CLRED_INVALID_ARGUMENT;
  if (shape[0] > 0)
    problem->count_max = 0;
  return make_plans(own, problem);
}

static cl_int make(struct own_job *own, clred_problem *problem) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_ARGMIN};
  static const clred_selection positive = {.name = "positive", .keep = "x > 0"};
  const struct bench_work *work = &own->job.work;
  const clred_histogram histogram = {.bins = work->results, .low = work->low, .high = work->high};
  static const clred_result_bits bits[] = {CLRED_RESULT_DEFAULT, CLRED_RESULT_OWN, CLRED_RESULT_32};
  problem->op = work->kind <= BENCH_ARGMIN ? ops[work->kind] : CLRED_OP_SUM;
  if (work->kind == BENCH_INCLUSIVE || work->kind == BENCH_EXCLUSIVE) {
    problem->scan = work->kind == BENCH_INCLUSIVE ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_EXCLUSIVE;
    problem->result_bits = bits[work->narrow];
  } else if (work->kind == BENCH_SEGMENTS)
    set_segments(own, problem);
  else if (work->kind == BENCH_REDUCE_BY_KEY || work->kind == BENCH_SCAN_BY_KEY) {
    set_keys(own, problem);
    problem->scan = work->kind == BENCH_SCAN_BY_KEY ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
  } else if (work->kind == BENCH_SELECT || work->kind == BENCH_HISTOGRAM) {
    problem->op = CLRED_OP_NONE;
    problem->selection = work->kind == BENCH_SELECT ? &positive : NULL;
    problem->histogram = work->kind == BENCH_HISTOGRAM ? &histogram : NULL;
  } else if (work->kind == BENCH_OTHER) {
    problem->op = CLRED_OP_NONE;
    return make_other(own, problem);
  }
  return make_plans(own, problem);
}

// ---- Buffers

static size_t size_of(const struct own_job *own, enum bench_part part) {
  return part == BENCH_NUMBER ? sizeof(clred_outcome) : bench_part_size(&own->job.work, part);
}

static int make_buffers(struct own_job *own) {
  const struct bench_work *work = &own->job.work;
  clred_plan_info info;
  if (clred_plan_inspect(own->plans[BENCH_WALL], own->call.count, &info) != CL_SUCCESS)
    return 1;
  own->result_type = info.result_type;
  own->job.name = info.strategy;
  for (int i = 0; i < BENCH_PARTS; i++) {
    size_t bytes = bench_part_count(work, (enum bench_part)i) * size_of(own, (enum bench_part)i);
    if (i == BENCH_RESULTS && work->kind == BENCH_OTHER)
      bytes = info.result_size * (work->shape[0] > 0 || strcmp(work->name, "inclusive") == 0 ? work->count : 1);
    if (bytes > 0 && (own->parts[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes + 64, NULL, NULL)) == NULL)
      return 1;
  }
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
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    clFinish(queues[clock]);
    clred_plan_release(own->plans[clock]);
  }
  for (int part = 0; part < BENCH_PARTS; part++)
    release_buffer(own->parts[part]);
  release_buffer((cl_mem)own->call.in);
  release_buffer(own->call.segments);
  release_buffer(own->second);
  free(own);
}

static struct bench_job *prepare(const struct bench_work *work) {
  static const clred_type types[] = {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_INT, CLRED_TYPE_UCHAR,
                                     CLRED_TYPE_HALF,  CLRED_TYPE_USHORT, CLRED_TYPE_LONG};
  struct own_job *own = calloc(1, sizeof *own);
  clred_problem problem = {.type = types[work->type], .count_max = work->count, .strategy = work->strategy};
  if (own == NULL)
    return NULL;
  own->job.work = *work;
  own->call = (clred_call){.in = copy(work->elements, work->count * bench_size(work->type)), .count = work->count};
  if (own->call.in != NULL && make(own, &problem) == CL_SUCCESS && make_buffers(own) == 0)
    return &own->job;
  release(&own->job);
  return NULL;
}

// ---- Runs

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static cl_int enqueue(struct own_job *own, enum bench_clock clock, cl_event *event) {
  const size_t bytes = own->job.work.count * bench_size(own->job.work.type);
  return own->copies ? clEnqueueCopyBuffer(queues[clock], own->call.in, own->second, 0, 0, bytes, 0, NULL, event)
                     : clred_enqueue(queues[clock], own->plans[clock], &own->call, 0, NULL, event);
}

static int time_copy(struct own_job *own, double *seconds) {
  cl_ulong begun = 0, ended = 0;
  cl_event event;
  if (enqueue(own, BENCH_DEVICE, &event) != CL_SUCCESS || clWaitForEvents(1, &event) != CL_SUCCESS)
    return 1;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begun, &begun, NULL);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
  clReleaseEvent(event);
  *seconds = (double)(ended - begun) * 1e-9;
  return 0;
}

static int run(struct bench_job *job, enum bench_clock clock, size_t calls, double *seconds) {
  struct own_job *own = (struct own_job *)job;
  cl_int status = clFinish(queues[clock]);
  if (own->copies && clock == BENCH_DEVICE)
    return time_copy(own, seconds);
  const size_t count = clock == BENCH_DEVICE ? 1 : calls;
  const double begun = seconds_now();
  for (size_t i = 0; i < count && status == CL_SUCCESS; i++)
    status = enqueue(own, clock, NULL);
  if (status != CL_SUCCESS || clFinish(queues[clock]) != CL_SUCCESS)
    return 1;
  *seconds = (seconds_now() - begun) / (double)count;
  return clock == BENCH_DEVICE && clred_plan_seconds(own->plans[clock], seconds) != CL_SUCCESS;
}

static int spoil(struct bench_job *job, enum bench_part part, size_t first, size_t count) {
  const struct own_job *own = (const struct own_job *)job;
  const cl_uchar bits = 0xff;
  const size_t size = part == BENCH_RESULTS && job->work.kind <= BENCH_ARGMIN ? 16 : size_of(own, part);
  return clEnqueueFillBuffer(queues[BENCH_WALL], own->parts[part], &bits, sizeof bits, first * size, count * size, 0,
                             NULL, NULL) != CL_SUCCESS;
}

static double as_double(clred_type type, const void *bytes) {
  cl_long whole;
  cl_double wide;
  cl_float narrow;
  memcpy(&whole, bytes, sizeof whole);
  memcpy(&wide, bytes, sizeof wide);
  memcpy(&narrow, bytes, sizeof narrow);
  return type == CLRED_TYPE_DOUBLE ? wide : type == CLRED_TYPE_FLOAT ? (double)narrow : (double)whole;
}

static int read_items(struct bench_job *job, enum bench_part part, size_t first, size_t count, void *to) {
  const struct own_job *own = (const struct own_job *)job;
  const int reduces = part == BENCH_RESULTS && job->work.kind <= BENCH_ARGMIN;
  const size_t size = reduces || part == BENCH_NUMBER ? 8 : size_of(own, part);
  unsigned char bytes[8];
  void *target = reduces ? bytes : to;
  if (count > 0 && clEnqueueReadBuffer(queues[BENCH_WALL], own->parts[part], CL_TRUE, first * size, count * size,
                                       target, 0, NULL, NULL) != CL_SUCCESS)
    return 1;
  if (reduces)
    *(double *)to = as_double(own->result_type, bytes);
  return 0;
}

const struct bench_side bench_peer = {"clreduce", 0,     1,          open_device, prepare,
                                      run,        spoil, read_items, release,     describe};
