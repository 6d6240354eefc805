#include <string.h>

#include "api/plan.h"
#include "host/values.h"
#include "opencl/buffer_check.h"
#include "opencl/host_work.h"

static cl_int check(const clred_plan *plan, const struct clr_request *request, struct clr_status *status)
{
  const clred_runtime *runtime = plan->runtime;
  const struct clr_operation *operation = &plan->problem.operation;
  if (request->count > plan->shape.count_max)
    return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count %llu is above the plan's count_max %llu",
                    (unsigned long long)request->count, (unsigned long long)plan->shape.count_max);
  cl_int err = clr_check_queue(request->queue, runtime->context, runtime->device, status);
  if (!err && (request->in || request->count))
    err = clr_check_buffer("in", request->in, runtime->context, request->in_offset, request->count,
                           operation->element->size, status);
  if (!err && !request->result)
    err = clr_check_buffer("out", request->out, runtime->context, request->out_offset, 1, operation->state->size,
                           status);
  if (!err)
    err = clr_check_events(request->waits, request->wait_list, runtime->context, status);
  return err;
}

static cl_int is_in_order(cl_command_queue queue, bool *in_order, struct clr_status *status)
{
  cl_command_queue_properties properties = 0;
  cl_int err = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  *in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return err ? clr_fail_call(status, err, "clGetCommandQueueInfo", "queue") : CL_SUCCESS;
}

// What the first pass waits for: the caller's events, and the call that still has the slot. A marker stands for the
// former where both are there, because a list of them all would take memory.
struct gathered {
  cl_event events[2];
  cl_event marker;
};

static cl_int gather_waits(const struct clr_request *request, const struct clr_slot *slot, struct clr_call *call,
                           struct gathered *gathered, struct clr_status *status)
{
  bool ordered_behind = call->in_order && slot->queue == request->queue;
  call->waits = request->waits;
  call->wait_list = request->wait_list;
  if (!slot->pending || ordered_behind)
    return CL_SUCCESS;
  if (request->waits) {
    cl_int err = clEnqueueMarkerWithWaitList(request->queue, request->waits, request->wait_list, &gathered->marker);
    if (err)
      return clr_fail_call(status, err, "clEnqueueMarkerWithWaitList", "event_wait_list");
  }
  gathered->events[0] = slot->pending;
  gathered->events[1] = gathered->marker;
  call->waits = gathered->marker ? 2 : 1;
  call->wait_list = gathered->events;
  return CL_SUCCESS;
}

static cl_int run_pass(const clred_plan *plan, struct clr_slot *slot, struct clr_call *call, const struct clr_pass *pass,
                       void *state, struct clr_status *status)
{
  const struct clr_operation *operation = &plan->problem.operation;
  if (pass->kind == CLR_PASS_LAUNCH)
    return clr_launch(call, pass, status);
  if (pass->kind == CLR_PASS_FOLD_ON_HOST)
    return clr_fold_on_host(call, pass, operation, slot->host_partials, state, status);
  return clr_walk_on_host(call, pass, operation, state, status);
}

static cl_int run_passes(const clred_plan *plan, const struct clr_request *request, struct clr_slot *slot,
                         struct clr_call *call, bool *on_host, void *state, struct clr_status *status)
{
  struct clr_pass pass;
  cl_int err = CL_SUCCESS;
  *on_host = false;
  for (unsigned i = 0; !err && clr_strategy_pass(plan->strategy, &plan->shape, request->count, i, &pass); i++) {
    err = run_pass(plan, slot, call, &pass, state, status);
    *on_host = pass.kind != CLR_PASS_LAUNCH;
  }
  return err;
}

static cl_int completed_event(const clred_plan *plan, cl_event *event, struct clr_status *status)
{
  cl_int err = CL_SUCCESS;
  if (!event)
    return CL_SUCCESS;
  *event = clCreateUserEvent(plan->runtime->context, &err);
  if (!err)
    err = clSetUserEventStatus(*event, CL_COMPLETE);
  return err ? clr_fail_call(status, err, "clCreateUserEvent", "the event of a result that is there") : CL_SUCCESS;
}

// A result the host computed goes where the caller wants it; the call is over on return.
static cl_int deliver_from_host(const clred_plan *plan, const struct clr_request *request, const struct clr_call *call,
                                const void *state, struct clr_status *status)
{
  _Alignas(16) unsigned char result[CLR_STATE_SIZE_MAX];
  size_t size = plan->problem.operation.state->size;
  plan->problem.operation.host->lower(state, result);
  if (request->result) {
    memcpy(request->result, result, size);
    return completed_event(plan, request->event, status);
  }
  cl_int err = clEnqueueWriteBuffer(request->queue, request->out, CL_TRUE, (size_t)request->out_offset * size, size,
                                    result, call->last ? call->waits : 0, call->last ? call->wait_list : NULL,
                                    request->event);
  return err ? clr_fail_call(status, err, "clEnqueueWriteBuffer", "out") : CL_SUCCESS;
}

static cl_int hand_out(cl_event from, cl_event *to, struct clr_status *status)
{
  cl_int err = to ? clRetainEvent(from) : CL_SUCCESS;
  if (to && !err)
    *to = from;
  return err ? clr_fail_call(status, err, "clRetainEvent", "the call's event") : CL_SUCCESS;
}

// A result on the device is read back if the caller wants it in host memory. `pending` is what the slot is busy until.
static cl_int deliver_from_device(const clred_plan *plan, const struct clr_request *request, const struct clr_slot *slot,
                                  const struct clr_call *call, cl_event *pending, struct clr_status *status)
{
  cl_event end = call->last;
  if (!request->result) {
    cl_int err = clRetainEvent(end);
    *pending = err ? NULL : end;
    return err ? clr_fail_call(status, err, "clRetainEvent", "the call's event") : hand_out(end, request->event, status);
  }
  cl_int err = clEnqueueReadBuffer(request->queue, slot->result, request->blocking, 0,
                                   plan->problem.operation.state->size, request->result, call->waits, call->wait_list,
                                   &end);
  if (err)
    return clr_fail_call(status, err, "clEnqueueReadBuffer", "the result");
  err = hand_out(end, request->event, status);
  if (request->blocking)
    clReleaseEvent(end);
  else
    *pending = end;
  return err;
}

// Takes over the call's events: what clred_plan_seconds needs stays with the slot.
static void settle(const clred_plan *plan, const struct clr_request *request, struct clr_slot *slot,
                   struct clr_call *call, cl_event pending)
{
  if (slot->pending)
    clReleaseEvent(slot->pending);
  slot->pending = pending;
  slot->queue = request->queue;
  if (!plan->problem.profile)
    clr_call_release(call);
  slot->first = call->first;
  slot->last = call->last;
}

static cl_int run(clred_plan *plan, const struct clr_request *request, struct clr_slot *slot, struct clr_status *status)
{
  _Alignas(16) unsigned char state[CLR_STATE_SIZE_MAX];
  struct gathered gathered = {{NULL, NULL}, NULL};
  cl_event pending = NULL;
  bool on_host = false;
  struct clr_call call = {
    .queue = request->queue,
    .workspace = &slot->space,
    .in = request->in,
    .out = request->result ? slot->result : request->out,
    .in_offset = request->in_offset,
    .out_offset = request->result ? 0 : request->out_offset,
    .keep_first = plan->problem.profile,
  };
  cl_int err = is_in_order(request->queue, &call.in_order, status);
  if (!err)
    err = gather_waits(request, slot, &call, &gathered, status);
  if (!err)
    err = run_passes(plan, request, slot, &call, &on_host, state, status);
  if (!err && on_host)
    err = deliver_from_host(plan, request, &call, state, status);
  else if (!err)
    err = deliver_from_device(plan, request, slot, &call, &pending, status);
  if (gathered.marker)
    clReleaseEvent(gathered.marker);
  // After a failure half-way the slot must not be used again before what was enqueued is over.
  if (err && call.last)
    clFinish(request->queue);
  settle(plan, request, slot, &call, pending);
  return err;
}

cl_int clr_enqueue(clred_plan *plan, const struct clr_request *request, struct clr_status *status)
{
  cl_int err = check(plan, request, status);
  if (err)
    return err;
  mtx_lock(&plan->lock);
  err = run(plan, request, clr_slot_take(plan), status);
  plan->launched |= !err;
  mtx_unlock(&plan->lock);
  return err;
}

static cl_int enqueue(clred_plan *plan, const struct clr_request *request)
{
  struct clr_status status = {0};
  cl_int err = clr_enqueue(plan, request, &status);
  return err ? clr_runtime_fail(plan->runtime, &status) : CL_SUCCESS;
}

cl_int clred_enqueue_reduce(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                            cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event)
{
  const struct clr_request request = {
    .queue = queue, .in = in, .out = out, .in_offset = in_offset, .out_offset = out_offset, .count = count,
    .waits = num_events_in_wait_list, .wait_list = event_wait_list, .event = event,
  };
  return plan ? enqueue(plan, &request) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_enqueue_reduce_read(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_bool blocking,
                                 cl_ulong in_offset, cl_ulong count, void *result, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event)
{
  const struct clr_request request = {
    .queue = queue, .in = in, .in_offset = in_offset, .count = count, .result = result, .blocking = blocking,
    .waits = num_events_in_wait_list, .wait_list = event_wait_list, .event = event,
  };
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  if (result)
    return enqueue(plan, &request);
  clr_fail(&status, CLRED_INVALID_ARGUMENT, "result is NULL");
  return clr_runtime_fail(plan->runtime, &status);
}
