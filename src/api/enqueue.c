// The public calls that enqueue a plan's work.
#include "call/call.h"

// A call needs `argument`, which has this name.
static cl_int check_and_enqueue(clred_plan *plan, const void *argument, const char *name,
                                const struct clr_request *request) {
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(argument, name, &status);
  if (!err)
    err = clr_enqueue(plan, request, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

static cl_int enqueue(clred_plan *plan, const struct clr_request *request) {
  return check_and_enqueue(plan, plan, "plan", request);
}

cl_int clred_enqueue(cl_command_queue queue, clred_plan *plan, const clred_call *call, cl_uint num_events_in_wait_list,
                     const cl_event *event_wait_list, cl_event *event) {
  const struct clr_request request = {
    .queue = queue,
    .call = call ? *call : (clred_call){0},
    .waits = num_events_in_wait_list,
    .wait_list = event_wait_list,
    .event = event,
  };
  return check_and_enqueue(plan, call, "call", &request);
}

cl_int clred_enqueue_reduce(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                            cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event) {
  const struct clr_request request = {
    .purpose = CLR_FOR_REDUCTIONS,
    .queue = queue,
    .call = {.in = in,
             .in_offset = in_offset,
             .count = count,
             .stride = 1,
             .rows = 1,
             .columns = 1,
             .out = out,
             .out_offset = out_offset},
    .waits = num_events_in_wait_list,
    .wait_list = event_wait_list,
    .event = event,
  };
  return enqueue(plan, &request);
}

cl_int clred_enqueue_reduce_read(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_bool blocking,
                                 cl_ulong in_offset, cl_ulong count, void *result, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event) {
  const struct clr_request request = {
    .purpose = CLR_FOR_REDUCTIONS,
    .queue = queue,
    .call = {.in = in,
             .in_offset = in_offset,
             .count = count,
             .stride = 1,
             .rows = 1,
             .columns = 1,
             .result = result,
             .blocking = blocking},
    .waits = num_events_in_wait_list,
    .wait_list = event_wait_list,
    .event = event,
  };
  return check_and_enqueue(plan, result, "result", &request);
}

cl_int clred_enqueue_scan(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                          cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list, cl_event *event) {
  const struct clr_request request = {
    .purpose = CLR_FOR_SCANS,
    .queue = queue,
    .call = {.in = in, .in_offset = in_offset, .count = count, .stride = 1, .out = out, .out_offset = out_offset},
    .waits = num_events_in_wait_list,
    .wait_list = event_wait_list,
    .event = event,
  };
  return enqueue(plan, &request);
}

cl_int clred_enqueue_select(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_bool blocking,
                            cl_ulong in_offset, cl_ulong out_offset, cl_ulong count, cl_mem outcome_buffer,
                            cl_ulong outcome_offset, clred_outcome *outcome, cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event) {
  const struct clr_request request = {
    .purpose = CLR_FOR_SELECTIONS,
    .queue = queue,
    .call = {.in = in,
             .in_offset = in_offset,
             .count = count,
             .stride = 1,
             .out = out,
             .out_offset = out_offset,
             .blocking = blocking,
             .outcome = outcome,
             .outcome_buffer = outcome_buffer,
             .outcome_offset = outcome_offset},
    .waits = num_events_in_wait_list,
    .wait_list = event_wait_list,
    .event = event,
  };
  return enqueue(plan, &request);
}

cl_int clred_enqueue_histogram(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                               cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event) {
  const struct clr_request request = {
    .purpose = CLR_FOR_HISTOGRAMS,
    .queue = queue,
    .call = {.in = in, .in_offset = in_offset, .count = count, .out = out, .out_offset = out_offset},
    .waits = num_events_in_wait_list,
    .wait_list = event_wait_list,
    .event = event,
  };
  return enqueue(plan, &request);
}

cl_int clred_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions, const cl_ulong *shape,
                             cl_uint axis) {
  return call && layout && shape ? clr_call_along_axis(call, layout, dimensions, shape, axis) : CLRED_INVALID_ARGUMENT;
}
