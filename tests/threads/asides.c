// What threads do besides enqueueing: see stress.h.

#include "stress.h"

#include <clreduce_device.h>
#include <clreduce_scan_stream.h>
#include <stdlib.h>
#include <string.h>

static struct asked draw(random_state *random) {
  const cl_ulong first = random_below(random, 2048);
  return CALL_OVER(first, 1 + random_below(random, 2048));
}

static const char *say(cl_int err, bool is_right) {
  return err ? clred_status_name(err) : is_right ? NULL : "a wrong result";
}

// The result of a call of this problem.
static const char *say_call(const struct shared *shared, const clred_problem *problem, const struct asked *asked,
                            const void *results, cl_int err) {
  return say(err, err || call_is_right(problem, &shared->numbers, asked, results, NULL));
}

// ---------------------------------------------------------------- Calls on host memory

static const char *by_plan(struct shared *shared, cl_command_queue queue, random_state *random) {
  static const size_t some[] = {SUBJECT_SUM, SUBJECT_SCAN, SUBJECT_SELECTION};
  const size_t subject = some[random_below(random, sizeof some / sizeof *some)];
  struct asked asked = draw(random);
  float results[NUMBERS];
  const cl_int err =
    clred_plan_run_host(queue, shared->plans[subject],
                        &(clred_host_call){.in = shared->numbers.values + asked.first,
                                           .count = asked.count,
                                           .out = results,
                                           .kept = subject == SUBJECT_SELECTION ? &asked.outcome.count : NULL});
  return say_call(shared, &subjects[subject].problem, &asked, results, err);
}

// Each of these makes a queue and a plan of its own.
static const char *in_one_call(struct shared *shared, cl_command_queue queue, random_state *random) {
  static const clred_problem problems[] = {{OP(SUM, FLOAT)},
                                           {OP(SUM, FLOAT), SCAN(EXCLUSIVE)},
                                           {.type = CLRED_TYPE_FLOAT, .selection = &calls_selection},
                                           {.type = CLRED_TYPE_FLOAT, .histogram = &calls_histogram}};
  const clred_problem *problem = &problems[random_below(random, sizeof problems / sizeof *problems)];
  clred_runtime *runtime = shared->device.runtime;
  struct asked asked = draw(random);
  const float *from = shared->numbers.values + asked.first;
  cl_ulong results[NUMBERS];
  (void)queue;
  const cl_int err =
    problem->scan ? clred_scan_host(runtime, problem->type, problem->op, problem->scan, from, asked.count, results)
    : problem->selection
      ? clred_select_host(runtime, problem->type, problem->selection, from, asked.count, results, &asked.outcome.count)
    : problem->histogram ? clred_histogram_host(runtime, problem->type, problem->histogram, from, asked.count, results)
                         : clred_reduce_host(runtime, problem->type, problem->op, from, asked.count, results);
  return say_call(shared, problem, &asked, results, err);
}

// By a sorter that all threads share. The host sorts nothing.
static const char *sort_keys(struct shared *shared, cl_command_queue queue, random_state *random) {
  const struct asked asked = draw(random);
  float keys[NUMBERS];
  const cl_int err = clred_sorter_run_host(
    queue, shared->sorter,
    &(clred_sort_host_call){.keys = shared->numbers.values + asked.first, .count = asked.count, .keys_out = keys});
  bool is_right = true;
  double sum = 0;
  for (cl_ulong i = 0; i < asked.count && !err; i++) {
    is_right &= i == 0 || keys[i - 1] <= keys[i];
    sum += (double)keys[i] - (double)shared->numbers.values[asked.first + i];
  }
  return say(err, err || (is_right && sum == 0));
}

// ---------------------------------------------------------------- Streams

static const char *stream(struct shared *shared, cl_command_queue queue, random_state *random) {
  const clred_stream_options options = {.chunk = 1024, .on_host = random_below(random, 4) == 0};
  clred_stream *made = NULL;
  const struct asked asked = draw(random);
  float sum = -1;
  cl_int err = clred_stream_create(queue, shared->plans[SUBJECT_SUM], &options, &made);
  for (cl_ulong done = 0, piece; done < asked.count && !err; done += piece) {
    piece = 1 + random_below(random, asked.count - done);
    err = clred_stream_push(made, shared->numbers.values + asked.first + done, NULL, piece);
  }
  if (!err)
    err = clred_stream_finish(made, &sum);
  clred_stream_release(made);
  return say_call(shared, &subjects[SUBJECT_SUM].problem, &asked, &sum, err);
}

static const char *scan_stream(struct shared *shared, cl_command_queue queue, random_state *random) {
  clred_scan_stream *made = NULL;
  const struct asked asked = draw(random);
  cl_ulong chunk = 1024;
  float results[NUMBERS];
  cl_int err = clred_scan_stream_create(queue, shared->plans[SUBJECT_SCAN], &chunk, NULL, &made);
  for (cl_ulong done = 0; done < asked.count && !err; done += chunk)
    err = clred_scan_stream_next(made, shared->numbers.values + asked.first + done, NULL,
                                 asked.count - done < chunk ? asked.count - done : chunk, results + done);
  clred_scan_stream_release(made);
  return say_call(shared, &subjects[SUBJECT_SCAN].problem, &asked, results, err);
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
  const struct asked asked = draw(random);
  clred_plan *plan = NULL;
  float sum = -1;
  cl_int err = clred_plan_create(shared->device.runtime, &subjects[subject].problem, &plan);
  const char *trouble = err ? NULL : is_described(shared, plan, subject);
  if (!err && subject == SUBJECT_SUM)
    err = clred_enqueue(queue, plan,
                        &(clred_call){.in = shared->numbers.values_buffer,
                                      .in_offset = asked.first,
                                      .count = asked.count,
                                      .result = &sum,
                                      .blocking = CL_TRUE},
                        0, NULL, NULL);
  clred_plan_release(plan);
  return trouble                  ? trouble
         : subject == SUBJECT_SUM ? say_call(shared, &subjects[subject].problem, &asked, &sum, err)
                                  : say(err, true);
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
         : seconds > 1000 || !runtime_info(shared->device.runtime).builds
           ? "a time or a number of builds that cannot be"
           : say_call(shared, &subjects[SUBJECT_SUM].problem, &CALL_OVER(0, 300), &sum, err);
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
  {"host memory by a plan", 140, by_plan},
  {"in one call", 10, in_one_call},
  {"sort", 60, sort_keys},
  {"stream", 60, stream},
  {"stream of scans", 20, scan_stream},
  {"plan made anew", 40, make_plan},
  {"runtime made anew", 3, make_runtime},
  {"questions", 60, ask},
  {"laws", 1, judge},
  {"failure", 60, fail},
};
const size_t aside_count = sizeof asides / sizeof *asides;
