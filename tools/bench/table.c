// The table on standard output: a line for each size and strategy.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/wrap.h"
#include "bench/bench.h"

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
  write_measure("%.4g", bench_row_speed(row, clock), speed);
  if (clock == BENCH_WALL)
    printf(" %9s %5s %8s", time, spread, speed);
  else
    printf(table_is_narrow() ? " %9s" : " %9s %8s", time, speed);
}

static void print_row(const struct bench_row *row) {
  const int usual = count_width() + (int)strlen(gap()) + NAME_WIDTH;
  const int at = printf("%*" PRIu64 "%s%-*s", count_width(), row->count, gap(), NAME_WIDTH, row->name);
  // A name that is wider than its column has a line of its own.
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

void bench_print_table(const struct bench_report *report) {
  char line[512];
  for (size_t i = 0; i < report->count; i++) {
    const struct bench_row *row = &report->rows[i];
    if (i == 0 || begins_block(row, row - 1)) {
      fputs(i == 0 ? "" : "\n", stdout);
      print_heading(report, row);
    }
    print_row(row);
  }
  snprintf(line, sizeof line,
           "Wall: time of calls back to back between two synchronisations, divided by their number. Device: "
           "one call, by the device's own clock. Medians of up to %" PRIu64 " alternate runs. GB/s of input. All "
           "results are checked.",
           report->request->runs);
  putchar('\n');
  wrap_print(line, 0, 0, table_width());
}
