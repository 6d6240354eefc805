// The results of measuring: a row for each device, operator, type, number of elements and side.
#pragma once

#include "bench/peer.h"
#include "bench/request.h"
#include "device/device_pick.h"

enum { BENCH_REASON_SIZE = 512 };

// The library by one strategy, a limit of the device, or a peer.
enum side_kind { SIDE_OURS, SIDE_LIMIT, SIDE_PEER };
const char *side_kind_name(enum side_kind kind);

// Seconds of one call. All are NaN if this clock was not read.
struct spread {
  double median, lower, upper;  // lower and upper quartile
  uint64_t runs;
};

// Sorts `seconds`.
struct spread spread_of(double *seconds, size_t count);

// The case of a row, without the side.
struct bench_case {
  const struct device *device;
  char op[BENCH_NAME_SIZE];
  const char *type;
  uint64_t count;
  uint64_t bytes;  // bytes of the input; in comparisons: bytes that are read and written
};

struct bench_row {
  struct bench_case of;
  enum side_kind kind;
  char name[BENCH_NAME_SIZE];
  char strategy[BENCH_NAME_SIZE];  // strategy of the library's plan; "" for other sides, as are the next two fields
  char finish[BENCH_NAME_SIZE];
  char order[BENCH_NAME_SIZE];
  double bytes;    // that a call moves; a copy moves each byte twice
  uint64_t calls;  // calls in one run by the wall clock
  struct spread times[BENCH_CLOCKS];
  bool correct;
  bool differs;                     // a variant's result has other bits than the first variant's
  char refused[BENCH_REASON_SIZE];  // why it did not run; "" if it ran
};

struct bench_rows {
  struct bench_row *list;
  size_t count;
};

// Appends empty rows without times and returns the first. It is valid until more are added. NULL if memory is short.
struct bench_row *bench_rows_add(struct bench_rows *rows, size_t count);
void bench_rows_release(struct bench_rows *rows);

double bench_row_speed(const struct bench_row *row, enum bench_clock clock);  // GB/s, or NaN

// True if device, operator, type and number of elements are equal.
bool bench_same_case(const struct bench_row *a, const struct bench_row *b);

// Everything that the reports need.
struct bench_report {
  const struct bench_request *request;
  struct device devices[BENCH_LIST_MOST];
  size_t device_count;
  struct peers *peers;
  struct bench_rows rows;
  char date[32];
};
