// The table of tasks of `bench --task NAME`. A row has the elements, the peers and the numbers of runs.

#ifndef CLREDUCE_TOOL_BENCH_TASKS_H
#define CLREDUCE_TOOL_BENCH_TASKS_H

#include "bench/answers.h"

struct beside;

struct bench_task {
  const char *name;
  const char *types;  // by default
  const char *known;  // types that its elements can be made of; NULL: all
  const char *gpu_sizes, *cpu_sizes;
  uint64_t runs, warm_up;
  uint64_t gpu_calls;                     // in a run by the wall clock on a GPU, one after the other; 1 on a CPU
  bool clocks[BENCH_CLOCKS];              // that measure it; the device's clock only if all sides have it
  const char *gpu_peer, *cpu_peer;        // modules
  enum pattern pattern;                   // of elements, or
  void (*fill)(void *to, size_t bytes);   // NULL: by the pattern
  bool second;                            // operators of two inputs need a second array
  bool takes_ops;                         // a list of operators may be given
  int (*measure)(struct beside *beside);  // all comparisons over one array; NULL: reductions (reduce.c)
  const char *strategies;                 // by default; NULL: auto
  bool wide;                              // results need as much memory as elements, or more
};

// The first row is the default. NULL if there is no such task.
const struct bench_task *bench_task_find(const char *name);

// The names, separated by commas.
void bench_task_names(char *text, size_t size);

#endif
