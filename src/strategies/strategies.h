// The table of strategies, the choice of `auto`, and the shape that a strategy gives a problem.
#pragma once

#include "planning/strategy.h"

// --- choice.c ---
const struct clr_strategy *clr_strategy_at(size_t index);
const struct clr_strategy *clr_strategy_named(const char *name);  // NULL if there is none

#define CLR_CHOICES 4
#define CLR_STRATEGY(name) extern const struct clr_strategy clr_strategy_##name;
#include "strategies/strategies.def"
#undef CLR_STRATEGY

// Returns the strategy that `auto` chooses for this problem on this device.
const struct clr_strategy *clr_strategy_auto(const struct clr_facts *facts, const struct clr_problem *problem);

// Returns candidate `index` of `auto`, the best first; NULL past the last.
const struct clr_strategy *clr_strategy_choice(const struct clr_facts *facts, const struct clr_problem *problem,
                                               size_t index);

// Returns the strategy's bit in the fact `avoided`.
cl_ulong clr_strategy_bit(const struct clr_strategy *strategy);

// Refuses a strategy if the device does not correctly do what the strategy needs.
cl_int clr_strategy_check_trust(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                struct clr_status *status);
cl_int clr_finish_check_trust(enum clr_finish finish, const struct clr_facts *facts, struct clr_status *status);

// --- fit.c ---
// Computes the shape, or refuses and says why the strategy cannot solve the problem on this device.
cl_int clr_strategy_fit(const struct clr_strategy *strategy, const struct clr_facts *facts,
                        const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status);

// Gives the measured numbers of a strategy.
typedef struct clr_tuned clr_measured(const void *context, const struct clr_strategy *strategy);

// Computes the shape of the strategy that the problem names, or of the first candidate of `auto` that can solve the
// problem on this device. Also gives the strategy; if all candidates refuse, the one that the message is about.
cl_int clr_strategy_choose(const struct clr_facts *facts, struct clr_problem *problem, clr_measured *measured,
                           const void *context, const struct clr_strategy **strategy, struct clr_shape *shape,
                           struct clr_status *status);

// True if another plan must write the offsets of the runs first.
bool clr_strategy_needs_offsets(const struct clr_strategy *strategy, const struct clr_problem *problem);

// If the strategy needs the offsets of runs: the problem must have count_max, and buffers must be able to hold that
// many offsets.
cl_int clr_strategy_check_offsets(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                  const struct clr_problem *problem, struct clr_status *status);

// --- explain.c ---
// Writes the text of `clreduce plan`: what the plan runs, which facts decided that, and why other strategies do not
// run.
void clr_explain(const struct clr_facts *facts, const struct clr_problem *problem, const struct clr_shape *shape,
                 const clred_plan_info *info, cl_ulong count, struct clr_text *text);
