// The command line of `clreduce bench`. All items of lists are checked before a device is opened.
#pragma once

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/args.h"

enum { BENCH_LIST_MAX = 32, BENCH_STRATEGIES_MAX = 256, BENCH_SIZES_MAX = 128, BENCH_NAME_SIZE = 128 };

// The host's clock, and the device's own, which counts kernels only.
enum bench_clock { BENCH_WALL, BENCH_DEVICE, BENCH_CLOCKS };

enum bench_parameter { BENCH_GROUP_SIZE, BENCH_GROUPS, BENCH_ELEMENTS, BENCH_STOP_AT, BENCH_PARAMETERS };

// NAME[+FINISH][:ORDER], with one combination of parameters.
struct bench_strategy {
  char spelt[BENCH_NAME_SIZE];  // with the parameters of which several values are measured
  char name[BENCH_NAME_SIZE];
  char finish[BENCH_NAME_SIZE];  // "": the strategy's default
  clred_order order;
  uint64_t parameters[BENCH_PARAMETERS];  // 0: chosen
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
  struct bench_strategy strategies[BENCH_STRATEGIES_MAX];
  size_t strategy_count;
  struct bench_sizes sizes;  // none: the default sizes
  uint64_t runs;
  enum bench_clock clock;  // for the plot and the comparison
  double slower;           // a row below this share of its earlier speed is marked
};

// Reads and checks everything. `args` must outlive the request. Returns an exit code.
int bench_request_take(struct bench_request *request, const struct args *args);
