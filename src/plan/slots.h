// The slots of a plan. Each provides memory and kernels for one call at a time.
#pragma once

#include "plan/plan.h"

cl_int clr_slots_create(clred_plan *plan, struct clr_status *status);
void clr_slots_release(clred_plan *plan);

// Makes a slot with scratch for `states` states. Discard it also after a failure.
cl_int clr_slot_make(const clred_plan *plan, cl_ulong states, struct clr_slot *slot, struct clr_status *status);
void clr_slot_discard(struct clr_slot *slot);

// Acquires a slot for the next call; the slot is busy until it is released. Prefers a free slot. Otherwise the next
// call must wait on the device for the slot's latest call. Blocks only while threads are busy with all slots.
struct clr_slot *clr_slot_acquire(clred_plan *plan);

// Releases the slot. The slot's next call waits for `end`, if this call enqueued commands. If the plan profiles, the
// slot keeps the call's first and last launch. Takes ownership of these events. With `warms` the call does not become
// the plan's latest call.
void clr_slot_release(clred_plan *plan, struct clr_slot *slot, struct clr_call *call, cl_event end, bool succeeded,
                      bool warms);

// Copies the edges of a histogram to the device, once, and fills in the numbers that its kernels get. Does nothing for
// other plans.
cl_int clr_histogram_make_arguments(clred_plan *plan, struct clr_status *status);
void clr_histogram_release_arguments(clred_plan *plan);

// Returns the values of one result: a histogram has one for each bin.
static inline cl_ulong clr_values_per_result(const struct clr_problem *problem) {
  return problem->histogram ? problem->histogram->bins : 1;
}
