// compare.h: two sides, run in turn on the same elements, every run checked.

#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "side.h"

struct expectation {
  double sum;
  double tolerance;  // 0: equal
};

struct comparison {
  enum bench_clock clock;
  double median_seconds[2];
  size_t runs;  // checked, of both sides, the warm-up included
  size_t wrong[2];
};

enum { BENCH_WARM_UP = 3, BENCH_MOST_RUNS = 1000 };

// Runs side 0, side 1, side 0, ... `pairs` times after the warm-up; sides[1] may be NULL. 0 on success; a wrong result
// is no failure but is counted.
int bench_compare(const struct bench_side *const sides[2], const struct expectation expected[2], enum bench_clock clock,
                  size_t pairs, struct comparison *comparison);

#endif
