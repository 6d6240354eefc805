// A comparison: the library and peers, or the library and its own reference plan, run in turn in one process on the
// same elements. Results are checked before the timed runs and after them. tasks.c lists the comparisons.
#pragma once

#include "bench/answers.h"
#include "bench/request.h"
#include "bench/side.h"

// The elements of one type and number, and what all comparisons on them share.
struct beside {
  struct bench_report *report;
  const struct bench_task *task;
  const struct device *device;  // in the report
  struct bench_bed bed;
  clred_type_info type;
  enum bench_type peer_type;  // the same type for peers; BENCH_TYPES: peers do not have it
  uint64_t count;
  void *elements, *second_elements;  // as in bed.in and bed.second; the second may be NULL
};

struct comparison {
  char label[BENCH_NAME_SIZE];
  struct plan_side ours, reference;  // reference.reference is true only if there is one
  struct bench_work work;            // what peers do and whose results are checked; without elements: no work
  enum pattern pattern;              // the pattern of the elements
  double peer_bytes;
  bool narrow;  // peers with narrow results are sides, too
  bool empty;   // an empty kernel is a side
};

// Measures one comparison into rows of the report, unless --only leaves it out. Returns an exit code.
int beside_compare(struct beside *beside, const struct comparison *comparison);

// Makes the elements again, by another pattern. Returns an exit code.
int beside_fill(struct beside *beside, enum pattern pattern);

// ---- tasks.c

// A comparison of the library's sum of all elements with peers, which tasks change.
struct comparison beside_sum(const struct beside *beside, enum bench_kind kind, const char *label);

// That sum as the side with which the library's other plans are compared.
struct plan_side beside_plain_sum(const struct beside *beside);

// ---- task_segments.c and task_own.c: the tasks of these names
int measure_segments(struct beside *beside);
int measure_operators(struct beside *beside);
int measure_axes(struct beside *beside);
int measure_scan_rows(struct beside *beside);

bool beside_on_cpu(const struct beside *beside);
