// Writes the rows as CSV: a line of column names, then a line for each row. An unknown value is empty.

#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "bench/report.h"

static const char columns[] =
  "device,platform,driver,op,type,count,bytes,kind,name,strategy,finish,order,calls,"
  "wall_seconds,wall_seconds_lower,wall_seconds_upper,wall_runs,wall_gigabytes_per_second,"
  "device_seconds,device_seconds_lower,device_seconds_upper,device_runs,device_gigabytes_per_second,correct,"
  "refused\n";

struct csv {
  FILE *file;
  char
    separator;  // ',' with texts in quotes, or '\t' with plain texts: gnuplot does not read quotes and commas in quotes
};

static void write_text(const struct csv *csv, const char *text) {
  const bool quoted = csv->separator == ',';
  const char *around = quoted && *text != '\0' ? "\"" : "", *within = quoted ? "\"\"" : "'";
  fputs(around, csv->file);
  for (; *text != '\0'; text++)
    *text == '"' ? fputs(within, csv->file) : fputc(*text, csv->file);
  fputs(around, csv->file);
}

static void write_number(const struct csv *csv, double value) {
  char text[NUMBER_TEXT_SIZE] = "";
  if (!isnan(value))
    number_double_text(value, text);
  fprintf(csv->file, "%s%c", text, csv->separator);
}

static void write_count(const struct csv *csv, uint64_t value) {
  fprintf(csv->file, "%" PRIu64 "%c", value, csv->separator);
}

static void write_texts(const struct csv *csv, const char *const texts[], size_t count) {
  for (size_t i = 0; i < count; i++) {
    write_text(csv, texts[i]);
    fputc(csv->separator, csv->file);
  }
}

static void write_clock(const struct csv *csv, const struct bench_row *row, enum bench_clock clock) {
  const struct spread *spread = &row->times[clock];
  write_number(csv, spread->median);
  write_number(csv, spread->lower);
  write_number(csv, spread->upper);
  write_count(csv, spread->runs);
  write_number(csv, bench_row_speed(row, clock));
}

static void write_row(const struct csv *csv, const struct bench_row *row) {
  const struct device *device = row->of.device;
  const char *correct = *row->refused != '\0' ? "" : row->correct ? "true" : "false";
  write_texts(csv, (const char *[]){device->name, device->platform, device->driver, row->of.op, row->of.type}, 5);
  write_count(csv, row->of.count);
  write_count(csv, row->of.bytes);
  write_texts(csv, (const char *[]){side_kind_name(row->kind), row->name, row->strategy, row->finish, row->order}, 5);
  write_count(csv, row->calls);
  write_clock(csv, row, BENCH_WALL);
  write_clock(csv, row, BENCH_DEVICE);
  fprintf(csv->file, "%s%c", correct, csv->separator);
  write_text(csv, row->refused);
  fputc('\n', csv->file);
}

void bench_write_rows(const struct bench_report *report, FILE *file, char separator) {
  const struct csv csv = {file, separator};
  for (const char *letter = columns; *letter != '\0'; letter++)
    fputc(*letter == ',' ? separator : *letter, file);
  for (size_t i = 0; i < report->rows.count; i++)
    write_row(&csv, &report->rows.list[i]);
}

void bench_write_csv(const struct bench_report *report, FILE *file) {
  bench_write_rows(report, file, ',');
}
