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

// Checks that the device does correctly what the strategy needs. The second function refuses and says why.
bool clr_strategy_is_trusted(const struct clr_strategy *strategy, const struct clr_facts *facts);
cl_int clr_strategy_check_trust(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                struct clr_status *status);
cl_int clr_finish_check_trust(enum clr_finish finish, const struct clr_facts *facts, struct clr_status *status);

// --- fit.c ---
// Computes the shape, or refuses and says why the strategy cannot solve the problem on this device.
cl_int clr_strategy_fit(const struct clr_strategy *strategy, const struct clr_facts *facts,
                        const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status);

// --- explain.c ---
// Writes the text of `clreduce plan`: what the plan runs, which facts decided that, and why other strategies do not
// run.
void clr_explain(const struct clr_facts *facts, const struct clr_problem *problem, const struct clr_shape *shape,
                 const clred_plan_info *info, cl_ulong count, struct clr_text *text);
