// The slots of a plan: each lends its memory and kernels to one call at a time.
#ifndef CLR_PLAN_SLOTS_H
#define CLR_PLAN_SLOTS_H

#include "plan/plan.h"

cl_int clr_slots_create(clred_plan *plan, struct clr_status *status);
void clr_slots_release(clred_plan *plan);

// One slot with room for so many states. Release it also after a failure.
cl_int clr_slot_make(const clred_plan *plan, cl_ulong states, struct clr_slot *slot, struct clr_status *status);
void clr_slot_release(struct clr_slot *slot);

// A slot for the next call, busy until it is given back: a free one if there is any, otherwise one whose latest call
// the next one must wait for on the device. Blocks only while threads are busy with all of them.
struct clr_slot *clr_slot_take(clred_plan *plan);

// Gives the slot back. If the call enqueued anything, `end` (taken over) is what the slot's next call waits for. The
// call's first and last launch (taken over) are kept if the plan profiles.
// A call that `warms` is not kept as the plan's latest.
void clr_slot_give(clred_plan *plan, struct clr_slot *slot, struct clr_call *call, cl_event end, bool succeeded,
                   bool warms);

// Copies the edges of a histogram to the device, once; does nothing for other plans.
cl_int clr_histogram_make_arguments(clred_plan *plan, struct clr_status *status);
void clr_histogram_release_arguments(clred_plan *plan);

// Values of one result: a histogram has one for each bin.
static inline cl_ulong clr_values_a_result(const struct clr_problem *problem) {
  return problem->histogram ? problem->histogram->bins : 1;
}

#endif
