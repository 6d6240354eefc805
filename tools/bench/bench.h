// What the files of `clreduce bench` share: the rows of a run, and the reports.
#pragma once

#include "base/json.h"
#include "bench/request.h"
#include "device/device_pick.h"
#include "device/session.h"

enum { BENCH_REASON_SIZE = 512 };

// ---- Rows: a row for each device, operator, type, number of elements and strategy; rows.c

// Seconds of one call. All are NaN if this clock was not read.
struct spread {
  double median, lower, upper;  // lower and upper quartile
  uint64_t runs;
};

struct bench_row {
  const struct device *device;
  char op[BENCH_NAME_SIZE];
  const char *type;
  uint64_t count;
  uint64_t bytes;              // of the elements
  char name[BENCH_NAME_SIZE];  // as --strategy has it
  // Of the plan.
  char strategy[BENCH_NAME_SIZE], finish[BENCH_NAME_SIZE], order[BENCH_NAME_SIZE];
  uint64_t calls;  // in one run by the wall clock
  struct spread times[BENCH_CLOCKS];
  bool correct;
  char refused[BENCH_REASON_SIZE];  // why it did not run; "" if it ran
};

// A run.
struct bench_report {
  const struct bench_request *request;
  struct devices devices;
  struct bench_row *rows;
  size_t count;
  char date[32];
};

// Appends empty rows without times and returns the first. It is valid until more are added. NULL if memory is short.
struct bench_row *bench_rows_add(struct bench_report *report, size_t count);

// GB/s, or NaN.
double bench_row_speed(const struct bench_row *row, enum bench_clock clock);

// CSV with ',' as separator. With '\t', for plots, texts are not quoted.
void bench_write_rows(const struct bench_report *report, FILE *file, char separator);

// Makes the document; the caller prints and releases it.
cJSON *bench_json(const struct bench_report *report);

// A plot_writer of a struct bench_report: speed over n, and below it the time of a call.
void bench_write_plot(const void *of, FILE *script);

// measure.c. Measures what the request names on the devices of the report, and adds its rows. Returns an exit code.
int bench_measure(struct bench_report *report);

// ---- Reports

// table.c
void bench_print_table(const struct bench_report *report);

// compare.c. Reads a file that --json wrote. Returns an exit code; release the document in any case.
int bench_baseline_load(const char *path, cJSON **document);

// Adds `comparison` to the document of bench_json: the rows of both runs. Returns how many are slower than
// request->slower allows.
size_t bench_compare(const struct bench_request *request, cJSON *document, const cJSON *baseline);

// Prints the comparison in the document as a table.
void bench_print_comparison(const struct bench_request *request, const cJSON *document);
