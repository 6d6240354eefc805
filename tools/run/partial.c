// reduce --partial: which options agree with it, and what it writes.
#include "run/partial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/verbs.h"

// ---- Options

// The option that asks for something else than one line of elements folded in the fixed order; NULL: none.
static const char *other_option(const struct args *args) {
  const struct {
    const char *name;
    bool given;
  } others[] = {{"--axis", args->axes.count > 0},
                {"--segments", args->segments != NULL},
                {"--by-key", args->by_key != NULL},
                {"--group", args->group != NULL},
                {"--heads", args->heads != NULL},
                {"--each", args->each},
                {"--output", args->output != NULL},
                {"--keys-output", args->keys_output != NULL},
                {"--text", args->text},
                {"--verify", args->verify},
                {"--repeat", args->repeat.given},
                {"--finish", args->finish != NULL},
                {"--stop-at", args->stop_at.given},
                {"--stage", args->stage != NULL},
                {"--elements", args->elements.given}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].given)
      return others[i].name;
  return NULL;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
  return word == NULL || strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

int partial_check(const struct args *args) {
  const char *other = other_option(args);
  if (args->partial == NULL && args->first.given && args->verb->bit == VERB_REDUCE)
    return fail(EXIT_BAD_USE, "--first: applies only to --partial; give --partial FILE, too");
  if (args->partial == NULL)
    return EXIT_DONE;
  if (other != NULL)
    return fail(EXIT_BAD_USE,
                "--partial and %s exclude each other: a partial is of one line of elements and no "
                "result; give one",
                other);
  if (args->order != NULL && strcmp(args->order, "any") == 0)
    return fail(EXIT_BAD_USE, "--order any: partials join in the fixed order; leave --order out");
  if (!is_one_of(args->strategy, "auto", "wide", "chunked"))
    return fail(EXIT_BAD_USE, "--strategy %s: makes no partials; give wide or chunked, or leave --strategy out",
                args->strategy);
  if (output_is_standard(args->partial) && args->json)
    return fail(EXIT_BAD_USE, "--partial - and --json both want standard output; leave one of them out");
  return EXIT_DONE;
}

// ---- The file

int partial_print_json(const struct job *job, clred_partial *partial, size_t size, double seconds, cJSON *parts) {
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
  if (parts != NULL)
    cJSON_AddItemToObject(object, "parts", parts);
  return json_print(object);
}

static int fold_and_write(struct job *job, clred_partial *partial) {
  double begun = seconds_now();
  size_t size = 0;
  int code = partial_fold(job, partial);
  double seconds = seconds_now() - begun;
  cJSON *about = partial_about(job);
  code = code ? code : partial_file_write(&job->session, partial, about, job->args->partial, &size);
  cJSON_Delete(about);
  return code || !job->args->json ? code : partial_print_json(job, partial, size, seconds, NULL);
}

int partial_answer(struct job *job, clred_plan *plan) {
  const clred_partial_options options = {.first = job->args->first.value,
                                         .parameters = job->operation.own ? job->operation.user.value_pointers : NULL};
  clred_partial *partial = NULL;
  int code = session_check(&job->session, clred_partial_create(plan, &options, &partial));
  code = code ? code : fold_and_write(job, partial);
  clred_partial_release(partial);
  if (!code && job->args->explain && !job->args->quiet)
    code = session_explain(&job->session, plan, job->layout.call.count);
  return code;
}
