// Text and JSON are made from the same tables of columns and sums.
#include "verbs/steps.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"

// A number of a step, of the whole analysis, or of both. Numbers without a heading are only in the JSON. The widths add
// up to lines of 100 columns.
struct column {
  const char *key, *heading;
  int width;
  size_t in_step, in_sum;  // offsets in clred_step and clred_analysis, or ABSENT
};

#define ABSENT SIZE_MAX
#define SUM(field) \
  { #field, NULL, 0, ABSENT, offsetof(clred_analysis, field) }
#define STEP(field, heading, width) \
  { #field, heading, width, offsetof(clred_step, field), offsetof(clred_analysis, field) }
static const struct column columns[] = {
  SUM(launches),
  SUM(steps),
  SUM(peak_parallelism),
  STEP(active_work_items, "active", 8),
  STEP(idle_work_items, "idle", 8),
  STEP(sub_groups, NULL, 0),
  STEP(divergent_sub_groups, "divergent", 10),
  STEP(operations, "ops", 8),
  STEP(depth, NULL, 0),
  {"operations_at_once", NULL, 0, offsetof(clred_step, operations_at_once), ABSENT},
  STEP(barriers, "barriers", 9),
  STEP(global_accesses, "access", 8),
  STEP(requests, "requests", 9),
  STEP(lines, "lines", 7),
  STEP(local_accesses, "local", 7),
  STEP(bank_conflicts, "banks", 7),
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static cl_ulong value_at(const void *row, size_t offset) {
  cl_ulong value;
  memcpy(&value, (const char *)row + offset, sizeof value);
  return value;
}

int steps_take(struct steps *steps, const clred_plan *plan, cl_ulong count) {
  clred_step step;
  size_t room = 0;
  *steps = (struct steps){0};
  clred_plan_analysis(plan, count, &steps->analysis);
  while (clred_plan_step(plan, count, steps->count, &step) == CL_SUCCESS) {
    if (!list_grow(&steps->list, &room, steps->count + 1, sizeof *steps->list))
      return fail_memory();
    steps->list[steps->count++] = step;
  }
  return EXIT_DONE;
}

void steps_release(struct steps *steps) {
  free(steps->list);
  *steps = (struct steps){0};
}

struct number {
  char text[32];
};

// Large numbers are rounded to thousands, millions, ... until they have at most `most` characters.
static struct number short_number(cl_ulong value, int most) {
  static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
  struct number number = {"-"};
  if (value == CLRED_NOT_STATED)
    return number;
  snprintf(number.text, sizeof number.text, "%" PRIu64, (uint64_t)value);
  for (int unit = 1; unit < 7 && (int)strlen(number.text) > most; unit++) {
    value = value / 1000 + (value % 1000 >= 500);
    snprintf(number.text, sizeof number.text, "%" PRIu64 "%s", (uint64_t)value, units[unit]);
  }
  return number;
}

static struct number whole(cl_ulong value) {
  return short_number(value, 20);
}

static struct number measure(double value, const char *format) {
  struct number number = {"-"};
  if (value >= 0)
    snprintf(number.text, sizeof number.text, format, value);
  return number;
}

static void print_sums(const clred_analysis *sum) {
  char lines[1024];
  snprintf(lines, sizeof lines,
           "  operations: %s in %s step%s, %s times those of a loop; the longest chain has %s\n"
           "  parallelism: %s on average, %s at most; %s of the work-items are active\n"
           "  sub-groups: %s, %s of them divergent; %s barrier%s in %s launch%s\n"
           "  global memory: %s accesses, %s requests of sub-groups, %s lines\n"
           "  local memory: %s accesses, %s bank conflicts\n",
           whole(sum->operations).text, whole(sum->steps).text, sum->steps == 1 ? "" : "s",
           measure(sum->work_ratio, "%.2f").text, whole(sum->depth).text, measure(sum->mean_parallelism, "%.1f").text,
           whole(sum->peak_parallelism).text, measure(100 * sum->utilisation, "%.1f %%").text,
           whole(sum->sub_groups).text, whole(sum->divergent_sub_groups).text, whole(sum->barriers).text,
           sum->barriers == 1 ? "" : "s", whole(sum->launches).text, sum->launches == 1 ? "" : "es",
           whole(sum->global_accesses).text, whole(sum->requests).text, whole(sum->lines).text,
           whole(sum->local_accesses).text, whole(sum->bank_conflicts).text);
  wrap_print_lines(lines);
}

enum { NAMES_WIDTH = 19 };

// The columns that fit the terminal are columns[0] to columns[shown - 1].
static size_t count_shown(void) {
  size_t shown = 0;
  for (int at = NAMES_WIDTH; shown < COLUMN_COUNT; shown++) {
    at += columns[shown].heading == NULL ? 0 : columns[shown].width;
    if (at > (int)table_width())
      break;
  }
  return shown;
}

void steps_print(const struct steps *steps) {
  const size_t shown = count_shown();
  printf("%4s %-14s", "pass", "step");
  for (size_t i = 0; i < shown; i++)
    if (columns[i].heading != NULL)
      printf("%*s", columns[i].width, columns[i].heading);
  putchar('\n');
  for (size_t row = 0; row < steps->count; row++) {
    const clred_step *step = &steps->list[row];
    printf("%4" PRIu64 " %-14s", (uint64_t)step->pass, step->name);
    for (size_t i = 0; i < shown; i++)
      if (columns[i].heading != NULL)
        printf("%*s", columns[i].width, short_number(value_at(step, columns[i].in_step), columns[i].width - 1).text);
    putchar('\n');
  }
  print_sums(&steps->analysis);
}

static void add_number(cJSON *object, const char *key, const void *row, size_t offset) {
  if (offset == ABSENT)
    return;
  const cl_ulong value = value_at(row, offset);
  json_add_known_count(object, key, value != CLRED_NOT_STATED, value);
}

static void add_ratio(cJSON *object, const char *key, double value) {
  json_add_measure(object, key, value < 0 ? NAN : value);
}

void steps_add_json(cJSON *object, const struct steps *steps) {
  cJSON *list = cJSON_AddArrayToObject(object, "steps");
  for (size_t row = 0; row < steps->count; row++) {
    const clred_step *step = &steps->list[row];
    cJSON *item = json_add_item(list);
    json_add_count(item, "pass", step->pass);
    json_add_text(item, "name", step->name);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
      add_number(item, columns[i].key, step, columns[i].in_step);
  }
  cJSON *analysis = cJSON_AddObjectToObject(object, "analysis");
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    add_number(analysis, columns[i].key, &steps->analysis, columns[i].in_sum);
  add_ratio(analysis, "mean_parallelism", steps->analysis.mean_parallelism);
  add_ratio(analysis, "utilisation", steps->analysis.utilisation);
  add_ratio(analysis, "work_ratio", steps->analysis.work_ratio);
}
