// A problem as the library keeps it: checked, names resolved to an operation.
#ifndef CLR_MODEL_PROBLEM_H
#define CLR_MODEL_PROBLEM_H

#include "model/histogram.h"
#include "model/operator.h"
#include "model/tuned.h"

// What only the device knows of a call, as a set.
enum clr_outcome { CLR_OUTCOME_COUNT = 1, CLR_OUTCOME_FAULT = 2 };

struct clr_problem {
  struct clr_operation operation;
  struct clr_custom *custom;        // owned; NULL for a built-in operator
  struct clr_histogram *histogram;  // owned; NULL: none
  clred_layout layout;
  const struct clr_type *segment_type;  // of offsets; NULL where rows are not given by them
  const struct clr_type *key_type;      // of keys, of whose runs offsets are made; NULL: there are none
  clred_scan scan;
  bool reversed, in_place;
  bool selects;      // scan is then EXCLUSIVE: kept elements are counted
  unsigned outcome;  // set of enum clr_outcome; 0: calls have none
  cl_ulong count_max;
  cl_ulong group_size, groups, elements;
  struct clr_tuned tuned;  // in place of facts, where it can hold
  cl_uint in_flight;
  clred_order order;
  bool profile;
  char strategy[32];  // "" for auto
  char finish[32];    // "" to be chosen
};

// Copies and checks what the caller gave: complete, and not against itself.
// Sizes that only the device knows are 0 then. Release with clr_problem_release, also after a failure.
cl_int clr_problem_make(const clred_problem *given, struct clr_problem *problem, struct clr_status *status);

// The same of a selection of the library's own making, which may do more than callers' can.
cl_int clr_problem_make_keeping(const clred_problem *given, struct clr_keeping keeping, struct clr_problem *problem,
                                struct clr_status *status);
void clr_problem_release(struct clr_problem *problem);

#endif
