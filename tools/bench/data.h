// data.h: the elements to be summed, and how near a right sum must be.

#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "side.h"

size_t bench_element_size(enum bench_type type);

// `count` elements in memory aligned to a page and written, so that no page fault is timed; NULL if there is no memory.
// The caller frees them. `sum` is the exact sum, to double's precision.
void *bench_make_data(enum bench_type type, size_t count, double *sum);

// How far from the exact sum another order of additions may end: nothing for integers.
double bench_tolerance(enum bench_type type, double sum);

#endif
