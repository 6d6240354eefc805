// Measurements for clred_tune: calls of a plan with one number changed alternate with calls of the best plan so far.
#pragma once

#include "call/call.h"
#include "clreduce_device.h"
#include "opencl/session.h"
#include "trial/trial.h"

// --- tune.c ---
// Implements clred_tune. `tuned` and `count` may be NULL.
cl_int clr_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                clred_tuned tuned[CLRED_TUNED_MAX], size_t *count, struct clr_status *status);

// --- tune_run.c ---
// The buffers of the measured calls, and their results.
struct clr_tune_run {
  struct clr_session session;
  cl_mem in, out;
  cl_mem inputs[CLR_INPUTS_MAX];
  const void *parameters[CLR_OPERANDS_MAX];
  unsigned char *zeros;
  unsigned char *expected, *got;  // results
  cl_ulong count_most;            // elements in the buffers
};

// Allocates data for calls of the plan's kind: enough to measure the device's memory, but at most count_max elements if
// that is not 0.
cl_int clr_tune_run_open(clred_plan *plan, cl_ulong count_max, struct clr_tune_run *run, struct clr_status *status);
void clr_tune_run_close(struct clr_tune_run *run);

// Keeps the plan's result over `count` elements. Other plans must give the same bits.
cl_int clr_tune_expect(struct clr_tune_run *run, clred_plan *plan, cl_ulong count, struct clr_status *status);

// Returns `count`, or less (but at least `least`) if a call over `count` elements is too slow to be repeated often.
cl_ulong clr_tune_affordable(struct clr_tune_run *run, clred_plan *plan, cl_ulong count, cl_ulong least);

// True if this plan gives the kept result, bit by bit.
bool clr_tune_agrees(struct clr_tune_run *run, clred_plan *plan, cl_ulong count);

// Seconds a call (medians of alternating rounds), and the median of the rounds' ratios: second plan's time / first's.
struct clr_tune_times {
  double first, second, ratio;
  bool clear;  // the second plan was faster in two of three rounds, and by CLR_TUNE_GAIN
};

// A ratio at or below this is a gain and not noise, even on a busy machine.
#define CLR_TUNE_GAIN 0.97
cl_int clr_tune_compare(struct clr_tune_run *run, clred_plan *first, clred_plan *second, cl_ulong count,
                        unsigned rounds, struct clr_tune_times *times, struct clr_status *status);
