// Upload, the loop over calls, and medians.

#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

enum { ENOUGH_CALLS = 3 };

// ---- Upload

int run_check_size(const struct session *session, const struct input *input)
{
  cl_ulong most = session_fact(session, "max_alloc", CL_ULONG_MAX);
  if (input->counted && input_bytes(input) > most)
    return fail(EXIT_WORK_FAILED, "the input has %llu bytes, one buffer of %s holds at most %llu",
                (unsigned long long)input_bytes(input), session->device.name, (unsigned long long)most);
  return EXIT_DONE;
}

static int upload_failed(const char *call, cl_int status, const struct input *input)
{
  char about[64];
  snprintf(about, sizeof about, "the input, %llu bytes", (unsigned long long)input_bytes(input));
  return fail_opencl(call, status, about);
}

static int share(const struct session *session, const struct input *input, cl_mem *buffer)
{
  cl_int status;
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, (size_t)input_bytes(input),
                           input->data, &status);
  return status == CL_SUCCESS ? EXIT_DONE : upload_failed("clCreateBuffer", status, input);
}

static int copy(const struct session *session, const struct input *input, cl_mem *buffer)
{
  size_t bytes = (size_t)input_bytes(input);
  cl_int status;
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  if (status != CL_SUCCESS)
    return upload_failed("clCreateBuffer", status, input);
  status = clEnqueueWriteBuffer(session->queue, *buffer, CL_TRUE, 0, bytes, input->data, 0, NULL, NULL);
  if (status == CL_SUCCESS)
    return EXIT_DONE;
  clReleaseMemObject(*buffer);
  *buffer = NULL;
  return upload_failed("clEnqueueWriteBuffer", status, input);
}

int run_upload(const struct session *session, const struct input *input, cl_mem *buffer)
{
  *buffer = NULL;
  if (input->count == 0)
    return EXIT_DONE;
  int code = run_check_size(session, input);
  if (code != EXIT_DONE)
    return code;
  bool shares = session_fact(session, "unified_memory", 0) != 0;
  return shares ? share(session, input, buffer) : copy(session, input, buffer);
}

// ---- Calls

struct timings {
  double *kernel;
  double *wall;
};

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The clocks tell nanoseconds; what is behind them is the doubles' own.
static double whole_nanoseconds(double seconds)
{
  return round(seconds * 1e9) / 1e9;
}

static double median(double *seconds, size_t count)
{
  qsort(seconds, count, sizeof *seconds, by_size);
  return count % 2 == 1 ? seconds[count / 2] : (seconds[count / 2 - 1] + seconds[count / 2]) / 2;
}

// 0 from the library means that no kernel ran; a device that keeps no times is no failure of the work either.
static cl_int kernel_time(clred_plan *plan, double *seconds)
{
  cl_int status = clred_plan_seconds(plan, seconds);
  if (status == CL_PROFILING_INFO_NOT_AVAILABLE || (status == CL_SUCCESS && *seconds <= 0))
    *seconds = NAN;
  *seconds = whole_nanoseconds(*seconds);
  return status == CL_PROFILING_INFO_NOT_AVAILABLE ? CL_SUCCESS : status;
}

static cl_int call(const struct session *session, clred_plan *plan, cl_mem buffer, cl_ulong count, number *result,
                   double *kernel, double *wall)
{
  double begun = seconds_now();
  cl_int status = clred_enqueue_reduce_read(session->queue, plan, buffer, CL_TRUE, 0, count, result->bytes, 0, NULL,
                                            NULL);
  *wall = whole_nanoseconds(seconds_now() - begun);
  *kernel = NAN;
  return status == CL_SUCCESS ? kernel_time(plan, kernel) : status;
}

static cl_int call_repeatedly(const struct session *session, clred_plan *plan, cl_mem buffer, cl_ulong count,
                              struct repeats repeats, struct timings timings, struct outcome *outcome)
{
  double begun = seconds_now();
  number first = {{0}};
  outcome->steady = true;
  for (outcome->calls = 0; outcome->calls < repeats.count; outcome->calls++) {
    cl_ulong i = outcome->calls;
    if (i >= ENOUGH_CALLS && repeats.budget > 0 && seconds_now() - begun > repeats.budget)
      break;
    cl_int status = call(session, plan, buffer, count, &outcome->result, &timings.kernel[i], &timings.wall[i]);
    if (status != CL_SUCCESS)
      return status;
    if (i == 0)
      first = outcome->result;
    outcome->steady = outcome->steady && memcmp(&first, &outcome->result, sizeof first) == 0;
  }
  return CL_SUCCESS;
}

static cl_int warm_up(const struct session *session, clred_plan *plan, cl_mem buffer, cl_ulong count)
{
  number unused;
  double kernel, wall;
  return call(session, plan, buffer, count, &unused, &kernel, &wall);
}

static cl_int run_calls(const struct session *session, clred_plan *plan, cl_mem buffer, cl_ulong count,
                        struct repeats repeats, struct timings timings, struct outcome *outcome)
{
  cl_int status = clred_plan_inspect(plan, count, &outcome->info);
  if (status == CL_SUCCESS && repeats.warm)
    status = warm_up(session, plan, buffer, count);
  if (status == CL_SUCCESS)
    status = call_repeatedly(session, plan, buffer, count, repeats, timings, outcome);
  if (status == CL_SUCCESS) {
    outcome->kernel_seconds = median(timings.kernel, outcome->calls);
    outcome->wall_seconds = median(timings.wall, outcome->calls);
  }
  return status;
}

int run_plan(const struct session *session, clred_plan *plan, cl_mem buffer, const struct input *input,
             struct repeats repeats, struct outcome *outcome)
{
  struct timings timings = {calloc(repeats.count, sizeof(double)), calloc(repeats.count, sizeof(double))};
  int            code;

  *outcome = (struct outcome){0};
  if (timings.kernel == NULL || timings.wall == NULL) {
    code = fail_memory();
  } else {
    cl_int status = run_calls(session, plan, buffer, input->count, repeats, timings, outcome);
    code = status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(session->runtime));
  }
  free(timings.kernel);
  free(timings.wall);
  return code;
}
