// The command line of `clreduce bench`. All items of lists are checked before a device is opened.
#pragma once

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/args.h"

enum { BENCH_LIST_MAX = 32, BENCH_SIZES_MAX = 128, BENCH_NAME_SIZE = 64 };

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
  double slower;           // a row below this share of its earlier speed is marked
};

// Reads a list of sizes as --sizes takes it; `option` names it. Returns an exit code.
int bench_sizes_take(struct bench_sizes *sizes, const char *option, const char *list);

// Reads and checks everything. `args` must outlive the request. Returns an exit code.
int bench_request_take(struct bench_request *request, const struct args *args);
