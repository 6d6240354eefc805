#include "planning/trips.h"
#include "strategies/per_group.h"

static const struct clr_per_group rules = {.doubling = true, .places = 2};
CLR_PER_GROUP_FUNCTIONS(rules)

const struct clr_strategy clr_strategy_local_interleaved = {
  .name = "local_interleaved",
  .sentence = "a tree in local memory, stride doubling over neighbours: divergent, the naive mapping",
  .permutes = false,
  .finishes = CLR_ALL_FINISHES,
  .finish = CLR_FINISH_RELAUNCH,
  .local_states = 2,
  .scratch = scratch,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = reference,
};
