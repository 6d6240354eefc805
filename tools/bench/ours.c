#include "ours.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "progress.h"
#include "session.h"

// One lane for each clock: a queue that profiles may cost time on the host, so it is not used for the wall clock.
struct lane {
  cl_command_queue queue;
  clred_plan *plan;
};

static struct ours_options choice;
static struct session session;
static struct lane lanes[2];  // by enum bench_clock
static cl_mem in, out;
static const void *host_data;
static cl_ulong length;
static clred_type element_type;
static clred_op operation;

static const struct {
  clred_type type;
  size_t size;
} types[] = {
  [BENCH_FLOAT] = {CLRED_TYPE_FLOAT, sizeof(cl_float)},
  [BENCH_DOUBLE] = {CLRED_TYPE_DOUBLE, sizeof(cl_double)},
  [BENCH_INT] = {CLRED_TYPE_INT, sizeof(cl_int)},
  [BENCH_UCHAR] = {CLRED_TYPE_UCHAR, sizeof(cl_uchar)},
};

static int check(cl_int status) {
  return status ? fail_library(status, clred_last_error(session.runtime)) : EXIT_DONE;
}

static int check_opencl(cl_int status, const char *call, const char *about) {
  return status ? fail_opencl(call, status, about) : EXIT_DONE;
}

int ours_open(const struct ours_options *options) {
  choice = *options;
  return session_open_picked(&session, options->device, NULL);
}

void ours_close(void) {
  session_close(&session);
}

int ours_on_gpu(void) {
  return (session.device.type & CL_DEVICE_TYPE_GPU) != 0;
}

static int open_plans(void) {
  clred_problem problem = {.type = element_type,
                           .op = operation,
                           .count_max = length,
                           .strategy = choice.strategy,
                           .finish = choice.finish,
                           .group_size = choice.group_size,
                           .groups = choice.groups};
  int code = check(session_plan(&session, &problem, &lanes[BENCH_WALL].plan));

  problem.profile = CL_TRUE;
  return code ? code : check(session_plan(&session, &problem, &lanes[BENCH_DEVICE].plan));
}

static int open_queues(void) {
  cl_int status = CL_SUCCESS;

  lanes[BENCH_DEVICE].queue = session.queue;
  lanes[BENCH_WALL].queue = clCreateCommandQueue(session.context, session.device.id, 0, &status);
  return check_opencl(status, "clCreateCommandQueue", "without profiling");
}

static int copy_to_device(const void *data, size_t bytes) {
  return check_opencl(clEnqueueWriteBuffer(session.queue, in, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
                      "clEnqueueWriteBuffer", "the elements");
}

// A CPU device reads the very array that the peer reads; others get a copy.
static int open_buffers(void *data, size_t bytes) {
  int shares_memory = (session.device.type & CL_DEVICE_TYPE_CPU) != 0;
  cl_mem_flags flags = CL_MEM_READ_ONLY | (shares_memory ? CL_MEM_USE_HOST_PTR : 0);
  cl_int status = CL_SUCCESS;

  in = clCreateBuffer(session.context, flags, bytes, shares_memory ? data : NULL, &status);
  if (check_opencl(status, "clCreateBuffer", "the elements") || (!shares_memory && copy_to_device(data, bytes)))
    return EXIT_WORK_FAILED;
  out = clCreateBuffer(session.context, CL_MEM_READ_WRITE, sizeof(cl_ulong), NULL, &status);
  return check_opencl(status, "clCreateBuffer", "the result");
}

static int prepare(const void *data, enum bench_type type, enum bench_op op, size_t count) {
  static const clred_op ops[] = {[BENCH_ADD] = CLRED_OP_ADD, [BENCH_MIN] = CLRED_OP_MIN, [BENCH_MAX] = CLRED_OP_MAX};
  int code;

  operation = ops[op];
  host_data = data;
  element_type = types[type].type;
  length = count;
  code = open_plans();
  if (!code)
    code = open_queues();
  return code ? code : open_buffers((void *)(size_t)data, count * types[type].size);
}

// So that a run that writes nothing is seen.
static int spoil_result(cl_command_queue queue) {
  static const cl_ulong spoilt = ~(cl_ulong)0;
  return check_opencl(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, sizeof spoilt, &spoilt, 0, NULL, NULL),
                      "clEnqueueWriteBuffer", "the result");
}

static int run(enum bench_clock clock, size_t calls, double *seconds) {
  struct lane *lane = &lanes[clock];
  double start;
  int code = spoil_result(lane->queue);

  if (code)
    return code;
  start = seconds_now();
  for (size_t i = 0; i < calls && !code; i++)
    code = check(clred_enqueue_reduce(lane->queue, lane->plan, in, out, 0, 0, length, 0, NULL, NULL));
  if (!code)
    code = check_opencl(clFinish(lane->queue), "clFinish", "the sum");
  *seconds = (seconds_now() - start) / (double)calls;
  return code || clock == BENCH_WALL ? code : check(clred_plan_seconds(lane->plan, seconds));
}

union sum {
  cl_float as_float;
  cl_double as_double;
  cl_long as_long;
  cl_ulong as_ulong;
};

static double to_double(const union sum *sum, clred_type type) {
  switch (type) {
  case CLRED_TYPE_FLOAT:
    return (double)sum->as_float;
  case CLRED_TYPE_DOUBLE:
    return sum->as_double;
  case CLRED_TYPE_LONG:
    return (double)sum->as_long;
  default:
    return (double)sum->as_ulong;
  }
}

static int inspect(clred_plan_info *info) {
  return check(clred_plan_inspect(lanes[BENCH_WALL].plan, length, info));
}

static int result(double *sum) {
  clred_plan_info info;
  union sum bytes;
  int code = inspect(&info);

  if (!code)
    code = check_opencl(clEnqueueReadBuffer(session.queue, out, CL_TRUE, 0, sizeof bytes, &bytes, 0, NULL, NULL),
                        "clEnqueueReadBuffer", "the result");
  if (!code)
    *sum = to_double(&bytes, info.result_type);
  return code;
}

int ours_reference(double *sum, int *in_bits) {
  clred_plan_info info;
  union sum bytes;
  int code = inspect(&info);

  if (!code)
    code = check(clred_plan_reference(lanes[BENCH_WALL].plan,
                                      &(clred_host_call){.in = host_data, .count = length, .out = &bytes}));
  if (code)
    return code;
  *sum = to_double(&bytes, info.result_type);
  *in_bits = strcmp(info.order, "any") != 0;
  return EXIT_DONE;
}

int ours_describe(char *text, size_t size) {
  clred_plan_info info;
  int code = inspect(&info);

  if (!code)
    snprintf(text, size, "%s: %s, finish %s, order %s, %llu groups of %llu, %llu launches", session.device.name,
             info.strategy, info.finish ? info.finish : "none", info.order, (unsigned long long)info.groups,
             (unsigned long long)info.group_size, (unsigned long long)info.passes);
  return code;
}

static void release(void) {
  clred_plan_release(lanes[BENCH_WALL].plan);
  clred_plan_release(lanes[BENCH_DEVICE].plan);
  if (lanes[BENCH_WALL].queue)
    clReleaseCommandQueue(lanes[BENCH_WALL].queue);
  if (in)
    clReleaseMemObject(in);
  if (out)
    clReleaseMemObject(out);
}

const struct bench_side bench_ours = {"ours", 0, 1, NULL, prepare, run, result, release};
