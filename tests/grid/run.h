// One problem on the device: a plan, and a call for every stretch of the data.

#ifndef CLREDUCE_TESTS_GRID_RUN_H
#define CLREDUCE_TESTS_GRID_RUN_H

#include "combinations.h"
#include "data.h"
#include "record.h"
#include "support/device.h"

// What neighbouring problems share: the data of one operator and type, and the answers that need no tree.
struct run {
  struct device *device;
  const uint64_t *sizes;
  size_t size_count;
  bool thorough;  // results are compared with exact values, too, and the library's reference with the oracle
  struct data data;
  struct image in;
  struct image other;  // the second input
  struct image out;
  clred_problem answered;  // whose answers these are
  oracle_result answers[DATA_STRETCHES_MAX];
  uint64_t calls;
};

// Makes the elements of the problem's operator and type those of the run; a sentence if that fails.
const char *run_load(struct run *run, const clred_problem *problem);

void run_begin(struct run *run, struct device *device, const uint64_t *sizes, size_t size_count);
enum outcome run_combination(struct run *run, const struct combination *one);
void run_end(struct run *run);

#endif
