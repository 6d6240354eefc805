// Calls a plan repeatedly and computes medians.

#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"

enum { ENOUGH_CALLS = 3 };

// ---- Calls

struct timings {
  double *kernel;
  double *wall;
};

// The clocks have nanoseconds. Further digits are noise of the double.
static double whole_nanoseconds(double seconds) {
  return round(seconds * 1e9) / 1e9;
}

static cl_int kernel_time(clred_plan *plan, double *seconds) {
  cl_int status = session_kernel_seconds(plan, seconds);
  *seconds = whole_nanoseconds(*seconds);
  return status;
}

// A failed OpenCL call of the tool itself.
struct own_failure {
  const char *call, *about;  // NULL if none failed
};

// A plan, its call, and buffers for its results.
struct caller {
  const struct session *session;
  clred_plan *plan;
  const struct work *work;
  cl_mem out;  // NULL for a single result, which needs no buffer
  cl_mem keys_out;
  struct own_failure *own;
};

static cl_int noted(const struct caller *caller, cl_int status, const char *call, const char *about) {
  if (status != CL_SUCCESS)
    *caller->own = (struct own_failure){call, about};
  return status;
}

static cl_int read_back(const struct caller *caller, cl_mem from, size_t size, void *to, const char *about) {
  cl_int status = clEnqueueReadBuffer(caller->session->queue, from, CL_TRUE, 0, size, to, 0, NULL, NULL);
  return noted(caller, status, "clEnqueueReadBuffer", about);
}

static int make_out(struct caller *caller, const struct results *results) {
  cl_ulong most = session_fact(caller->session, "max_alloc", CL_ULONG_MAX);
  cl_int status;
  if (results->count * results->size > most)
    return fail(EXIT_WORK_FAILED, "the results have %llu bytes, one buffer of %s holds at most %llu; split the input",
                (unsigned long long)(results->count * results->size), caller->session->device.name,
                (unsigned long long)most);
  // No call writes results of elements in no segment; they must be 0.
  cl_mem_flags flags = CL_MEM_READ_WRITE | (caller->work->call.segments != NULL ? CL_MEM_COPY_HOST_PTR : 0);
  caller->out = clCreateBuffer(caller->session->context, flags, (size_t)results->count * results->size,
                               caller->work->call.segments != NULL ? results->bytes : NULL, &status);
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl("clCreateBuffer", status, "the results");
}

static cl_int check_overflow(const struct results *results) {
  for (uint64_t i = 0; results->overflow > 0 && i < results->count; i++)
    if (results_overflowed(results, i))
      return CLRED_OVERFLOW;
  return CL_SUCCESS;
}

static cl_int call_by_hand(const struct work *work, const struct results *results) {
  cl_int status = work->by_hand(work->about, results->bytes);
  return status == CL_SUCCESS ? check_overflow(results) : status;
}

static cl_int call_one(const struct caller *caller, clred_call call, const struct results *results) {
  call.result = results->bytes;
  call.blocking = CL_TRUE;
  return clred_enqueue(caller->session->queue, caller->plan, &call, 0, NULL, NULL);
}

// The count of `results` becomes the number of kept elements or found runs.
static cl_int call_many(const struct caller *caller, clred_call call, struct results *results) {
  clred_outcome outcome = {0, 0};
  call.out = caller->out;
  call.keys_out = caller->keys_out;
  if (caller->work->finds) {
    call.outcome = &outcome;
    call.blocking = CL_TRUE;
  }
  cl_int status = clred_enqueue(caller->session->queue, caller->plan, &call, 0, NULL, NULL);
  if (status == CL_SUCCESS)
    status = noted(caller, clFinish(caller->session->queue), "clFinish", "the results");
  if (status == CL_SUCCESS && caller->work->finds)
    results->count = outcome.count;
  return status;
}

// Reading an array of results back is not part of the call's time.
static cl_int fetch_many(const struct caller *caller, const struct results *results) {
  size_t size = (size_t)results->count * results->size;
  cl_int status = CL_SUCCESS;
  if (size > 0)
    status = read_back(caller, caller->out, size, results->bytes, "the results");
  return status == CL_SUCCESS ? check_overflow(results) : status;
}

static cl_int call(const struct caller *caller, struct results *results) {
  if (caller->work->results == 0)
    return CL_SUCCESS;
  if (caller->work->by_hand != NULL)
    return call_by_hand(caller->work, results);
  return caller->out == NULL ? call_one(caller, caller->work->call, results)
                             : call_many(caller, caller->work->call, results);
}

static cl_int timed_call(const struct caller *caller, struct results *results, double *kernel, double *wall) {
  double begun = seconds_now();
  cl_int status = call(caller, results);
  *wall = whole_nanoseconds(seconds_now() - begun);
  *kernel = NAN;
  if (status == CL_SUCCESS && caller->out != NULL)
    status = fetch_many(caller, results);
  return status == CL_SUCCESS && caller->work->results > 0 ? kernel_time(caller->plan, kernel) : status;
}

static bool all_same(const struct results *a, const struct results *b) {
  if (a->count != b->count)
    return false;
  if (memcmp(a->bytes, b->bytes, (size_t)a->count * a->size) == 0)
    return true;
  for (uint64_t i = 0; i < a->count; i++)
    if (!results_same(a, b, i))
      return false;
  return true;
}

static cl_int call_repeatedly(const struct caller *caller, struct repeats repeats, struct timings timings,
                              struct results *first, struct outcome *outcome) {
  double begun = seconds_now();
  outcome->steady = true;
  for (outcome->calls = 0; outcome->calls < repeats.count; outcome->calls++) {
    cl_ulong i = outcome->calls;
    if (i >= ENOUGH_CALLS && repeats.budget > 0 && seconds_now() - begun > repeats.budget)
      break;
    cl_int status = timed_call(caller, i == 0 ? first : &outcome->results, &timings.kernel[i], &timings.wall[i]);
    if (status != CL_SUCCESS)
      return status;
    if (i == 0) {
      outcome->results.count = first->count;
      memcpy(outcome->results.bytes, first->bytes, (size_t)first->count * first->size);
    }
    outcome->steady = outcome->steady && all_same(first, &outcome->results);
  }
  return CL_SUCCESS;
}

static cl_int run_calls(const struct caller *caller, struct repeats repeats, struct timings timings,
                        struct results *first, struct outcome *outcome) {
  cl_int status = repeats.warm ? call(caller, first) : CL_SUCCESS;
  if (status == CL_SUCCESS)
    status = call_repeatedly(caller, repeats, timings, first, outcome);
  if (status == CL_SUCCESS) {
    outcome->kernel_seconds = median(timings.kernel, outcome->calls);
    outcome->wall_seconds = median(timings.wall, outcome->calls);
  }
  return status;
}

// The library has a message for a single overflowed sum, but not for one of many.
static int call_failed(const struct caller *caller, cl_int status) {
  const char *sentence = clred_last_error(caller->session->runtime);
  if (status == CLRED_OVERFLOW)
    return fail(EXIT_WORK_FAILED, "--overflow detect: %s (CLRED_OVERFLOW)",
                caller->out == NULL && caller->work->by_hand == NULL ? sentence
                                                                     : "one of the results does not fit its type");
  return caller->own->call != NULL ? fail_opencl(caller->own->call, status, caller->own->about)
                                   : fail_library(status, sentence);
}

static int prepare(const struct session *session, const clred_plan *plan, const struct work *work,
                   struct outcome *outcome) {
  cl_int status = clred_plan_inspect(plan, work->call.count, &outcome->info);
  if (status != CL_SUCCESS)
    return fail_library(status, clred_last_error(session->runtime));
  return results_make(&outcome->results, plan, &outcome->info, work->results, work->checked);
}

static int make_keys_out(struct caller *caller, const struct results *keys) {
  cl_int status;
  caller->keys_out =
    clCreateBuffer(caller->session->context, CL_MEM_READ_WRITE, (size_t)keys->count * keys->size, NULL, &status);
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl("clCreateBuffer", status, "the runs' keys");
}

static int open_caller(struct caller *caller, const struct results *results, struct results *keys) {
  const struct work *work = caller->work;
  bool needed = work->by_hand == NULL && (results->count > 1 || ((work->scans || work->finds) && results->count == 1));
  int code = needed ? make_out(caller, results) : EXIT_DONE;
  if (code == EXIT_DONE && work->key_type != CLRED_TYPE_NONE)
    code = results_make_values(keys, work->key_type, results->count);
  return code == EXIT_DONE && keys->count > 0 ? make_keys_out(caller, keys) : code;
}

// The keys of the last call.
static cl_int fetch_keys(const struct caller *caller, struct outcome *outcome) {
  struct results *keys = &outcome->keys;
  if (caller->keys_out == NULL)
    return CL_SUCCESS;
  keys->count = outcome->results.count;
  return read_back(caller, caller->keys_out, (size_t)keys->count * keys->size, keys->bytes, "the runs' keys");
}

static void close_caller(struct caller *caller) {
  if (caller->out != NULL)
    clReleaseMemObject(caller->out);
  if (caller->keys_out != NULL)
    clReleaseMemObject(caller->keys_out);
}

static int run_prepared(struct caller *caller, struct repeats repeats, struct results *first, struct outcome *outcome) {
  struct timings timings = {calloc(repeats.count, sizeof(double)), calloc(repeats.count, sizeof(double))};
  bool room = timings.kernel != NULL && timings.wall != NULL;
  int code = room ? open_caller(caller, first, &outcome->keys) : fail_memory();
  if (code == EXIT_DONE) {
    cl_int status = run_calls(caller, repeats, timings, first, outcome);
    if (status == CL_SUCCESS)
      status = fetch_keys(caller, outcome);
    code = status == CL_SUCCESS ? EXIT_DONE : call_failed(caller, status);
  }
  close_caller(caller);
  free(timings.kernel);
  free(timings.wall);
  return code;
}

int run_plan(const struct session *session, clred_plan *plan, const struct work *work, struct repeats repeats,
             struct outcome *outcome) {
  struct own_failure own = {NULL, NULL};
  struct caller caller = {.session = session, .plan = plan, .work = work, .own = &own};
  struct results first = {0};
  *outcome = (struct outcome){0};
  int code = prepare(session, plan, work, outcome);
  if (code == EXIT_DONE)
    code = results_make_like(&first, &outcome->results);
  if (code == EXIT_DONE)
    code = run_prepared(&caller, repeats, &first, outcome);
  results_release(&first);
  return code;
}

int run_call(const struct session *session, clred_plan *plan, const clred_call *call) {
  cl_int status = clred_enqueue(session->queue, plan, call, 0, NULL, NULL);
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(session->runtime));
}

void outcome_release(struct outcome *outcome) {
  results_release(&outcome->results);
  results_release(&outcome->keys);
}
