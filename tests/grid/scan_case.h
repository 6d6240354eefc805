// One call of a scan: its input, its expected results, and the comparison.
#pragma once

#include "data.h"
#include "support/device.h"

// Bytes of a state that may stand before the first element. After the number of a product, there are zeros.
#define START_MAX 256

enum start { START_ABSENT, START_ON_HOST, START_ON_DEVICE, STARTS };

struct scan_case {
  const clred_problem *problem;
  const struct data *data;
  uint64_t in_offset, count;
  uint64_t stride, out_stride;  // the effective strides
  uint64_t out_offset;
  bool in_place;
  enum start start;
  oracle_result result;  // parts of a result, without values
  size_t size;           // bytes of a result
  size_t state_size;
  unsigned char state[START_MAX];
  unsigned char *elements;  // one after another
  unsigned char *others;    // the second input's; NULL if there is none
  unsigned char *expected;  // results, one after another
};

// Makes a state before the first element, of START_MAX bytes.
void scan_case_start(const clred_problem *problem, void *state);

// scan_case_solve computes the fields that follow from the numbers. scan_case_release releases them.
void scan_case_solve(struct scan_case *one, const oracle_tree *tree);
void scan_case_release(struct scan_case *one);

// Compares the results, which are `stride` apart. False, with a message, if one differs.
bool scan_case_same(const struct scan_case *one, const unsigned char *results, uint64_t stride, char *text,
                    size_t size);
