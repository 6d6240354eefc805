// Which strategies may run on a device: it must do right what they need.
#include "planning/strategy.h"

static cl_ulong place_of(const struct clr_strategy *strategy) {
  size_t place = 0;
  while (clr_strategy_at(place) != strategy)
    place++;
  return place;
}

cl_ulong clr_strategy_bit(const struct clr_strategy *strategy) {
  return (cl_ulong)1 << place_of(strategy);
}

// Polling for another group's result takes more turns than a device with a small bound allows.
static bool may_wait(const struct clr_facts *facts) {
  const cl_ulong enough = (cl_ulong)1 << 24;
  return !facts->loop_trips || facts->loop_trips >= enough;
}

bool clr_strategy_is_trusted(const struct clr_strategy *strategy, const struct clr_facts *facts) {
  return !(facts->avoided & clr_strategy_bit(strategy)) &&
         (facts->atomics || !(strategy->requires & CLR_REQUIRES_ATOMICS)) &&
         (facts->local_atomics || !(strategy->requires & CLR_REQUIRES_LOCAL_ATOMICS)) &&
         (may_wait(facts) || !(strategy->requires & CLR_REQUIRES_WAITING));
}

cl_int clr_strategy_check_trust(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                struct clr_status *status) {
  if (clr_strategy_is_trusted(strategy, facts))
    return CL_SUCCESS;
  if (facts->avoided & clr_strategy_bit(strategy))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s gave wrong results on this device when that was probed (fact avoided)", strategy->name);
  if (!facts->atomics && strategy->requires & CLR_REQUIRES_ATOMICS)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s relies on atomics, which are not right here (fact atomics is 0)", strategy->name);
  if (!facts->local_atomics && strategy->requires & CLR_REQUIRES_LOCAL_ATOMICS)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s relies on atomics in local memory, which are not right here (fact local_atomics is 0)",
                    strategy->name);
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "%s waits for other groups in loops, which end here after %llu turns (fact loop_trips)",
                  strategy->name, (unsigned long long)facts->loop_trips);
}

cl_int clr_finish_check_trust(enum clr_finish finish, const struct clr_facts *facts, struct clr_status *status) {
  if (facts->atomics || (finish != CLR_FINISH_LAST_GROUP && finish != CLR_FINISH_ATOMIC))
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "finish %s relies on atomics, which are not right here (fact atomics is 0)", clr_finish_name(finish));
}
