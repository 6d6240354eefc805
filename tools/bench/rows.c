// Keeps the rows, and writes JSON, CSV and the plot (plot.gp). docs/tool.md lists the keys.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plot.h"
#include "bench/bench.h"

extern const char bench_plot_gp[];  // plot.gp; the build embeds it

struct bench_row *bench_rows_add(struct bench_report *report, size_t count) {
  static const struct spread none = {NAN, NAN, NAN, 0};
  struct bench_row *rows = realloc(report->rows, (report->count + count) * sizeof *rows);
  if (rows == NULL)
    return NULL;
  report->rows = rows;
  for (size_t i = 0; i < count; i++)
    rows[report->count + i] = (struct bench_row){.times = {none, none}};
  report->count += count;
  return rows + report->count - count;
}

double bench_row_speed(const struct bench_row *row, enum bench_clock clock) {
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
  json_add_measure(times, "gigabytes_per_second", bench_row_speed(row, clock));
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

void bench_write_rows(const struct bench_report *report, FILE *file, char separator) {
  for (const char *letter = columns; *letter != '\0'; letter++)
    fputc(*letter == ',' ? separator : *letter, file);
  for (size_t i = 0; i < report->count; i++)
    write_row(file, separator, &report->rows[i]);
}

void bench_write_plot(const void *of, FILE *script) {
  const struct bench_report *report = of;
  const bool device = report->request->clock == BENCH_DEVICE;
  char note[256];
  snprintf(note, sizeof note, "%s; medians and quartiles of up to %llu alternate runs, %.10s",
           device ? "device clock" : "wall clock, calls back to back", (unsigned long long)report->request->runs,
           report->date);
  plot_text(script, "clock", device ? "device" : "wall");
  plot_text(script, "note", note);
  fputs("$rows << EOD\n", script);
  bench_write_rows(report, script, '\t');
  fputs("EOD\n", script);
  fputs(bench_plot_gp, script);
}
