#include "planning/trips.h"
#include "strategies/per_group.h"

static const struct clr_per_group rules = {.places = 2};
CLR_PER_GROUP_FUNCTIONS(rules)

const struct clr_strategy clr_strategy_atomic = {
  .name = "atomic",
  .sentence = "one partial a group, folded into the result by atomics in the order of arrival",
  .permutes = true,
  .finishes = CLR_FINISH_BIT(CLR_FINISH_ATOMIC),
  .finish = CLR_FINISH_ATOMIC,
  .local_states = 1,
  .scratch = scratch,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = reference,
};
