// Delivers results to the caller: enqueues reads into host memory and completes events. enqueue.c calls this.
#include "call/deliver.h"

#include <string.h>

#include "opencl/launch.h"
#include "plan/slots.h"

// Creates an event that is already complete.
static cl_int complete_event(const clred_plan *plan, cl_event *event, struct clr_status *status) {
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

// Writes into the caller's buffer and waits until it is written.
static cl_int write_result(const struct clr_call *call, const void *result, struct clr_status *status) {
  cl_event written;
  size_t size = call->problem->operation.result_size;
  cl_int err = clEnqueueWriteBuffer(call->queue, call->out, CL_TRUE, (size_t)call->out_offset * size, size, result,
                                    call->last ? call->waits : 0, call->last ? call->wait_list : NULL, &written);
  if (err)
    return clr_fail_call(status, err, "clEnqueueWriteBuffer", "out");
  return clr_finish_event(&written, "writing out", status);
}

static cl_int write_outcome(const struct clr_call *call, struct clr_status *status) {
  if (!call->problem->outcome)
    return CL_SUCCESS;
  if (call->asked->outcome)
    *call->asked->outcome = call->found;
  if (!call->asked->outcome_buffer)
    return CL_SUCCESS;
  cl_int err =
    clEnqueueWriteBuffer(call->queue, call->outcome, CL_TRUE, (size_t)call->outcome_offset * sizeof(clred_outcome),
                         sizeof(clred_outcome), &call->found, call->waits, call->wait_list, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueWriteBuffer", "outcome_buffer") : CL_SUCCESS;
}

cl_int clr_deliver_from_host(const clred_plan *plan, const struct clr_request *request, const struct clr_call *call,
                             const void *result, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  bool has_result = !plan->problem.scan && !plan->problem.histogram;
  if (has_result && call->asked->result)
    memcpy(call->asked->result, result, plan->problem.operation.result_size);
  else if (has_result)
    err = write_result(call, result, status);
  if (!err)
    err = write_outcome(call, status);
  return err ? err : complete_event(plan, request->event, status);
}

static cl_int read_result(const struct clr_call *call, cl_event *end, struct clr_status *status) {
  const struct clr_problem *problem = call->problem;
  // A blocking call without events waits in the read itself.
  bool blocks = call->asked->blocking && !call->has_events;
  cl_int err = clr_check_last(call, status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(call->queue, call->workspace->result, blocks, 0,
                            problem->operation.result_size * (size_t)clr_values_per_result(problem),
                            call->asked->result, call->waits, call->wait_list, call->has_events ? end : NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the result") : CL_SUCCESS;
}

// Enqueues the read after `end`, which becomes the event of the read.
static cl_int read_outcome(struct clr_call *call, cl_event *end, struct clr_status *status) {
  cl_event read;
  if (!call->asked->outcome)
    return CL_SUCCESS;
  cl_int err = clr_check_last(call, status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(call->queue, call->outcome, CL_FALSE, (size_t)call->outcome_offset * sizeof(clred_outcome),
                            sizeof(clred_outcome), call->asked->outcome, call->chains ? 1 : 0,
                            call->chains ? end : NULL, &read);
  if (err)
    return clr_fail_call(status, err, "clEnqueueReadBuffer", "the outcome");
  if (call->chains)
    clr_keep_event(&call->workspace->kept, *end);
  else
    clReleaseEvent(*end);
  *end = read;
  return CL_SUCCESS;
}

cl_int clr_deliver_from_device(const clred_plan *plan, struct clr_call *call, cl_event *end,
                               struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  if (call->asked->result && !clr_writes_nothing(&plan->problem, plan->strategy, &call->extent)) {
    err = read_result(call, end, status);
  } else if (call->has_events) {
    err = clRetainEvent(call->last);
    *end = err ? NULL : call->last;
    if (err)
      clr_fail_call(status, err, "clRetainEvent", "the call's event");
  }
  return err ? err : read_outcome(call, end, status);
}

bool clr_outcome_waits(const clred_plan *plan, const clred_call *call) {
  return call->blocking || plan->strategy->exec == CLR_EXEC_HOST || plan->shape.finish == CLR_FINISH_HOST;
}

cl_int clr_outcome_judge(const clred_plan *plan, const clred_call *call, struct clr_status *status) {
  const clred_outcome *outcome = call->outcome;
  if (!outcome || !clr_outcome_waits(plan, call) || !outcome->fault)
    return CL_SUCCESS;
  unsigned long long found = outcome->fault - 1;
  // Offsets of runs come from the library, so they are always valid.
  if (plan->problem.layout != CLRED_LAYOUT_SEGMENTS)
    return clr_fail(status, CLRED_INVALID_SEGMENTS,
                    "rows: there is room for %llu runs, but %llu were found; those behind were not written", found,
                    (unsigned long long)outcome->count);
  return clr_fail(status, CLRED_INVALID_SEGMENTS,
                  "segments: offset number %llu is smaller than the one before it, or beyond the %llu elements (the "
                  "first is number 0)",
                  found, (unsigned long long)call->count);
}

// All operators of a plan that detects overflow give two parts: the value, and whether it overflowed.
cl_int clr_check_overflow(const clred_plan *plan, const void *result, cl_ulong count, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  const struct clr_op_list *several = operation->several;
  cl_uint overflow;
  for (size_t i = 1; operation->detects && i < operation->part_count; i += 2) {
    memcpy(&overflow, (const unsigned char *)result + operation->parts[i].offset, sizeof overflow);
    if (overflow)
      return clr_fail(status, CLRED_OVERFLOW, "%s of %llu elements of %s does not fit the type of its result",
                      several ? several->listed[i / 2].operation.name : operation->name, (unsigned long long)count,
                      operation->element.name);
  }
  return CL_SUCCESS;
}
