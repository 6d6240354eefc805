// beside.h: a plan beside another one of the same device, in turn, by the device's clock.

#ifndef BENCH_BESIDE_H
#define BENCH_BESIDE_H

#include "session.h"

enum { BESIDE_RUNS_MAX = 500 };

struct beside_side {
  clred_plan *plan;  // made with `profile`
  const clred_call *call;
};

// Medians of `runs` runs of each, after some to warm up, in seconds.
cl_int beside_run(const struct session *session, const struct beside_side sides[2], unsigned runs, double seconds[2]);

// A buffer of `size` bytes that repeat the `pattern_size` bytes at `pattern`, a divisor of 4 MiB. The caller releases
// it.
cl_int beside_buffer(const struct session *session, const void *pattern, size_t pattern_size, size_t size,
                     cl_mem *buffer);

#endif
