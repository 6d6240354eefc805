// Tables on standard output: reductions have a line for each size and side, comparisons a line for each pair of sides.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/wrap.h"
#include "bench/report.h"

// The limit by reading in the same case; NULL if there is none.
static const struct bench_row *read_limit_of(const struct bench_report *report, const struct bench_row *row) {
  for (size_t i = 0; i < report->rows.count; i++) {
    const struct bench_row *other = &report->rows.list[i];
    if (other->kind == SIDE_LIMIT && strcmp(other->name, "read") == 0 && bench_same_case(row, other))
      return other;
  }
  return NULL;
}

static double share_of_limit(const struct bench_report *report, const struct bench_row *row, enum bench_clock clock) {
  const struct bench_row *limit = read_limit_of(report, row);
  return limit == NULL ? NAN : bench_row_speed(row, clock) / bench_row_speed(limit, clock);
}

// Prints `what`, the device and the date, on lines that fit the table.
static void print_place(const struct bench_report *report, const struct bench_row *row, const char *what) {
  const struct device *device = row->of.device;
  char line[4 * DEVICE_TEXT_SIZE];
  snprintf(line, sizeof line, "%s on %s (%s, %s), %.10s", what, device->name, device->platform, device->driver,
           report->date);
  wrap_print(line, 0, 2, table_width());
}

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
  char what[2 * BENCH_NAME_SIZE];
  snprintf(what, sizeof what, "%s of %s", row->of.op, row->of.type);
  print_place(report, row, what);
  printf("%*s%s%-*s %5s %9s %5s %8s %5s%s%9s", count_width(), "n", gap(), NAME_WIDTH, "", "calls", "wall", "+-%",
         "GB/s", "share", gap(), "device");
  if (!table_is_narrow())
    printf(" %8s %6s", "GB/s", "share");
  putchar('\n');
}

static void print_clock(const struct bench_report *report, const struct bench_row *row, enum bench_clock clock) {
  const struct spread *times = &row->times[clock];
  char time[CELL_SIZE], spread[CELL_SIZE], speed[CELL_SIZE], share[CELL_SIZE];
  write_time(times->median, time);
  // Half of the distance between the quartiles, in percent of the median.
  write_measure("%.1f", 50 * (times->upper - times->lower) / times->median, spread);
  write_measure("%.4g", bench_row_speed(row, clock), speed);
  write_measure("%.2f", share_of_limit(report, row, clock), share);
  if (clock == BENCH_WALL)
    printf("%9s %5s %8s %5s%s", time, spread, speed, share, gap());
  else if (table_is_narrow())
    printf("%9s", time);
  else
    printf("%9s %8s %6s", time, speed, share);
}

static void print_row(const struct bench_report *report, const struct bench_row *row) {
  char name[2 * BENCH_NAME_SIZE];
  snprintf(name, sizeof name, "%s%s%s", row->kind == SIDE_LIMIT ? "limit: " : "", row->name,
           row->kind == SIDE_LIMIT && strcmp(row->name, "copy") == 0 ? " (in + out)" : "");
  const int usual = count_width() + (int)strlen(gap()) + NAME_WIDTH;
  const int at = printf("%*" PRIu64 "%s%-*s", count_width(), row->of.count, gap(), NAME_WIDTH, name);
  // A name that is wider than its column has a line of its own.
  printf(at > usual ? "\n%*s" : "%*s", at > usual ? usual + 1 : 1, "");
  if (*row->refused != '\0') {
    print_refusal(row, (size_t)usual + 1);
    return;
  }
  printf("%5" PRIu64 " ", row->calls);
  print_clock(report, row, BENCH_WALL);
  print_clock(report, row, BENCH_DEVICE);
  printf("%s%s\n", row->differs ? "  DIFFERS" : "", row->correct ? "" : "  WRONG");
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
  char line[512];
  snprintf(line, sizeof line,
           "Wall: time of calls back to back between two synchronisations, divided by their number. Device: "
           "one call, by the device's own clock. Medians of up to %" PRIu64 " runs in turn. GB/s of input (copy: "
           "read and written). Share of limit: the speed, divided by the speed of reading alone. All results "
           "are checked.",
           report->request->runs);
  putchar('\n');
  wrap_print(line, 0, 0, table_width());
}

// ---- Comparisons

// For a limit or a plan of the library: the ratio of speeds. For a peer: the peer's time divided by ours.
static double ratio_of(const struct bench_row *ours, const struct bench_row *other, enum bench_clock clock) {
  return other->kind == SIDE_LIMIT ? bench_row_speed(ours, clock) / bench_row_speed(other, clock)
                                   : other->times[clock].median / ours->times[clock].median;
}

static void print_cells(const struct bench_row *ours, const char *clock, const char *beside, double time,
                        double other) {
  char cells[2][CELL_SIZE];
  write_measure("%.2f", time * 1e6, cells[0]);
  write_measure("%.2f", other * 1e6, cells[1]);
  if (table_is_narrow())
    printf("  %-6s %-22s %9s %9s ", clock, beside, cells[0], cells[1]);
  else
    printf("%-20s %-21s %-6s %-12s %9s %9s ", ours->of.op, ours->strategy, clock, beside, cells[0], cells[1]);
}

// `other` is NULL if nothing else was measured.
static void print_ratio(const struct bench_row *ours, const struct bench_row *other, enum bench_clock clock) {
  const double time = ours->times[clock].median, other_time = other == NULL ? NAN : other->times[clock].median;
  char ratio[CELL_SIZE];
  if (isnan(time))
    return;
  write_measure("%.3f", other == NULL ? NAN : ratio_of(ours, other, clock), ratio);
  print_cells(ours, clock == BENCH_DEVICE ? "device" : "wall", other == NULL ? "nothing" : other->name, time,
              other_time);
  printf("%7.1f %6s%s%s\n", bench_row_speed(ours, clock), ratio, ours->correct ? "" : "  WRONG: ours",
         other == NULL || other->correct ? "" : "  WRONG: the other");
}

// Prints the allowed time for few elements: the time of an empty kernel plus 1.3 times the time of a loop on one
// thread.
static void print_allowed(const struct bench_row *ours, const struct bench_row *block, size_t count) {
  double empty = NAN, loop = NAN;
  for (size_t i = 0; i < count; i++) {
    const double seconds = block[i].times[BENCH_WALL].median;
    empty = strcmp(block[i].name, "empty kernel") == 0 ? seconds : empty;
    loop = strcmp(block[i].name, "loop") == 0 ? seconds : loop;
  }
  const double allowed = empty + 1.3 * loop, own = ours->times[BENCH_WALL].median;
  if (isnan(allowed))
    return;
  print_cells(ours, "wall", "allowed", own, allowed);
  printf("%7s %6.3f\n", "", allowed / own);
}

// In a narrow table, what was measured stands above its lines.
static void print_beside(const struct bench_row *ours, const struct bench_row *block, size_t count) {
  if (table_is_narrow())
    printf("%s, %s\n", ours->of.op, ours->strategy);
  for (int clock = BENCH_DEVICE; clock >= BENCH_WALL; clock--) {
    bool alone = true;
    for (size_t i = 0; i < count; i++)
      if (block[i].kind != SIDE_OURS && *block[i].refused == '\0') {
        print_ratio(ours, &block[i], (enum bench_clock)clock);
        alone = false;
      }
    if (alone)
      print_ratio(ours, NULL, (enum bench_clock)clock);
  }
  print_allowed(ours, block, count);
}

// Not every default strategy of a task can run each layout. Only refusals of strategies that the user named are
// printed.
static bool is_reported(const struct bench_report *report, const struct bench_row *row) {
  return row->kind != SIDE_OURS || report->request->args->strategy != NULL || report->request->task->strategies == NULL;
}

static void print_block(const struct bench_report *report, const struct bench_row *block, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (*block[i].refused != '\0' && is_reported(report, &block[i]))
      print_refusal(&block[i],
                    (size_t)printf(table_is_narrow() ? "%s, %s, " : "%-20s %-21s ", block[i].of.op, block[i].name));
    else if (*block[i].refused == '\0' && block[i].kind == SIDE_OURS)
      print_beside(&block[i], block, count);
}

static bool same_array(const struct bench_row *a, const struct bench_row *b) {
  return a->of.device == b->of.device && a->of.count == b->of.count && strcmp(a->of.type, b->of.type) == 0;
}

static void print_array(const struct bench_report *report, const struct bench_row *row) {
  char what[2 * BENCH_NAME_SIZE];
  printf("%s", row == report->rows.list ? "" : "\n");
  snprintf(what, sizeof what, "%s of %" PRIu64 " %s", report->request->task->name, row->of.count, row->of.type);
  print_place(report, row, what);
  if (table_is_narrow())
    printf("  %-6s %-22s", "clock", "beside");
  else
    printf("%-20s %-21s %-6s %-12s", "", "strategy", "clock", "beside");
  printf(" %9s %9s %7s %6s\n", "ours us", "us", "GB/s", "ratio");
}

void bench_print_ratios(const struct bench_report *report) {
  const struct bench_rows *rows = &report->rows;
  for (size_t first = 0, end; first < rows->count; first = end) {
    const struct bench_row *row = &rows->list[first];
    for (end = first + 1; end < rows->count && bench_same_case(row, &rows->list[end]);)
      end++;
    if (first == 0 || !same_array(row, row - 1))
      print_array(report, row);
    print_block(report, row, end - first);
  }
  putchar('\n');
  wrap_print("Medians of runs in turn, one process. Ratio: the other's time by ours; beside a plan of our own: our "
             "speed by its speed. GB/s: of ours, read and written. Results of sums, scans, segments, keys, selections "
             "and histograms are checked before the timed runs and after them.",
             0, 0, table_width());
}
