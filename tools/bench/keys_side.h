// keys_side.h: one side of a comparison of what stands on scan: sums by key, scans by key, and floats above 0 selected;
// see side.h. Read by C, C++ and CUDA.

#ifndef BENCH_KEYS_SIDE_H
#define BENCH_KEYS_SIDE_H

#include <stdint.h>

#include "turns.h"

#ifdef __cplusplus
extern "C" {
#endif

enum keys_task { KEYS_REDUCE, KEYS_SCAN, KEYS_SELECT, KEYS_TASKS };

// All in host memory; stays valid until release. There is room for as many results as there are elements.
struct keys_work {
  const int32_t *keys;
  const float *values;
  size_t count;
};

// Functions that can fail give 0 on success; on failure they have said on standard error what went wrong.
struct keys_side {
  struct turn_side turn;
  int (*prepare)(const struct keys_work *work);
  int (*choose)(enum keys_task task);  // before run; as often as wished. Sets bits in all results, to see them written
  // The first `count` results, and the keys of reduced runs; and how many the side says there are, of scans 0.
  int (*read)(size_t count, float *results, int32_t *keys, uint64_t *number);
  void (*release)(void);
};

#ifdef __cplusplus
}
#endif

#endif
