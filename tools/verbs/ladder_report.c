// Prints the ladder as a table and as JSON.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/colour.h"
#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "device/session.h"
#include "run/results.h"
#include "verbs/ladder.h"

// The device's time if kernels ran, else the host's.
static double rung_seconds(const struct rung *rung) {
  return isnan(rung->outcome.kernel_seconds) ? rung->outcome.wall_seconds : rung->outcome.kernel_seconds;
}

static double nanoseconds_per_element(const struct ladder *ladder, const struct rung *rung) {
  cl_ulong count = ladder->job.input.count;
  return count == 0 ? NAN : rung_seconds(rung) * 1e9 / (double)count;
}

static double gigabytes_per_second(const struct ladder *ladder, const struct rung *rung) {
  double seconds = rung_seconds(rung);
  return seconds > 0 ? (double)job_bytes(&ladder->job, &rung->outcome) / seconds / 1e9 : NAN;
}

static double relative_error(const struct ladder *ladder, const struct rung *rung) {
  if (rung->error == 0)
    return 0;
  return ladder->analytic == 0 ? NAN : rung->error / fabs(ladder->analytic);
}

struct rung_scale rung_scale_of(const struct ladder *ladder, const struct rung *rung) {
  const struct rung *first = &ladder->rungs[0];
  double wall = rung->outcome.wall_seconds, kernels = rung->outcome.kernel_seconds, units = (double)ladder->units;
  struct rung_scale scale = {NAN, NAN, NAN, NAN};
  if (rung->refused != NULL || !(wall > 0))
    return scale;
  scale.outside = kernels > wall ? 0 : (wall - kernels) / wall;
  scale.bound = 1 / (scale.outside + (1 - scale.outside) / units);
  scale.speedup = first->refused == NULL ? first->outcome.wall_seconds / wall : NAN;
  scale.efficiency = scale.speedup / units;
  return scale;
}

enum { NAME_WIDTH = 22, FINISH_WIDTH = 10, RESULT_WIDTH = 9, SCAN_NAME_WIDTH = 23, SCAN_RESULT_WIDTH = 19 };

// Scans have long names and no finish. Both kinds of rows fit 100 columns.
static int print_name(const struct ladder *ladder, const char *name, const char *finish) {
  return ladder->job.problem.scan ? printf("%-*s ", SCAN_NAME_WIDTH, name)
                                  : printf("%-*s %-*s ", NAME_WIDTH, name, FINISH_WIDTH, finish);
}

static int result_width(const struct ladder *ladder) {
  return ladder->job.problem.scan ? SCAN_RESULT_WIDTH : RESULT_WIDTH;
}

// A result that is too long for its column has a line by itself.
static void print_result(const struct ladder *ladder, const char *result, int at) {
  int width = result_width(ladder);
  if (strlen(result) > (size_t)width) {
    wrap_print(result, (size_t)at, (size_t)at, table_width());
    printf("%*s", at, "");
    result = "";
  }
  printf("%*s", width, result);
}

void ladder_title(const struct job *job, char *title, size_t size) {
  snprintf(title, size, "%s%s of %" PRIu64 " elements of %s on %s", job->problem.scan ? "inclusive scan by " : "",
           job->operation.name, (uint64_t)job->input.count, job->input.type.name, job->session.device.name);
}

void ladder_print_title(const struct job *job) {
  char line[1024];
  ladder_title(job, line, sizeof line);
  size_t length = strlen(line);
  snprintf(line + length, sizeof line - length, " (%s, %s)", job->session.device.platform, job->session.device.driver);
  wrap_print(line, 0, 2, table_width());
}

// A narrow terminal gets no columns for error, efficiency and bound.
static void explain_columns(const struct ladder *ladder) {
  const char *error = ladder->in_ulps ? "ulps: result - exact value, in units in the last place of the exact value. "
                                      : "error: result - exact value. ";
  char line[1024], more[256];
  snprintf(more, sizeof more,
           "effic.: speedup / %" PRIu64 " compute units. bound: by Amdahl's law the largest speedup of %" PRIu64
           " units over one, if only kernels are parallel.",
           (uint64_t)ladder->units, (uint64_t)ladder->units);
  snprintf(line, sizeof line,
           "time: a whole call by the host's clock. kernels: the part of it from the start of the first kernel to the "
           "end of the last. %sspeedup: time of %s / time. %s",
           table_is_narrow() ? "" : error, ladder->rungs[0].name,
           table_is_narrow() ? "100 columns also show error, efficiency and Amdahl's bound." : more);
  wrap_print(line, 0, 2, table_width());
}

static void print_heading(const struct ladder *ladder) {
  ladder_print_title(&ladder->job);
  explain_columns(ladder);
  putchar('\n');
  print_name(ladder, "strategy", "finish");
  printf("%*s %7s %7s %8s", result_width(ladder), ladder->job.problem.scan ? "last result" : "result", "time",
         "kernels", "launches");
  if (table_is_narrow())
    printf(" %7s\n", "speedup");
  else
    printf(" %9s %7s %7s %5s\n", ladder->in_ulps ? "ulps" : "error", "speedup", "effic.", "bound");
}

// Prints speedup, efficiency and bound of a rung. A rung with a wrong result has none of them.
static void print_scale(const struct ladder *ladder, const struct rung *rung) {
  const struct rung_scale scale = rung_scale_of(ladder, rung);
  char speedup[CELL_SIZE], efficiency[CELL_SIZE], bound[CELL_SIZE];
  write_short(scale.speedup, speedup);
  write_short(scale.efficiency, efficiency);
  write_short(scale.bound, bound);
  printf(" %7s", rung->correct ? speedup : "WRONG");
  if (rung->correct && !table_is_narrow())
    printf(" %7s %5s", efficiency, bound);
  putchar('\n');
}

static void print_rung(const struct ladder *ladder, const struct rung *rung) {
  const clred_plan_info *info = &rung->outcome.info;
  const struct results *results = &rung->outcome.results;
  const char *name = rung->strategy == NULL ? rung->name : rung->strategy;
  const char *finish = rung->refused == NULL ? info->finish : rung->finish;
  char time[CELL_SIZE], kernels[CELL_SIZE], error[CELL_SIZE];
  int at = print_name(ladder, name, finish == NULL ? "-" : finish);
  if (rung->refused != NULL) {
    wrap_print(rung->refused, (size_t)at, (size_t)at, table_width());
    return;
  }
  char *result = results_text(results, results_last(results), " ");
  write_short_time(rung->outcome.wall_seconds, time);
  write_short_time(rung->outcome.kernel_seconds, kernels);
  write_measure(fabs(rung->ulps) < 9999.5 ? "%.4g" : "%.3g", ladder->in_ulps ? rung->ulps : rung->error, error);
  print_result(ladder, result == NULL ? "?" : result, at);
  printf(" %7s %7s %8" PRIu64, time, kernels, (uint64_t)info->passes);
  if (!table_is_narrow())
    printf(" %9s", error);
  print_scale(ladder, rung);
  free(result);
}

static void print_analytic(const struct ladder *ladder) {
  int at = print_name(ladder, "analytic", ""), width = result_width(ladder);
  if (strlen(ladder->analytic_text) > (size_t)width)
    wrap_print(ladder->analytic_text, (size_t)at, (size_t)at, table_width());
  else
    printf("%*s\n", width, ladder->analytic_text);
}

static void print_steps(const struct ladder *ladder) {
  for (size_t i = 0; i < ladder->count; i++)
    if (ladder->rungs[i].steps.count > 0) {
      printf("\n%s\n", ladder->rungs[i].name);
      steps_print(&ladder->rungs[i].steps);
    }
}

// The rung with the least time of a correct call; NULL if there is none.
static const struct rung *best_rung(const struct ladder *ladder) {
  const struct rung *best = NULL;
  for (size_t i = 0; i < ladder->count; i++) {
    const struct rung *rung = &ladder->rungs[i];
    if (rung->refused == NULL && rung->correct &&
        (best == NULL || rung->outcome.wall_seconds < best->outcome.wall_seconds))
      best = rung;
  }
  return best;
}

int ladder_print_text(const struct ladder *ladder) {
  const struct rung *best = best_rung(ladder);
  print_heading(ladder);
  for (size_t i = 0; i < ladder->count; i++) {
    const bool is_best = &ladder->rungs[i] == best;
    printf("%s", is_best ? colour_begin(STDOUT_FILENO, COLOUR_BEST) : "");
    print_rung(ladder, &ladder->rungs[i]);
    printf("%s", is_best ? colour_end(STDOUT_FILENO) : "");
  }
  print_analytic(ladder);
  print_steps(ladder);
  return EXIT_DONE;
}

static cJSON *last_json(const struct results *results) {
  return results_one_json(results, results_last(results));
}

static void add_scale(cJSON *row, struct rung_scale scale) {
  json_add_measure(row, "outside_share", scale.outside);
  json_add_measure(row, "speedup", scale.speedup);
  json_add_measure(row, "efficiency", scale.efficiency);
  json_add_measure(row, "amdahl_bound", scale.bound);
}

static void add_measures(cJSON *row, const struct ladder *ladder, const struct rung *rung) {
  const clred_plan_info *info = &rung->outcome.info;
  json_add_text(row, "finish", info->finish);
  cJSON_AddItemToObject(row, "result", last_json(&rung->outcome.results));
  json_add_measure(row, "seconds", rung_seconds(rung));
  json_add_measure(row, "wall_seconds", rung->outcome.wall_seconds);
  json_add_measure(row, "kernel_seconds", rung->outcome.kernel_seconds);
  add_scale(row, rung_scale_of(ladder, rung));
  json_add_measure(row, "nanoseconds_per_element", nanoseconds_per_element(ladder, rung));
  json_add_measure(row, "gigabytes_per_second", gigabytes_per_second(ladder, rung));
  json_add_measure(row, "error", rung->error);
  json_add_measure(row, "error_ulp", rung->ulps);
  json_add_measure(row, "relative_error", relative_error(ladder, rung));
  json_add_count(row, "launches", info->passes);
  json_add_text(row, "order", info->order);
  json_add_count(row, "group_size", info->group_size);
  json_add_count(row, "groups", info->groups);
  json_add_count(row, "elements_per_group", info->elements_per_group);
  json_add_count(row, "calls", rung->outcome.calls);
  json_add_truth(row, "correct", rung->correct);
}

static cJSON *begin_row(const char *name, const char *strategy) {
  cJSON *row = cJSON_CreateObject();
  json_add_text(row, "name", name);
  json_add_text(row, "strategy", strategy);
  return row;
}

// `measures` has the fields of a rung that ran.
static cJSON *make_row(const struct ladder *ladder, const struct rung *rung, const cJSON *measures) {
  cJSON *row = begin_row(rung->name, rung->strategy);
  if (rung->refused != NULL) {
    json_add_missing(row, measures);
    json_add_text(row, "refused", rung->refused);
    return row;
  }
  add_measures(row, ladder, rung);
  if (ladder->job.args->explain)
    steps_add_json(row, &rung->steps);
  return row;
}

static void add_analytic(cJSON *object, const char *key, const struct ladder *ladder) {
  if (ladder->floating)
    json_add_measure(object, key, ladder->analytic);
  else
    cJSON_AddItemToObject(object, key, last_json(&ladder->reference));
}

static cJSON *make_analytic_row(const struct ladder *ladder, const cJSON *measures) {
  cJSON *row = begin_row("analytic", NULL);
  add_analytic(row, "result", ladder);
  json_add_count(row, "error", 0);
  json_add_measure(row, "error_ulp", ladder->in_ulps ? 0 : NAN);
  json_add_count(row, "relative_error", 0);
  json_add_truth(row, "correct", CL_TRUE);
  json_add_missing(row, measures);
  return row;
}

// The fields of the first rung that ran.
static cJSON *make_measures(const struct ladder *ladder) {
  cJSON *measures = cJSON_CreateObject();
  size_t first = 0;
  while (ladder->rungs[first].refused != NULL)
    first++;
  add_measures(measures, ladder, &ladder->rungs[first]);
  return measures;
}

cJSON *ladder_job_json(const struct job *job) {
  cJSON *object = cJSON_CreateObject();
  json_add_count(object, "count", job->input.count);
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "scan", problem_scan_name(&job->problem));
  json_add_text(object, "type", job->input.type.name);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  return object;
}

int ladder_print_json(const struct ladder *ladder) {
  cJSON *object = ladder_job_json(&ladder->job);
  json_add_count(object, "compute_units", ladder->units);
  add_analytic(object, "analytic", ladder);
  cJSON *measures = make_measures(ladder), *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < ladder->count; i++)
    cJSON_AddItemToArray(rows, make_row(ladder, &ladder->rungs[i], measures));
  cJSON_AddItemToArray(rows, make_analytic_row(ladder, measures));
  cJSON_Delete(measures);
  return json_print(object);
}
