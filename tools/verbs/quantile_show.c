// Prints and writes what quantile.c found.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "verbs/quantile_run.h"

static bool chooses(const struct quantiles *at) {
  return at->asked.problem.at == NULL;
}

static bool has_groups(const struct quantiles *at) {
  return at->job.args->group != NULL;
}

static const struct results *keys_of(const struct quantiles *at) {
  return has_groups(at) ? at->job.group_keys : NULL;
}

// In INPUT; with --axis, in the row. --rows finds elements by their number among those that were read.
static cl_ulong place_at(const struct quantiles *at, uint64_t index) {
  cl_ulong place = at->places[index];
  if (has_groups(at))
    place = at->job.places[quantile_range_of(at, index / at->info.results).first + place];
  return at->job.args->rows ? place : text_row_number(&at->job.input.gaps, place);
}

// What top and bottom give: results with the parts of argmax. Those of a row stand in one line.
static int make_chosen(struct quantiles *at) {
  const size_t size = value_size(at->values.type);
  struct results *rows = &at->rows;
  rows->parts[0] = (struct part){.name = "index", .type = CLRED_TYPE_ULONG};
  rows->parts[1] = (struct part){.name = "value", .type = at->values.type, .offset = sizeof *at->places};
  rows->size = 2 * sizeof *at->places;
  rows->per_line = quantile_has_rows(at) ? at->info.results : 0;
  int code = results_make_more(rows, at->values.count);
  for (uint64_t i = 0; i < rows->count && !code; i++) {
    const cl_ulong place = place_at(at, i);
    char *result = results_at(rows, i);
    memcpy(result, &place, sizeof place);
    memcpy(result + sizeof *at->places, results_at(&at->values, i), size);
  }
  return code;
}

// One result for each row, with a part for each quantile.
static int make_several(struct quantiles *at) {
  struct results *rows = &at->rows;
  for (size_t i = 0; i < rows->part_count; i++) {
    rows->parts[i] = (struct part){.type = at->values.type, .offset = i * at->values.size};
    if (at->asked.list.count > 0)
      rows->parts[i].word = (size_t)sprintf(rows->parts[i].name, "%s", at->asked.list.words[i].name);
    else if (rows->part_count > 1)
      number_double_text(at->asked.at[i], rows->parts[i].name);
  }
  if (rows->part_count == 1) {
    rows->type = at->values.type;
    rows->type_name = at->values.type_name;
  }
  rows->size = rows->part_count * at->values.size;
  int code = results_make_more(rows, quantile_rows(at));
  if (!code && rows->count > 0)
    memcpy(rows->bytes, at->values.bytes, rows->count * rows->size);
  return code;
}

// The results as they are printed and written.
static const struct results *shown(const struct quantiles *at) {
  return chooses(at) || quantile_has_rows(at) || at->asked.list.count > 0 ? &at->rows : &at->values;
}

// True if the results are a list: rows, elements, or the quantiles of one operator.
static bool is_array(const struct quantiles *at) {
  return quantile_has_rows(at) || chooses(at) || (at->values.count > 1 && at->asked.list.count == 0);
}

static int make_rows(struct quantiles *at) {
  struct results *rows = &at->rows;
  results_release(rows);
  if (shown(at) != rows)
    return EXIT_DONE;
  *rows = (struct results){.type_name = "struct", .part_count = chooses(at) ? 2 : at->asked.problem.at_count};
  rows->parts = calloc(rows->part_count, sizeof *rows->parts);
  if (rows->parts == NULL)
    return fail_memory();
  return chooses(at) ? make_chosen(at) : make_several(at);
}

static void add_result(cJSON *object, const struct quantiles *at) {
  if (at->job.args->output != NULL)
    cJSON_AddNullToObject(object, "result");
  else
    cJSON_AddItemToObject(object, "result", results_json(shown(at), is_array(at)));
  if (at->asked.problem.at == NULL)
    return;
  cJSON *quantiles = cJSON_AddArrayToObject(object, "quantiles");
  for (size_t i = 0; i < at->asked.problem.at_count; i++)
    cJSON_AddItemToArray(quantiles, json_value(CLRED_TYPE_DOUBLE, &at->asked.problem.at[i]));
}

static struct layout layout_of(const struct quantiles *at) {
  struct layout layout = {.dimensions = is_array(at), .shape = {has_groups(at) ? quantile_rows(at) : at->info.results}};
  if (at->job.args->axes.count > 0)
    layout = at->job.layout;
  if (chooses(at) && quantile_has_rows(at))
    layout.shape[layout.dimensions++] = at->info.results;
  return layout;
}

static int print_object(const struct quantiles *at) {
  const struct job *job = &at->job;
  const struct layout layout = layout_of(at);
  cJSON *object = each_object(&job->each, &job->input);
  job_add_keys(object, job, keys_of(at));
  add_result(object, at);
  job_add_shape(object, &layout);
  json_add_text(object, "op", args_op(job->args));
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
  const struct lines lines = each_lines(&at->job.each);
  struct results numbers = {0};
  if (shown(at) == &at->rows || at->values.count == 1)
    return results_print(shown(at), keys_of(at), is_array(at), &lines);
  int code = results_make_values(&numbers, CLRED_TYPE_DOUBLE, at->values.count);
  if (!code)
    memcpy(numbers.bytes, at->asked.problem.at, numbers.count * numbers.size);
  code = code ? code : results_print(&at->values, &numbers, true, &lines);
  results_release(&numbers);
  return code;
}

int quantile_show(struct quantiles *at) {
  int code = make_rows(at);
  if (!code && at->job.args->rows)
    return quantile_show_lines(at);
  const struct layout layout = layout_of(at);
  code = code ? code : job_write(&at->job, shown(at), &layout, keys_of(at));
  if (!code && at->job.args->json)
    return print_object(at);
  return !code && at->job.args->output == NULL ? print_lines(at) : code;
}
