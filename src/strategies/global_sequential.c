#include "planning/trips.h"
#include "strategies/per_group.h"

static const struct clr_per_group rules = {.in_global = true, .places = 1};
CLR_PER_GROUP_FUNCTIONS(rules)

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  return clr_fit_finish(facts, problem, shape->group_size, shape, status);
}

const struct clr_strategy clr_strategy_global_sequential = {
  .name = "global_sequential",
  .sentence = "a tree a work-group in global memory, stride halving: convergent",
  .permutes = true,
  .tree_in_global = true,
  .finishes = CLR_ALL_FINISHES,
  .finish = CLR_FINISH_RELAUNCH,
  .fit = fit,
  .scratch = scratch,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = reference,
};
