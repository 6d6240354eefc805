// Measuring for clred_tune: calls of plans with one number changed, in turn with calls of the best so far.
#ifndef CLR_API_TUNE_H
#define CLR_API_TUNE_H

#include "call/call.h"
#include "clreduce_device.h"
#include "opencl/session.h"

// --- tune.c ---
// As clred_tune; `tuned` and `count` may be NULL.
cl_int clr_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                clred_tuned tuned[CLRED_TUNED_MAX], size_t *count, struct clr_status *status);

// --- tune_run.c ---
// What calls read and write.
struct clr_tune_run {
  struct clr_session session;
  cl_mem in, out;
  cl_mem inputs[CLR_INPUTS_MAX];
  const void *parameters[CLR_OPERANDS_MAX];
  unsigned char *zeros;
  unsigned char *expected, *got;  // results
  cl_ulong count_most;            // elements there are
};

// For calls of the plan's kind, over at most count_max elements if that is not 0, and over as many as measure a
// device's memory.
cl_int clr_tune_run_open(clred_plan *plan, cl_ulong count_max, struct clr_tune_run *run, struct clr_status *status);
void clr_tune_run_close(struct clr_tune_run *run);

// Keeps the plan's result over `count` elements as the one that others must have.
cl_int clr_tune_expect(struct clr_tune_run *run, clred_plan *plan, cl_ulong count, struct clr_status *status);

// So many elements, or fewer, but at least `least`, if a call over them takes too long to be made often.
cl_ulong clr_tune_bearable(struct clr_tune_run *run, clred_plan *plan, cl_ulong count, cl_ulong least);

// Whether another plan has it, bit by bit.
bool clr_tune_agrees(struct clr_tune_run *run, clred_plan *plan, cl_ulong count);

// Seconds of a call, medians of alternating rounds, and the median of the rounds' ratios: the second plan's time by the
// first's.
struct clr_tune_times {
  double first, second, ratio;
  bool clear;  // the second was quicker in two rounds of three, and by enough
};

// A ratio that is a gain on a machine that has other things to do, too.
#define CLR_TUNE_GAIN 0.97
cl_int clr_tune_compare(struct clr_tune_run *run, clred_plan *first, clred_plan *second, cl_ulong count,
                        unsigned rounds, struct clr_tune_times *times, struct clr_status *status);

double clr_tune_now(void);

// --- tune_search.c ---
struct clr_tune_search {
  clred_runtime *runtime;
  const clred_problem *problem;
  struct clr_tune_run *run;
  clred_plan *base;  // as facts have it
  double deadline;
  cl_bool (*progress)(double done, void *user_data);
  void *user_data;
  double begun, seconds;
  bool stopped;          // by the caller
  struct clr_pass last;  // the first launch of the value before
  cl_ulong tried;
};

// Finds numbers for calls of `count` elements, one number after the other; none `given` where facts' are as good.
cl_int clr_tune_find(struct clr_tune_search *search, cl_ulong count, struct clr_tuned *found,
                     struct clr_tune_times *times, struct clr_status *status);

// Whether time is over, or the caller wants no more; tells the caller how far things are.
bool clr_tune_is_over(struct clr_tune_search *search);

#endif
