// clreduce reduce with the operators median, quantile, top and bottom.
#include "verbs/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/hush.h"
#include "base/json.h"
#include "input/mapping.h"
#include "run/job.h"
#include "verify/ranks.h"

struct quantiles {
  struct job job;
  struct quantile_request asked;
  clred_quantile *quantile;
  struct mapping mapping;  // if the input is mapped
  clred_quantile_info info;
  struct results values;
  struct results chosen;  // of top and bottom: the values with their places
  cl_ulong *places;
  double kernel_seconds, wall_seconds;
  bool steady, correct;
};

// ---- Elements

static int open_input(struct quantiles *at) {
  struct job *job = &at->job;
  struct request request;
  mapping_close(&at->mapping);
  job_close_inputs(job);
  int code = job_choose(job, &request);
  code = code ? code : input_open(&job->input, &request);
  code = code ? code : input_check_text_alone(job->args, &job->input);
  if (!code && job->input.type.components != 1)
    code = fail(EXIT_BAD_USE, "%s is not defined for %s, which has several components and no order", at->asked.op,
                job->input.type.name);
  return code || job->session.runtime != NULL ? code : session_open_picked(&job->session, job->args, false);
}

// Elements are read several times, so a pipe must fit memory; we allow what fits one buffer.
static int hold_pipe(struct quantiles *at, cl_ulong most) {
  struct input *input = &at->job.input;
  int code = input->counted ? EXIT_DONE : input_hold(input, most, &at->job.progress);
  progress_end(&at->job.progress);
  if (code || input->counted)
    return code;
  return fail(EXIT_BAD_USE,
              "%s: %s reads the elements several times, and %llu bytes of them can be held here; write them to a .npy "
              "file first",
              input_name(input), at->asked.op, (unsigned long long)most);
}

// A file is mapped if the device shares the host's memory, or if no buffer holds it. Otherwise the elements go into a
// buffer.
static int load(struct quantiles *at) {
  struct job *job = &at->job;
  struct input *input = &job->input;
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX);
  int code = hold_pipe(at, most);
  if (code)
    return code;
  bool fits = input_bytes(input) <= most;
  if (input_is_in_file(input) && input->count > 0 && (session_fact(&job->session, "unified_memory", 0) || !fits) &&
      mapping_open(&at->mapping, &input->stream, 0, input_bytes(input)))
    return mapping_check(&input->stream, input_bytes(input));
  if (fits)
    return job_load_one(job, input, &job->buffer);
  code = input_load(input, &job->progress);
  progress_end(&job->progress);
  return code;
}

static const void *elements_of(const struct quantiles *at) {
  return at->mapping.pages != NULL ? at->mapping.data : at->job.input.data;
}

// ---- Runs

static int check_count(const struct quantiles *at) {
  const struct input *input = &at->job.input;
  cl_ulong chosen = at->asked.problem.top + at->asked.problem.bottom;
  if (input->count == 0)
    return fail(EXIT_BAD_USE, "%s: %s of 0 elements has no result", input_name(input), at->asked.op);
  if (chosen > input->count)
    return fail(EXIT_BAD_USE, "%s: %s has only %llu elements; ask for no more", at->asked.op, input_name(input),
                (unsigned long long)input->count);
  return EXIT_DONE;
}

static void release(struct quantiles *at) {
  clred_quantile_release(at->quantile);
  results_release(&at->values);
  results_release(&at->chosen);
  free(at->places);
  at->quantile = NULL;
  at->places = NULL;
}

// With --each, what was made for the file before may serve.
static int create(struct quantiles *at) {
  const clred_quantile_problem *made = &at->asked.problem;
  if (at->quantile != NULL && made->type == at->job.input.type.type && made->count_max >= at->job.input.count)
    return EXIT_DONE;
  release(at);
  at->asked.problem.type = at->job.input.type.type;
  at->asked.problem.count_max = at->job.input.count;
  int kept = hush_begin();
  cl_int status = clred_quantile_create(at->job.session.runtime, &at->asked.problem, &at->quantile);
  if (status == CL_SUCCESS)
    status = clred_quantile_warm(at->job.session.queue, at->quantile);
  hush_end(kept);
  int code = session_check(&at->job.session, status);
  if (code)
    return code;
  clred_quantile_inspect(at->quantile, &at->info);
  at->places = calloc(at->info.results, sizeof *at->places);
  return at->places == NULL ? fail_memory() : results_make_values(&at->values, at->info.result_type, at->info.results);
}

// The times of a call; `kernel` is NaN without event profiling.
struct times {
  double *kernel, *wall;
};

static int run_once(struct quantiles *at, void *values, double *kernel, double *wall) {
  const struct job *job = &at->job;
  cl_ulong *places = at->asked.problem.at == NULL ? at->places : NULL;
  double begun = seconds_now();
  cl_int status =
    job->buffer != NULL
      ? clred_quantile_run(job->session.queue, at->quantile, job->buffer, 0, job->input.count, values, places, 0, NULL)
      : clred_quantile_run_host(job->session.queue, at->quantile, elements_of(at), job->input.count, values, places);
  *wall = seconds_now() - begun;
  clred_quantile_inspect(at->quantile, &at->info);
  *kernel = at->info.seconds > 0 ? at->info.seconds : NAN;
  // Without its NaNs, the input has too few elements: the data is to blame, not the call.
  if (status == CLRED_INVALID_ARGUMENT || status == CLRED_OUT_OF_RANGE)
    return fail(EXIT_BAD_USE, "%s: %s", input_name(&job->input), clred_last_error(job->session.runtime));
  return session_check(&job->session, status);
}

// In whole nanoseconds; further digits are noise of the double.
static double median_time(double *seconds, size_t count) {
  return round(median(seconds, count) * 1e9) / 1e9;
}

static int run(struct quantiles *at) {
  cl_ulong calls = at->job.args->repeat.given ? at->job.args->repeat.value : 1;
  struct times times = {calloc(calls, sizeof(double)), calloc(calls, sizeof(double))};
  bool room = times.kernel != NULL && times.wall != NULL;
  struct results again = {0};
  int code = room ? results_make_like(&again, &at->values) : fail_memory();
  if (!code && calls > 1)  // not timed
    code = run_once(at, again.bytes, times.kernel, times.wall);
  at->steady = true;
  for (cl_ulong i = 0; i < calls && !code; i++) {
    code = run_once(at, i == 0 ? at->values.bytes : again.bytes, &times.kernel[i], &times.wall[i]);
    at->steady = at->steady && (i == 0 || memcmp(again.bytes, at->values.bytes, again.count * again.size) == 0);
  }
  if (!code) {
    at->kernel_seconds = median_time(times.kernel, calls);
    at->wall_seconds = median_time(times.wall, calls);
  }
  results_release(&again);
  free(times.kernel);
  free(times.wall);
  return code;
}

static int verify(struct quantiles *at) {
  at->correct = true;
  if (!at->job.args->verify)
    return EXIT_DONE;
  int code =
    ranks_verify(&at->asked.problem, elements_of(at), at->job.input.count, at->values.bytes, at->places, &at->correct);
  at->correct = at->correct && at->steady;
  return code;
}

// ---- Output

// What top and bottom give: results with the parts of argmax.
static int make_chosen(const struct quantiles *at, struct results *chosen) {
  const size_t size = value_size(at->values.type);
  *chosen = (struct results){.type_name = "struct", .parts = calloc(2, sizeof *chosen->parts), .part_count = 2};
  if (chosen->parts == NULL)
    return fail_memory();
  chosen->parts[0] = (struct part){.name = "index", .type = CLRED_TYPE_ULONG};
  chosen->parts[1] = (struct part){.name = "value", .type = at->values.type, .offset = sizeof *at->places};
  chosen->size = 2 * sizeof *at->places;
  int code = results_make_more(chosen, at->values.count);
  for (uint64_t i = 0; i < chosen->count && !code; i++) {
    char *result = results_at(chosen, i);
    memcpy(result, &at->places[i], sizeof *at->places);
    memcpy(result + sizeof *at->places, results_at(&at->values, i), size);
  }
  return code;
}

// The results as they are printed and written.
static const struct results *shown(const struct quantiles *at) {
  return at->asked.problem.at == NULL ? &at->chosen : &at->values;
}

static void add_result(cJSON *object, const struct quantiles *at) {
  if (at->job.args->output != NULL)
    cJSON_AddNullToObject(object, "result");
  else
    cJSON_AddItemToObject(object, "result", results_json(shown(at), shown(at)->count > 1 || shown(at) == &at->chosen));
  if (at->asked.problem.at == NULL)
    return;
  cJSON *quantiles = cJSON_AddArrayToObject(object, "quantiles");
  for (size_t i = 0; i < at->asked.problem.at_count; i++)
    cJSON_AddItemToArray(quantiles, json_value(CLRED_TYPE_DOUBLE, &at->asked.problem.at[i]));
}

static int print_object(const struct quantiles *at) {
  const struct job *job = &at->job;
  cJSON *object = each_object(&job->each, &job->input);
  add_result(object, at);
  json_add_text(object, "op", at->asked.op);
  json_add_text(object, "type", job->input.type.name);
  json_add_text(object, "result_type", at->values.type_name);
  json_add_count(object, "count", job->input.count);
  json_add_count(object, "nans", at->info.nans);
  json_add_count(object, "readings", at->info.readings);
  json_add_count(object, "passes", at->info.launches);
  json_add_count(object, "scratch_bytes", at->info.device_bytes);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  const struct outcome outcome = {.kernel_seconds = at->kernel_seconds, .wall_seconds = at->wall_seconds};
  job_add_outcome(object, job, &outcome, input_bytes(&job->input), at->correct);
  json_add_text(object, "output", job->args->output);
  return each_print(&job->each, object);
}

// One value alone; several quantiles after their numbers; elements after their places.
static int print_lines(const struct quantiles *at) {
  const struct lines lines = {each_lines(&at->job.each), each_label(&at->job.each), at->job.each.at == 0};
  struct results numbers = {0};
  if (shown(at) == &at->chosen || at->values.count == 1)
    return results_print(shown(at), NULL, true, &lines);
  int code = results_make_values(&numbers, CLRED_TYPE_DOUBLE, at->values.count);
  if (!code)
    memcpy(numbers.bytes, at->asked.problem.at, numbers.count * numbers.size);
  code = code ? code : results_print(&at->values, &numbers, true, &lines);
  results_release(&numbers);
  return code;
}

static int print(struct quantiles *at) {
  const char *path = at->job.args->output;
  const struct layout layout = {.dimensions = 1, .shape = {at->values.count}};
  results_release(&at->chosen);
  int code = at->asked.problem.at == NULL ? make_chosen(at, &at->chosen) : EXIT_DONE;
  if (!code && path != NULL)
    code = results_write_wanted(shown(at), &layout, at->job.args, "--output", path);
  if (!code && at->job.args->json)
    return print_object(at);
  return !code && path == NULL ? print_lines(at) : code;
}

static int answer_all(struct quantiles *at) {
  int code = run(at);
  code = code ? code : verify(at);
  if (!code && at->job.args->explain && !at->job.args->quiet)
    fprintf(stderr, "%s%s: readings of all elements: %llu; launches: %llu; scratch memory: %zu bytes\n",
            each_prefix(&at->job.each), at->asked.op, (unsigned long long)at->info.readings,
            (unsigned long long)at->info.launches, at->info.device_bytes);
  code = code ? code : print(at);
  if (!code && !at->correct)
    code = fail(EXIT_WRONG, "--verify: %s%s of %llu elements is wrong; a sort on the host gives another result%s",
                each_prefix(&at->job.each), at->asked.op, (unsigned long long)at->job.input.count,
                at->steady ? "" : ", and the calls differ from each other");
  return code;
}

static int reduce_inputs(struct quantiles *at) {
  int code = open_input(at);
  code = code ? code : load(at);
  code = code ? code : check_count(at);
  code = code ? code : create(at);
  return code ? code : answer_all(at);
}

int quantile_reduce(const struct args *args) {
  struct quantiles at = {.steady = true};
  job_begin(&at.job, args);
  int code = job_check_outputs(&at.job);
  code = code ? code : quantile_take(&at.asked, args);
  do
    code = code ? code : reduce_inputs(&at);
  while (each_next(&at.job.each, &code));
  code = each_end(&at.job.each, code);
  release(&at);
  job_close(&at.job);
  mapping_close(&at.mapping);
  return code;
}
