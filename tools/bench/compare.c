// Compares the library's rows of this run with those of an earlier one (--compare). Two rows belong together if device,
// operator, type, number of elements and name are equal.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wrap.h"
#include "bench/bench.h"

// The time of the row that belongs to this one; NaN if there is none.
static double find_seconds(const struct bench_report *report, const struct bench_row *like, enum bench_clock clock) {
  for (size_t i = 0; i < report->count; i++) {
    const struct bench_row *row = &report->rows[i];
    if (bench_same_case(row, like) && strcmp(row->name, like->name) == 0)
      return row->times[clock].median;
  }
  return NAN;
}

// One of the times may be NaN.
static void add_row(cJSON *list, const struct bench_row *row, double now, double then, double slower) {
  cJSON *item = json_add_item(list);
  json_add_text(item, "device", row->device->name);
  json_add_text(item, "op", row->op);
  json_add_text(item, "type", row->type);
  json_add_count(item, "count", row->count);
  json_add_text(item, "name", row->name);
  json_add_measure(item, "seconds_then", then);
  json_add_measure(item, "seconds_now", now);
  json_add_measure(item, "ratio", then / now);
  json_add_truth(item, "slower", then / now < slower);
  json_add_text(item, "missing", isnan(now) ? "now" : isnan(then) ? "baseline" : NULL);
}

size_t bench_compare(const struct bench_report *report, const struct bench_report *then, cJSON *document) {
  const enum bench_clock clock = report->request->clock;
  const double share = report->request->slower;
  cJSON *list = cJSON_AddArrayToObject(document, "comparison");
  size_t slower = 0;
  for (size_t i = 0; i < report->count; i++) {
    const struct bench_row *row = &report->rows[i];
    const double seconds = row->times[clock].median, before = find_seconds(then, row, clock);
    if (isnan(seconds))
      continue;
    add_row(list, row, seconds, before, share);
    slower += before / seconds < share;
  }
  for (size_t i = 0; i < then->count; i++) {
    const struct bench_row *row = &then->rows[i];
    const double before = row->times[clock].median;
    if (!isnan(before) && isnan(find_seconds(report, row, clock)))
      add_row(list, row, NAN, before, share);
  }
  return slower;
}

static double number_of(const cJSON *row, const char *key) {
  const cJSON *value = json_member(row, key);
  return cJSON_IsRaw(value) ? strtod(value->valuestring, NULL) : cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

static const char *text_of(const cJSON *row, const char *key) {
  return cJSON_GetStringValue(json_member(row, key));
}

// The width of names. Longer ones have a line of their own.
static int name_width(void) {
  return table_is_narrow() ? 10 : 22;
}

static void print_row(const cJSON *row) {
  const double then = number_of(row, "seconds_then"), now = number_of(row, "seconds_now");
  const int at = printf("%10.0f %-*s", number_of(row, "count"), name_width(), text_of(row, "name"));
  const int usual = 11 + name_width();
  printf(at > usual ? "\n%*s" : "%*s", at > usual ? usual + 1 : 1, "");
  printf("%-13s %-8s ", text_of(row, "op"), text_of(row, "type"));
  if (isnan(now))
    printf("%9.2f  not measured now\n", then * 1e6);
  else if (isnan(then))
    printf("%9s %9.2f  not in the baseline\n", "-", now * 1e6);
  else
    printf("%9.2f %9.2f %6.3f%s\n", then * 1e6, now * 1e6, then / now,
           cJSON_IsTrue(json_member(row, "slower")) ? "  SLOWER" : "");
}

void bench_print_comparison(const struct bench_report *report, const cJSON *document) {
  const cJSON *row;
  char line[160];
  snprintf(line, sizeof line,
           "next to the baseline, by the %s clock (ratio: speed now over speed then; below %.3g is marked)",
           report->request->clock == BENCH_DEVICE ? "device's" : "wall", report->request->slower);
  putchar('\n');
  wrap_print(line, 0, 0, table_width());
  printf("%10s %-*s %-13s %-8s %9s %9s %6s\n", "n", name_width(), "", "op", "type", "then us", "now us", "ratio");
  cJSON_ArrayForEach(row, json_member(document, "comparison")) print_row(row);
}
