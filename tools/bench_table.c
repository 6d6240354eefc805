// One block for each device, operator and type, one line for each number of elements and side.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_report.h"

enum { CELL_SIZE = 32 };

const struct bench_row *bench_read_limit(const struct bench_report *report, const struct bench_row *row) {
  for (size_t i = 0; i < report->rows.count; i++) {
    const struct bench_row *other = &report->rows.list[i];
    if (other->kind == SIDE_LIMIT && strcmp(other->name, "read") == 0 && bench_same_case(row, other))
      return other;
  }
  return NULL;
}

static void write_time(double seconds, char cell[CELL_SIZE]) {
  static const struct {
    double least, scale;
    const char *unit;
  } units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {0, 1e6, "us"}};
  size_t i = 0;
  while (i < 2 && seconds < units[i].least)
    i++;
  if (isnan(seconds))
    snprintf(cell, CELL_SIZE, "-");
  else
    snprintf(cell, CELL_SIZE, "%.2f %s", seconds * units[i].scale, units[i].unit);
}

static void write_measure(const char *format, double value, char cell[CELL_SIZE]) {
  if (isnan(value))
    snprintf(cell, CELL_SIZE, "-");
  else
    snprintf(cell, CELL_SIZE, format, value);
}

// Half of the distance between the quartiles, as a share of the median.
static double half_spread(const struct spread *spread) {
  return 50 * (spread->upper - spread->lower) / spread->median;
}

static double share_of_limit(const struct bench_report *report, const struct bench_row *row, enum bench_clock clock) {
  const struct bench_row *limit = bench_read_limit(report, row);
  return limit == NULL ? NAN : bench_row_speed(row, clock) / bench_row_speed(limit, clock);
}

static void print_heading(const struct bench_report *report, const struct bench_row *row) {
  const struct device *device = row->of.device;
  printf("%s of %s on %s (%s, %s), %.10s\n", row->of.op, row->of.type, device->name, device->platform, device->driver,
         report->date);
  printf("%14s  %-22s %5s  %11s %6s %9s %9s   %11s %9s %9s\n", "n", "", "calls", "wall", "+-%", "GB/s", "of limit",
         "device", "GB/s", "of limit");
}

static void print_clock(const struct bench_report *report, const struct bench_row *row, enum bench_clock clock) {
  char time[CELL_SIZE], spread[CELL_SIZE], speed[CELL_SIZE], share[CELL_SIZE];
  write_time(row->times[clock].median, time);
  write_measure("%.1f", half_spread(&row->times[clock]), spread);
  write_measure("%.4g", bench_row_speed(row, clock), speed);
  write_measure("%.2f", share_of_limit(report, row, clock), share);
  if (clock == BENCH_WALL)
    printf("%11s %6s %9s %9s   ", time, spread, speed, share);
  else
    printf("%11s %9s %9s", time, speed, share);
}

static void print_row(const struct bench_report *report, const struct bench_row *row) {
  char name[2 * BENCH_NAME_SIZE];
  snprintf(name, sizeof name, "%s%s%s", row->kind == SIDE_LIMIT ? "limit: " : "", row->name,
           row->kind == SIDE_LIMIT && strcmp(row->name, "copy") == 0 ? " (in + out)" : "");
  printf("%14" PRIu64 "  %-22s ", row->of.count, name);
  if (*row->refused != '\0') {
    printf("refused: %s\n", row->refused);
    return;
  }
  printf("%5" PRIu64 "  ", row->calls);
  print_clock(report, row, BENCH_WALL);
  print_clock(report, row, BENCH_DEVICE);
  printf("%s\n", row->correct ? "" : "  WRONG");
}

static bool begins_block(const struct bench_rows *rows, size_t i) {
  const struct bench_case *of = &rows->list[i].of, *before = i == 0 ? NULL : &rows->list[i - 1].of;
  return before == NULL || before->device != of->device || strcmp(before->op, of->op) != 0 ||
         strcmp(before->type, of->type) != 0;
}

void bench_print_table(const struct bench_report *report) {
  const struct bench_rows *rows = &report->rows;
  for (size_t i = 0; i < rows->count; i++) {
    if (begins_block(rows, i)) {
      printf("%s", i == 0 ? "" : "\n");
      print_heading(report, &rows->list[i]);
    }
    print_row(report, &rows->list[i]);
  }
  printf("\nwall: calls back to back between two synchronisations, over their number; device: of one call by its own "
         "clock. Medians of\n"
         "up to %" PRIu64 " runs in turn; GB/s of input (copy: read and written); of limit: of the speed of reading "
         "alone. All results checked.\n",
         report->request->runs);
}
