// Reductions and scans in parts: reduce --partial, and reduce and scan on several devices. Which options agree with
// it, and what it writes.
#include "run/partial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/output.h"
#include "base/wrap.h"
#include "cli/verbs.h"

// ---- Options

// The option that asks for something else than one line of elements folded in the fixed order; NULL: none. Where a
// partial is written, there are no results that an option could write.
static const char *other_option(const struct args *args) {
  const char *other = args_given(
    args, "axis,segments,by-key,group,heads,each,keys-output,verify,repeat,finish,stop-at,stage,elements", 0);
  return other == NULL && args->partial != NULL ? args_given(args, "output,text", 0) : other;
}

int partial_check_parts(const struct args *args, const char *option, const char *value) {
  const char *other = other_option(args);
  if (other != NULL)
    return fail(EXIT_BAD_USE,
                "%s%s%s and --%s exclude each other: parts join to one result, of one line of elements; give one",
                option, *value == '\0' ? "" : " ", value, other);
  if (args->order != NULL && strcmp(args->order, "any") == 0)
    return fail(EXIT_BAD_USE, "--order any: partials join in the fixed order; leave --order out");
  if (args->verb->bit == VERB_SCAN)
    return args->chunk.given ? fail(EXIT_BAD_USE,
                                    "%s %s and --chunk exclude each other: a scan on several devices "
                                    "holds all elements in memory; give one",
                                    option, value)
                             : EXIT_DONE;
  if (args->strategy != NULL && !list_has("auto,wide,chunked", ',', args->strategy, strlen(args->strategy)))
    return fail(EXIT_BAD_USE, "--strategy %s: makes no partials; give wide or chunked, or leave --strategy out",
                args->strategy);
  return EXIT_DONE;
}

int partial_check(const struct args *args) {
  if (args->weights.text != NULL && !spread_wanted(args))
    return fail(EXIT_BAD_USE, "--weights: applies only to several devices; name them, as in --device 0,1");
  if (args->partial == NULL && args->first.given && args->verb->bit == VERB_REDUCE)
    return fail(EXIT_BAD_USE, "--first: applies only to --partial; give --partial FILE, too");
  if (args->partial == NULL)
    return spread_wanted(args) ? partial_check_parts(args, "--device", args->device) : EXIT_DONE;
  int code = partial_check_parts(args, "--partial", "");
  if (!code && output_is_standard(args->partial) && args->json)
    return fail(EXIT_BAD_USE, "--partial - and --json both want standard output; leave one of them out");
  return code;
}

// ---- The file

int partial_print_json(const struct job *job, clred_partial *partial, size_t size, double seconds, const cJSON *more) {
  clred_partial_info info = {0};
  clred_partial_inspect(partial, &info);
  cJSON *object = each_object(&job->each, &job->input);
  json_add_text(object, "partial", job->args->partial);
  json_add_count(object, "bytes", size);
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "type", job->input.type.name);
  json_add_count(object, "first", info.first);
  json_add_count(object, "count", info.count);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  json_add_programs(object, job->session.runtime);
  json_add_measure(object, "wall_seconds", seconds);
  json_add_all(object, more);
  return json_print(object);
}

// ---- The result

int partial_print_result(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more) {
  struct outcome outcome = {.steady = true, .calls = 1, .kernel_seconds = NAN, .wall_seconds = seconds, .more = more};
  int code = session_check(&job->session, clred_plan_inspect(plan, job->input.count, &outcome.info));
  outcome.info.passes = 0;
  code = code ? code : results_make(&outcome.results, plan, &outcome.info, 1, job->work.checked, job->work.words);
  cl_int status = code ? CL_SUCCESS : clred_partial_result(whole, outcome.results.bytes);
  if (status == CLRED_OVERFLOW)
    code = fail(EXIT_WORK_FAILED, "--overflow detect: %s (CLRED_OVERFLOW)", clred_last_error(job->session.runtime));
  else if (!code)
    code = session_check(&job->session, status);
  code = code ? code : answer_joined(job, &outcome);
  outcome_release(&outcome);
  return code;
}

static int write_partial(struct job *job, clred_partial *whole, double seconds, const cJSON *more) {
  size_t size = 0;
  cJSON *about = partial_about(job);
  int code = partial_file_write(&job->session, whole, about, job->args->partial, &size);
  cJSON_Delete(about);
  return code || !job->args->json ? code : partial_print_json(job, whole, size, seconds, more);
}

int partial_finish(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more) {
  if (job->args->partial == NULL)
    return partial_print_result(job, plan, whole, seconds, more);
  int code = write_partial(job, whole, seconds, more);
  cJSON_Delete(more);
  return code;
}

// ---- Folding

// An object with the devices, if there are several, or NULL.
static cJSON *devices_json(const struct spread *spread) {
  if (!spread_wanted(spread->job->args))
    return NULL;
  cJSON *more = cJSON_CreateObject();
  cJSON_AddItemToObject(more, "devices", spread_json(spread));
  return more;
}

static int fold(struct spread *spread, clred_partial *whole) {
  return spread->job->streams ? partial_fold_stream(spread, whole) : spread_fold(spread, whole);
}

static int fold_and_print(struct spread *spread, clred_partial *whole) {
  struct job *job = spread->job;
  double begun = seconds_now();
  int code = fold(spread, whole);
  double seconds = seconds_now() - begun;
  return code ? code : partial_finish(job, spread->devices[0].plan, whole, seconds, devices_json(spread));
}

static int fold_to_whole(struct spread *spread) {
  clred_partial *whole = NULL;
  int code = spread_partial(spread, 0, spread->job->args->first.value, &whole);
  code = code ? code : fold_and_print(spread, whole);
  clred_partial_release(whole);
  return code;
}

// ---- Scans

static int scan_and_print(struct spread *spread) {
  struct job *job = spread->job;
  const uint64_t count = job->work.call.count;
  clred_plan *plan = spread->devices[0].plan;
  struct outcome outcome = {.steady = true, .calls = 1, .kernel_seconds = NAN};
  int code = session_check(&job->session, clred_plan_inspect(plan, count, &outcome.info));
  outcome.info.passes = 0;
  code = code ? code : results_make(&outcome.results, plan, &outcome.info, count, job->work.checked, NULL);
  const double begun = seconds_now();
  code = code ? code : spread_scan(spread, &outcome.results);
  outcome.wall_seconds = seconds_now() - begun;
  code = code ? code : results_check_overflows(&outcome.results);
  outcome.more = code ? NULL : devices_json(spread);
  code = code ? code : answer_joined(job, &outcome);
  outcome_release(&outcome);
  return code;
}

int partial_answer(struct job *job, clred_plan *plan) {
  struct spread spread;
  int code = spread_open(&spread, job, plan);
  if (!code)
    code = job->problem.scan == CLRED_SCAN_NONE ? fold_to_whole(&spread) : scan_and_print(&spread);
  if (!code && job->args->explain && !job->args->quiet)
    code = session_explain(&job->session, plan, job->layout.call.count);
  if (!code && job->args->explain && !job->args->quiet && spread_wanted(job->args))
    spread_explain(&spread);
  spread_close(&spread);
  return code;
}
