// clreduce bench, and what it writes: the table, JSON, CSV, the plot (plot.gp), and the comparison with an earlier run.
// docs/tool.md lists the keys.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/plot.h"
#include "base/wrap.h"
#include "bench/bench.h"
#include "cli/verbs.h"
#include "input/stream.h"

extern const char bench_plot_gp[];  // plot.gp; the build embeds it

// ---- JSON

// GB/s, or NaN.
static double speed_of(const struct bench_row *row, enum bench_clock clock) {
  return (double)row->bytes / row->times[clock].median / 1e9;
}

static const char *text_or_null(const char *text) {
  return *text == '\0' ? NULL : text;
}

static void add_words(cJSON *object, const struct args *args) {
  cJSON *words = cJSON_AddArrayToObject(object, "arguments");
  for (int i = 0; i < args->word_count; i++)
    cJSON_AddItemToArray(words, cJSON_CreateString(args->words[i]));
}

static void add_devices(cJSON *object, const struct bench_report *report) {
  cJSON *list = cJSON_AddArrayToObject(object, "devices");
  for (size_t i = 0; i < report->devices.count; i++) {
    const struct device *device = &report->devices.list[i];
    cJSON *item = json_add_item(list);
    json_add_text(item, "name", device->name);
    json_add_text(item, "platform", device->platform);
    json_add_text(item, "driver", device->driver);
    json_add_text(item, "version", device->version);
  }
}

static void add_clock(cJSON *item, const struct bench_row *row, enum bench_clock clock, const char *name) {
  const struct spread *spread = &row->times[clock];
  cJSON *times = cJSON_AddObjectToObject(item, name);
  json_add_measure(times, "seconds", spread->median);
  json_add_measure(times, "lower", spread->lower);
  json_add_measure(times, "upper", spread->upper);
  json_add_count(times, "runs", spread->runs);
  json_add_measure(times, "gigabytes_per_second", speed_of(row, clock));
}

static cJSON *make_row(const struct bench_row *row) {
  cJSON *item = cJSON_CreateObject();
  json_add_text(item, "device", row->device->name);
  json_add_text(item, "op", row->op);
  json_add_text(item, "type", row->type);
  json_add_count(item, "count", row->count);
  json_add_count(item, "bytes", row->bytes);
  json_add_text(item, "name", row->name);
  json_add_text(item, "strategy", text_or_null(row->strategy));
  json_add_text(item, "finish", text_or_null(row->finish));
  json_add_text(item, "order", text_or_null(row->order));
  json_add_count(item, "calls", row->calls);
  add_clock(item, row, BENCH_WALL, "wall_clock");
  add_clock(item, row, BENCH_DEVICE, "device_clock");
  json_add_known(item, "correct", *row->refused == '\0', row->correct);
  json_add_text(item, "refused", text_or_null(row->refused));
  return item;
}

cJSON *bench_json(const struct bench_report *report) {
  cJSON *object = cJSON_CreateObject();
  json_add_text(object, "clreduce", clred_version());
  json_add_text(object, "date", report->date);
  add_words(object, report->request->args);
  json_add_text(object, "clock", report->request->clock == BENCH_DEVICE ? "device" : "wall");
  json_add_count(object, "repeat", report->request->runs);
  json_add_text(object, "assumed", report->request->args->assume);
  add_devices(object, report);
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < report->count; i++)
    cJSON_AddItemToArray(rows, make_row(&report->rows[i]));
  return object;
}

// ---- CSV: the members of the JSON of a row, one after the other, with platform and driver behind the device

static const char columns[] =
  "device,platform,driver,op,type,count,bytes,name,strategy,finish,order,calls,"
  "wall_seconds,wall_seconds_lower,wall_seconds_upper,wall_runs,wall_gigabytes_per_second,"
  "device_seconds,device_seconds_lower,device_seconds_upper,device_runs,device_gigabytes_per_second,correct,"
  "refused\n";

// With ',' texts are in quotes. With '\t' they are plain: gnuplot does not read quotes and commas in quotes.
static void write_text(FILE *file, char separator, const char *text) {
  const bool quoted = separator == ',';
  const char *around = quoted && *text != '\0' ? "\"" : "", *within = quoted ? "\"\"" : "'";
  fputs(around, file);
  for (; *text != '\0'; text++)
    *text == '"' ? fputs(within, file) : fputc(*text, file);
  fputs(around, file);
}

static void write_cells(FILE *file, char separator, const cJSON *object) {
  const cJSON *cell;
  cJSON_ArrayForEach(cell, object) {
    const bool is_device = strcmp(cell->string, "device") == 0, is_last = strcmp(cell->string, "refused") == 0;
    if (cJSON_IsObject(cell))
      write_cells(file, separator, cell);
    else if (!is_device && cJSON_IsString(cell))
      write_text(file, separator, cell->valuestring);
    else if (cJSON_IsRaw(cell))
      fputs(cell->valuestring, file);
    else if (cJSON_IsBool(cell))
      fputs(cJSON_IsTrue(cell) ? "true" : "false", file);
    if (!cJSON_IsObject(cell) && !is_device)
      fputc(is_last ? '\n' : separator, file);
  }
}

static void write_row(FILE *file, char separator, const struct bench_row *row) {
  const struct device *device = row->device;
  const char *const texts[] = {device->name, device->platform, device->driver};
  cJSON *item = make_row(row);
  for (size_t i = 0; i < 3; i++) {
    write_text(file, separator, texts[i]);
    fputc(separator, file);
  }
  write_cells(file, separator, item);
  cJSON_Delete(item);
}

// CSV with ',' as separator. With '\t', for plots, texts are not quoted.
static void write_rows(const struct bench_report *report, FILE *file, char separator) {
  for (const char *letter = columns; *letter != '\0'; letter++)
    fputc(*letter == ',' ? separator : *letter, file);
  for (size_t i = 0; i < report->count; i++)
    write_row(file, separator, &report->rows[i]);
}

// Speed over n, and below it the time of a call.
static void write_plot(const void *of, FILE *script) {
  const struct bench_report *report = of;
  const bool device = report->request->clock == BENCH_DEVICE;
  char note[256];
  snprintf(note, sizeof note, "%s; medians and quartiles of up to %llu alternate runs, %.10s",
           device ? "device clock" : "wall clock, calls back to back", (unsigned long long)report->request->runs,
           report->date);
  plot_text(script, "clock", device ? "device" : "wall");
  plot_text(script, "note", note);
  fputs("$rows << EOD\n", script);
  write_rows(report, script, '\t');
  fputs("EOD\n", script);
  fputs(bench_plot_gp, script);
}

// ---- The table: a line for each size and strategy

static void print_refusal(const struct bench_row *row, size_t column) {
  char line[BENCH_REASON_SIZE + 16];
  snprintf(line, sizeof line, "refused: %s", row->refused);
  wrap_print(line, column, column, table_width());
}

enum { NAME_WIDTH = 22 };

// Narrow tables have shorter gaps. Counts of more than ten digits move a line to the right.
static int count_width(void) {
  return table_is_narrow() ? 10 : 11;
}

static const char *gap(void) {
  return table_is_narrow() ? " " : "  ";
}

static void print_heading(const struct bench_report *report, const struct bench_row *row) {
  const struct device *device = row->device;
  char line[4 * DEVICE_TEXT_SIZE];
  snprintf(line, sizeof line, "%s of %s on %s (%s, %s), %.10s", row->op, row->type, device->name, device->platform,
           device->driver, report->date);
  wrap_print(line, 0, 2, table_width());
  printf("%*s%s%-*s %5s %9s %5s %8s %9s%s\n", count_width(), "n", gap(), NAME_WIDTH, "", "calls", "wall", "+-%", "GB/s",
         "device", table_is_narrow() ? "" : "     GB/s");
}

static void print_clock(const struct bench_row *row, enum bench_clock clock) {
  const struct spread *times = &row->times[clock];
  char time[CELL_SIZE], spread[CELL_SIZE], speed[CELL_SIZE];
  write_time(times->median, time);
  // Half of the distance between the quartiles, in percent of the median.
  const double percent = 50 * (times->upper - times->lower) / times->median;
  write_measure(percent < 999 ? "%.1f" : "%.0f", percent, spread);
  write_measure("%.4g", speed_of(row, clock), speed);
  if (clock == BENCH_WALL)
    printf(" %9s %5s %8s", time, spread, speed);
  else
    printf(table_is_narrow() ? " %9s" : " %9s %8s", time, speed);
}

static void print_measured(const struct bench_row *row) {
  const int usual = count_width() + (int)strlen(gap()) + NAME_WIDTH;
  const int at = printf("%*" PRIu64 "%s%-*s", count_width(), row->count, gap(), NAME_WIDTH, row->name);
  // A longer name has its own line.
  printf(at > usual ? "\n%*s" : "%*s", at > usual ? usual + 1 : 1, "");
  if (*row->refused != '\0') {
    print_refusal(row, (size_t)usual + 1);
    return;
  }
  printf("%5" PRIu64, row->calls);
  print_clock(row, BENCH_WALL);
  print_clock(row, BENCH_DEVICE);
  puts(row->correct ? "" : "  WRONG");
}

static bool begins_block(const struct bench_row *row, const struct bench_row *before) {
  return row->device != before->device || strcmp(row->op, before->op) != 0 || strcmp(row->type, before->type) != 0;
}

static void print_table(const struct bench_report *report) {
  char line[512];
  for (size_t i = 0; i < report->count; i++) {
    const struct bench_row *row = &report->rows[i];
    if (i == 0 || begins_block(row, row - 1)) {
      fputs(i == 0 ? "" : "\n", stdout);
      print_heading(report, row);
    }
    print_measured(row);
  }
  snprintf(line, sizeof line,
           "Wall: time of calls back to back between two synchronisations, divided by their number. Device: "
           "one call, by the device's own clock. Medians of up to %" PRIu64 " alternate runs. GB/s of input. All "
           "results are checked.",
           report->request->runs);
  putchar('\n');
  wrap_print(line, 0, 0, table_width());
}

// ---- The comparison with an earlier run (--compare). Two rows belong together if device, operator, type, number of
// elements and name are equal.

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

// Returns the key of the first member that is missing or wrong; NULL if there is none.
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
static void add_compared(cJSON *list, const cJSON *row, double now, double then, double slower) {
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
    add_compared(list, row, now, then, request->slower);
    slower += then / now < request->slower;
  }
  cJSON_ArrayForEach(row, json_member(baseline, "rows")) {
    const double then = seconds_of(row, clock);
    if (!isnan(then) && isnan(find_seconds(document, row, clock)))
      add_compared(list, row, NAN, then, request->slower);
  }
  return slower;
}

// ---- The table

// The width of the names' column. A longer name has its own line.
static int name_width(void) {
  return table_is_narrow() ? 10 : 22;
}

static void print_compared(const cJSON *row) {
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
  cJSON_ArrayForEach(row, json_member(document, "comparison")) print_compared(row);
}

// ---- The verb

// With --csv - the CSV replaces the table.
static bool prints_csv(const struct args *args) {
  return args->csv != NULL && strcmp(args->csv, "-") == 0;
}

static int check_outputs(const struct args *args) {
  int code = EXIT_DONE;
  if (args->csv != NULL && !prints_csv(args))
    code = output_check_directory("--csv", args->csv);
  if (!code && args->plot != NULL)
    code = plot_check(args->plot);
  return code;
}

// Without --device, measures on the device that other verbs choose.
static int prepare(struct bench_request *request, struct bench_report *report, cJSON **baseline,
                   const struct args *args) {
  const time_t now = time(NULL);
  int code = bench_request_take(request, args);
  code = code ? code : check_outputs(args);
  if (!code && args->compare != NULL)
    code = bench_baseline_load(args->compare, baseline);
  *report = (struct bench_report){.request = request};
  strftime(report->date, sizeof report->date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  return code ? code : devices_pick(args->device, &report->devices);
}

static int write_csv(const struct bench_report *report, const char *path) {
  struct output output;
  int code = output_open(&output, "--csv", path);
  if (!code)
    write_rows(report, output.file, ',');
  return output_close(&output, code);
}

static int write_files(const struct bench_report *report, const struct args *args) {
  int code = EXIT_DONE;
  if (args->csv != NULL && !prints_csv(args))
    code = write_csv(report, args->csv);
  if (!code && args->plot != NULL)
    code = plot_draw(args->plot, write_plot, report);
  return code;
}

static int print(const struct bench_report *report, const struct args *args, cJSON *document) {
  if (args->json)
    return json_print(document);
  if (prints_csv(args))
    write_rows(report, stdout, ',');
  else {
    print_table(report);
    if (args->compare != NULL)
      bench_print_comparison(report->request, document);
  }
  cJSON_Delete(document);
  return EXIT_DONE;
}

// Reports a wrong result before rows that are too slow.
static int judge(const struct bench_report *report, size_t slower) {
  const struct args *args = report->request->args;
  for (size_t i = 0; i < report->count; i++) {
    const struct bench_row *row = &report->rows[i];
    if (*row->refused == '\0' && !row->correct)
      return fail(EXIT_WRONG, "bench: %s gave a wrong result for %s of %llu %s", row->name, row->op,
                  (unsigned long long)row->count, row->type);
  }
  if (slower > 0 && args->fail_below != NULL)
    return fail(EXIT_WRONG, "bench: %zu rows have less than %g of their speed in %s", slower, report->request->slower,
                args->compare);
  return EXIT_DONE;
}

static int report_rows(const struct bench_report *report, const cJSON *baseline) {
  const struct args *args = report->request->args;
  int code = write_files(report, args);
  size_t slower = 0;
  if (code)
    return code;
  cJSON *document = bench_json(report);
  if (baseline != NULL)
    slower = bench_compare(report->request, document, baseline);
  code = print(report, args, document);
  return code ? code : judge(report, slower);
}

int cmd_bench(const struct args *args) {
  struct bench_request *request = malloc(sizeof *request);
  struct bench_report report = {.request = NULL};
  cJSON *baseline = NULL;
  if (request == NULL)
    return fail_memory();
  int code = prepare(request, &report, &baseline, args);
  code = code ? code : bench_measure(&report);
  code = code ? code : report_rows(&report, baseline);
  free(report.rows);
  devices_release(&report.devices);
  cJSON_Delete(baseline);
  free(request);
  return code;
}
