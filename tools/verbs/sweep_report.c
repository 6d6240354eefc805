// Prints the sweep as a table and as JSON.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "verbs/sweep.h"

// The trial's time divided by the time of the best trial.
static double to_best(const struct sweep *sweep, const struct trial *trial) {
  const struct trial *best = sweep_best(sweep);
  return best == NULL ? NAN : trial->outcome.wall_seconds / best->outcome.wall_seconds;
}

enum { NARROW = 8 };

static int width_of(size_t which) {
  const int width = (int)strlen(sweep_numbers[which].name);
  return width < NARROW ? NARROW : width;
}

static void print_heading(const struct sweep *sweep) {
  ladder_print_title(sweep->job);
  wrap_print("time: a whole call by the host's clock. kernels: the part of it from the start of the first kernel to "
             "the end of the last. to best: time / the best trial's. chosen: numbers that the library chooses.",
             0, 2, table_width());
  printf("\n%-22s", "strategy");
  for (size_t i = 0; i < SWEEP_NUMBERS; i++)
    printf(" %*s", width_of(i), sweep_numbers[i].name);
  printf(" %7s %7s %7s\n", "time", "kernels", "to best");
}

static bool takes(const struct sweep *sweep, const struct trial *trial, size_t which) {
  for (size_t i = 0; i < sweep->strategy_count; i++)
    if (trial->strategy == sweep->strategies[i].name)
      return sweep->takes[i][which];
  return true;
}

// The value that was tried. If the library chose the number: the value that the plan ran with. 0: the strategy does not
// take this number.
static cl_ulong number_of(const struct sweep *sweep, const struct trial *trial, size_t which) {
  if (!takes(sweep, trial, which))
    return 0;
  return trial->chosen && trial->refused == NULL ? sweep_ran(trial, which) : trial->numbers[which];
}

static int print_numbers(const struct sweep *sweep, const struct trial *trial) {
  int at = printf("%-22s", trial->strategy == NULL ? "auto" : trial->strategy);
  for (size_t i = 0; i < SWEEP_NUMBERS; i++) {
    cl_ulong value = number_of(sweep, trial, i);
    at += value == 0 ? printf(" %*s", width_of(i), "-") : printf(" %*" PRIu64, width_of(i), (uint64_t)value);
  }
  return at;
}

static void print_trial(const struct sweep *sweep, const struct trial *trial) {
  char time[CELL_SIZE], kernels[CELL_SIZE], ratio[CELL_SIZE];
  int at = print_numbers(sweep, trial);
  if (trial->refused != NULL) {
    putchar(' ');
    wrap_print(trial->refused, (size_t)at + 1, (size_t)at + 1, table_width());
    return;
  }
  write_short_time(trial->outcome.wall_seconds, time);
  write_short_time(trial->outcome.kernel_seconds, kernels);
  write_short(to_best(sweep, trial), ratio);
  printf(" %7s %7s %7s%s%s\n", time, kernels, trial->correct ? ratio : "WRONG",
         trial == sweep_best(sweep) ? " best" : "", trial->chosen ? " chosen" : "");
}

static void print_best(const struct sweep *sweep) {
  const struct trial *best = sweep_best(sweep);
  char line[256], time[CELL_SIZE];
  if (best == NULL)
    return;
  write_short_time(best->outcome.wall_seconds, time);
  int length = snprintf(line, sizeof line, "best: %s", best->strategy);
  for (size_t i = 0; i < SWEEP_NUMBERS; i++)
    if (number_of(sweep, best, i) != 0)
      length += snprintf(line + length, sizeof line - (size_t)length, " %s=%" PRIu64, sweep_numbers[i].name,
                         (uint64_t)number_of(sweep, best, i));
  snprintf(line + length, sizeof line - (size_t)length, ", %s", time);
  wrap_print(line, 0, 2, table_width());
  write_short_time(sweep->trials[0].outcome.wall_seconds, time);
  const double excess = sweep_auto_excess(sweep);
  printf("auto: %s, %s, %.0f %% %s than the best trial\n", sweep->trials[0].outcome.info.strategy, time,
         fabs(excess) * 100, excess < 0 ? "less" : "more");
}

int sweep_print_text(const struct sweep *sweep) {
  print_heading(sweep);
  for (size_t i = 0; i < sweep->done; i++)
    print_trial(sweep, &sweep->trials[i]);
  putchar('\n');
  print_best(sweep);
  if (sweep->done < sweep->count)
    printf("not complete: %zu of %zu trials\n", sweep->done, sweep->count);
  return EXIT_DONE;
}

// Null for a number that the library chose.
static void add_tried(cJSON *row, const struct trial *trial) {
  cJSON *tried = cJSON_AddObjectToObject(row, "tried");
  for (size_t i = 0; i < SWEEP_NUMBERS; i++)
    json_add_known_count(tried, sweep_numbers[i].name, trial->numbers[i] != 0, trial->numbers[i]);
}

static void add_measures(cJSON *row, const struct sweep *sweep, const struct trial *trial) {
  const struct outcome *outcome = &trial->outcome;
  json_add_text(row, "finish", outcome->info.finish);
  for (size_t i = 0; i < SWEEP_NUMBERS; i++)
    json_add_count(row, sweep_numbers[i].name, sweep_ran(trial, i));
  json_add_measure(row, "wall_seconds", outcome->wall_seconds);
  json_add_measure(row, "kernel_seconds", outcome->kernel_seconds);
  json_add_measure(row, "to_best", to_best(sweep, trial));
  json_add_count(row, "calls", outcome->calls);
  json_add_truth(row, "correct", trial->correct);
}

// `measures` has the fields of a trial that ran.
static cJSON *make_row(const struct sweep *sweep, const struct trial *trial, const cJSON *measures) {
  cJSON *row = cJSON_CreateObject();
  json_add_text(row, "name", trial->strategy == NULL ? "auto" : trial->strategy);
  json_add_text(row, "strategy", trial->refused == NULL ? trial->outcome.info.strategy : trial->strategy);
  json_add_truth(row, "chosen", trial->chosen);
  add_tried(row, trial);
  if (trial->refused == NULL)
    add_measures(row, sweep, trial);
  json_add_text(row, "refused", trial->refused);
  json_add_missing(row, measures);
  return row;
}

int sweep_print_json(const struct sweep *sweep) {
  const struct trial *best = sweep_best(sweep);
  cJSON *object = ladder_job_json(sweep->job);
  json_add_count(object, "trials", sweep->count);
  json_add_truth(object, "interrupted", sweep->done < sweep->count);
  json_add_known_count(object, "best", best != NULL, best == NULL ? 0 : (uint64_t)(best - sweep->trials));
  json_add_measure(object, "auto_excess", sweep_auto_excess(sweep));
  cJSON *measures = cJSON_CreateObject(), *rows = cJSON_AddArrayToObject(object, "rows");
  add_measures(measures, sweep, &sweep->trials[0]);
  for (size_t i = 0; i < sweep->done; i++)
    cJSON_AddItemToArray(rows, make_row(sweep, &sweep->trials[i], measures));
  cJSON_Delete(measures);
  return json_print(object);
}
