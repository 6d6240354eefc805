// The tasks and the command line of `clreduce bench`. All items of lists are checked before a device is opened.
#pragma once

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/answers.h"
#include "cli/args.h"
#include "peers/peer_side.h"

enum { BENCH_LIST_MOST = 32, BENCH_SIZES_MOST = 128, BENCH_NAME_SIZE = 64 };

// ---- Tasks: tasks.c

struct beside;

// A row of the table of `bench --task NAME`: the elements, the peers and the numbers of runs.
struct bench_task {
  const char *name;
  const char *types;  // the default types
  const char *known;  // types that its elements can be made of; NULL: all
  const char *gpu_sizes, *cpu_sizes;
  uint64_t runs, warm_up;
  uint64_t gpu_calls;                     // calls in a run by the wall clock on a GPU, in sequence; 1 on a CPU
  bool clocks[BENCH_CLOCKS];              // the clocks to measure by; the device's clock only if all sides have it
  const char *gpu_peer, *cpu_peer;        // modules
  enum pattern pattern;                   // how elements are made, unless `fill` is set
  void (*fill)(void *to, size_t bytes);   // NULL: by the pattern
  bool second;                            // operators of two inputs need a second array
  bool takes_ops;                         // a list of operators may be given
  bool takes_result_type;                 // --result-type may be given
  int (*measure)(struct beside *beside);  // all comparisons over one array; NULL: reductions (reduce.c)
  const char *strategies;                 // the default strategies; NULL: auto
  bool wide;                              // results need as much memory as elements, or more
};

// The first row is the default. NULL if there is no such task.
const struct bench_task *bench_task_find(const char *name);

// The names, separated by commas.
void bench_task_names(char *text, size_t size);

// ---- Options: request.c

// NAME[+FINISH][:ORDER].
struct bench_strategy {
  char spelt[BENCH_NAME_SIZE];
  char name[BENCH_NAME_SIZE];
  char finish[BENCH_NAME_SIZE];  // "": the strategy's default
  clred_order order;
};

struct bench_sizes {
  const char *option;               // the option that gave the list, for messages
  uint64_t list[BENCH_SIZES_MOST];  // numbers of elements, in increasing order
  size_t count;
};

struct bench_request {
  const struct args *args;
  const struct bench_task *task;
  clred_op_info ops[BENCH_LIST_MOST];
  size_t op_count;
  clred_type_info types[BENCH_LIST_MOST];
  size_t type_count;
  struct bench_strategy strategies[BENCH_LIST_MOST];
  size_t strategy_count;
  char devices[BENCH_LIST_MOST][BENCH_NAME_SIZE];
  size_t device_count;       // 0: the default device
  struct bench_sizes sizes;  // none: the default sizes
  uint64_t runs;
  enum bench_clock clock;  // for the plot and the comparison
  double patience;         // seconds to wait for an answer of a peer
  double slower;           // a row below this share of its baseline's speed is marked
  bool fails_if_slower;
};

// Reads a list of sizes as --sizes takes it; `option` names it. Returns an exit code.
int bench_sizes_take(struct bench_sizes *sizes, const char *option, const char *list);

// Reads and checks everything. `args` must outlive the request. Returns an exit code.
int bench_request_take(struct bench_request *request, const struct args *args);
