// What the files of `clreduce bench` share: the request, the rows of a run.
#pragma once

#include "base/json.h"
#include "cli/args.h"
#include "device/device_pick.h"
#include "device/session.h"

// ---- The command line: request.c. All items of lists are checked before a device is opened.

enum { BENCH_LIST_MAX = 32, BENCH_SIZES_MAX = 128, BENCH_NAME_SIZE = 64, BENCH_REASON_SIZE = 512 };

// The host's clock, and the device's own, which counts kernels only.
enum bench_clock { BENCH_WALL, BENCH_DEVICE, BENCH_CLOCKS };

// NAME[+FINISH][:ORDER].
struct bench_strategy {
  char spelt[BENCH_NAME_SIZE];
  char name[BENCH_NAME_SIZE];
  char finish[BENCH_NAME_SIZE];  // "": the strategy's default
  clred_order order;
};

struct bench_sizes {
  const char *option;              // the option that gave the list, for messages
  uint64_t list[BENCH_SIZES_MAX];  // numbers of elements, in increasing order
  size_t count;
};

struct bench_request {
  const struct args *args;
  clred_op_info ops[BENCH_LIST_MAX];
  size_t op_count;
  clred_type_info types[BENCH_LIST_MAX];
  size_t type_count;
  struct bench_strategy strategies[BENCH_LIST_MAX];
  size_t strategy_count;
  struct bench_sizes sizes;  // none: the default sizes
  uint64_t runs;
  enum bench_clock clock;  // for the plot and the comparison
  double slower;           // a row with less than this share of its earlier speed is marked
};

// Reads a list of sizes as --sizes takes it; `option` names it. Returns an exit code.
int bench_sizes_take(struct bench_sizes *sizes, const char *option, const char *list);

// Reads and checks everything. `args` must outlive the request. Returns an exit code.
int bench_request_take(struct bench_request *request, const struct args *args);

// ---- Rows: a row for each device, operator, type, number of elements and strategy

// Seconds of one call. NaN if this clock has no times.
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
  char name[BENCH_NAME_SIZE];  // the item of --strategy
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

// measure.c. Measures what the request names on the devices of the report, and adds its rows. Returns an exit code.
int bench_measure(struct bench_report *report);

// ---- The comparison of two runs: report.c

// Makes the document of --json; the caller prints and releases it.
cJSON *bench_json(const struct bench_report *report);

// Reads a file that --json wrote, for --compare. Returns an exit code; release the document in any case.
int bench_baseline_load(const char *path, cJSON **document);

// Adds `comparison` to the document of bench_json: the rows of both runs. Returns how many are slower than
// request->slower allows.
size_t bench_compare(const struct bench_request *request, cJSON *document, const cJSON *baseline);

// Prints the comparison in the document as a table.
void bench_print_comparison(const struct bench_request *request, const cJSON *document);
