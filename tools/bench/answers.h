// Elements for comparisons, and the results that they must give. Elements are small whole numbers of a unit, so that
// every sum of them is exact in any order: results must be equal.
#pragma once

#include <clreduce.h>
#include <stdint.h>

#include "peers/peer_side.h"

// The library's types, in the order of enum bench_type.
extern const clred_type bench_types[BENCH_TYPES];

// How elements are made.
enum pattern {
  PATTERN_UNITS,  // signed numbers near 0, in units of 1/64 or 1; of uchar all values
  PATTERN_BINS,   // 0 to 2^20 - 1, in units of 2^-20 or 1; of smaller types their whole range
  PATTERN_ALIKE,  // like PATTERN_BINS, but all elements are equal
};

void elements_make(enum pattern pattern, enum bench_type type, void *to, size_t count);

// Runs of 1 to 15 equal keys; neighbouring runs differ.
void keys_make(int32_t *keys, size_t count);

enum { STRETCHES_MOST = 256, STRETCH_LENGTH = 64 };

// The results that a work must give. The results of scans are compared in several stretches, which are spread over all
// results. Other results are compared in one stretch.
struct answers {
  const struct bench_work *work;
  enum pattern pattern;
  int64_t *results;  // in units, stretch after stretch
  int32_t *keys;
  size_t count;     // results in all
  uint64_t number;  // the number that the work must report; 0 if it reports none
  size_t stretches, length;
  size_t first[STRETCHES_MOST];
  void *read;  // room for the results and keys of one stretch
};

// Returns 0, or 1 if memory is out. Call answers_release in both cases.
int answers_make(struct answers *answers, const struct bench_work *work, enum pattern pattern);
void answers_release(struct answers *answers);

// How many of `count` results from the stretch's index `at` on are wrong. `work` is the work of the side, which may be
// narrow.
size_t answers_wrong(const struct answers *answers, const struct bench_work *work, size_t at, const void *results,
                     size_t count);
