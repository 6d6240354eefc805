// Limits as sides: a copy by the driver, and a kernel that only reads (readers.cl). No reduction can be much faster
// than reading alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/hush.h"
#include "base/progress.h"
#include "bench/bench.h"

extern const char bench_readers_cl[];  // the build embeds it

struct limit {
  const struct fixture *fixture;
  cl_kernel kernel;  // NULL: a copy
  cl_mem out;
  cl_ulong words;
  size_t bytes, items, group_size;
};

static int failed(const char *call, cl_int status) {
  return status ? fail_opencl(call, status, "to find the limit") : EXIT_DONE;
}

// ---- Runs

static cl_int enqueue(const struct limit *limit, cl_command_queue queue, cl_event *event) {
  if (limit->kernel == NULL)
    return clEnqueueCopyBuffer(queue, limit->fixture->in, limit->fixture->copy, 0, 0, limit->bytes, 0, NULL, event);
  return clEnqueueNDRangeKernel(queue, limit->kernel, 1, NULL, &limit->items, &limit->group_size, 0, NULL, event);
}

static int time_on_device(const struct limit *limit, double *seconds) {
  cl_event event = NULL;
  cl_ulong begun = 0, ended = 0;
  cl_int status = enqueue(limit, limit->fixture->session.queue, &event);
  if (status == CL_SUCCESS)
    status = clWaitForEvents(1, &event);
  if (status == CL_SUCCESS)
    status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begun, &begun, NULL);
  if (status == CL_SUCCESS)
    status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
  if (event != NULL)
    clReleaseEvent(event);
  *seconds = status == CL_SUCCESS && ended > begun ? (double)(ended - begun) * 1e-9 : NAN;
  return failed("a timed event", status == CL_PROFILING_INFO_NOT_AVAILABLE ? CL_SUCCESS : status);
}

static int run_limit(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct limit *limit = side->own;
  cl_command_queue queue = limit->fixture->wall_queue;
  if (clock == BENCH_DEVICE)
    return time_on_device(limit, seconds);
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  const double begun = seconds_now();
  for (uint64_t i = 0; i < calls && status == CL_SUCCESS; i++)
    status = enqueue(limit, queue, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)calls;
  return failed("a timed call", status == CL_SUCCESS ? finished : status);
}

// ---- Opening

int bench_limit_build(struct fixture *fixture) {
  const char *text = bench_readers_cl;
  cl_int status;
  int kept = hush_begin();
  fixture->readers = clCreateProgramWithSource(fixture->session.context, 1, &text, NULL, &status);
  const char *call = status == CL_SUCCESS ? "clBuildProgram" : "clCreateProgramWithSource";
  if (status == CL_SUCCESS)
    status = clBuildProgram(fixture->readers, 1, &fixture->session.device.id, "", NULL, NULL);
  hush_end(kept);
  return failed(call, status);
}

static void close_limit(struct side *side) {
  struct limit *limit = side->own;
  buffer_release(limit->out);
  if (limit->kernel != NULL)
    clReleaseKernel(limit->kernel);
  free(limit);
}

static int open_limit(struct side *side, const char *name, const struct fixture *fixture) {
  struct limit *limit = side->own = calloc(1, sizeof *limit);
  if (limit == NULL)
    return fail_memory();
  *limit = (struct limit){.fixture = fixture, .bytes = (size_t)side->row->bytes};
  side->run = run_limit;
  side->close = close_limit;
  side->row->kind = SIDE_LIMIT;
  side->row->correct = true;
  snprintf(side->row->name, sizeof side->row->name, "%s", name);
  return EXIT_DONE;
}

int bench_copy_open(struct side *side, const struct fixture *fixture) {
  return open_limit(side, "copy", fixture);
}

// On CPUs up to 64 groups of one work-item; on GPUs up to 16 groups of 256 for each compute unit. Each work-item reads
// at least four words.
static void choose_shape(struct limit *limit, bool cpu) {
  const struct session *session = &limit->fixture->session;
  const size_t most = cpu ? 64 : 16 * (size_t)session_fact(session, "compute_units", 1);
  size_t fits = 1;
  clGetKernelWorkGroupInfo(limit->kernel, session->device.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof fits, &fits, NULL);
  limit->group_size = cpu ? 1 : fits < 256 ? fits : 256;
  const size_t needed = (size_t)limit->words / (4 * limit->group_size) + 1;
  limit->items = (needed < most ? needed : most) * limit->group_size;
}

// The exclusive or of all words shows that all were read.
static int check_read(struct side *side) {
  const struct limit *limit = side->own;
  const cl_uint *word = limit->fixture->elements;
  const size_t size = limit->items * sizeof(cl_uint);
  double seconds;
  cl_uint all = 0, *parts = malloc(size);
  int code = parts == NULL ? fail_memory() : run_limit(side, BENCH_WALL, 1, &seconds);
  if (!code)
    code = failed("clEnqueueReadBuffer",
                  clEnqueueReadBuffer(limit->fixture->wall_queue, limit->out, CL_TRUE, 0, size, parts, 0, NULL, NULL));
  for (size_t i = 0; i < limit->items && !code; i++)
    all ^= parts[i];
  for (size_t i = 0; i < limit->bytes / sizeof *word && !code; i++)
    all ^= word[i];
  side->row->correct = all == 0;
  free(parts);
  return code;
}

int bench_read_open(struct side *side, const struct fixture *fixture) {
  const bool cpu = session_fact(&fixture->session, "cpu", 0) != 0;
  const size_t word = cpu ? sizeof(cl_uint16) : sizeof(cl_uint4);
  cl_int status;
  int code = open_limit(side, "read", fixture);
  if (code)
    return code;
  struct limit *limit = side->own;
  limit->words = limit->bytes / word;
  limit->bytes = (size_t)limit->words * word;
  if (limit->words == 0) {
    snprintf(side->row->refused, sizeof side->row->refused, "fewer bytes than one load");
    return EXIT_DONE;
  }
  limit->kernel = clCreateKernel(fixture->readers, cpu ? "read_runs" : "read_words", &status);
  if (status != CL_SUCCESS)
    return failed("clCreateKernel", status);
  choose_shape(limit, cpu);
  code = session_room(&fixture->session, NULL, limit->items * sizeof(cl_uint), "to find the limit", &limit->out);
  if (code)
    return code;
  status = clSetKernelArg(limit->kernel, 0, sizeof fixture->in, &fixture->in);
  status = status ? status : clSetKernelArg(limit->kernel, 1, sizeof limit->words, &limit->words);
  status = status ? status : clSetKernelArg(limit->kernel, 2, sizeof limit->out, &limit->out);
  code = failed("clSetKernelArg", status);
  return code ? code : check_read(side);
}
