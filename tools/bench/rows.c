// Keeps the rows, computes medians, quartiles and speeds, and writes JSON, CSV and the plot (plot.gp).
// docs/performance-log.md lists the keys.
#include "bench/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/plot.h"
#include "bench/report.h"

extern const char bench_plot_gp[];  // plot.gp; the build embeds it

const char *side_kind_name(enum side_kind kind) {
  static const char *const names[] = {[SIDE_OURS] = "ours", [SIDE_LIMIT] = "limit", [SIDE_PEER] = "peer"};
  return names[kind];
}

struct spread spread_of(double *seconds, size_t count) {
  if (count == 0)
    return (struct spread){NAN, NAN, NAN, 0};
  return (struct spread){median(seconds, count), quantile(seconds, count, 0.25), quantile(seconds, count, 0.75), count};
}

struct bench_row *bench_rows_add(struct bench_rows *rows, size_t count) {
  static const struct spread none = {NAN, NAN, NAN, 0};
  struct bench_row *grown = realloc(rows->list, (rows->count + count) * sizeof *grown);
  if (grown == NULL)
    return NULL;
  rows->list = grown;
  for (size_t i = rows->count; i < rows->count + count; i++)
    rows->list[i] = (struct bench_row){.times = {none, none}};
  rows->count += count;
  return rows->list + rows->count - count;
}

void bench_rows_release(struct bench_rows *rows) {
  free(rows->list);
  *rows = (struct bench_rows){0};
}

double bench_row_speed(const struct bench_row *row, enum bench_clock clock) {
  return row->bytes / row->times[clock].median / 1e9;
}

bool bench_same_case(const struct bench_row *a, const struct bench_row *b) {
  return a->of.device == b->of.device && a->of.count == b->of.count && strcmp(a->of.op, b->of.op) == 0 &&
         strcmp(a->of.type, b->of.type) == 0;
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
  for (size_t i = 0; i < report->device_count; i++) {
    cJSON *item = json_add_item(list);
    json_add_text(item, "name", report->devices[i].name);
    json_add_text(item, "platform", report->devices[i].platform);
    json_add_text(item, "driver", report->devices[i].driver);
    json_add_text(item, "version", report->devices[i].version);
  }
}

static void add_peers(cJSON *object, const struct peers *peers) {
  cJSON *list = cJSON_AddArrayToObject(object, "peers");
  for (size_t i = 0; i < peers->count; i++) {
    const struct peer *peer = &peers->list[i];
    cJSON *item = json_add_item(list);
    json_add_text(item, "name", peer->name);
    json_add_text(item, "version", text_or_null(peer->version));
    json_add_text(item, "left_out", peer->out ? peer->reason : NULL);
  }
}

static void add_clock(cJSON *item, const struct bench_row *row, enum bench_clock clock, const char *name) {
  const struct spread *spread = &row->times[clock];
  cJSON *times = cJSON_AddObjectToObject(item, name);
  json_add_measure(times, "seconds", spread->median);
  json_add_measure(times, "lower", spread->lower);
  json_add_measure(times, "upper", spread->upper);
  json_add_count(times, "runs", spread->runs);
  json_add_measure(times, "gigabytes_per_second", bench_row_speed(row, clock));
}

static void add_case(cJSON *item, const struct bench_row *row) {
  json_add_text(item, "device", row->of.device->name);
  json_add_text(item, "op", row->of.op);
  json_add_text(item, "type", row->of.type);
  json_add_count(item, "count", row->of.count);
  json_add_count(item, "bytes", row->of.bytes);
  json_add_text(item, "kind", side_kind_name(row->kind));
  json_add_text(item, "name", row->name);
}

static cJSON *make_row(const struct bench_row *row) {
  cJSON *item = cJSON_CreateObject();
  add_case(item, row);
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
  json_add_text(object, "task", report->request->task->name);
  add_words(object, report->request->args);
  json_add_text(object, "clock", report->request->clock == BENCH_DEVICE ? "device" : "wall");
  json_add_count(object, "repeat", report->request->runs);
  json_add_text(object, "assumed", report->request->args->assume);
  add_devices(object, report);
  add_peers(object, report->peers);
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < report->rows.count; i++)
    cJSON_AddItemToArray(rows, make_row(&report->rows.list[i]));
  return object;
}

// ---- CSV: the members of the JSON of a row, one after the other, with platform and driver behind the device

static const char columns[] =
  "device,platform,driver,op,type,count,bytes,kind,name,strategy,finish,order,calls,"
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

// Raises the limit to the speed of the fastest side that read the same bytes, so that no side is above the limit. A few
// kilobytes are read faster by the host, for instance, which needs no launch.
static void raise_limit(const struct bench_report *report, struct bench_row *limit) {
  for (size_t i = 0; i < report->rows.count; i++) {
    const struct bench_row *row = &report->rows.list[i];
    const bool counts = bench_same_case(row, limit) && row->kind != SIDE_LIMIT && row->correct;
    for (int clock = 0; clock < BENCH_CLOCKS && counts; clock++)
      if (bench_row_speed(row, (enum bench_clock)clock) > bench_row_speed(limit, (enum bench_clock)clock))
        limit->times[clock].median = limit->bytes / row->bytes * row->times[clock].median;
  }
}

static bool is_limit_of_reading(const struct bench_row *row) {
  return row->kind == SIDE_LIMIT && strcmp(row->name, "read") == 0;
}

static void write_row(FILE *file, char separator, const struct bench_row *row) {
  const struct device *device = row->of.device;
  const char *const texts[] = {device->name, device->platform, device->driver};
  cJSON *item = make_row(row);
  for (size_t i = 0; i < 3; i++) {
    write_text(file, separator, texts[i]);
    fputc(separator, file);
  }
  write_cells(file, separator, item);
  cJSON_Delete(item);
}

void bench_write_rows(const struct bench_report *report, FILE *file, char separator) {
  for (const char *letter = columns; *letter != '\0'; letter++)
    fputc(*letter == ',' ? separator : *letter, file);
  for (size_t i = 0; i < report->rows.count; i++) {
    struct bench_row row = report->rows.list[i];
    if (separator == '\t' && is_limit_of_reading(&row))
      raise_limit(report, &row);
    write_row(file, separator, &row);
  }
}

void bench_write_plot(const void *of, FILE *script) {
  const struct bench_report *report = of;
  const bool device = report->request->clock == BENCH_DEVICE;
  char note[256];
  snprintf(note, sizeof note, "%s; medians and quartiles of up to %llu runs in turn, %.10s",
           device ? "device clock; peers without one are left out" : "wall clock, calls back to back",
           (unsigned long long)report->request->runs, report->date);
  plot_text(script, "clock", device ? "device" : "wall");
  plot_text(script, "note", note);
  fputs("$rows << EOD\n", script);
  bench_write_rows(report, script, '\t');
  fputs("EOD\n", script);
  fputs(bench_plot_gp, script);
}
