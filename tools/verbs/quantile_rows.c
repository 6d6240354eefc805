// The rows of a quantile: where their elements are, and what is refused of them.
#include <stdlib.h>

#include "base/fail.h"
#include "input/row_files.h"
#include "verbs/quantile_run.h"

bool quantile_has_rows(const struct quantiles *at) {
  return at->job.args->group != NULL || at->job.args->axes.count > 0;
}

uint64_t quantile_rows(const struct quantiles *at) {
  return at->job.args->group != NULL ? segments_number(&at->job.runs) : at->job.layout.results;
}

struct quantile_range quantile_range_of(const struct quantiles *at, uint64_t row) {
  const struct input *runs = &at->job.runs;
  const uint64_t count = at->job.layout.call.count;
  if (at->job.args->group == NULL)
    return (struct quantile_range){row * count, count};
  uint64_t first = segments_offset(runs, row);
  return (struct quantile_range){first, segments_offset(runs, row + 1) - first};
}

// ---- Refusals

static int check_number(const struct quantiles *at) {
  const struct args *args = at->job.args;
  const unsigned long long rows = quantile_rows(at);
  if (rows <= QUANTILE_ROWS_MOST)
    return EXIT_DONE;
  if (args->group == NULL)
    return fail(EXIT_BAD_USE, "--axis %s: %llu rows; %s takes at most %d rows, so give a part of the array at a time",
                args->axes.text, rows, at->asked.op, QUANTILE_ROWS_MOST);
  return fail(EXIT_BAD_USE,
              "--group %s: %llu groups; %s takes at most %d groups, so sort by key and give a part of the rows at a "
              "time",
              args->group, rows, at->asked.op, QUANTILE_ROWS_MOST);
}

// Every group must have as many elements as are chosen.
static int check_groups(const struct quantiles *at, cl_ulong chosen) {
  for (uint64_t i = 0; i < quantile_rows(at); i++) {
    const uint64_t count = quantile_range_of(at, i).count;
    if (chosen <= count)
      continue;
    char *key = results_keys_text(at->job.group_keys, i);
    fail(EXIT_BAD_USE, "%s: --group %s: the group %s has only %llu element%s; ask for no more", at->asked.op,
         at->job.args->group, key != NULL ? key : "", (unsigned long long)count, count == 1 ? "" : "s");
    free(key);
    return EXIT_BAD_USE;
  }
  return EXIT_DONE;
}

int quantile_rows_check(const struct quantiles *at) {
  const char *name = input_name(&at->job.input), *row = quantile_has_rows(at) ? " in a row" : "";
  const cl_ulong chosen = at->asked.problem.top + at->asked.problem.bottom, count = at->job.layout.call.count;
  int code = check_number(at);
  if (!code && chosen > 0 && at->job.layout.dimensions == NPY_DIMENSIONS_MOST)
    return fail(EXIT_BAD_USE, "--keepdims: %s adds a dimension, and an array has at most %d; leave --keepdims out",
                at->asked.op, NPY_DIMENSIONS_MOST);
  if (code || at->job.args->group != NULL)
    return code ? code : check_groups(at, chosen);
  if (count == 0 && quantile_rows(at) > 0)
    return fail(EXIT_BAD_USE, "%s: %s of 0 elements has no result", name, at->asked.op);
  if (chosen > count)
    return fail(EXIT_BAD_USE, "%s: %s has only %llu elements%s; ask for no more", at->asked.op, name,
                (unsigned long long)count, row);
  return EXIT_DONE;
}

int quantile_rows_refuse(const struct quantiles *at, uint64_t row) {
  const char *sentence = clred_last_error(at->job.session.runtime), *name = input_name(&at->job.input);
  if (!quantile_has_rows(at))
    return fail(EXIT_BAD_USE, "%s: %s", name, sentence);
  if (at->job.args->group == NULL)
    return fail(EXIT_BAD_USE, "%s: row %llu: %s", name, (unsigned long long)row, sentence);
  char *key = results_keys_text(at->job.group_keys, row);
  fail(EXIT_BAD_USE, "%s: the group %s: %s", name, key != NULL ? key : "", sentence);
  free(key);
  return EXIT_BAD_USE;
}
