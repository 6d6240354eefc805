// Delivers results to the caller. enqueue.c calls this.
#pragma once

#include "call/call.h"

// For work on the host: writes the result and the outcome to the memory or buffers of the call. `result` holds the
// result of a reduction. The call is complete on return.
cl_int clr_deliver_from_host(const clred_plan *plan, const struct clr_request *request, const struct clr_call *call,
                             const void *result, struct clr_status *status);

// For work on the device: enqueues reads of the result and the outcome into host memory, if the caller wants them
// there. `end` becomes the event of the last command.
cl_int clr_deliver_from_device(const clred_plan *plan, struct clr_call *call, cl_event *end, struct clr_status *status);

// True if the call waits until its outcome is complete.
bool clr_outcome_waits(const clred_plan *plan, const clred_call *call);

// Returns CLRED_INVALID_SEGMENTS if the outcome (complete) reports bad segments.
cl_int clr_outcome_judge(const clred_plan *plan, const clred_call *call, struct clr_status *status);
