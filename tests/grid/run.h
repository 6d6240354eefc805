// A list of problems with names, and the run of one problem on the device: a plan, and a call for each shape of its
// layout, compared byte by byte.
#pragma once

#include "case.h"

struct combination {
  clred_problem problem;
  char name[128];  // "local_sequential+host sum float"
};

// LEFT: there was no time for it.
enum outcome { PASSED, SKIPPED, FAILED, LEFT, OUTCOMES };

struct run {
  struct device *device;
  const char *program;  // its name
  struct layout_sizes sizes;
  bool thorough;  // also compares results with exact values
  uint64_t calls;
  uint64_t runs, repeat_seconds;  // of each long call
  clred_runtime *with_host;       // computes small calls on the host; NULL: such calls are not compared
};

// Whether partials are combined in the order of their arrival.
bool is_open_order(const clred_problem *problem);

// Prints the first failures, each with all that is needed to repeat it.
typedef enum outcome check_function(struct run *run, const struct combination *one);
check_function run_combination;
