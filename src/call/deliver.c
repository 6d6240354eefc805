// Results on their way to where the caller wants them.
#include <string.h>

#include "host/values.h"
#include "plan/plan.h"

static cl_int completed_event(const clred_plan *plan, cl_event *event, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  if (!event)
    return CL_SUCCESS;
  cl_event made = clCreateUserEvent(plan->runtime->context, &err);
  if (err)
    return clr_fail_call(status, err, "clCreateUserEvent", "the event of a result that is there");
  err = clSetUserEventStatus(made, CL_COMPLETE);
  if (!err)
    *event = made;
  else
    clReleaseEvent(made);
  return err ? clr_fail_call(status, err, "clSetUserEventStatus", "the event of a result that is there") : CL_SUCCESS;
}

// Writes into the caller's buffer and waits until it is there.
static cl_int write_result(const struct clr_request *request, const struct clr_call *call, const void *result,
                           size_t size, struct clr_status *status) {
  cl_event written;
  cl_int err =
    clEnqueueWriteBuffer(request->queue, request->call.out, CL_TRUE, (size_t)request->call.out_offset * size, size,
                         result, call->last ? call->waits : 0, call->last ? call->wait_list : NULL, &written);
  if (err)
    return clr_fail_call(status, err, "clEnqueueWriteBuffer", "out");
  err = clWaitForEvents(1, &written);
  clReleaseEvent(written);
  return err ? clr_fail_call(status, err, "clWaitForEvents", "writing out") : CL_SUCCESS;
}

cl_int clr_deliver_from_host(const clred_plan *plan, const struct clr_request *request, const struct clr_call *call,
                             const void *state, struct clr_status *status) {
  union clr_room result;
  size_t size = plan->problem.operation.result_size;
  cl_int err = CL_SUCCESS;
  if (!plan->problem.scan && !plan->problem.histogram) {
    clr_state_lower(&plan->problem.operation, state, &result);
    if (request->call.result)
      memcpy(request->call.result, &result, size);
    else
      err = write_result(request, call, &result, size, status);
  }
  if (!err)
    err = clr_outcome_deliver_from_host(request, call, status);
  return err ? err : completed_event(plan, request->event, status);
}

cl_int clr_deliver_from_device(const clred_plan *plan, const struct clr_request *request, const struct clr_slot *slot,
                               const struct clr_call *call, cl_event *end, struct clr_status *status) {
  cl_int err;
  // Without an event to wait for, the reading itself waits.
  bool waits = request->call.blocking && !call->has_events;
  if (request->call.result && !clr_has_no_results(plan, &call->extent)) {
    err = clr_check_last(call, status);
    if (err)
      return err;
    err = clEnqueueReadBuffer(request->queue, slot->result, waits, 0,
                              plan->problem.operation.result_size * (size_t)clr_values_a_result(plan),
                              request->call.result, call->waits, call->wait_list, call->has_events ? end : NULL);
    return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the result") : CL_SUCCESS;
  }
  if (!call->has_events)
    return CL_SUCCESS;
  err = clRetainEvent(call->last);
  *end = err ? NULL : call->last;
  return err ? clr_fail_call(status, err, "clRetainEvent", "the call's event") : CL_SUCCESS;
}

cl_int clr_check_overflow(const clred_plan *plan, const void *result, cl_ulong count, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_uint overflow;
  if (!operation->detects)
    return CL_SUCCESS;
  memcpy(&overflow, (const unsigned char *)result + operation->parts[1].offset, sizeof overflow);
  return overflow ? clr_fail(status, CLRED_OVERFLOW, "%s of %llu elements of %s left the range of 64 bits",
                             operation->name, (unsigned long long)count, operation->element.name)
                  : CL_SUCCESS;
}
