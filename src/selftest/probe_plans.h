// Plans tried on a device, one after another, against the host's reference: what clred_probe_device does beside
// src/probes.
#ifndef CLR_API_PROBE_PLANS_H
#define CLR_API_PROBE_PLANS_H

#include "call/call.h"
#include "selftest/probe.h"

// --- probe_device.c ---
// As clred_probe_device.
cl_int clr_probe_device(clred_runtime *runtime, const clred_probe_options *options, clred_probe_counts *counts,
                        struct clr_status *status);

// A runtime under trial, and where findings go.
struct clr_plan_trials {
  clred_runtime *runtime;      // with all that was found before
  struct clr_session session;  // buffers of the plan under trial
  struct clr_findings *findings;
  const clred_probe_options *options;
  clred_probe_counts counts;
  double begun, share;  // of all the probing, where this part of it begins and how much it is
  bool stopped;
  bool chosen;  // what `auto` chooses was tried
};

// --- trials.c ---
// Whether the caller wants probes about this.
bool clr_trials_want(const struct clr_plan_trials *trials, const char *about);

// Tells the caller that a probe begins; false: no more is wanted.
bool clr_trials_begin(struct clr_plan_trials *trials, const char *name, double done);
void clr_trials_end(struct clr_plan_trials *trials, const char *name, const char *about,
                    const struct clr_probed *probed);

enum clr_trial_result { CLR_TRIAL_RIGHT, CLR_TRIAL_REFUSED, CLR_TRIAL_WRONG };

// --- probe_plan.c ---
// Makes a plan and compares what it gives over some elements with the host's reference; `why` says what is wrong, or
// why it is refused.
enum clr_trial_result clr_try_plan(struct clr_plan_trials *trials, const clred_problem *problem,
                                   char why[CLR_SENTENCE_SIZE]);

// Elements like any: of floating types a few binades, both signs; of integers any bits.
void clr_trial_elements(const struct clr_element *element, cl_ulong count, void *elements);

// --- probe_strategies.c, probe_operators.c, probe_order.c ---
void clr_try_strategies(struct clr_plan_trials *trials);
void clr_try_operators(struct clr_plan_trials *trials);
void clr_try_order(struct clr_plan_trials *trials);

// What `auto` makes of all that was found: nothing of it may be wrong.
void clr_try_choices(struct clr_plan_trials *trials);

// Notes that a strategy is not to be chosen.
void clr_avoid_strategy(struct clr_plan_trials *trials, const char *name, const char *why);

#endif
