// Trials run plans on a device one after another and compare the results with the host's reference. They are the second
// half of clred_probe_device; the probes of probe.h come first.
#pragma once

#include "call/call.h"
#include "selftest/probe.h"

// --- probe_device.c ---
// Implements clred_probe_device.
cl_int clr_probe_device(clred_runtime *runtime, const clred_probe_options *options, clred_probe_counts *counts,
                        struct clr_status *status);

// What the trials of a series share.
struct clr_plan_trials {
  clred_runtime *runtime;      // knows all findings made before it was created
  struct clr_session session;  // buffers of the current plan
  struct clr_findings *findings;
  const clred_probe_options *options;
  clred_probe_counts counts;
  double begun, share;  // progress: where this part begins and its size, as fractions of the whole
  bool stopped;
  bool chosen;  // the choices of `auto` were tried
};

// --- trials.c ---
// True if the caller wants probes about this.
bool clr_trials_want(const struct clr_plan_trials *trials, const char *about);

// Reports to the caller that a probe begins. Returns false if the caller wants to stop.
bool clr_trials_begin(struct clr_plan_trials *trials, const char *name, double done);
void clr_trials_end(struct clr_plan_trials *trials, const char *name, const char *about,
                    const struct clr_probed *probed);

enum clr_trial_result { CLR_TRIAL_RIGHT, CLR_TRIAL_REFUSED, CLR_TRIAL_WRONG };

// --- probe_plan.c ---
// Makes a plan, runs it over some elements and compares with the host's reference. `why` gets what is wrong, or why the
// plan was refused.
enum clr_trial_result clr_try_plan(struct clr_plan_trials *trials, const clred_problem *problem,
                                   char why[CLR_SENTENCE_SIZE]);

// --- probe_strategies.c, probe_operators.c, probe_order.c ---
void clr_try_strategies(struct clr_plan_trials *trials);
void clr_try_operators(struct clr_plan_trials *trials);
void clr_try_order(struct clr_plan_trials *trials);

// Tries the strategies that `auto` chooses with all findings. All of their results must be right.
void clr_try_choices(struct clr_plan_trials *trials);

// Adds the finding that this strategy must not be chosen.
void clr_avoid_strategy(struct clr_plan_trials *trials, const char *name, const char *why);

// --- probe_order.c: bits that results in the order fixed/1 must have on every device ---
struct clr_stored_bits {
  clred_type type;
  clred_op op;
  cl_ulong count, offset, bits;
};
extern const struct clr_stored_bits clr_stored_bits[];
extern const size_t clr_stored_bits_count;
