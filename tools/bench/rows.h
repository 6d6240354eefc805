// What was measured: one row for each device, operator, type, number of elements and side.

#ifndef CLREDUCE_TOOL_BENCH_ROWS_H
#define CLREDUCE_TOOL_BENCH_ROWS_H

#include "bench/peers.h"
#include "bench/request.h"
#include "device/device_pick.h"

enum { BENCH_REASON_SIZE = 512 };

// Who is measured: the library by one strategy, what the device's memory gives at most, a program beside us.
enum side_kind { SIDE_OURS, SIDE_LIMIT, SIDE_PEER };
const char *side_kind_name(enum side_kind kind);

// Seconds of one call; all NaN where that clock does not tell.
struct spread {
  double median, lower, upper;  // the median, and the quartiles
  uint64_t runs;
};

// Sorts `seconds`.
struct spread spread_of(double *seconds, size_t count);

// Of what a row is, but for the side.
struct bench_case {
  const struct device *device;
  char op[BENCH_NAME_SIZE];
  const char *type;
  uint64_t count;
  uint64_t bytes;  // of input; of comparisons: read and written
};

struct bench_row {
  struct bench_case of;
  enum side_kind kind;
  char name[BENCH_NAME_SIZE];
  char strategy[BENCH_NAME_SIZE];  // that ran, of ours; "" otherwise, and so are the next two
  char finish[BENCH_NAME_SIZE];
  char order[BENCH_NAME_SIZE];
  double bytes;    // that a call moves: a copy moves each twice
  uint64_t calls;  // in one run by the wall clock
  struct spread times[BENCH_CLOCKS];
  bool correct;
  bool differs;                     // a variant's result has other bits than the first variant's
  char refused[BENCH_REASON_SIZE];  // why it did not run; "" where it did
};

struct bench_rows {
  struct bench_row *list;
  size_t count;
};

// New rows at the end, all zero, without times: the first of them, good until more are added; NULL if memory is short.
struct bench_row *bench_rows_add(struct bench_rows *rows, size_t count);
void bench_rows_release(struct bench_rows *rows);

double bench_row_speed(const struct bench_row *row, enum bench_clock clock);  // in GB/s; NaN where there is none

// Whether both are of the same device, operator, type and number of elements.
bool bench_same_case(const struct bench_row *a, const struct bench_row *b);

// All there is to report.
struct bench_report {
  const struct bench_request *request;
  struct device devices[BENCH_LIST_MOST];
  size_t device_count;
  struct peers *peers;
  struct bench_rows rows;
  char date[32];
};

#endif
