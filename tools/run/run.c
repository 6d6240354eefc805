// Calls a plan repeatedly and computes medians.
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/capture_stderr.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/wrap.h"
#include "input/unpack.h"

// For a packed input the message has the ratio of its sizes: a large one shows a decompression bomb.
int run_too_large(const struct session *session, const struct input *input, uint64_t bytes, cl_ulong most) {
  char packed[96] = "";
  uint64_t in_file = stream_packed_bytes(&input->stream);
  if (in_file > 0 && bytes / in_file > 1)
    snprintf(packed, sizeof packed, ", %.0f times the %llu bytes of its file", (double)bytes / (double)in_file,
             (unsigned long long)in_file);
  return fail(EXIT_WORK_FAILED,
              "the input has %s%llu bytes%s, one buffer of %s holds at most %llu, and this cannot be streamed (see "
              "LARGE INPUT in the manual): split the file",
              input->counted ? "" : "at least ", (unsigned long long)bytes, packed, session->device.name,
              (unsigned long long)most);
}

int run_check_size(const struct session *session, const struct input *input) {
  const cl_ulong most = session_fact(session, "max_alloc", INT64_MAX - 1);
  return input_bytes(input) > most ? run_too_large(session, input, input_bytes(input), most) : EXIT_DONE;
}

enum { ENOUGH_CALLS = 3 };

struct timings {
  double *kernel;
  double *wall;
};

// The clocks have nanoseconds. Further digits are noise of the double.
static double whole_nanoseconds(double seconds) {
  return round(seconds * 1e9) / 1e9;
}

// A plan, its call, and buffers for its results.
struct caller {
  const struct session *session;
  clred_plan *plan;
  const struct work *work;
  cl_mem out;  // NULL for a single result, which needs no buffer
  cl_mem keys_out;
  bool is_warm;  // a call was made
};

static int make_out(struct caller *caller, const struct results *results) {
  const cl_ulong most = session_fact(caller->session, "max_alloc", CL_ULONG_MAX);
  if (results->count * results->size > most)
    return fail(EXIT_WORK_FAILED, "the results have %llu bytes, one buffer of %s holds at most %llu; split the input",
                (unsigned long long)(results->count * results->size), caller->session->device.name,
                (unsigned long long)most);
  // An element that is in no segment has a result that no call writes. It must be 0.
  return session_room(caller->session, caller->work->call.segments != NULL ? results->bytes : NULL,
                      (size_t)results->count * results->size, "the results", &caller->out);
}

static int call_by_hand(const struct caller *caller, const struct results *results) {
  int code = session_check(caller->session, caller->work->by_hand(caller->work->about, results->bytes));
  return code ? code : results_check_overflows(results);
}

// Enqueues and waits. Some drivers compile at the first launch of a kernel, in another thread.
static int run_to_end(const struct caller *caller, const clred_call *call) {
  int kept = caller->is_warm ? -1 : capture_stderr_begin();
  cl_int status = clred_enqueue(caller->session->queue, caller->plan, call, 0, NULL, NULL);
  cl_int finished = status == CL_SUCCESS && !call->blocking ? clFinish(caller->session->queue) : CL_SUCCESS;
  capture_stderr_end(kept);
  int code = session_check(caller->session, status);
  return finished ? fail_opencl("clFinish", finished, "the results") : code;
}

static int call_one(const struct caller *caller, clred_call call, const struct results *results) {
  call.result = results->bytes;
  call.blocking = CL_TRUE;
  return run_to_end(caller, &call);
}

// The count of `results` becomes the number of kept elements or found runs.
static int call_many(const struct caller *caller, clred_call call, struct results *results) {
  clred_outcome outcome = {0, 0};
  call.out = caller->out;
  call.keys_out = caller->keys_out;
  if (caller->work->finds) {
    call.outcome = &outcome;
    call.blocking = CL_TRUE;
  }
  int code = run_to_end(caller, &call);
  if (!code && caller->work->finds)
    results->count = outcome.count;
  return code;
}

// Reading an array of results back is not part of the call's time.
static int fetch_many(const struct caller *caller, const struct results *results) {
  size_t size = (size_t)results->count * results->size;
  int code = size > 0 ? session_read(caller->session, caller->out, size, results->bytes, "the results") : EXIT_DONE;
  return code ? code : results_check_overflows(results);
}

static int call(const struct caller *caller, struct results *results) {
  if (caller->work->results == 0)
    return EXIT_DONE;
  if (caller->work->by_hand != NULL)
    return call_by_hand(caller, results);
  return caller->out == NULL ? call_one(caller, caller->work->call, results)
                             : call_many(caller, caller->work->call, results);
}

static int timed_call(void *about, struct results *results, double *kernel, double *wall) {
  struct caller *caller = about;
  double begun = seconds_now();
  int code = call(caller, results);
  *wall = seconds_now() - begun;
  *kernel = NAN;
  caller->is_warm = true;
  if (!code && caller->out != NULL)
    code = fetch_many(caller, results);
  if (!code && caller->work->results > 0)
    code = session_check(caller->session, session_kernel_seconds(caller->plan, kernel));
  return code;
}

// ---- Repetition

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

// Memory that no call writes costs nothing: `again` is used from the second call on.
static int call_repeatedly(run_once *once, void *about, struct repeats repeats, struct timings timings,
                           struct results *again, struct outcome *outcome) {
  int code = repeats.warm ? once(about, again, timings.kernel, timings.wall) : EXIT_DONE;
  double begun = seconds_now();
  outcome->steady = true;
  for (outcome->calls = 0; outcome->calls < repeats.count && !code; outcome->calls++) {
    cl_ulong i = outcome->calls;
    if (i >= ENOUGH_CALLS && repeats.budget > 0 && seconds_now() - begun > repeats.budget)
      break;
    code = once(about, i == 0 ? &outcome->results : again, &timings.kernel[i], &timings.wall[i]);
    outcome->steady = outcome->steady && (i == 0 || all_same(&outcome->results, again));
  }
  return code;
}

int run_repeatedly(run_once *once, void *about, struct repeats repeats, struct outcome *outcome) {
  struct timings timings = {calloc(repeats.count, sizeof(double)), calloc(repeats.count, sizeof(double))};
  struct results again = {0};
  int code = timings.kernel != NULL && timings.wall != NULL ? EXIT_DONE : fail_memory();
  code = code ? code : results_make_like(&again, &outcome->results);
  code = code ? code : call_repeatedly(once, about, repeats, timings, &again, outcome);
  if (!code) {
    outcome->kernel_seconds = whole_nanoseconds(median(timings.kernel, outcome->calls));
    outcome->wall_seconds = whole_nanoseconds(median(timings.wall, outcome->calls));
  }
  results_release(&again);
  free(timings.kernel);
  free(timings.wall);
  return code;
}

// ---- A plan

static int prepare(const struct session *session, const clred_plan *plan, const struct work *work,
                   struct outcome *outcome) {
  int code = session_check(session, clred_plan_inspect(plan, work->call.count, &outcome->info));
  return code ? code : results_make(&outcome->results, plan, &outcome->info, work->results, work->checked, work->words);
}

static int open_caller(struct caller *caller, const struct results *results, struct results *keys) {
  const struct work *work = caller->work;
  bool needed = work->by_hand == NULL && (results->count > 1 || ((work->scans || work->finds) && results->count == 1));
  int code = needed ? make_out(caller, results) : EXIT_DONE;
  if (!code && work->key_type != CLRED_TYPE_NONE)
    code = results_make_values(keys, work->key_type, results->count);
  if (code || keys->count == 0)
    return code;
  return session_room(caller->session, NULL, (size_t)keys->count * keys->size, "the runs' keys", &caller->keys_out);
}

// The keys of the last call.
static int fetch_keys(const struct caller *caller, struct outcome *outcome) {
  struct results *keys = &outcome->keys;
  if (caller->keys_out == NULL)
    return EXIT_DONE;
  keys->count = outcome->results.count;
  return session_read(caller->session, caller->keys_out, (size_t)keys->count * keys->size, keys->bytes,
                      "the runs' keys");
}

int run_plan(const struct session *session, clred_plan *plan, const struct work *work, struct repeats repeats,
             struct outcome *outcome) {
  struct caller caller = {.session = session, .plan = plan, .work = work};
  *outcome = (struct outcome){0};
  int code = prepare(session, plan, work, outcome);
  code = code ? code : open_caller(&caller, &outcome->results, &outcome->keys);
  code = code ? code : run_repeatedly(timed_call, &caller, repeats, outcome);
  code = code ? code : fetch_keys(&caller, outcome);
  buffer_release(caller.out);
  buffer_release(caller.keys_out);
  return code;
}

struct repeats repeats_wanted(const struct args *args) {
  cl_ulong count = args->repeat.given ? args->repeat.value : 1;
  return (struct repeats){.count = count, .warm = count > 1 || args->json || args->explain};
}

int run_call(const struct session *session, clred_plan *plan, const clred_call *call) {
  return session_check(session, clred_enqueue(session->queue, plan, call, 0, NULL, NULL));
}

void outcome_explain(const struct outcome *outcome, uint64_t bytes) {
  char kernels[CELL_SIZE], call[CELL_SIZE], speed[CELL_SIZE];
  write_time(outcome->kernel_seconds, kernels);
  write_time(outcome->wall_seconds, call);
  write_bytes((double)bytes / outcome->kernel_seconds, "B/s", speed);
  fprintf(stderr, "time: %s, of which kernels %s; speed of the kernels: %s\n", call, kernels, speed);
}

void outcome_release(struct outcome *outcome) {
  results_release(&outcome->results);
  results_release(&outcome->keys);
  cJSON_Delete(outcome->more);
}
