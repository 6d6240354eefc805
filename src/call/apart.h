// Ranges of a call that must not overlap.
#ifndef CLR_API_APART_H
#define CLR_API_APART_H

#include "opencl/buffer_check.h"
#include "plan/plan.h"

// That `out` overlaps none of the operator's further inputs.
cl_int clr_check_inputs_apart(const clred_plan *plan, const clred_call *call, const struct clr_range *out,
                              cl_ulong reach, struct clr_status *status);

#endif
