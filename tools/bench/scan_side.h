// scan_side.h: one side of a comparison of scans; see side.h. Read by C, C++ and CUDA; knows nothing of OpenCL.

#ifndef BENCH_SCAN_SIDE_H
#define BENCH_SCAN_SIDE_H

#include "turns.h"

#ifdef __cplusplus
extern "C" {
#endif

// Results of integers have 64 bits, unless the side is narrow; those of float and double are of the elements' type.
// Functions that can fail give 0 on success; on failure they have said on standard error what went wrong.
struct scan_side {
  struct turn_side turn;
  int narrow;                                                            // results are of the elements' type
  int (*prepare)(const void *data, enum bench_type type, size_t count);  // data stays valid until release
  int (*choose)(int exclusive);                                          // before run; as often as wished
  int (*spoil)(size_t first, size_t count);  // sets bits in these results, to see them written
  int (*read)(size_t first, size_t count, void *results);
  void (*release)(void);
};

#ifdef __cplusplus
}
#endif

#endif
