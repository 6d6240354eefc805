// Compares the library's rows of this run with those of a baseline file (--compare). Two rows belong together if
// device, operator, type, number of elements and name are equal.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "bench/report.h"
#include "input/stream.h"

enum { BASELINE_BYTES_MOST = 1 << 26 };

int bench_baseline_bad(const char *option, const char *path, const char *what) {
  return fail(EXIT_BAD_USE, "%s %s: %s; give a file that 'clreduce bench --json' wrote", option, path, what);
}

static int parse(struct bench_baseline *baseline, const char *option, const char *path, const char *text,
                 uint64_t size) {
  baseline->document = cJSON_ParseWithLength(text, (size_t)size);
  baseline->rows = cJSON_GetObjectItemCaseSensitive(baseline->document, "rows");
  if (baseline->document == NULL)
    return bench_baseline_bad(option, path, "it is not JSON");
  return cJSON_IsArray(baseline->rows) ? EXIT_DONE : bench_baseline_bad(option, path, "it has no list 'rows'");
}

static const char *text_of(const cJSON *row, const char *key) {
  return cJSON_GetStringValue(json_member(row, key));
}

static bool is_row(const cJSON *row) {
  return text_of(row, "device") != NULL && text_of(row, "op") != NULL && text_of(row, "type") != NULL &&
         text_of(row, "kind") != NULL && text_of(row, "name") != NULL && cJSON_IsNumber(json_member(row, "count"));
}

static int check_rows(const struct bench_baseline *baseline, const char *option, const char *path) {
  const cJSON *row;
  cJSON_ArrayForEach(row, baseline->rows) if (!is_row(row)) return bench_baseline_bad(
    option, path, "a row has no device, op, type, count, kind or name");
  return EXIT_DONE;
}

int bench_baseline_load(struct bench_baseline *baseline, const char *option, const char *path) {
  void *data;
  uint64_t size;
  *baseline = (struct bench_baseline){NULL, NULL};
  int code = stream_read_file(path, BASELINE_BYTES_MOST, &data, &size);
  code = code ? code : parse(baseline, option, path, data, size);
  code = code ? code : check_rows(baseline, option, path);
  free(data);
  return code;
}

void bench_baseline_release(struct bench_baseline *baseline) {
  cJSON_Delete(baseline->document);
  *baseline = (struct bench_baseline){NULL, NULL};
}

// ---- Rows

static bool is_then(const cJSON *then, const struct bench_row *now) {
  return strcmp(text_of(then, "kind"), side_kind_name(SIDE_OURS)) == 0 &&
         strcmp(text_of(then, "device"), now->of.device->name) == 0 && strcmp(text_of(then, "op"), now->of.op) == 0 &&
         strcmp(text_of(then, "type"), now->of.type) == 0 && strcmp(text_of(then, "name"), now->name) == 0 &&
         cJSON_GetNumberValue(json_member(then, "count")) == (double)now->of.count;
}

static double seconds_then(const struct bench_report *report, const cJSON *then) {
  const cJSON *clock = json_member(then, report->request->clock == BENCH_DEVICE ? "device_clock" : "wall_clock");
  const cJSON *seconds = json_member(clock, "seconds");
  return cJSON_IsNumber(seconds) ? seconds->valuedouble : NAN;
}

static double find_then(const struct bench_report *report, const struct bench_baseline *baseline,
                        const struct bench_row *now) {
  const cJSON *then;
  cJSON_ArrayForEach(then, baseline->rows) if (is_then(then, now)) return seconds_then(report, then);
  return NAN;
}

static bool is_now(const struct bench_report *report, const cJSON *then) {
  for (size_t i = 0; i < report->rows.count; i++) {
    const struct bench_row *now = &report->rows.list[i];
    if (now->kind == SIDE_OURS && !isnan(now->times[report->request->clock].median) && is_then(then, now))
      return true;
  }
  return false;
}

// The time is NaN if one of the runs does not have it.
static void add_row(cJSON *list, const cJSON *names, double now, double then, double slower) {
  static const char *const keys[] = {"device", "op", "type", "count", "name"};
  cJSON *item = json_add_item(list);
  double ratio = then / now;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    cJSON_AddItemToObject(item, keys[i], cJSON_Duplicate(json_member(names, keys[i]), true));
  json_add_measure(item, "seconds_then", then);
  json_add_measure(item, "seconds_now", now);
  json_add_measure(item, "ratio", ratio);
  json_add_truth(item, "slower", ratio < slower);
  json_add_text(item, "missing", isnan(now) ? "now" : isnan(then) ? "baseline" : NULL);
}

size_t bench_compare(const struct bench_report *report, const struct bench_baseline *baseline, cJSON *document) {
  const struct bench_request *request = report->request;
  cJSON *list = cJSON_AddArrayToObject(document, "comparison");
  const cJSON *rows = json_member(document, "rows");
  size_t slower = 0;
  for (size_t i = 0; i < report->rows.count; i++) {
    const struct bench_row *row = &report->rows.list[i];
    double now = row->times[request->clock].median;
    if (row->kind != SIDE_OURS || isnan(now))
      continue;
    double then = find_then(report, baseline, row);
    add_row(list, cJSON_GetArrayItem(rows, (int)i), now, then, request->slower);
    slower += then / now < request->slower;
  }
  const cJSON *then;
  cJSON_ArrayForEach(then, baseline->rows) if (strcmp(text_of(then, "kind"), side_kind_name(SIDE_OURS)) == 0 &&
                                               !isnan(seconds_then(report, then)) && !is_now(report, then))
    add_row(list, then, NAN, seconds_then(report, then), request->slower);
  return slower;
}

static double number_of(const cJSON *row, const char *key) {
  const cJSON *value = json_member(row, key);
  return cJSON_IsRaw(value) ? strtod(value->valuestring, NULL) : cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

// The width of names. Longer ones have a line of their own.
static int name_width(void) {
  return table_is_narrow() ? 10 : 22;
}

static void print_row(const cJSON *row) {
  const char *name = text_of(row, "name");
  double then = number_of(row, "seconds_then"), now = number_of(row, "seconds_now");
  const int at = printf("%10.0f %-*s", number_of(row, "count"), name_width(), name), usual = 11 + name_width();
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
           "beside the baseline, by the %s clock (ratio: speed now over speed then; below %.3g is marked)",
           report->request->clock == BENCH_DEVICE ? "device's" : "wall", report->request->slower);
  putchar('\n');
  wrap_print(line, 0, 0, table_width());
  printf("%10s %-*s %-13s %-8s %9s %9s %6s\n", "n", name_width(), "", "op", "type", "then us", "now us", "ratio");
  cJSON_ArrayForEach(row, json_member(document, "comparison")) print_row(row);
}
