// What a call over segments has beside that over rows.
#ifndef CLR_API_SEGMENTS_CALL_H
#define CLR_API_SEGMENTS_CALL_H

#include "opencl/buffer_check.h"
#include "plan/plan.h"

// Runs by flags or keys need to know how many elements there are at most.
cl_int clr_segments_check_bound(const struct clr_problem *problem, const struct clr_facts *facts,
                                struct clr_status *status);

// Of runs by flags or keys, the plan that finds them.
cl_int clr_segments_prepare(clred_plan *plan, struct clr_status *status);

// That offsets, flags or keys are there, and apart from the results.
cl_int clr_segments_check(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent,
                          struct clr_status *status);
cl_int clr_segments_check_apart(const clred_plan *plan, const clred_call *call, const struct clr_range *out,
                                struct clr_status *status);

struct clr_segments_call clr_segments_call_of(const clred_plan *plan, const clred_call *asked,
                                              const struct clr_slot *slot);

// Enqueues what finds the runs, if they are to be found.
cl_int clr_segments_find_runs(const clred_plan *plan, const struct clr_request *request, const struct clr_slot *slot,
                              struct clr_call *call, struct clr_status *status);

#endif
