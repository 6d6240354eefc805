// The public calls that enqueue the work of a plan.
#include "api/struct_versions.h"
#include "call/call.h"

static cl_int enqueue(clred_plan *plan, const struct clr_request *request) {
  struct clr_status status = {0};
  return plan ? clr_runtime_keep(plan->runtime, clr_enqueue(plan, request, &status), &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_enqueue_v(cl_uint header, cl_command_queue queue, clred_plan *plan, const clred_call *call,
                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  struct clr_request request = {
    .queue = queue, .waits = num_events_in_wait_list, .wait_list = event_wait_list, .event = event};
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_given(CLR_STRUCT_CALL, header, "call", call, &request.call, &status);
  if (!err)
    err = clr_enqueue(plan, &request, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

static struct clr_request reduce_one_row(cl_command_queue queue, cl_mem in, cl_ulong in_offset, cl_ulong count) {
  return (struct clr_request){
    .purpose = CLR_FOR_REDUCTIONS,
    .queue = queue,
    .call = {.in = in, .in_offset = in_offset, .count = count, .stride = 1, .rows = 1, .columns = 1}};
}

cl_int clred_enqueue_reduce(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_mem out, cl_ulong in_offset,
                            cl_ulong out_offset, cl_ulong count, cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event) {
  struct clr_request request = reduce_one_row(queue, in, in_offset, count);
  request.call.out = out;
  request.call.out_offset = out_offset;
  request.waits = num_events_in_wait_list;
  request.wait_list = event_wait_list;
  request.event = event;
  return enqueue(plan, &request);
}

cl_int clred_reduce_buffer(cl_command_queue queue, clred_plan *plan, cl_mem in, cl_ulong in_offset, cl_ulong count,
                           void *result) {
  struct clr_request request = reduce_one_row(queue, in, in_offset, count);
  request.call.result = result;
  request.call.blocking = CL_TRUE;
  return enqueue(plan, &request);
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

cl_int clred_call_along_axis_v(cl_uint header, clred_call *call, clred_layout *layout, cl_uint dimensions,
                               const cl_ulong *shape, cl_uint axis) {
  clred_call full;
  struct clr_status unused = {0};
  if (!call || !layout || !shape)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_struct_import(CLR_STRUCT_CALL, header, call, &full, &unused);
  if (!err)
    err = clr_call_along_axis(&full, layout, dimensions, shape, axis);
  return err ? err : clr_struct_export(CLR_STRUCT_CALL, header, &full, 1, call);
}
