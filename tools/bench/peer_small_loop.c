// peer_small_loop.c: the sum that a programmer would write, on one thread. This file alone is compiled with -O3
// -march=native -ffast-math.

#include "small_loop.h"

float small_loop(const float *x, size_t count) {
  float sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += x[i];
  return sum;
}
