// What a call asks for, checked before anything is enqueued.
#include "call/segments_call.h"
#include "host/values.h"
#include "plan/plan.h"
#include "planning/trips.h"

struct clr_extent clr_extent_of(const clred_plan *plan, const clred_call *call) {
  clred_layout layout = plan->problem.layout;
  struct clr_extent extent = {.count = call->count, .stride = 1, .rows = 1, .columns = 1};
  if (layout == CLRED_LAYOUT_STRIDED || layout == CLRED_LAYOUT_COLUMNS)
    extent.stride = call->stride;
  if (layout == CLRED_LAYOUT_ROWS || layout == CLRED_LAYOUT_COLUMNS || layout == CLRED_LAYOUT_SEGMENTS)
    extent.rows = call->rows;
  if (layout == CLRED_LAYOUT_COLUMNS)
    extent.columns = call->columns;
  // Of runs there are as many as elements at most. All of them together are the elements.
  if (layout == CLRED_LAYOUT_HEADS || layout == CLRED_LAYOUT_KEYS)
    extent.rows = call->rows && call->rows < call->count ? call->rows : call->count;
  if (layout >= CLRED_LAYOUT_SEGMENTS)
    return extent;
  extent.row_stride = call->row_stride ? call->row_stride : clr_multiply(call->count, extent.columns);
  return extent;
}

cl_ulong clr_result_count(const struct clr_extent *extent) {
  return clr_multiply(extent->rows, extent->columns);
}

cl_ulong clr_values_a_result(const clred_plan *plan) {
  return plan->problem.histogram ? plan->problem.histogram->bins : 1;
}

// Elements from the first that is read to the last.
static cl_ulong elements_reached(const struct clr_extent *extent) {
  if (!extent->count || !extent->rows || !extent->columns)
    return 0;
  cl_ulong reach = clr_multiply(extent->count - 1, extent->stride);
  reach = clr_add(reach, clr_multiply(extent->rows - 1, extent->row_stride));
  return clr_add(clr_add(reach, extent->columns - 1), 1);
}

static cl_int check_inputs(const clred_plan *plan, const clred_call *call, cl_ulong reach, bool host_reads,
                           struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  const char *const names[] = {"inputs[0]", "inputs[1]", "inputs[2]", "inputs[3]",
                               "inputs[4]", "inputs[5]", "inputs[6]", "inputs[7]"};
  cl_mem_flags forbidden = CL_MEM_WRITE_ONLY | (host_reads ? CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS : 0);
  struct clr_range in = {"in", call->in, call->in_offset, reach, operation->element.size, forbidden};
  if (!call->in && !reach)
    return CL_SUCCESS;
  cl_int err = clr_check_range(&in, plan->runtime->context, status);
  if (!err && reach && operation->input_count && !call->inputs)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "inputs is NULL; %s reads %zu beside in", operation->name,
                   operation->input_count);
  for (size_t i = 0; reach && i < operation->input_count && !err; i++) {
    const struct clr_range input = {
      names[i], call->inputs[i],           call->input_offsets ? call->input_offsets[i] : 0,
      reach,    operation->input_sizes[i], forbidden};
    err = clr_check_range(&input, plan->runtime->context, status);
  }
  return err;
}

static cl_int check_parameters(const clred_plan *plan, const clred_call *call, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  for (size_t i = 0; i < operation->parameter_count; i++)
    if (!call->parameters || !call->parameters[i])
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "parameters[%zu] is NULL: %s takes '%s'", i, operation->name,
                      plan->problem.custom->parameters[i].name);
  return CL_SUCCESS;
}

static cl_int check_out(const clred_plan *plan, const clred_call *call, cl_ulong results, bool host_writes,
                        struct clr_status *status) {
  if (call->initial || call->initial_buffer || call->out_stride)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s is for scans",
                    call->initial          ? "initial"
                    : call->initial_buffer ? "initial_buffer"
                                           : "out_stride");
  const struct clr_range out = {"out",
                                call->out,
                                call->out_offset,
                                results,
                                plan->problem.operation.result_size,
                                CL_MEM_READ_ONLY | (host_writes ? CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS : 0)};
  const struct clr_range in = {"in", call->in, call->in_offset, call->count, plan->problem.operation.element.size, 0};
  cl_int err = call->result ? CL_SUCCESS : clr_check_range(&out, plan->runtime->context, status);
  if (!err && !call->result && plan->problem.histogram && call->count)
    err = clr_check_apart(&out, &in, status);
  if (err || !call->result)
    return err;
  if (results > 1 && !plan->problem.histogram)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "result has room for one result, not for %llu: give out",
                    (unsigned long long)results);
  return CL_SUCCESS;
}

static cl_int check_purpose(const clred_plan *plan, const struct clr_request *request, struct clr_status *status) {
  static const struct {
    const char *does, *asks, *made_with;
  } purposes[] = {
    [CLR_FOR_REDUCTIONS] = {"reduces", "give it to clred_enqueue_reduce", "make it without problem.scan"},
    [CLR_FOR_SCANS] = {"scans", "give it to clred_enqueue_scan", "make it with problem.scan"},
    [CLR_FOR_SELECTIONS] = {"selects", "give it to clred_enqueue", "make it with problem.selection"},
    [CLR_FOR_HISTOGRAMS] = {"counts in bins", "give it to clred_enqueue", "make it with problem.histogram"},
  };
  int own = plan->problem.histogram ? CLR_FOR_HISTOGRAMS
            : plan->problem.selects ? CLR_FOR_SELECTIONS
            : plan->problem.scan    ? CLR_FOR_SCANS
                                    : CLR_FOR_REDUCTIONS;
  int asked = (int)request->purpose;
  if (asked != CLR_FOR_ANY && asked != own)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "the plan %s, and this call %s: %s", purposes[own].does,
                    purposes[asked].does, own == CLR_FOR_REDUCTIONS ? purposes[asked].made_with : purposes[own].asks);
  return CL_SUCCESS;
}

// Where the device ends loops, a call must not need more of their turns.
static cl_int check_trips(const clred_plan *plan, const struct clr_extent *extent, struct clr_status *status) {
  struct clr_shape shape;
  if (!plan->shape.loop_trips || plan->strategy->team == CLR_TEAM_HOST)
    return CL_SUCCESS;
  shape = plan->shape;
  shape.call_rows = extent->rows;
  shape.call_columns = extent->columns;
  if (clr_trips_hold(plan->strategy, &shape, extent->count))
    return CL_SUCCESS;
  return clr_fail(
    status, CLRED_COUNT_ABOVE_MAXIMUM,
    "%s: loops end here after %llu turns (fact loop_trips), which may be too few for %llu elements in %llu rows",
    plan->strategy->name, (unsigned long long)shape.loop_trips, (unsigned long long)extent->count,
    (unsigned long long)clr_result_count(extent));
}

cl_int clr_request_check(const clred_plan *plan, const struct clr_request *request, const struct clr_extent *extent,
                         struct clr_status *status) {
  const clred_runtime *runtime = plan->runtime;
  const clred_call *call = &request->call;
  bool host_reads = plan->strategy->team == CLR_TEAM_HOST;
  bool host_writes = host_reads || plan->shape.finish == CLR_FINISH_HOST;
  cl_int err = check_purpose(plan, request, status);
  if (err)
    return err;
  if (call->count > plan->shape.count_max)
    return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count %llu is above the plan's count_max %llu",
                    (unsigned long long)call->count, (unsigned long long)plan->shape.count_max);
  err = check_trips(plan, extent, status);
  if (err)
    return err;
  err = clr_check_queue(request->queue, runtime->context, runtime->device, status);
  if (!err)
    err = check_inputs(plan, call, elements_reached(extent), host_reads, status);
  if (!err)
    err = check_parameters(plan, call, status);
  if (!err)
    err = clr_segments_check(plan, call, extent, status);
  if (!err)
    err = clr_outcome_check(plan, call, status);
  if (!err && plan->problem.selects)
    err = clr_select_check(plan, call, elements_reached(extent), status);
  else if (!err && plan->problem.scan)
    err = clr_scan_check(plan, call, extent, elements_reached(extent), status);
  else if (!err)
    err = check_out(plan, call, clr_multiply(clr_result_count(extent), clr_values_a_result(plan)), host_writes, status);
  if (!err)
    err = clr_check_events(request->waits, request->wait_list, runtime->context, status);
  return err;
}
