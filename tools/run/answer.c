// Runs a plan, verifies its results and prints them.
#include "run/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "device/session.h"
#include "run/groups.h"
#include "run/results.h"
#include "run/streaming.h"
#include "verify/verify.h"

enum { NOTE_SIZE = 4096 };

static void add_problem(cJSON *object, const struct job *job, const struct outcome *outcome) {
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "type", job->input.type.name);
  json_add_text(object, "result_type", outcome->results.type_name);
  json_add_count(object, "count", layout_elements(&job->layout));
  // Functions in the user's texts may differ between devices.
  json_add_known(object, "portable", !job->operation.own, outcome->info.portable);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
}

// Only for scans, so that the JSON of reductions has no fields about them.
static void add_scan(cJSON *object, const clred_problem *problem) {
  if (problem->scan == CLRED_SCAN_NONE)
    return;
  json_add_text(object, "scan", problem_scan_name(problem));
  json_add_truth(object, "reversed", problem->reversed);
}

static void add_shape(cJSON *object, const struct layout *layout) {
  if (!layout->listed)
    return;
  cJSON *shape = cJSON_AddArrayToObject(object, "shape");
  for (unsigned i = 0; i < layout->dimensions; i++)
    cJSON_AddItemToArray(shape, json_value(CLRED_TYPE_ULONG, &layout->shape[i]));
}

// An array that was written to a file is not printed.
static void add_result(cJSON *object, const struct job *job, const struct outcome *outcome) {
  const char *name = job->bins > 0 ? "counts" : "result";
  if (job->operation.selects)
    json_add_count(object, "result", outcome->results.count);
  else if (job->args->output != NULL && job->layout.listed)
    cJSON_AddNullToObject(object, name);
  else
    cJSON_AddItemToObject(object, name, results_json(&outcome->results, job->layout.listed));
}

// The keys of rows; NULL if they have none.
static const struct results *keys_of(const struct job *job, const struct outcome *outcome) {
  if (job->args->group != NULL)
    return job->group_keys;
  return job->work.key_type == CLRED_TYPE_NONE ? NULL : &outcome->keys;
}

static void add_keys(cJSON *object, const struct job *job, const struct results *keys) {
  if (keys == NULL)
    return;
  if (job->args->keys_output != NULL)
    cJSON_AddNullToObject(object, "keys");
  else
    cJSON_AddItemToObject(object, "keys", results_json(keys, true));
}

static int print_json(const struct job *job, const struct outcome *outcome, const struct verdict *verdict) {
  cJSON *object = each_object(&job->each, &job->input);
  add_keys(object, job, keys_of(job, outcome));
  add_result(object, job, outcome);
  add_shape(object, &job->layout);
  add_problem(object, job, outcome);
  add_scan(object, &job->problem);
  if (outcome->info.strategy != NULL)
    json_add_plan(object, &outcome->info);
  if (outcome->chunk > 0)
    json_add_count(object, "chunk", outcome->chunk);
  json_add_programs(object, job->session.runtime);
  json_add_measure(object, "kernel_seconds", outcome->kernel_seconds);
  json_add_measure(object, "wall_seconds", outcome->wall_seconds);
  json_add_measure(object, "gigabytes_per_second", (double)job_bytes(job, outcome) / outcome->kernel_seconds / 1e9);
  json_add_known(object, "verified", job->args->verify, verdict->correct);
  json_add_measure(object, "error_ulp", verdict->error_ulp);
  json_add_text(object, "output", job->args->output);
  json_add_all(object, outcome->more);
  return each_print(&job->each, object);
}

int job_write(const struct job *job, const struct results *results, const struct layout *layout,
              const struct results *keys) {
  const struct args *args = job->args;
  const struct layout rows = {.dimensions = 1, .shape = {keys == NULL ? 0 : keys->count}};
  int code = results_check_keys(keys, args);
  if (!code && results != NULL && args->output != NULL)
    code =
      results_write_wanted(results, args->keys_output == NULL ? keys : NULL, layout, args, "--output", args->output);
  if (!code && args->keys_output != NULL)
    code = results_write_wanted(keys, NULL, &rows, args, "--keys-output", args->keys_output);
  return code;
}

// The keys of a scan are those of its elements; the keys of other verbs are those of the runs.
static void note_keys_apart(const struct job *job, const struct results *keys) {
  const struct input *all = &job->segments;
  clred_type_info type;
  if (job->args->by_key == NULL)
    return;
  if (job->problem.scan)
    groups_note_apart(job, &all->type, all->data, all->count);
  else if (keys != NULL && clred_type_inspect(keys->type, &type) == CL_SUCCESS)
    groups_note_apart(job, &type, keys->bytes, keys->count);
}

static void note_nothing(const struct job *job) {
  const char *op = operation_odd_identity(&job->operation);
  char message[NOTE_SIZE];
  if (job->args->quiet || op == NULL || job->problem.scan || job->layout.call.count > 0 || job->layout.results == 0)
    return;
  snprintf(message, sizeof message, "%s: has 0 elements; the result of %s is its identity", input_name(&job->input),
           op);
  note(message);
}

static int print(struct job *job, struct outcome *outcome, const struct verdict *verdict) {
  if (job->work.finds)
    layout_take_selection(&job->layout, outcome->results.count);
  const char *path = job->args->output;
  const struct lines lines = each_lines(&job->each);
  outcome->keys.words = job->segments.words;
  const struct results *keys = keys_of(job, outcome);
  note_keys_apart(job, keys);
  note_nothing(job);
  int code = job_write(job, outcome->written ? NULL : &outcome->results, &job->layout, keys);
  if (!code && job->args->json)
    return print_json(job, outcome, verdict);
  if (code || path != NULL)
    return code;
  if (!job->operation.selects)
    return results_print(&outcome->results, keys == NULL && outcome->keys.count > 0 ? &outcome->keys : keys,
                         job->layout.listed, &lines);
  fprintf(lines.file, "%s%llu\n", lines.label, (unsigned long long)outcome->results.count);
  return EXIT_DONE;
}

static int explain(const struct job *job, const clred_plan *plan, const struct outcome *outcome) {
  bool wanted = job->args->explain && !job->args->quiet;
  if (wanted && job->each.count > 0)
    fprintf(stderr, "%s\n", each_prefix(&job->each));
  int code = wanted ? session_explain(&job->session, plan, job->layout.call.count) : EXIT_DONE;
  if (!code && wanted)
    outcome_explain(outcome, job_bytes(job, outcome));
  return code;
}

static void say_what_is_wrong(const struct job *job, const struct outcome *outcome, const struct verdict *verdict) {
  char place[48] = "";
  const bool has_value = verdict->wrong < verdict->reference.count;
  const char *strategy = outcome->info.strategy;
  char *expected = has_value ? results_text(&verdict->reference, verdict->wrong, ", ") : NULL;
  if (has_value && (job->layout.listed || job->bins > 0))
    snprintf(place, sizeof place, ", result %llu", (unsigned long long)verdict->wrong);
  fail(EXIT_WRONG, "--verify: %s%s of %llu elements%s%s is wrong%s; %s gives %s%s", each_prefix(&job->each),
       job->operation.name, (unsigned long long)layout_elements(&job->layout), strategy == NULL ? "" : " by ",
       strategy == NULL ? "" : strategy, place, job->operation.own ? "one work-item" : "the host's reference",
       expected == NULL ? "another" : expected, outcome->steady ? "" : ", and the calls differ from each other");
  free(expected);
}

static int run(struct job *job, clred_plan *plan, struct outcome *outcome, struct verdict *verdict) {
  if (job->streams) {
    int streamed = streaming_run(job, plan, outcome, verdict);
    return streamed == EXIT_DONE ? explain(job, plan, outcome) : streamed;
  }
  struct work work = job->work;
  if (job->bins > 0) {
    work.results = job->bins;
    work.scans = true;  // the results go into a buffer
  }
  int code = run_plan(&job->session, plan, &work, repeats_wanted(job->args), outcome);
  if (!code && job->args->verify)
    code = job_find_runs(job);
  if (!code && job->args->verify)
    code = verify_outcome(job, plan, outcome, true, verdict);
  return code ? code : explain(job, plan, outcome);
}

int answer_joined(struct job *job, struct outcome *outcome) {
  const struct verdict verdict = {.correct = true, .error_ulp = NAN};
  groups_number_rows(job, &outcome->results);
  return print(job, outcome, &verdict);
}

int answer(struct job *job, clred_plan *plan) {
  struct outcome outcome = {.steady = true};
  struct verdict verdict = {.correct = true, .error_ulp = NAN};
  int code = job->run != NULL ? job->run(job->about, &outcome, &verdict) : run(job, plan, &outcome, &verdict);
  if (!code && job->wants_places)
    groups_place(job, &outcome.results);
  if (!code)
    groups_number_rows(job, &outcome.results);
  if (!code && job->add != NULL)
    code = job->add(job->about, &outcome, &verdict);
  if (!code)
    code = job->print != NULL ? job->print(job->about, &outcome, &verdict) : print(job, &outcome, &verdict);
  if (!code && !verdict.correct) {
    say_what_is_wrong(job, &outcome, &verdict);
    code = EXIT_WRONG;
  }
  verdict_release(&verdict);
  outcome_release(&outcome);
  return code;
}
