#include "ours_work.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "progress.h"

enum { CHUNK = 1 << 20 };

static int check(const struct ours_work *work, cl_int status) {
  return status ? fail_library(status, clred_last_error(work->session->runtime)) : EXIT_DONE;
}

static int check_opencl(cl_int status, const char *call, const char *about) {
  return status ? fail_opencl(call, status, about) : EXIT_DONE;
}

int ours_work_open(struct ours_work *work, const struct session *session, clred_problem problem) {
  cl_int status = CL_SUCCESS;

  *work = (struct ours_work){.session = session};
  for (int clock = 0; clock < 2; clock++) {
    problem.profile = clock == BENCH_DEVICE;
    work->queues[clock] = clCreateCommandQueue(session->context, session->device.id,
                                               clock == BENCH_DEVICE ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
    int code = check_opencl(status, "clCreateCommandQueue", "for a clock");
    if (!code)
      code = check(work, session_plan(session, &problem, &work->plans[clock]));
    if (code)
      return code;
  }
  return EXIT_DONE;
}

void ours_work_close(struct ours_work *work) {
  for (int clock = 0; clock < 2; clock++) {
    clred_plan_release(work->plans[clock]);
    if (work->queues[clock])
      clReleaseCommandQueue(work->queues[clock]);
  }
  *work = (struct ours_work){.session = work->session};
}

int ours_work_run(struct ours_work *work, enum bench_clock clock, size_t calls, double *seconds) {
  cl_command_queue queue = work->queues[clock];
  cl_int status = clFinish(queue);
  double start = seconds_now();

  calls = clock == BENCH_DEVICE ? 1 : calls;
  for (size_t i = 0; i < calls && !status; i++)
    status = clred_enqueue(queue, work->plans[clock], &work->call, 0, NULL, NULL);
  if (status)
    return check(work, status);
  status = clFinish(queue);
  *seconds = (seconds_now() - start) / (double)calls;
  if (!status && clock == BENCH_DEVICE)
    return check(work, clred_plan_seconds(work->plans[clock], seconds));
  return check_opencl(status, "clFinish", "the work");
}

int ours_work_describe(const struct ours_work *work, char *text, size_t size) {
  clred_plan_info info;
  int code = check(work, clred_plan_inspect(work->plans[BENCH_WALL], work->call.count, &info));

  if (!code)
    snprintf(text, size, "%s, %s", info.strategy, info.order);
  return code;
}

int ours_on_cpu(const struct session *session) {
  return (session->device.type & CL_DEVICE_TYPE_CPU) != 0;
}

// In pieces, because not every driver takes more than 2^32 bytes at once.
static cl_int write_pieces(const struct session *session, cl_mem buffer, const void *data, size_t bytes) {
  const size_t most = (size_t)1 << 30;
  cl_int status = CL_SUCCESS;

  for (size_t done = 0; done < bytes && !status; done += most)
    status = clEnqueueWriteBuffer(session->queue, buffer, CL_TRUE, done, bytes - done < most ? bytes - done : most,
                                  (const char *)data + done, 0, NULL, NULL);
  return status;
}

int ours_buffer(const struct session *session, const void *data, size_t bytes, cl_mem *buffer) {
  const int shared = ours_on_cpu(session);
  void *host = (void *)(size_t)data;
  cl_int status = CL_SUCCESS;

  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY | (shared ? CL_MEM_USE_HOST_PTR : 0), bytes,
                           shared ? host : NULL, &status);
  if (!status && !shared)
    status = write_pieces(session, *buffer, data, bytes);
  return check_opencl(status, "clCreateBuffer or clEnqueueWriteBuffer", "the elements");
}

// Written, not filled: beyond 2^31 bytes NVIDIA's driver fills wrongly. Pages of the device's own need no touch.
int ours_results(const struct session *session, size_t bytes, cl_mem *buffer) {
  cl_int status = CL_SUCCESS;

  *buffer = clCreateBuffer(session->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  if (status)
    return check_opencl(status, "clCreateBuffer", "the results");
  return ours_on_cpu(session) ? ours_spoil(session, *buffer, 0, bytes) : EXIT_DONE;
}

int ours_spoil(const struct session *session, cl_mem buffer, size_t at, size_t bytes) {
  static unsigned char spoilt[CHUNK];
  cl_int status = CL_SUCCESS;

  memset(spoilt, 0xff, sizeof spoilt);
  for (size_t done = 0; done < bytes && !status; done += sizeof spoilt) {
    const size_t part = bytes - done < sizeof spoilt ? bytes - done : sizeof spoilt;
    status = clEnqueueWriteBuffer(session->queue, buffer, CL_TRUE, at + done, part, spoilt, 0, NULL, NULL);
  }
  return check_opencl(status, "clEnqueueWriteBuffer", "the results");
}

int ours_read(const struct session *session, cl_mem buffer, size_t at, size_t bytes, void *data) {
  return check_opencl(clEnqueueReadBuffer(session->queue, buffer, CL_TRUE, at, bytes, data, 0, NULL, NULL),
                      "clEnqueueReadBuffer", "the results");
}

void ours_release(cl_mem *buffer) {
  if (*buffer)
    clReleaseMemObject(*buffer);
  *buffer = NULL;
}
