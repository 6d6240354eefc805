// turns.h: sides that take turns in one process, by one clock, and their medians.

#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

#include "side.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a side of any comparison can do; results are checked by those who know them.
struct turn_side {
  const char *name;
  int on_gpu;  // computes on the GPU; otherwise on the host's cores
  int has_device_clock;
  // Seconds of one call. BENCH_DEVICE: of the kernels of one call. BENCH_WALL: `calls` calls back to back, from a
  // synchronisation to the next, over `calls`. 0 on success.
  int (*run)(enum bench_clock clock, size_t calls, double *seconds);
};

#ifdef __cplusplus
}
#endif

enum { TURNS_WARM_UP = 3, TURNS_MOST_RUNS = 1000, TURNS_MOST_SIDES = 4 };

// Runs side 0, side 1, ... and again, `runs` times after the warm-up: medians of each in seconds. 0 on success. By the
// device's clock a side without one has its wall time.
int take_turns(const struct turn_side *const sides[], size_t count, enum bench_clock clock, size_t runs, size_t calls,
               double medians[]);

#endif
