// histogram_side.h: one side of a comparison of histograms: the library, a loop on the host's cores, CUB. Read by C,
// C++ and CUDA; knows nothing of OpenCL.

#ifndef BENCH_HISTOGRAM_SIDE_H
#define BENCH_HISTOGRAM_SIDE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum histogram_type { HISTOGRAM_UCHAR, HISTOGRAM_USHORT, HISTOGRAM_INT, HISTOGRAM_FLOAT, HISTOGRAM_TYPES };

// Equal bins from low to high, which are whole numbers that all types here can take; elements are never equal to high.
struct histogram_task {
  const void *elements;  // valid until release
  enum histogram_type type;
  size_t count, bins;
  double low, high;
};

// Functions that can fail give 0 on success; on failure they have said on standard error what went wrong.
struct histogram_side {
  const char *name;
  int on_gpu;            // computes on the GPU; otherwise on the host's cores
  int has_device_clock;  // the device's own, of the kernels alone; else the host's, from the call until all is done
  int (*prepare)(const struct histogram_task *task);
  int (*run)(int device_clock, double *seconds);
  int (*result)(uint64_t *counts);  // of the last run
  void (*release)(void);
};

#ifdef __cplusplus
}
#endif

#endif
