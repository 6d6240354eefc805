#include "planning/trips.h"
#include "strategies/per_group.h"

static const struct clr_per_group rules = {.places = 2};
CLR_PER_GROUP_FUNCTIONS(rules)

const struct clr_strategy clr_strategy_local_sequential = {
  .name = "local_sequential",
  .sentence = "a tree in local memory, stride halving: active work-items stay together",
  .permutes = true,
  .finishes = CLR_ALL_FINISHES,
  .finish = CLR_FINISH_RELAUNCH,
  .local_states = 1,
  .scratch = scratch,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = reference,
};
