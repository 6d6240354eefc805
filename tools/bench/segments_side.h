// segments_side.h: one side of a comparison of segmented sums of floats; see side.h. Read by C, C++ and CUDA.

#ifndef BENCH_SEGMENTS_SIDE_H
#define BENCH_SEGMENTS_SIDE_H

#include <stdint.h>

#include "turns.h"

#ifdef __cplusplus
extern "C" {
#endif

struct segments {
  const char *name;
  size_t count;             // segments
  size_t length;            // of each; 0: as the offsets say
  const uint32_t *offsets;  // count + 1
};

// Functions that can fail give 0 on success; on failure they have said on standard error what went wrong.
struct segments_side {
  struct turn_side turn;
  int (*prepare)(const float *data, size_t count);
  int (*choose)(const struct segments *segments);  // before run; as often as wished
  int (*spoil)(void);                              // sets bits in all results, to see them written
  int (*read)(float *results);                     // one a segment
  void (*release)(void);
};

#ifdef __cplusplus
}
#endif

#endif
