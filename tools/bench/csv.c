// Writes the rows as CSV: a line of column names, then a line for each row. An unknown value is empty.

#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "bench/report.h"

static void write_text(FILE *file, const char *text, char ending) {
  if (*text != '\0')
    fputc('"', file);
  for (const char *letter = text; *letter != '\0'; letter++)
    fprintf(file, "%s%c", *letter == '"' ? "\"" : "", *letter);
  if (*text != '\0')
    fputc('"', file);
  fputc(ending, file);
}

static void write_number(FILE *file, double value) {
  char text[NUMBER_TEXT_SIZE] = "";
  if (!isnan(value))
    number_double_text(value, text);
  fprintf(file, "%s,", text);
}

static void write_clock(FILE *file, const struct bench_row *row, enum bench_clock clock) {
  const struct spread *spread = &row->times[clock];
  write_number(file, spread->median);
  write_number(file, spread->lower);
  write_number(file, spread->upper);
  fprintf(file, "%" PRIu64 ",", spread->runs);
  write_number(file, bench_row_speed(row, clock));
}

static void write_row(FILE *file, const struct bench_row *row) {
  const struct device *device = row->of.device;
  const char *const texts[] = {device->name, device->platform, device->driver, row->of.op, row->of.type};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    write_text(file, texts[i], ',');
  fprintf(file, "%" PRIu64 ",%" PRIu64 ",", row->of.count, row->of.bytes);
  write_text(file, side_kind_name(row->kind), ',');
  write_text(file, row->name, ',');
  write_text(file, row->strategy, ',');
  write_text(file, row->finish, ',');
  write_text(file, row->order, ',');
  fprintf(file, "%" PRIu64 ",", row->calls);
  write_clock(file, row, BENCH_WALL);
  write_clock(file, row, BENCH_DEVICE);
  fprintf(file, "%s,", *row->refused != '\0' ? "" : row->correct ? "true" : "false");
  write_text(file, row->refused, '\n');
}

void bench_write_csv(const struct bench_report *report, FILE *file) {
  fputs("device,platform,driver,op,type,count,bytes,kind,name,strategy,finish,order,calls,"
        "wall_seconds,wall_seconds_lower,wall_seconds_upper,wall_runs,wall_gigabytes_per_second,"
        "device_seconds,device_seconds_lower,device_seconds_upper,device_runs,device_gigabytes_per_second,correct,"
        "refused\n",
        file);
  for (size_t i = 0; i < report->rows.count; i++)
    write_row(file, &report->rows.list[i]);
}
