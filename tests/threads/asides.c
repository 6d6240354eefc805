// What threads do besides enqueueing: see stress.h.

#include "stress.h"

#include <clreduce_device.h>
#include <clreduce_scan_stream.h>
#include <stdlib.h>
#include <string.h>

static void draw(random_state *random, cl_ulong *first, cl_ulong *count) {
  *first = random_below(random, 2048);
  *count = 1 + random_below(random, 2048);
}

static const char *say(cl_int err, bool is_right) {
  return err ? clred_status_name(err) : is_right ? NULL : "a wrong result";
}

// ---------------------------------------------------------------- Calls on host memory

static const char *reduce_by_plan(struct shared *shared, cl_command_queue queue, random_state *random) {
  cl_ulong first, count;
  float sum = -1;
  draw(random, &first, &count);
  const cl_int err =
    clred_plan_run_host(queue, shared->plans[SUBJECT_SUM],
                        &(clred_host_call){.in = shared->numbers.values + first, .count = count, .out = &sum});
  return say(err, sum == calls_sum(&shared->numbers, first, count));
}

static const char *scan_by_plan(struct shared *shared, cl_command_queue queue, random_state *random) {
  cl_ulong first, count;
  float results[NUMBERS];
  draw(random, &first, &count);
  const cl_int err =
    clred_plan_run_host(queue, shared->plans[SUBJECT_SCAN],
                        &(clred_host_call){.in = shared->numbers.values + first, .count = count, .out = results});
  return say(err, err || calls_scan_is_right(&shared->numbers, first, count, false, results));
}

static const char *select_by_plan(struct shared *shared, cl_command_queue queue, random_state *random) {
  cl_ulong first, count, kept = 0;
  float results[NUMBERS];
  draw(random, &first, &count);
  const cl_int err = clred_plan_run_host(
    queue, shared->plans[SUBJECT_SELECTION],
    &(clred_host_call){.in = shared->numbers.values + first, .count = count, .out = results, .kept = &kept});
  return say(err, err || calls_kept_are_right(&shared->numbers, first, count, results, kept));
}

// Each of these makes a queue and a plan of its own.
static const char *in_one_call(struct shared *shared, cl_command_queue queue, random_state *random) {
  clred_runtime *runtime = shared->device.runtime;
  cl_ulong first, count, kept = 0, counts[BINS];
  float results[NUMBERS];
  (void)queue;
  draw(random, &first, &count);
  const float *from = shared->numbers.values + first;
  const int which = (int)random_below(random, 4);
  cl_int err =
    which == 0   ? clred_reduce_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, from, count, results)
    : which == 1 ? clred_scan_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, CLRED_SCAN_EXCLUSIVE, from, count, results)
    : which == 2 ? clred_select_host(runtime, CLRED_TYPE_FLOAT, &calls_selection, from, count, results, &kept)
                 : clred_histogram_host(runtime, CLRED_TYPE_FLOAT, &calls_histogram, from, count, counts);
  if (err)
    return clred_status_name(err);
  return say(err, which == 0   ? results[0] == calls_sum(&shared->numbers, first, count)
                  : which == 1 ? calls_scan_is_right(&shared->numbers, first, count, true, results)
                  : which == 2 ? calls_kept_are_right(&shared->numbers, first, count, results, kept)
                               : calls_counts_are_right(&shared->numbers, first, count, counts));
}

// ---------------------------------------------------------------- Streams

static const char *stream(struct shared *shared, cl_command_queue queue, random_state *random) {
  const clred_stream_options options = {.chunk = 1024, .on_host = random_below(random, 4) == 0};
  clred_stream *made = NULL;
  cl_ulong first, count;
  float sum = -1;
  draw(random, &first, &count);
  cl_int err = clred_stream_create(queue, shared->plans[SUBJECT_SUM], &options, &made);
  for (cl_ulong done = 0, piece; done < count && !err; done += piece) {
    piece = 1 + random_below(random, count - done);
    err = clred_stream_push(made, shared->numbers.values + first + done, NULL, piece);
  }
  if (!err)
    err = clred_stream_finish(made, &sum);
  clred_stream_release(made);
  return say(err, sum == calls_sum(&shared->numbers, first, count));
}

static const char *scan_stream(struct shared *shared, cl_command_queue queue, random_state *random) {
  clred_scan_stream *made = NULL;
  cl_ulong first, count, chunk = 1024;
  float results[NUMBERS];
  draw(random, &first, &count);
  cl_int err = clred_scan_stream_create(queue, shared->plans[SUBJECT_SCAN], &chunk, NULL, &made);
  for (cl_ulong done = 0; done < count && !err; done += chunk)
    err = clred_scan_stream_next(made, shared->numbers.values + first + done, NULL,
                                 count - done < chunk ? count - done : chunk, results + done);
  clred_scan_stream_release(made);
  return say(err, err || calls_scan_is_right(&shared->numbers, first, count, false, results));
}

// ---------------------------------------------------------------- Plans and runtimes

static const char *is_described(const struct shared *shared, clred_plan *plan, size_t subject) {
  const size_t size = strlen(shared->descriptions[subject]) + 1;
  char *text = malloc(size);
  const bool same = text && clred_plan_describe(plan, NUMBERS, text, size) == size - 1 &&
                    strcmp(text, shared->descriptions[subject]) == 0;
  free(text);
  return same ? NULL : "another description than before";
}

static const char *make_plan(struct shared *shared, cl_command_queue queue, random_state *random) {
  const size_t subject = random_below(random, subject_count);
  clred_plan *plan = NULL;
  cl_ulong first, count;
  float sum = -1;
  draw(random, &first, &count);
  cl_int err = clred_plan_create(shared->device.runtime, &subjects[subject].problem, &plan);
  const char *trouble = err ? NULL : is_described(shared, plan, subject);
  if (!err && subject == SUBJECT_SUM)
    err = clred_enqueue(
      queue, plan,
      &(clred_call){
        .in = shared->numbers.values_buffer, .in_offset = first, .count = count, .result = &sum, .blocking = CL_TRUE},
      0, NULL, NULL);
  clred_plan_release(plan);
  return trouble ? trouble : say(err, subject != SUBJECT_SUM || sum == calls_sum(&shared->numbers, first, count));
}

static const char *make_runtime(struct shared *shared, cl_command_queue queue, random_state *random) {
  clred_runtime *runtime = NULL;
  clred_fact here, there;
  (void)queue, (void)random;
  const cl_int err = clred_runtime_create(shared->device.context, shared->device.id, NULL, &runtime);
  const bool same = !err &&
                    clred_runtime_fact(runtime, 1, &here) == clred_runtime_fact(shared->device.runtime, 1, &there) &&
                    here.reported == there.reported && runtime_info(runtime).builds == 0;
  clred_runtime_release(runtime);
  return say(err, same);
}

// ---------------------------------------------------------------- Questions

static const char *ask(struct shared *shared, cl_command_queue queue, random_state *random) {
  const size_t subject = random_below(random, subject_count);
  clred_plan *plan = shared->plans[subject];
  clred_plan_info info;
  clred_step step;
  char reason[TEXT];
  float sum = -1;
  double seconds = 0;
  (void)queue;
  cl_int err = clred_plan_inspect(plan, NUMBERS, &info);
  if (!err)
    err =
      clred_strategy_applies(shared->device.runtime, info.strategy, &subjects[subject].problem, reason, sizeof reason);
  if (!err)
    err = clred_plan_reference(shared->plans[SUBJECT_SUM],
                               &(clred_host_call){.in = shared->numbers.values, .count = 300, .out = &sum});
  clred_plan_step(plan, NUMBERS, 0, &step);
  // clred_plan_seconds fails if no time is known yet.
  if (clred_plan_seconds(plan, &seconds))
    seconds = 0;
  const char *trouble = is_described(shared, plan, subject);
  return trouble ? trouble
                 : say(err, sum == calls_sum(&shared->numbers, 0, 300) && seconds < 1000 &&
                              runtime_info(shared->device.runtime).builds > 0);
}

static const char *judge(struct shared *shared, cl_command_queue queue, random_state *random) {
  const clred_problem problem = {.type = CLRED_TYPE_INT, .op = CLRED_OP_MAX};
  clred_law laws[CLRED_LAWS];
  (void)queue;
  const cl_int err = clred_check_laws(shared->device.runtime, &problem, random_word(random), laws);
  return say(err, err || (laws[0].holds && laws[1].holds && laws[2].holds));
}

// ---------------------------------------------------------------- Failures

const char *aside_fail(struct shared *shared, cl_command_queue queue, size_t which) {
  const clred_problem wrong = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .strategy = "no such strategy"};
  clred_plan *plan = NULL;
  float sum;
  const cl_int errors[MESSAGES] = {
    which != 0 ? 0 : clred_plan_create(shared->device.runtime, &wrong, &plan),
    which != 1
      ? 0
      : clred_enqueue(
          queue, shared->plans[SUBJECT_BOUNDED],
          &(clred_call){.in = shared->numbers.values_buffer, .count = NUMBERS + 1, .result = &sum, .blocking = CL_TRUE},
          0, NULL, NULL),
    which != 2 ? 0
               : clred_enqueue_scan(queue, shared->plans[SUBJECT_SUM], shared->numbers.values_buffer, NULL, 0, 0, 1, 0,
                                    NULL, NULL)};
  return errors[which] ? NULL : "a failure that did not happen";
}

// The message may be that of another thread, but it must be complete.
static const char *fail(struct shared *shared, cl_command_queue queue, random_state *random) {
  char text[TEXT] = "";
  const char *trouble = aside_fail(shared, queue, random_below(random, MESSAGES));
  const size_t length = clred_copy_error(shared->device.runtime, text, sizeof text);
  for (size_t i = 0; i < MESSAGES && !trouble; i++)
    if (strcmp(text, shared->messages[i]) == 0 && length == strlen(text))
      return NULL;
  return trouble ? trouble : "a message of no failure";
}

// ---------------------------------------------------------------- The list

const struct aside asides[] = {
  {"reduce_host by a plan", 60, reduce_by_plan},
  {"scan_host by a plan", 40, scan_by_plan},
  {"select_host by a plan", 40, select_by_plan},
  {"in one call", 10, in_one_call},
  {"stream", 60, stream},
  {"stream of scans", 20, scan_stream},
  {"plan made anew", 40, make_plan},
  {"runtime made anew", 3, make_runtime},
  {"questions", 60, ask},
  {"laws", 1, judge},
  {"failure", 60, fail},
};
const size_t aside_count = sizeof asides / sizeof *asides;
