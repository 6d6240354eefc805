// Chooses the strategy of a plan and computes its shape. Called when a plan is made.
#include "strategies/strategies.h"

bool clr_strategy_needs_offsets(const struct clr_strategy *strategy, const struct clr_problem *problem) {
  bool has_runs = problem->layout == CLRED_LAYOUT_HEADS || problem->layout == CLRED_LAYOUT_KEYS;
  return has_runs && !strategy->finds_runs;
}

cl_int clr_strategy_check_offsets(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                  const struct clr_problem *problem, struct clr_status *status) {
  if (!clr_strategy_needs_offsets(strategy, problem))
    return CL_SUCCESS;
  if (!problem->count_max)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "layout: %s stores the offsets of the runs, at most count_max of them; set count_max",
                    strategy->name);
  if (problem->count_max >= facts->max_alloc / sizeof(cl_ulong))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "count_max: offsets of %llu runs are above the device's max_alloc %llu",
                    (unsigned long long)problem->count_max, (unsigned long long)facts->max_alloc);
  return CL_SUCCESS;
}

// What all candidates share.
struct choosing {
  const struct clr_facts *facts;
  struct clr_problem *problem;
  clr_measured *measured;
  const void *context;
};

static cl_int fit(const struct choosing *of, const struct clr_strategy *strategy, struct clr_shape *shape,
                  struct clr_status *status) {
  of->problem->tuned = of->measured(of->context, strategy);
  cl_int err = clr_strategy_fit(strategy, of->facts, of->problem, shape, status);
  return err ? err : clr_strategy_check_offsets(strategy, of->facts, of->problem, status);
}

// Tries the other candidates of `auto`: the first choice may be impossible, because local memory may be too small for
// the states, or a fact may be corrected. If a candidate lacks only count_max, the message says so.
static cl_int fit_another(const struct choosing *of, const struct clr_strategy **strategy, struct clr_shape *shape,
                          cl_int first, struct clr_status *status) {
  const struct clr_strategy *tried = *strategy, *other;
  for (size_t i = 0; (other = clr_strategy_choice(of->facts, of->problem, i)) != NULL; i++) {
    struct clr_status said = {0};
    cl_int err = other == tried ? CLRED_STRATEGY_REFUSED : fit(of, other, shape, &said);
    if (err == CLRED_STRATEGY_REFUSED || (err == CLRED_INVALID_PROBLEM && first == err))
      continue;
    *strategy = other;
    *status = said;
    if (err != CLRED_INVALID_PROBLEM)
      return err;
    first = err;
  }
  return first;
}

cl_int clr_strategy_choose(const struct clr_facts *facts, struct clr_problem *problem, clr_measured *measured,
                           const void *context, const struct clr_strategy **strategy, struct clr_shape *shape,
                           struct clr_status *status) {
  const struct choosing of = {facts, problem, measured, context};
  const char *name = problem->strategy;
  *strategy = *name ? clr_strategy_named(name) : clr_strategy_auto(facts, problem);
  if (!*strategy)
    return clr_fail(status, CLRED_UNKNOWN_NAME, "strategy: there is none named '%s'", name);
  cl_int err = fit(&of, *strategy, shape, status);
  bool may_try = !*name && (err == CLRED_STRATEGY_REFUSED || err == CLRED_INVALID_PROBLEM);
  return may_try ? fit_another(&of, strategy, shape, err, status) : err;
}
