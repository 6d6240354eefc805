// Compares the rows of this run with those of an earlier one (--compare). Two rows belong together if device, operator,
// type, number of elements and name are equal.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "bench/bench.h"
#include "input/stream.h"

enum { BYTES_MAX = 1 << 26 };

static const char *const texts[] = {"device", "op", "type", "name"};
static const char *const clocks[BENCH_CLOCKS] = {"wall_clock", "device_clock"};

// NaN if the member is missing or not a number.
static double number_of(const cJSON *object, const char *key) {
  const cJSON *value = json_member(object, key);
  return cJSON_IsRaw(value) ? strtod(value->valuestring, NULL) : cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

static const char *text_of(const cJSON *object, const char *key) {
  return cJSON_GetStringValue(json_member(object, key));
}

static double seconds_of(const cJSON *row, enum bench_clock clock) {
  return number_of(json_member(row, clocks[clock]), "seconds");
}

// ---- The earlier run

// Returns the key of the first member that is missing or wrong; NULL if all that are compared are right.
static const char *bad_member(const cJSON *row) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (text_of(row, texts[i]) == NULL)
      return texts[i];
  if (!(number_of(row, "count") >= 1 && number_of(row, "count") <= 9007199254740992.0))
    return "count";
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    const double seconds = seconds_of(row, (enum bench_clock)clock);
    const bool is_null = cJSON_IsNull(json_member(json_member(row, clocks[clock]), "seconds"));
    if (!is_null && !(seconds > 0 && isfinite(seconds)))
      return clocks[clock];
  }
  return NULL;
}

static int bad_file(const char *path, const char *what) {
  return fail(EXIT_BAD_USE, "--compare %s: %s; give a file that 'clreduce bench --json' wrote", path, what);
}

int bench_baseline_load(const char *path, cJSON **document) {
  const cJSON *row;
  void *data = NULL;
  uint64_t size;
  size_t number = 1;
  char what[80];
  int code = stream_read_file(path, BYTES_MAX, &data, &size);
  if (code)
    return code;
  *document = cJSON_ParseWithLength(data, (size_t)size);
  free(data);
  if (*document == NULL)
    return bad_file(path, "it is not JSON");
  const cJSON *rows = json_member(*document, "rows");
  if (!cJSON_IsArray(rows) || cJSON_GetArraySize(rows) == 0)
    return bad_file(path, "it has no list of rows");
  cJSON_ArrayForEach(row, rows) {
    const char *bad = bad_member(row);
    snprintf(what, sizeof what, "row %zu: '%s' is missing or wrong", number++, bad == NULL ? "" : bad);
    if (bad != NULL)
      return bad_file(path, what);
  }
  return EXIT_DONE;
}

// ---- The comparison

// The time of the row that belongs to this one; NaN if there is none.
static double find_seconds(const cJSON *document, const cJSON *like, enum bench_clock clock) {
  const cJSON *row;
  cJSON_ArrayForEach(row, json_member(document, "rows")) {
    bool same = number_of(row, "count") == number_of(like, "count");
    for (size_t i = 0; i < sizeof texts / sizeof *texts && same; i++) {
      const char *text = text_of(row, texts[i]), *other = text_of(like, texts[i]);
      same = text != NULL && other != NULL && strcmp(text, other) == 0;
    }
    if (same)
      return seconds_of(row, clock);
  }
  return NAN;
}

// One of the times may be NaN.
static void add_row(cJSON *list, const cJSON *row, double now, double then, double slower) {
  cJSON *item = json_add_item(list);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    json_add_text(item, texts[i], text_of(row, texts[i]));
  json_add_count(item, "count", (uint64_t)number_of(row, "count"));
  json_add_measure(item, "seconds_then", then);
  json_add_measure(item, "seconds_now", now);
  json_add_measure(item, "ratio", then / now);
  json_add_truth(item, "slower", then / now < slower);
  json_add_text(item, "missing", isnan(now) ? "now" : isnan(then) ? "baseline" : NULL);
}

size_t bench_compare(const struct bench_request *request, cJSON *document, const cJSON *baseline) {
  const enum bench_clock clock = request->clock;
  const cJSON *row;
  cJSON *list = cJSON_AddArrayToObject(document, "comparison");
  size_t slower = 0;
  cJSON_ArrayForEach(row, json_member(document, "rows")) {
    const double now = seconds_of(row, clock), then = find_seconds(baseline, row, clock);
    if (isnan(now))
      continue;
    add_row(list, row, now, then, request->slower);
    slower += then / now < request->slower;
  }
  cJSON_ArrayForEach(row, json_member(baseline, "rows")) {
    const double then = seconds_of(row, clock);
    if (!isnan(then) && isnan(find_seconds(document, row, clock)))
      add_row(list, row, NAN, then, request->slower);
  }
  return slower;
}

// ---- The table

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
    printf("%9s %9.2f no baseline\n", "-", now * 1e6);
  else
    printf("%9.2f %9.2f %6.3f%s\n", then * 1e6, now * 1e6, then / now,
           cJSON_IsTrue(json_member(row, "slower")) ? "  SLOWER" : "");
}

void bench_print_comparison(const struct bench_request *request, const cJSON *document) {
  const cJSON *row;
  char line[160];
  snprintf(line, sizeof line,
           "next to the baseline, by the %s clock (ratio: speed now over speed then; below %.3g is marked)",
           request->clock == BENCH_DEVICE ? "device's" : "wall", request->slower);
  putchar('\n');
  wrap_print(line, 0, 0, table_width());
  printf("%10s %-*s %-13s %-8s %9s %9s %6s\n", "n", name_width(), "", "op", "type", "then us", "now us", "ratio");
  cJSON_ArrayForEach(row, json_member(document, "comparison")) print_row(row);
}
