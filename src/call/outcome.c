// What only the device knows of a call, on its way to the caller.
#include "opencl/buffer_check.h"
#include "plan/plan.h"

cl_int clr_outcome_check(const clred_plan *plan, const clred_call *call, struct clr_status *status) {
  bool on_host = plan->strategy->team == CLR_TEAM_HOST;
  const cl_mem_flags host_reads = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
  const cl_mem_flags host_writes = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  const struct clr_range range = {
    "outcome_buffer",      call->outcome_buffer,
    call->outcome_offset,  1,
    sizeof(clred_outcome), CL_MEM_READ_ONLY | (call->outcome ? host_reads : 0) | (on_host ? host_writes : 0)};
  if (!plan->problem.outcome && (call->outcome || call->outcome_buffer))
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "%s: how many results this plan writes is known before; it has no outcome",
                    call->outcome ? "outcome" : "outcome_buffer");
  return call->outcome_buffer ? clr_check_range(&range, plan->runtime->context, status) : CL_SUCCESS;
}

struct clr_outcome_call clr_outcome_call_of(const clred_plan *plan, const clred_call *asked,
                                            const struct clr_slot *slot) {
  return (struct clr_outcome_call){
    .is_there = plan->problem.outcome != 0,
    .buffer = asked->outcome_buffer ? asked->outcome_buffer : slot->space.outcome,
    .index = asked->outcome_buffer ? asked->outcome_offset : 0,
    .fills = plan->runtime->facts.fills != 0,
  };
}

cl_int clr_outcome_deliver(const struct clr_request *request, const struct clr_call *call, cl_event *end,
                           struct clr_status *status) {
  cl_event read;
  if (!request->call.outcome)
    return CL_SUCCESS;
  cl_int err = clr_check_last(call, status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(request->queue, call->outcome.buffer, CL_FALSE,
                            (size_t)call->outcome.index * sizeof(clred_outcome), sizeof(clred_outcome),
                            request->call.outcome, call->chains ? 1 : 0, call->chains ? end : NULL, &read);
  if (err)
    return clr_fail_call(status, err, "clEnqueueReadBuffer", "the outcome");
  if (call->chains)
    clr_keep_event(call->kept, *end);
  else
    clReleaseEvent(*end);
  *end = read;
  return CL_SUCCESS;
}

cl_int clr_outcome_deliver_from_host(const struct clr_request *request, const struct clr_call *call,
                                     struct clr_status *status) {
  if (!call->outcome.is_there)
    return CL_SUCCESS;
  if (request->call.outcome)
    *request->call.outcome = call->outcome.made;
  if (!request->call.outcome_buffer)
    return CL_SUCCESS;
  cl_int err = clEnqueueWriteBuffer(request->queue, call->outcome.buffer, CL_TRUE,
                                    (size_t)call->outcome.index * sizeof(clred_outcome), sizeof(clred_outcome),
                                    &call->outcome.made, call->waits, call->wait_list, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueWriteBuffer", "outcome_buffer") : CL_SUCCESS;
}

bool clr_outcome_waits(const clred_plan *plan, const clred_call *call) {
  return call->blocking || plan->strategy->team == CLR_TEAM_HOST || plan->shape.finish == CLR_FINISH_HOST;
}

cl_int clr_outcome_judge(const clred_plan *plan, const struct clr_request *request, struct clr_status *status) {
  const clred_outcome *outcome = request->call.outcome;
  if (!outcome || !clr_outcome_waits(plan, &request->call) || !outcome->fault)
    return CL_SUCCESS;
  unsigned long long found = outcome->fault - 1;
  // Offsets that we found ourselves are right.
  if (plan->problem.layout != CLRED_LAYOUT_SEGMENTS)
    return clr_fail(status, CLRED_INVALID_SEGMENTS,
                    "rows: there is room for %llu runs, but %llu were found; those behind were not written", found,
                    (unsigned long long)outcome->count);
  return clr_fail(status, CLRED_INVALID_SEGMENTS,
                  "segments: offset number %llu is smaller than the one before it, or beyond the %llu elements (the "
                  "first is number 0)",
                  found, (unsigned long long)request->call.count);
}
