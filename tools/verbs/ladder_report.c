// Prints the ladder as a table and as JSON.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "device/session.h"
#include "run/results.h"
#include "verbs/ladder.h"

double rung_seconds(const struct rung *rung) {
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

// ---- Text

// Scans have long names and no finish. Both kinds of rows fit TABLE_WIDTH with "WRONG" at the end.
static int print_name(const struct ladder *ladder, const char *name, const char *finish) {
  return ladder->job.problem.scan ? printf("%-23s ", name) : printf("%-18s %-10s ", name, finish);
}

static int result_width(const struct ladder *ladder) {
  return ladder->job.problem.scan ? 22 : 17;
}

// A result that is too long for its column has a line by itself.
static void print_result(const struct ladder *ladder, const char *result, int at) {
  int width = result_width(ladder);
  if (strlen(result) > (size_t)width) {
    wrap_print(result, (size_t)at, (size_t)at, TABLE_WIDTH);
    printf("%*s", at, "");
    result = "";
  }
  printf("%*s", width, result);
}

static void print_heading(const struct ladder *ladder) {
  const struct job *job = &ladder->job;
  bool scans = job->problem.scan != CLRED_SCAN_NONE;
  char line[1024];
  snprintf(line, sizeof line, "%s%s of %" PRIu64 " elements of %s on %s (%s, %s)", scans ? "inclusive scan by " : "",
           job->operation.name, (uint64_t)job->input.count, job->input.type.name, job->session.device.name,
           job->session.device.platform, job->session.device.driver);
  wrap_print(line, 0, 2, TABLE_WIDTH);
  putchar('\n');
  print_name(ladder, "strategy", "finish");
  printf("%*s %9s %10s %6s %9s %8s\n", result_width(ladder), scans ? "last result" : "result", "time", "ns/element",
         "GB/s", "error", "launches");
}

static void print_rung(const struct ladder *ladder, const struct rung *rung) {
  const clred_plan_info *info = &rung->outcome.info;
  const struct results *results = &rung->outcome.results;
  char time[CELL_SIZE], each[CELL_SIZE], rate[CELL_SIZE], error[CELL_SIZE];
  int at = print_name(ladder, rung->name, rung->refused == NULL && info->finish != NULL ? info->finish : "-");
  if (rung->refused != NULL) {
    wrap_print(rung->refused, (size_t)at, (size_t)at, TABLE_WIDTH);
    return;
  }
  char *result = results_text(results, results_last(results), " ");
  write_time(rung_seconds(rung), time);
  write_measure("%.3g", nanoseconds_per_element(ladder, rung), each);
  write_measure("%.3g", gigabytes_per_second(ladder, rung), rate);
  write_measure("%.3g", rung->error, error);
  print_result(ladder, result == NULL ? "?" : result, at);
  printf(" %9s %10s %6s %9s %8" PRIu64 "%s\n", time, each, rate, error, (uint64_t)info->passes,
         rung->correct ? "" : " WRONG");
  free(result);
}

static void print_steps(const struct ladder *ladder) {
  for (size_t i = 0; i < ladder->count; i++)
    if (ladder->rungs[i].steps.count > 0) {
      printf("\n%s\n", ladder->rungs[i].name);
      steps_print(&ladder->rungs[i].steps);
    }
}

int ladder_print_text(const struct ladder *ladder) {
  print_heading(ladder);
  for (size_t i = 0; i < ladder->count; i++)
    print_rung(ladder, &ladder->rungs[i]);
  print_result(ladder, ladder->analytic_text, print_name(ladder, "analytic", ""));
  putchar('\n');
  print_steps(ladder);
  return EXIT_DONE;
}

// ---- JSON

static cJSON *last_json(const struct results *results) {
  return results_one_json(results, results_last(results));
}

static void add_measures(cJSON *row, const struct ladder *ladder, const struct rung *rung) {
  const clred_plan_info *info = &rung->outcome.info;
  json_add_text(row, "finish", info->finish);
  cJSON_AddItemToObject(row, "result", last_json(&rung->outcome.results));
  json_add_measure(row, "seconds", rung_seconds(rung));
  json_add_measure(row, "nanoseconds_per_element", nanoseconds_per_element(ladder, rung));
  json_add_measure(row, "gigabytes_per_second", gigabytes_per_second(ladder, rung));
  json_add_measure(row, "error", rung->error);
  json_add_measure(row, "relative_error", relative_error(ladder, rung));
  json_add_count(row, "launches", info->passes);
  json_add_text(row, "order", info->order);
  json_add_count(row, "group_size", info->group_size);
  json_add_count(row, "groups", info->groups);
  json_add_count(row, "elements_per_group", info->elements_per_group);
  json_add_count(row, "calls", rung->outcome.calls);
  json_add_truth(row, "correct", rung->correct);
}

// Adds null for each field that only `like` has, so that all rows have the same fields.
static void add_nothing(cJSON *row, const cJSON *like) {
  for (const cJSON *field = like->child; field != NULL; field = field->next)
    if (!cJSON_HasObjectItem(row, field->string))
      cJSON_AddNullToObject(row, field->string);
}

static cJSON *begin_row(const char *name, const char *strategy) {
  cJSON *row = cJSON_CreateObject();
  json_add_text(row, "name", name);
  json_add_text(row, "strategy", strategy);
  return row;
}

// `measures` has the fields of a rung that ran.
static cJSON *make_row(const struct ladder *ladder, const struct rung *rung, const cJSON *measures) {
  cJSON *row = begin_row(rung->name, rung->name);
  if (rung->refused != NULL) {
    add_nothing(row, measures);
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
  json_add_count(row, "relative_error", 0);
  json_add_truth(row, "correct", CL_TRUE);
  add_nothing(row, measures);
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

int ladder_print_json(const struct ladder *ladder) {
  const struct job *job = &ladder->job;
  cJSON *object = cJSON_CreateObject();
  json_add_count(object, "count", job->input.count);
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "scan", problem_scan_name(&job->problem));
  json_add_text(object, "type", job->input.type.name);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  add_analytic(object, "analytic", ladder);
  cJSON *measures = make_measures(ladder), *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < ladder->count; i++)
    cJSON_AddItemToArray(rows, make_row(ladder, &ladder->rungs[i], measures));
  cJSON_AddItemToArray(rows, make_analytic_row(ladder, measures));
  cJSON_Delete(measures);
  return json_print(object);
}
