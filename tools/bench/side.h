// side.h: one side of a comparison. The library is one side, each peer another, and bench_sum alternates them without
// knowing what they are. A peer is one file with one struct bench_side in it; peers.c names those that were built, and
// peers/serve.c makes a program of each for `clreduce bench`.
//
// Read by C, C++ and CUDA; knows nothing of OpenCL.

#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bench_type { BENCH_FLOAT, BENCH_DOUBLE, BENCH_INT, BENCH_UCHAR, BENCH_HALF };
enum bench_op { BENCH_ADD, BENCH_MIN, BENCH_MAX, BENCH_ARGMIN };

// Two clocks: the host's, from the call until the work is finished, and the device's own, of the kernels alone.
enum bench_clock { BENCH_WALL, BENCH_DEVICE };

// Functions that can fail give 0 on success; on failure they have said on standard error what went wrong.
struct bench_side {
  const char *name;
  int on_gpu;  // computes on the GPU; otherwise on the host's cores
  int has_device_clock;
  // Finds an OpenCL device by its place among all and its name; NULL where there is but one to choose.
  int (*open)(unsigned index, const char *name);
  int (*prepare)(const void *data, enum bench_type type, enum bench_op op,
                 size_t count);  // data stays valid until release
  // Seconds of one call. BENCH_DEVICE: of the kernels of one. BENCH_WALL: `calls` calls back to back, over `calls`.
  int (*run)(enum bench_clock clock, size_t calls, double *seconds);
  int (*result)(double *value);  // of the last run; sums of integers are below 2^53. Of ARGMIN the index
  void (*release)(void);
};

#ifdef __cplusplus
}
#endif

#endif
