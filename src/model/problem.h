// A checked copy of the caller's problem, with an operation instead of names.
#pragma once

#include "model/histogram.h"
#include "model/several.h"
#include "model/tuned.h"

// A set: the results of a call that only the device knows.
enum clr_outcome { CLR_OUTCOME_COUNT = 1, CLR_OUTCOME_FAULT = 2 };

struct clr_problem {
  struct clr_operation operation;
  struct clr_custom *custom;        // owned; NULL for a built-in operator
  struct clr_histogram *histogram;  // owned; NULL: none
  struct clr_operation *weights;    // owned; see clr_operation; NULL: none
  struct clr_op_list *several;      // owned; the operators of a list, NULL: none
  clred_layout layout;
  const struct clr_type *segment_type;  // the type of offsets; NULL if the layout has none
  const struct clr_type *key_type;      // the type of keys; runs of equal keys are the segments. NULL: no keys
  clred_scan scan;
  bool reversed, in_place;
  bool selects;      // a selection; scan is then EXCLUSIVE and counts kept elements
  unsigned outcome;  // set of enum clr_outcome; 0: calls have none
  cl_ulong count_max;
  cl_ulong group_size, groups, elements, stop_at;
  struct clr_tuned tuned;  // measured numbers, used if the facts allow them
  cl_uint in_flight;
  clred_order order;
  clred_stage stage;
  bool profile;
  char strategy[32];  // "" for auto
  char finish[32];    // "" to be chosen
};

// Copies and checks the caller's problem. Sizes that only the device knows stay 0. Release with clr_problem_release,
// also after a failure.
cl_int clr_problem_make(const clred_problem *given, struct clr_problem *problem, struct clr_status *status);

// As clr_problem_make; `keeping` has options of selections that callers cannot set.
cl_int clr_problem_make_keeping(const clred_problem *given, struct clr_keeping keeping, struct clr_problem *problem,
                                struct clr_status *status);
void clr_problem_release(struct clr_problem *problem);
