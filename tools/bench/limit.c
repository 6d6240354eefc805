// Limits as sides: a copy by the driver, kernels that only read, and an empty kernel. No reduction can be much faster
// than reading alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/hush.h"
#include "base/progress.h"
#include "bench/side.h"

extern const char bench_readers_cl[];  // readers.cl; the build embeds it

// Shapes of the reading kernel. The fastest one is used. On a GPU `groups` is multiplied by the compute units.
struct shape {
  size_t groups, group_size;
};
static const struct shape runs_shapes[] = {{2, 1}, {16, 1}, {64, 1}, {256, 1}, {1024, 1}};
static const struct shape turns_shapes[] = {{2, 256}, {4, 256}, {8, 256}, {16, 256}, {32, 256}, {4, 512}, {2, 1024}};
enum { SHAPES_MOST = 8, TRIALS = 3 };

struct limit {
  const struct bench_bed *bed;
  // Enqueues one call; `name` is its OpenCL function.
  cl_int (*enqueue)(const struct limit *limit, cl_command_queue queue, cl_event *event);
  const char *name;
  size_t bytes;    // to copy
  cl_ulong words;  // to read
  cl_kernel kernel;
  cl_mem out;
  struct shape shape;
};

static void close_limit(struct side *side) {
  struct limit *limit = side->own;
  buffer_release(limit->out);
  if (limit->kernel != NULL)
    clReleaseKernel(limit->kernel);
  free(limit);
}

// ---- Timing

static int failed(const char *call, cl_int status) {
  return status ? fail_opencl(call, status, "to find the limit") : EXIT_DONE;
}

static int device_seconds(cl_event event, double *seconds) {
  cl_ulong begun = 0, ended = 0;
  cl_int status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begun, &begun, NULL);
  if (status == CL_SUCCESS)
    status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
  *seconds = status == CL_SUCCESS && ended > begun ? (double)(ended - begun) * 1e-9 : NAN;
  return failed("clGetEventProfilingInfo", status == CL_PROFILING_INFO_NOT_AVAILABLE ? CL_SUCCESS : status);
}

static int time_on_device(const struct limit *limit, double *seconds) {
  cl_event event = NULL;
  int code = failed(limit->name, limit->enqueue(limit, limit->bed->session.queue, &event));
  code = code ? code : failed("clWaitForEvents", clWaitForEvents(1, &event));
  code = code ? code : device_seconds(event, seconds);
  if (event != NULL)
    clReleaseEvent(event);
  return code;
}

static int time_by_wall(const struct limit *limit, uint64_t calls, double *seconds) {
  cl_command_queue queue = limit->bed->wall_queue;
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  double begun = seconds_now();
  for (uint64_t i = 0; i < calls && status == CL_SUCCESS; i++)
    status = limit->enqueue(limit, queue, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)calls;
  return status == CL_SUCCESS ? failed("clFinish", finished) : failed(limit->name, status);
}

static int run_limit(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct limit *limit = side->own;
  return clock == BENCH_DEVICE ? time_on_device(limit, seconds) : time_by_wall(limit, calls, seconds);
}

static cl_int enqueue_copy(const struct limit *limit, cl_command_queue queue, cl_event *event) {
  return clEnqueueCopyBuffer(queue, limit->bed->in, limit->bed->second, 0, 0, limit->bytes, 0, NULL, event);
}

static size_t items_of(const struct limit *limit) {
  return limit->shape.groups * limit->shape.group_size;
}

static cl_int enqueue_kernel(const struct limit *limit, cl_command_queue queue, cl_event *event) {
  const size_t items = items_of(limit), group_size = limit->shape.group_size;
  return clEnqueueNDRangeKernel(queue, limit->kernel, 1, NULL, &items, &group_size, 0, NULL, event);
}

static int open_limit(struct side *side, const char *name, const struct bench_bed *bed, uint64_t bytes) {
  *side = (struct side){.kind = SIDE_LIMIT, .has_device_clock = true, .run = run_limit, .close = close_limit};
  snprintf(side->name, sizeof side->name, "%s", name);
  struct limit *limit = side->own = calloc(1, sizeof *limit);
  if (limit == NULL)
    return fail_memory();
  *limit =
    (struct limit){.bed = bed, .enqueue = enqueue_kernel, .name = "clEnqueueNDRangeKernel", .bytes = (size_t)bytes};
  return EXIT_DONE;
}

int bench_copy_open(struct side *side, const struct bench_bed *bed, uint64_t bytes) {
  int code = open_limit(side, "copy", bed, bytes);
  struct limit *limit = side->own;
  side->bytes = 2 * (double)bytes;
  if (code)
    return code;
  limit->enqueue = enqueue_copy;
  limit->name = "clEnqueueCopyBuffer";
  return EXIT_DONE;
}

// ---- Reading

int bench_limit_build(struct bench_bed *bed) {
  const char *text = bench_readers_cl;
  cl_int status;
  int kept = hush_begin();
  bed->readers = clCreateProgramWithSource(bed->session.context, 1, &text, NULL, &status);
  const char *call = status == CL_SUCCESS ? "clBuildProgram" : "clCreateProgramWithSource";
  if (status == CL_SUCCESS)
    status = clBuildProgram(bed->readers, 1, &bed->session.device.id, "", NULL, NULL);
  hush_end(kept);
  return status ? fail_opencl(call, status, "the kernels that find the limit") : EXIT_DONE;
}

static int make_kernel(struct limit *limit, const char *name) {
  cl_int status;
  limit->kernel = clCreateKernel(limit->bed->readers, name, &status);
  return status ? fail_opencl("clCreateKernel", status, name) : EXIT_DONE;
}

static int make_out(struct limit *limit, size_t items) {
  int code = session_room(&limit->bed->session, NULL, items * sizeof(cl_uint), "to find the limit", &limit->out);
  if (code)
    return code;
  cl_int status = clSetKernelArg(limit->kernel, 0, sizeof limit->bed->in, &limit->bed->in);
  if (status == CL_SUCCESS)
    status = clSetKernelArg(limit->kernel, 1, sizeof limit->words, &limit->words);
  if (status == CL_SUCCESS)
    status = clSetKernelArg(limit->kernel, 2, sizeof limit->out, &limit->out);
  return status ? fail_opencl("clSetKernelArg", status, "to find the limit") : EXIT_DONE;
}

// Lists the shapes with groups that this device can run, and their numbers of groups.
static size_t list_shapes(const struct limit *limit, bool cpu, struct shape shapes[SHAPES_MOST]) {
  const struct session *session = &limit->bed->session;
  const struct shape *from = cpu ? runs_shapes : turns_shapes;
  size_t known = cpu ? sizeof runs_shapes / sizeof *from : sizeof turns_shapes / sizeof *from, count = 0, most = 1;
  clGetKernelWorkGroupInfo(limit->kernel, session->device.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  for (size_t i = 0; i < known; i++)
    if (from[i].group_size <= most) {
      shapes[count] = from[i];
      shapes[count++].groups *= cpu ? 1 : (size_t)session_fact(session, "compute_units", 1);
    }
  if (count == 0)
    shapes[count++] = (struct shape){1024, 1};
  return count;
}

// The value that the kernels must give: the exclusive or of all words.
static cl_uint exclusive_or(const struct limit *limit) {
  const cl_uint *word = limit->bed->elements;
  cl_uint all = 0;
  for (size_t i = 0; i < limit->bytes / sizeof *word; i++)
    all ^= word[i];
  return all;
}

static int check_read(struct side *side) {
  struct limit *limit = side->own;
  size_t items = items_of(limit);
  cl_uint *parts = calloc(items, sizeof *parts), all = 0;
  if (parts == NULL)
    return fail_memory();
  cl_int status =
    clEnqueueReadBuffer(limit->bed->wall_queue, limit->out, CL_TRUE, 0, items * sizeof *parts, parts, 0, NULL, NULL);
  for (size_t i = 0; i < items; i++)
    all ^= parts[i];
  free(parts);
  side->wrong = side->wrong || all != exclusive_or(limit);
  return status ? fail_opencl("clEnqueueReadBuffer", status, "to find the limit") : EXIT_DONE;
}

// The first trial warms up.
static int try_shape(struct side *side, double *least) {
  double seconds;
  *least = INFINITY;
  for (int i = 0; i < TRIALS; i++) {
    int code = run_limit(side, BENCH_WALL, i == 0 ? 1 : 2, &seconds);
    if (code)
      return code;
    *least = i == 0 ? INFINITY : fmin(*least, seconds);
  }
  return EXIT_DONE;
}

static int choose_shape(struct side *side, const struct shape *shapes, size_t count) {
  struct limit *limit = side->own;
  struct shape best = shapes[0];
  double least = INFINITY, seconds;
  for (size_t i = 0; i < count; i++) {
    limit->shape = shapes[i];
    int code = try_shape(side, &seconds);
    if (code)
      return code;
    if (seconds < least) {
      least = seconds;
      best = shapes[i];
    }
  }
  limit->shape = best;
  int code = run_limit(side, BENCH_WALL, 1, &seconds);
  return code ? code : check_read(side);
}

int bench_read_open(struct side *side, const struct bench_bed *bed, uint64_t bytes) {
  bool cpu = session_fact(&bed->session, "cpu", 0) != 0;
  size_t word = cpu ? sizeof(cl_uint16) : sizeof(cl_uint4), items = 0;
  struct shape shapes[SHAPES_MOST];
  uint64_t whole = bytes / word * word;
  int code = open_limit(side, "read", bed, whole);
  side->bytes = (double)whole;
  if (code || bytes < word) {
    snprintf(side->lost, sizeof side->lost, "fewer bytes than one load");
    return code;
  }
  struct limit *limit = side->own;
  limit->words = bytes / word;
  code = make_kernel(limit, cpu ? "read_runs" : "read_turns");
  size_t count = !code ? list_shapes(limit, cpu, shapes) : 0;
  for (size_t i = 0; i < count; i++)
    items = shapes[i].groups * shapes[i].group_size > items ? shapes[i].groups * shapes[i].group_size : items;
  code = code ? code : make_out(limit, items);
  return code ? code : choose_shape(side, shapes, count);
}

int bench_empty_open(struct side *side, struct bench_bed *bed, double bytes) {
  int code = bed->readers == NULL ? bench_limit_build(bed) : EXIT_DONE;
  code = code ? code : open_limit(side, "empty kernel", bed, 0);
  if (code)
    return code;
  struct limit *limit = side->own;
  side->bytes = bytes;
  limit->shape = (struct shape){1, 1};
  return make_kernel(limit, "nothing");
}
