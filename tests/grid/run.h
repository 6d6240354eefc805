// One problem on the device: a plan, and a call for each stretch of the data.
#pragma once

#include "combinations.h"
#include "data.h"
#include "record.h"
#include "support/device.h"

// What neighbouring problems share: the data of one operator and type, and the expected results that need no tree.
struct run {
  struct device *device;
  const uint64_t *sizes;
  size_t size_count;
  bool thorough;  // also compares results with exact values, and the library's reference with the oracle
  struct data data;
  struct image in;
  struct image other;  // the second input
  struct image out;
  clred_problem answered;  // the problem of the answers
  oracle_result answers[DATA_STRETCHES_MAX];
  uint64_t calls;
};

// The checks of a program: reductions (run.c), scans (scan_run.c) or layouts (layout_run.c).
struct run_kind {
  bool (*may_refuse)(const struct run *run, const clred_problem *problem, cl_int status, const char *message);
  // Checks the calls of all stretches, prints up to RUN_LINES_MAX failures, and returns the number of all.
  unsigned (*check)(struct run *run, const struct combination *one, clred_plan *plan);
  bool own_data;  // `check` makes the elements of each call, and problems have their count_max
};
extern const struct run_kind run_reductions;

#define RUN_LINES_MAX 5

void run_begin(struct run *run, struct device *device, const uint64_t *sizes, size_t size_count);
enum outcome run_combination(struct run *run, const struct run_kind *kind, const struct combination *one);
void run_end(struct run *run);
