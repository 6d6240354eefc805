// small_loop.h: the loop beside which few elements are summed.

#ifndef BENCH_SMALL_LOOP_H
#define BENCH_SMALL_LOOP_H

#include <stddef.h>

float small_loop(const float *x, size_t count);

#endif
