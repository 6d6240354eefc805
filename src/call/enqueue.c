// Enqueues a call: takes a slot, waits for the slot's previous call, runs the passes, and returns the result's event.
#include "call/check.h"
#include "call/deliver.h"
#include "host/values.h"
#include "opencl/launch.h"
#include "plan/slots.h"

cl_int clr_queue_is_in_order(cl_command_queue queue, bool *in_order, struct clr_status *status) {
  cl_command_queue_properties properties = 0;
  cl_int err = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  *in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return err ? clr_fail_call(status, err, "clGetCommandQueueInfo", "queue") : CL_SUCCESS;
}

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
    err = clr_deliver_from_host(plan, request, call, &result, status);
  else if (!err)
    err = clr_deliver_from_device(plan, call, end, status);
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
  bool waits = call->outcome ? clr_outcome_waits(plan, call) : call->blocking && call->result;
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

static struct clr_operands operands_of(const clred_plan *plan, const clred_call *asked) {
  const struct clr_operation *operation = &plan->problem.operation;
  if (plan->problem.histogram)
    return plan->histogram.operands;
  return (struct clr_operands){.input_count = operation->input_count,
                               .inputs = asked->inputs,
                               .input_offsets = asked->input_offsets,
                               .parameter_count = operation->parameter_count,
                               .parameter_sizes = operation->parameter_sizes,
                               .parameters = asked->parameters};
}

static struct clr_call make_call(const clred_plan *plan, const struct clr_request *request, struct clr_slot *slot,
                                 const struct clr_extent *extent) {
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
    .operands = operands_of(plan, asked),
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
  struct clr_call call = make_call(plan, request, slot, &extent);
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
    err = clr_outcome_judge(plan, &request->call, status);
  if (err || !has_result(plan, &request->call))
    return err;
  return clr_check_overflow(plan, request->call.result, request->call.count, status);
}
