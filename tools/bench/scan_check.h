// scan_check.h: the elements of a comparison of scans, and whether results are right. Elements are small multiples of
// 1/64, so every sum of them is exact in any order, in float too: results must be equal, and are compared in stretches
// all over the array.

#ifndef BENCH_SCAN_CHECK_H
#define BENCH_SCAN_CHECK_H

#include <stdint.h>

#include "scan_side.h"

enum { CHECK_STRETCHES = 256, CHECK_LENGTH = 64 };

struct scan_check {
  enum bench_type type;
  size_t count;
  size_t stretches, length;                           // they do not overlap
  size_t first[CHECK_STRETCHES];                      // the last stretch ends with the last result
  int64_t before[CHECK_STRETCHES][CHECK_LENGTH + 1];  // sums of all elements before, in units
};

// `count` elements in memory aligned to a page; NULL if there is no memory. The caller frees them.
void *scan_check_make(struct scan_check *check, enum bench_type type, size_t count);

// Sets the results that are compared to what no scan gives.
int scan_check_spoil(const struct scan_check *check, const struct scan_side *side);

// Counts the results that are wrong.
int scan_check_results(const struct scan_check *check, const struct scan_side *side, int exclusive, size_t *wrong);

#endif
