// Enqueues a call: takes a slot, waits for the slot's previous call, runs the passes, delivers the result and the
// outcome, and returns the event.
#include <string.h>

#include "call/check.h"
#include "host/values.h"
#include "opencl/launch.h"

// The events that the first pass waits for: the caller's, and the end of the call that still uses the slot. If there
// are both, one marker stands for the caller's list: a list of all events would have to be allocated.
struct gathered {
  cl_event events[2];
  cl_event marker;
};

// Gives the slot's last call an event if it has none. A call on another queue waits for this event.
static cl_int mark(struct clr_slot *slot, struct clr_status *status) {
  if (!slot->unmarked)
    return CL_SUCCESS;
  cl_int err = clEnqueueMarkerWithWaitList(slot->queue, 0, NULL, &slot->pending);
  slot->unmarked = err != CL_SUCCESS;
  return err ? clr_fail_call(status, err, "clEnqueueMarkerWithWaitList", "the call before, on another queue")
             : CL_SUCCESS;
}

static cl_int gather_waits(const struct clr_request *request, struct clr_slot *slot, struct clr_call *call,
                           struct gathered *gathered, struct clr_status *status) {
  call->waits = request->waits;
  call->wait_list = request->wait_list;
  if (call->in_order && slot->queue == request->queue)
    return CL_SUCCESS;
  cl_int err = mark(slot, status);
  if (!err && slot->pending)
    err = clr_check_event(slot->pending, "the call before", status);
  if (err || !slot->pending)
    return err;
  // If the other queue is never flushed, this call waits forever.
  if (slot->queue && slot->queue != request->queue)
    err = clFlush(slot->queue);
  if (err)
    return clr_fail_call(status, err, "clFlush", "the call before, on another queue");
  if (request->waits)
    err = clEnqueueMarkerWithWaitList(request->queue, request->waits, request->wait_list, &gathered->marker);
  gathered->events[0] = slot->pending;
  gathered->events[1] = gathered->marker;
  call->waits = gathered->marker ? 2 : 1;
  call->wait_list = gathered->events;
  return err ? clr_fail_call(status, err, "clEnqueueMarkerWithWaitList", "the call before") : CL_SUCCESS;
}

// --- The passes ---

// With some drivers an event costs more than a launch. Calls in one in-order queue do not need events.
static bool needs_events(const clred_plan *plan, const struct clr_request *request, bool in_order) {
  const struct clr_problem *problem = &plan->problem;
  return !in_order || request->waits || request->event || problem->profile || problem->outcome || plan->runs ||
         problem->in_flight > 1;
}

// If the plan needs another plan that finds the runs, enqueues that plan before the passes of this plan.
static cl_int find_runs(const clred_plan *plan, struct clr_call *call, struct clr_status *status) {
  cl_event found = NULL, first = NULL;
  const struct clr_request request = {
    .purpose = CLR_FOR_SELECTIONS,
    .queue = call->queue,
    .call = {.in = call->asked->segments,
             .in_offset = call->asked->segments_offset,
             .count = call->asked->count,
             .stride = 1,
             .out = call->workspace->offsets,
             .outcome_buffer = call->workspace->run_count},
    .waits = call->waits,
    .wait_list = call->wait_list,
    .event = &found,
    .first = &first,
  };
  if (!plan->runs)
    return CL_SUCCESS;
  cl_int err = clr_enqueue(plan->runs, &request, status);
  if (!err)
    clr_call_continue(call, first, found);
  return err;
}

// --- Results and outcomes ---

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

// For work on the host: writes the result and the outcome to the memory or buffers of the call. `result` holds the
// result of a reduction. The call is complete on return.
static cl_int deliver_from_host(const clred_plan *plan, const struct clr_request *request, const struct clr_call *call,
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

// For work on the device: enqueues reads of the result and the outcome into host memory, if the caller wants them
// there. `end` becomes the event of the last command.
static cl_int deliver_from_device(const clred_plan *plan, struct clr_call *call, cl_event *end,
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

// True if the call waits until its outcome is complete.
static bool waits_for_outcome(const clred_plan *plan, const clred_call *call) {
  return call->blocking || plan->strategy->exec == CLR_EXEC_HOST || plan->shape.finish == CLR_FINISH_HOST;
}

// Returns CLRED_INVALID_SEGMENTS if the outcome (complete) reports bad segments.
static cl_int judge_outcome(const clred_plan *plan, const clred_call *call, struct clr_status *status) {
  const clred_outcome *outcome = call->outcome;
  if (!outcome || !waits_for_outcome(plan, call) || !outcome->fault)
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

// --- A slot ---

// Runs all passes in a slot. `end` becomes the event of the result. After a failure, it becomes the event of the last
// command. `end` is NULL if there is nothing to wait for.
static cl_int run(const clred_plan *plan, const struct clr_request *request, struct clr_slot *slot,
                  struct clr_call *call, cl_event *end, struct clr_status *status) {
  union clr_room result;
  struct gathered gathered = {{NULL, NULL}, NULL};
  bool on_host = false;
  cl_int err = clr_queue_is_in_order(request->queue, &call->in_order, status);
  call->has_events = needs_events(plan, request, call->in_order);
  if (!err)
    err = gather_waits(request, slot, call, &gathered, status);
  call->chains = !call->in_order || call->waits;
  call->has_events |= call->chains;
  if (!err)
    err = find_runs(plan, call, status);
  if (!err)
    err = clr_run_passes(call, &result, &on_host, status);
  if (!err && on_host)
    err = deliver_from_host(plan, request, call, &result, status);
  else if (!err)
    err = deliver_from_device(plan, call, end, status);
  if (err && !*end && call->last && !clRetainEvent(call->last))
    *end = call->last;
  clr_keep_event(&slot->space.kept, gathered.marker);
  // The wait list is in `gathered`, a variable of this function, so the call must not keep it.
  call->waits = 0;
  call->wait_list = NULL;
  return err;
}

// --- The call ---

// True if the caller has the result when the call returns.
static bool has_result(const clred_plan *plan, const clred_call *call) {
  bool on_host = plan->strategy->exec == CLR_EXEC_HOST || plan->shape.finish == CLR_FINISH_HOST;
  return call->result && (call->blocking || on_host);
}

// Passes the event of the result to the caller, and waits for it if the call blocks.
static cl_int finish_call(const clred_plan *plan, const struct clr_request *request, cl_event end,
                          struct clr_status *status) {
  const clred_call *call = &request->call;
  bool waits = call->outcome ? waits_for_outcome(plan, call) : call->blocking && call->result;
  cl_int err = waits ? clWaitForEvents(1, &end) : CL_SUCCESS;
  if (err)
    return clr_fail_call(status, err, "clWaitForEvents", "the result");
  if (!request->event)
    return CL_SUCCESS;
  err = clRetainEvent(end);
  if (err)
    return clr_fail_call(status, err, "clRetainEvent", "the call's event");
  *request->event = end;
  return CL_SUCCESS;
}

cl_int clr_enqueue_nothing(const struct clr_request *request, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  if (request->event)
    err = clEnqueueMarkerWithWaitList(request->queue, request->waits, request->wait_list, request->event);
  return err ? clr_fail_call(status, err, "clEnqueueMarkerWithWaitList", "a call without results") : CL_SUCCESS;
}

// The inputs of a histogram's kernels: the plan's edges, then the inputs of the call.
struct with_edges {
  cl_mem inputs[1 + CLR_INPUTS_MAX];
  cl_ulong offsets[1 + CLR_INPUTS_MAX];
};

// `with` must live as long as the operands.
static struct clr_operands operands_of(const clred_plan *plan, const clred_call *asked, struct with_edges *with) {
  const struct clr_operation *operation = &plan->problem.operation;
  struct clr_operands operands = {.input_count = operation->input_count,
                                  .inputs = asked->inputs,
                                  .input_offsets = asked->input_offsets,
                                  .parameter_count = operation->parameter_count,
                                  .parameter_sizes = operation->parameter_sizes,
                                  .parameters = asked->parameters};
  if (!plan->problem.histogram || plan->strategy->exec == CLR_EXEC_HOST)
    return operands;
  operands = plan->histogram.operands;
  with->inputs[0] = operands.inputs[0];
  for (size_t i = 0; i < operation->input_count && asked->inputs; i++) {
    with->inputs[i + 1] = asked->inputs[i];
    with->offsets[i + 1] = asked->input_offsets ? asked->input_offsets[i] : 0;
  }
  operands.input_count += operation->input_count;
  operands.inputs = with->inputs;
  operands.input_offsets = with->offsets;
  return operands;
}

static struct clr_call make_call(const clred_plan *plan, const struct clr_request *request, struct clr_slot *slot,
                                 const struct clr_extent *extent, struct with_edges *with) {
  const clred_call *asked = &request->call;
  return (struct clr_call){
    .asked = asked,
    .problem = &plan->problem,
    .strategy = plan->strategy,
    .shape = &plan->shape,
    .workspace = &slot->space,
    .queue = request->queue,
    .mapping = &plan->runtime->mapping,
    .extent = *extent,
    .out = asked->result ? slot->space.result : asked->out,
    .out_offset = asked->result ? 0 : asked->out_offset,
    .out_stride = clr_out_stride(plan, asked),
    .in_place = plan->problem.in_place && asked->in == asked->out,
    .first_index = request->first_index,
    .operands = operands_of(plan, asked, with),
    .outcome = asked->outcome_buffer ? asked->outcome_buffer : slot->space.outcome,
    .outcome_offset = asked->outcome_buffer ? asked->outcome_offset : 0,
    .fills = plan->runtime->facts.fills != 0,
    .keep_first = plan->problem.profile,
  };
}

cl_int clr_enqueue(clred_plan *plan, const struct clr_request *request, struct clr_status *status) {
  struct clr_extent extent = clr_extent_of(plan, &request->call);
  cl_int err = clr_plan_check_program(plan, status);
  if (!err)
    err = clr_check_request(plan, request, &extent, status);
  if (err)
    return err;
  if (clr_writes_nothing(&plan->problem, plan->strategy, &extent) && !plan->problem.outcome)
    return clr_enqueue_nothing(request, status);
  struct clr_slot *slot = clr_slot_acquire(plan);
  cl_event end = NULL;
  struct with_edges with = {{NULL}, {0}};
  struct clr_call call = make_call(plan, request, slot, &extent, &with);
  err = run(plan, request, slot, &call, &end, status);
  cl_event mine = !err && end && !clRetainEvent(end) ? end : NULL;
  if (!err && request->first && call.first && !clRetainEvent(call.first))
    *request->first = call.first;
  clr_slot_release(plan, slot, &call, end, !err, request->warms);
  if (mine) {
    err = finish_call(plan, request, mine, status);
    clReleaseEvent(mine);
  }
  // A blocking call that fails returns after all its commands have finished, so that the caller may free its memory.
  if (err && call.is_enqueued && request->call.blocking)
    clFinish(request->queue);
  if (!err)
    err = judge_outcome(plan, &request->call, status);
  if (err || !has_result(plan, &request->call))
    return err;
  return clr_check_overflow(plan, request->call.result, request->call.count, status);
}
