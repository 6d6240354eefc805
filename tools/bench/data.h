// data.h: the elements to be summed, and how near a right sum must be.

#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include <stdint.h>

#include "side.h"

// splitmix64 of the index: the same bits on every machine.
static inline uint64_t bench_random_bits(uint64_t index) {
  uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

size_t bench_element_size(enum bench_type type);

// `count` elements in memory aligned to a page and written, so that no page fault is timed; NULL if there is no memory.
// The caller frees them. `sum` is the exact sum, to double's precision.
void *bench_make_data(enum bench_type type, size_t count, double *sum);

// How far from the exact sum another order of additions may end: nothing for integers.
double bench_tolerance(enum bench_type type, double sum);

#endif
