// Results on their way to the caller.
#ifndef CLR_CALL_DELIVER_H
#define CLR_CALL_DELIVER_H

#include "call/call.h"

// The host made the result (of a reduction: `result`): writes it, and the outcome, to the places that the caller named.
// The call is complete on return.
cl_int clr_deliver_from_host(const clred_plan *plan, const struct clr_request *request, const struct clr_call *call,
                             const void *result, struct clr_status *status);

// The device makes the result: enqueues reading it, and the outcome, into host memory if the caller wants that. `end`
// becomes the event of the last command.
cl_int clr_deliver_from_device(const clred_plan *plan, struct clr_call *call, cl_event *end, struct clr_status *status);

// Whether the call returns with its outcome complete.
bool clr_outcome_waits(const clred_plan *plan, const clred_call *call);

// CLRED_INVALID_SEGMENTS if the outcome, which is complete, has a fault.
cl_int clr_outcome_judge(const clred_plan *plan, const clred_call *call, struct clr_status *status);

#endif
