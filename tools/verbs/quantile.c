// clreduce reduce with the operators median, quantile, top and bottom.
#include "verbs/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "input/mapping.h"
#include "input/row_files.h"
#include "run/job.h"
#include "verify/ranks.h"

struct quantiles {
  struct job job;
  const char *op;
  double at[CLRED_QUANTILES_MAX];
  clred_quantile_problem problem;
  clred_quantile *quantile;
  struct mapping mapping;  // if the input is mapped
  clred_quantile_info info;
  struct results values;
  cl_ulong *places;
  double wall_seconds;
  bool steady, correct;
};

// ---- The operator

static const char *const names[] = {"median", "quantile", "top", "bottom"};

static size_t name_length(const char *op) {
  return strcspn(op, ":");
}

bool quantile_is_named(const char *op) {
  for (size_t i = 0; op != NULL && i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i]) == name_length(op) && strncmp(op, names[i], name_length(op)) == 0)
      return true;
  return false;
}

static int take_quantiles(struct quantiles *at, const char *list) {
  size_t count = 0;
  for (const char *from = list; *from != '\0';) {
    size_t length = strcspn(from, ",");
    char text[NUMBER_TEXT_SIZE] = "";
    if (length < sizeof text)
      memcpy(text, from, length);
    if (count == CLRED_QUANTILES_MAX)
      return fail(EXIT_BAD_USE, "%s: has more than %d quantiles; give fewer", at->op, CLRED_QUANTILES_MAX);
    if (!number_parse(CLRED_TYPE_DOUBLE, text, &at->at[count]) || !(at->at[count] >= 0 && at->at[count] <= 1))
      return fail(EXIT_BAD_USE, "%s: '%.*s' is no quantile; give numbers from 0 to 1, as in quantile:0.99", at->op,
                  (int)length, from);
    count++;
    from += length + (from[length] == ',');
  }
  if (count == 0)
    return fail(EXIT_BAD_USE, "%s: the quantile is missing; give numbers from 0 to 1, as in quantile:0.99", at->op);
  at->problem.at = at->at;
  at->problem.at_count = count;
  return EXIT_DONE;
}

static int take_op(struct quantiles *at) {
  const char *colon = strchr(at->op, ':'), *value = colon == NULL ? "" : colon + 1;
  uint64_t chosen;
  if (*at->op == 'm')
    return colon == NULL ? take_quantiles(at, "0.5")
                         : fail(EXIT_BAD_USE, "%s: median takes no number; give median, or quantile:Q", at->op);
  if (*at->op == 'q')
    return take_quantiles(at, value);
  if (!count_parse(value, strlen(value), &chosen) || chosen == 0)
    return fail(EXIT_BAD_USE, "%s: '%s' is no number of elements; give 1 or more, as in %.*s:5", at->op, value,
                (int)name_length(at->op), at->op);
  if (*at->op == 't')
    at->problem.top = chosen;
  else
    at->problem.bottom = chosen;
  return EXIT_DONE;
}

// ---- Options

static int take_words(struct quantiles *at) {
  static const char *const rules[] = {"linear", "lower", "higher", "nearest"};
  const char *rule = at->job.args->interpolation, *nan = at->job.args->nan;
  if (nan != NULL && strcmp(nan, "ignore") != 0 && strcmp(nan, "propagate") != 0)
    return fail(EXIT_BAD_USE, "--nan: unknown nan '%s'; give propagate or ignore", nan);
  at->problem.nan = nan != NULL && strcmp(nan, "ignore") == 0 ? CLRED_NAN_IGNORE : CLRED_NAN_PROPAGATE;
  if (rule == NULL)
    return EXIT_DONE;
  if (at->problem.at == NULL)
    return fail(EXIT_BAD_USE, "--interpolation: %s takes whole elements; leave it out", at->op);
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    if (strcmp(rule, rules[i]) == 0) {
      at->problem.interpolation = (clred_interpolation)i;
      return EXIT_DONE;
    }
  return fail(EXIT_BAD_USE, "--interpolation: unknown rule '%s'; give linear, lower, higher or nearest", rule);
}

static int refuse_options(const struct quantiles *at) {
  const struct args *args = at->job.args;
  const struct {
    const char *option;
    bool given;
  } options[] = {
    {"axis", args->axis.given},
    {"segments", args->segments != NULL},
    {"by-key", args->by_key != NULL},
    {"heads", args->heads != NULL},
    {"stride", args->stride.given},
    {"layout", args->layout != NULL},
    {"with", args->with.count > 0},
    {"chunk", args->chunk.given},
    {"overflow", args->overflow != NULL},
    {"state", args->state != NULL},
    {"strategy", args->strategy != NULL},
    {"finish", args->finish != NULL},
    {"order", args->order != NULL},
    {"stage", args->stage != NULL},
    {"group-size", args->group_size.given},
    {"groups", args->groups.given},
    {"elements", args->elements.given},
    {"stop-at", args->stop_at.given},
    {"operator", args->operator_file != NULL},
    {"combine", args->combine != NULL},
  };
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (options[i].given)
      return fail(EXIT_BAD_USE, "--%s: %s works on all elements of one input, in its own way; leave it out",
                  options[i].option, at->op);
  return EXIT_DONE;
}

// ---- Elements

static int open_input(struct quantiles *at) {
  struct job *job = &at->job;
  struct request request;
  int code = input_choose(job->args, &request);
  code = code ? code : input_open(&job->input, &request);
  if (!code && job->input.type.components != 1)
    code = fail(EXIT_BAD_USE, "%s is not defined for %s, which has several components and no order", at->op,
                job->input.type.name);
  return code ? code : session_open_picked(&job->session, job->args, false);
}

// Elements are read several times, so a pipe must fit memory; we allow what fits one buffer.
static int hold_pipe(struct quantiles *at, cl_ulong most) {
  struct input *input = &at->job.input;
  int code = input->counted ? EXIT_DONE : input_hold(input, most, &at->job.progress);
  progress_end(&at->job.progress);
  if (code || input->counted)
    return code;
  return fail(EXIT_BAD_USE,
              "%s: %s reads its elements several times, and a pipe can hold %llu bytes here; write it to "
              "a file first",
              input_name(input), at->op, (unsigned long long)most);
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
  cl_ulong chosen = at->problem.top + at->problem.bottom;
  if (input->count == 0)
    return fail(EXIT_BAD_USE, "%s: %s of 0 elements has no result", input_name(input), at->op);
  if (chosen > input->count)
    return fail(EXIT_BAD_USE, "%s: %s has only %llu elements; ask for no more", at->op, input_name(input),
                (unsigned long long)input->count);
  return EXIT_DONE;
}

static int create(struct quantiles *at) {
  at->problem.type = at->job.input.type.type;
  at->problem.count_max = at->job.input.count;
  int kept = hush_begin();
  cl_int status = clred_quantile_create(at->job.session.runtime, &at->problem, &at->quantile);
  hush_end(kept);
  int code = session_check(&at->job.session, status);
  if (code)
    return code;
  code = session_check(&at->job.session, clred_quantile_warm(at->job.session.queue, at->quantile));
  if (code)
    return code;
  clred_quantile_inspect(at->quantile, &at->info);
  at->places = calloc(at->info.results, sizeof *at->places);
  return at->places == NULL ? fail_memory() : results_make_values(&at->values, at->info.result_type, at->info.results);
}

static int run_once(struct quantiles *at, void *values, double *seconds) {
  const struct job *job = &at->job;
  cl_ulong *places = at->problem.at == NULL ? at->places : NULL;
  double begun = seconds_now();
  cl_int status =
    job->buffer != NULL
      ? clred_quantile_run(job->session.queue, at->quantile, job->buffer, 0, job->input.count, values, places, 0, NULL)
      : clred_quantile_run_host(job->session.queue, at->quantile, elements_of(at), job->input.count, values, places);
  *seconds = seconds_now() - begun;
  // Without its NaNs, the input has too few elements: the data is to blame, not the call.
  if (status == CLRED_INVALID_ARGUMENT || status == CLRED_OUT_OF_RANGE)
    return fail(EXIT_BAD_USE, "%s: %s", input_name(&job->input), clred_last_error(job->session.runtime));
  return session_check(&job->session, status);
}

static int run(struct quantiles *at) {
  cl_ulong calls = at->job.args->repeat.given ? at->job.args->repeat.value : 1;
  double *seconds = calloc(calls, sizeof *seconds);
  struct results again = {0};
  int code = seconds == NULL ? fail_memory() : results_make_like(&again, &at->values);
  if (!code && calls > 1)  // not timed
    code = run_once(at, again.bytes, seconds);
  at->steady = true;
  for (cl_ulong i = 0; i < calls && !code; i++) {
    code = run_once(at, i == 0 ? at->values.bytes : again.bytes, &seconds[i]);
    at->steady = at->steady && (i == 0 || memcmp(again.bytes, at->values.bytes, again.count * again.size) == 0);
  }
  if (!code) {
    at->wall_seconds = round(median(seconds, calls) * 1e9) / 1e9;
    clred_quantile_inspect(at->quantile, &at->info);
  }
  results_release(&again);
  free(seconds);
  return code;
}

static int verify(struct quantiles *at) {
  at->correct = true;
  if (!at->job.args->verify)
    return EXIT_DONE;
  int code =
    ranks_verify(&at->problem, elements_of(at), at->job.input.count, at->values.bytes, at->places, &at->correct);
  at->correct = at->correct && at->steady;
  return code;
}

// ---- Output

static cJSON *chosen_json(const struct quantiles *at) {
  cJSON *list = cJSON_CreateArray();
  for (uint64_t i = 0; i < at->values.count; i++) {
    cJSON *item = json_add_item(list);
    json_add_count(item, "index", at->places[i]);
    json_add_value(item, "value", at->values.type, results_at(&at->values, i));
  }
  return list;
}

static void add_result(cJSON *object, const struct quantiles *at) {
  if (at->job.args->output != NULL)
    cJSON_AddNullToObject(object, "result");
  else if (at->problem.at == NULL)
    cJSON_AddItemToObject(object, "result", chosen_json(at));
  else
    cJSON_AddItemToObject(object, "result", results_json(&at->values, at->values.count > 1));
  if (at->problem.at == NULL)
    return;
  cJSON *quantiles = cJSON_AddArrayToObject(object, "quantiles");
  for (size_t i = 0; i < at->problem.at_count; i++)
    cJSON_AddItemToArray(quantiles, json_value(CLRED_TYPE_DOUBLE, &at->problem.at[i]));
}

static int print_object(const struct quantiles *at) {
  const struct job *job = &at->job;
  cJSON *object = cJSON_CreateObject();
  add_result(object, at);
  json_add_text(object, "op", at->op);
  json_add_text(object, "type", job->input.type.name);
  json_add_text(object, "result_type", at->values.type_name);
  json_add_count(object, "count", job->input.count);
  json_add_count(object, "nans", at->info.nans);
  json_add_count(object, "readings", at->info.readings);
  json_add_count(object, "passes", at->info.launches);
  json_add_count(object, "scratch_bytes", at->info.device_bytes);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  const struct outcome outcome = {.kernel_seconds = NAN, .wall_seconds = at->wall_seconds};
  job_add_outcome(object, job, &outcome, input_bytes(&job->input), at->correct);
  json_add_text(object, "output", job->args->output);
  return json_print(object);
}

// One value alone; several quantiles after their numbers; elements after their places.
static int print_lines(const struct quantiles *at) {
  for (uint64_t i = 0; i < at->values.count; i++) {
    char value[NUMBER_TEXT_SIZE], name[NUMBER_TEXT_SIZE];
    number_text(at->values.type, results_at(&at->values, i), value);
    if (at->problem.at == NULL)
      printf("%llu %s\n", (unsigned long long)at->places[i], value);
    else if (at->values.count == 1)
      printf("%s\n", value);
    else {
      number_double_text(at->problem.at[i], name);
      printf("%s %s\n", name, value);
    }
  }
  return EXIT_DONE;
}

static int print(const struct quantiles *at) {
  const char *path = at->job.args->output;
  const struct layout layout = {.dimensions = 1, .shape = {at->values.count}};
  int code = path == NULL ? EXIT_DONE : results_write(&at->values, &layout, "--output", path);
  if (!code && at->job.args->json)
    return print_object(at);
  return !code && path == NULL ? print_lines(at) : code;
}

static int answer_all(struct quantiles *at) {
  int code = run(at);
  code = code ? code : verify(at);
  if (!code && at->job.args->explain && !at->job.args->quiet)
    fprintf(stderr, "%s: readings of all elements: %llu; launches: %llu; scratch memory: %zu bytes\n", at->op,
            (unsigned long long)at->info.readings, (unsigned long long)at->info.launches, at->info.device_bytes);
  code = code ? code : print(at);
  if (!code && !at->correct)
    code = fail(EXIT_WRONG, "--verify: %s of %llu elements is wrong; a sort on the host gives another result%s", at->op,
                (unsigned long long)at->job.input.count, at->steady ? "" : ", and the calls differ from each other");
  return code;
}

int quantile_reduce(const struct args *args) {
  struct quantiles at = {.op = args_op(args)};
  job_begin(&at.job, args);
  int code = job_check_outputs(args);
  code = code ? code : take_op(&at);
  code = code ? code : take_words(&at);
  code = code ? code : refuse_options(&at);
  code = code ? code : open_input(&at);
  code = code ? code : load(&at);
  code = code ? code : check_count(&at);
  code = code ? code : create(&at);
  code = code ? code : answer_all(&at);
  clred_quantile_release(at.quantile);
  results_release(&at.values);
  free(at.places);
  job_close(&at.job);
  mapping_close(&at.mapping);
  return code;
}
