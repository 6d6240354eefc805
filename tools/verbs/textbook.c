#include "verbs/textbook.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"

enum { USUAL_COUNT = 8000, USUAL_CALLS = 11 };

static const double budget = 2;  // seconds of calls, unless --repeat is given

// A float cannot represent multiples of 1000.23, so the error of each tree is visible. A char cannot hold 1000.
static void choose_data(struct trials *trials) {
  struct args *args = &trials->args;
  clred_type_info type = {.floating = CL_TRUE};
  if (args->type != NULL)
    type_of_either(args->type, &type);
  const char *value = type.floating ? "1000.23" : value_size(type.component) == 1 ? "100" : "1000";
  snprintf(trials->data, sizeof trials->data, "constant:%" PRIu64 ":%s",
           args->n.given ? (uint64_t)args->n.value : USUAL_COUNT, value);
  args->generate = trials->data;
}

int trials_open(struct trials *trials, const struct args *args, const char *op) {
  *trials = (struct trials){.args = *args};
  const bool is_ladder = args->verb->bit == VERB_LADDER;
  const bool named = is_ladder && (args_input(args) != NULL || args->generate != NULL);
  if (named && args->n.given)
    return fail(EXIT_BAD_USE, "ladder: both -n and an input; -n is for the ladder's own data");
  if (!named)
    choose_data(trials);
  if (!is_ladder)
    trials->args.strategy = NULL;  // each trial has one
  int code = args->plot == NULL ? EXIT_DONE : plot_check(args->plot);
  return code ? code : job_open(&trials->job, &trials->args, op == NULL ? "sum" : op);
}

int trials_run(struct trials *trials, int (*run)(struct trials *trials, struct trial *trial), size_t first) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < trials->count && !code; i++) {
    struct trial *trial = &trials->list[i];
    progress_show(&trials->job.progress, trial->name, i, trials->count);
    code = run(trials, trial);
    if (i >= first && trial->correct &&
        (trials->best == NULL || trial->outcome.wall_seconds < trials->best->outcome.wall_seconds))
      trials->best = trial;
  }
  progress_end(&trials->job.progress);
  return code;
}

struct repeats trials_repeats(const struct trials *trials) {
  if (trials->args.repeat.given)
    return (struct repeats){.count = trials->args.repeat.value, .warm = true};
  return (struct repeats){.count = USUAL_CALLS, .budget = budget, .warm = true};
}

int trial_refuse(struct trial *trial, const char *reason) {
  snprintf(trial->refused, sizeof trial->refused, "%s", reason);
  trial->outcome.wall_seconds = trial->outcome.kernel_seconds = trial->error = trial->ulps = NAN;
  return EXIT_DONE;
}

bool trial_ran(const struct trial *trial) {
  return *trial->refused == '\0';
}

int trials_report(const struct trials *trials, int (*print)(const struct trials *trials), plot_writer *plot) {
  int code = print(trials);
  if (!code && trials->args.plot != NULL)
    code = plot_draw(trials->args.plot, plot, trials);
  for (size_t i = 0; i < trials->count && !code; i++)
    if (trial_ran(&trials->list[i]) && !trials->list[i].correct)
      code =
        fail(EXIT_WRONG, "%s: row %zu, %s, gave a wrong result", trials->args.verb->name, i + 1, trials->list[i].name);
  return code;
}

void trials_release(struct trials *trials) {
  for (size_t i = 0; i < trials->count && trials->list != NULL; i++) {
    steps_release(&trials->list[i].steps);
    outcome_release(&trials->list[i].outcome);
  }
  free(trials->list);
  job_close(&trials->job);
}

void trials_title(const struct trials *trials, char title[TEXTBOOK_TITLE_SIZE]) {
  const struct job *job = &trials->job;
  snprintf(title, TEXTBOOK_TITLE_SIZE, "%s%s of %" PRIu64 " elements of %s on %s",
           job->problem.scan ? "inclusive scan by " : "", job->operation.name, (uint64_t)job->input.count,
           job->input.type.name, job->session.device.name);
}

void trials_print_title(const struct trials *trials) {
  const struct device *device = &trials->job.session.device;
  char title[TEXTBOOK_TITLE_SIZE], line[1536];
  trials_title(trials, title);
  snprintf(line, sizeof line, "%s (%s, %s)", title, device->platform, device->driver);
  wrap_print(line, 0, 2, table_width());
}

cJSON *trials_json(const struct trials *trials) {
  const struct job *job = &trials->job;
  cJSON *object = cJSON_CreateObject();
  json_add_count(object, "count", job->input.count);
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "scan", problem_scan_name(&job->problem));
  json_add_text(object, "type", job->input.type.name);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  return object;
}
