// Checks which fields a call sets and what it reads, before anything is enqueued.
#include "call/check.h"

#include "planning/strategy.h"

const char *const clr_input_names[CLR_INPUTS_MAX] = {"inputs[0]", "inputs[1]", "inputs[2]", "inputs[3]",
                                                     "inputs[4]", "inputs[5]", "inputs[6]", "inputs[7]"};

// --- The extent ---

struct clr_extent clr_extent_of(const clred_plan *plan, const clred_call *call) {
  clred_layout layout = plan->problem.layout;
  struct clr_extent extent = {.count = call->count, .stride = 1, .rows = 1, .columns = 1};
  if (layout == CLRED_LAYOUT_STRIDED || layout == CLRED_LAYOUT_COLUMNS)
    extent.stride = call->stride;
  if (layout == CLRED_LAYOUT_ROWS || layout == CLRED_LAYOUT_COLUMNS || layout == CLRED_LAYOUT_SEGMENTS)
    extent.rows = call->rows;
  if (layout == CLRED_LAYOUT_COLUMNS)
    extent.columns = call->columns;
  // Each run has at least one element, so there are at most as many runs as elements.
  if (layout == CLRED_LAYOUT_HEADS || layout == CLRED_LAYOUT_KEYS)
    extent.rows = call->rows && call->rows < call->count ? call->rows : call->count;
  if (layout >= CLRED_LAYOUT_SEGMENTS)
    return extent;
  // By default each row begins where the row before ends. With columns, this includes the gaps of a pitched image: each
  // of the `count` elements of a column takes `stride` elements.
  cl_ulong line = extent.stride > extent.columns ? extent.stride : extent.columns;
  if (layout != CLRED_LAYOUT_COLUMNS)
    line = 1;
  extent.row_stride = call->row_stride ? call->row_stride : clr_multiply(call->count, line);
  return extent;
}

cl_ulong clr_elements_reached(const struct clr_extent *extent) {
  if (!extent->count || !extent->rows || !extent->columns)
    return 0;
  cl_ulong reach = clr_multiply(extent->count - 1, extent->stride);
  reach = clr_add(reach, clr_multiply(extent->rows - 1, extent->row_stride));
  return clr_add(clr_add(reach, extent->columns - 1), 1);
}

// --- What the call sets ---

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

// If the device ends loops after a number of iterations, the call must not need more.
static cl_int check_trips(const clred_plan *plan, const struct clr_extent *extent, struct clr_status *status) {
  if (!plan->shape.loop_trips || plan->strategy->exec == CLR_EXEC_HOST)
    return CL_SUCCESS;
  if (clr_trips_hold(&plan->shape, extent))
    return CL_SUCCESS;
  return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM,
                  "%s: this device ends loops after %llu turns (fact loop_trips), too few for %llu elements in %llu "
                  "rows; make shorter calls",
                  plan->strategy->name, (unsigned long long)plan->shape.loop_trips, (unsigned long long)extent->count,
                  (unsigned long long)clr_multiply(extent->rows, extent->columns));
}

// --- What the call reads ---

struct clr_range clr_range_of_in(const struct clr_check *check) {
  return clr_range("in", check->call->in, check->call->in_offset, check->reach,
                   check->plan->problem.operation.element.size, 0);
}

struct clr_range clr_range_of_outcome(const struct clr_check *check) {
  return clr_range("outcome_buffer", check->call->outcome_buffer, check->call->outcome_offset, 1, sizeof(clred_outcome),
                   0);
}

static struct clr_range range_of_input(const struct clr_check *check, size_t i) {
  const clred_call *call = check->call;
  return clr_range(clr_input_names[i], call->inputs[i], call->input_offsets ? call->input_offsets[i] : 0, check->reach,
                   check->plan->problem.operation.input_sizes[i], 0);
}

static cl_int check_inputs(const struct clr_check *check) {
  const clred_plan *plan = check->plan;
  const struct clr_operation *operation = &plan->problem.operation;
  const cl_mem_flags host_reads = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
  const cl_mem_flags forbidden = CL_MEM_WRITE_ONLY | (plan->strategy->exec == CLR_EXEC_HOST ? host_reads : 0);
  struct clr_range range = clr_range_of_in(check);
  if (!check->call->in && !check->reach)
    return CL_SUCCESS;
  range.forbidden = forbidden;
  cl_int err = clr_check_range(&range, plan->runtime->context, check->status);
  if (!err && check->reach && operation->input_count && !check->call->inputs)
    err = clr_fail(check->status, CLRED_INVALID_ARGUMENT, "inputs is NULL; %s reads %zu beside in", operation->name,
                   operation->input_count);
  for (size_t i = 0; check->reach && i < operation->input_count && !err; i++) {
    range = range_of_input(check, i);
    range.forbidden = forbidden;
    err = clr_check_range(&range, plan->runtime->context, check->status);
  }
  return err;
}

cl_int clr_check_parameters(const struct clr_operation *operation, const void *const *given,
                            struct clr_status *status) {
  for (size_t i = 0; i < operation->parameter_count; i++)
    if (!given || !given[i])
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "parameters[%zu] is NULL: %s takes '%s'", i, operation->name,
                      operation->custom->parameters[i].name);
  return CL_SUCCESS;
}

cl_int clr_check_apart_from_inputs(const struct clr_check *check, const struct clr_range *out) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; check->reach && i < check->plan->problem.operation.input_count && !err; i++) {
    const struct clr_range input = range_of_input(check, i);
    err = clr_check_apart(out, &input, check->status);
  }
  return err;
}

cl_int clr_check_apart_from_sources(const struct clr_check *check, const struct clr_range *out) {
  const struct clr_range in = clr_range_of_in(check);
  cl_int err = check->reach ? clr_check_apart(out, &in, check->status) : CL_SUCCESS;
  return err ? err : clr_check_apart_from_inputs(check, out);
}

// --- Segments ---

// The range of `segments`: one offset more than segments, or one key or flag for each element.
static struct clr_range range_of_segments(const struct clr_check *check) {
  const clred_call *call = check->call;
  const struct clr_problem *problem = &check->plan->problem;
  const cl_ulong offset = call->segments_offset;
  if (problem->layout == CLRED_LAYOUT_SEGMENTS)
    return clr_range("segments", call->segments, offset, clr_add(call->rows, 1), problem->segment_type->size,
                     CL_MEM_WRITE_ONLY);
  if (problem->key_type)
    return clr_range("segments (keys)", call->segments, offset, call->count, problem->key_type->size,
                     CL_MEM_WRITE_ONLY);
  return clr_range("segments (heads)", call->segments, offset, call->count, sizeof(cl_uchar), CL_MEM_WRITE_ONLY);
}

static struct clr_range range_of_keys_out(const struct clr_check *check) {
  return clr_range("keys_out", check->call->keys_out, check->call->keys_out_offset, check->extent.rows,
                   check->plan->problem.key_type->size, CL_MEM_READ_ONLY);
}

static cl_int check_keys_out(const struct clr_check *check, const struct clr_range *segments) {
  const struct clr_problem *problem = &check->plan->problem;
  if (!check->call->keys_out)
    return CL_SUCCESS;
  if (!problem->key_type || problem->scan)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "keys_out is for reductions by key: layout CLRED_LAYOUT_KEYS");
  const struct clr_range keys = range_of_keys_out(check);
  cl_int err = clr_check_range(&keys, check->plan->runtime->context, check->status);
  if (!err)
    err = clr_check_apart(&keys, segments, check->status);
  return err ? err : clr_check_apart_from_sources(check, &keys);
}

static cl_int check_segments(const struct clr_check *check) {
  const clred_call *call = check->call;
  const struct clr_problem *problem = &check->plan->problem;
  if (!problem->segment_type && (call->segments || call->segments_offset || call->keys_out))
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT, "%s: the plan was made for another layout",
                    call->segments || call->segments_offset ? "segments" : "keys_out");
  if (!problem->segment_type || !check->extent.rows)
    return CL_SUCCESS;
  const struct clr_range segments = range_of_segments(check);
  cl_int err = clr_check_range(&segments, check->plan->runtime->context, check->status);
  return err ? err : check_keys_out(check, &segments);
}

cl_int clr_check_apart_from_segments(const struct clr_check *check, const struct clr_range *out) {
  if (!check->plan->problem.segment_type)
    return CL_SUCCESS;
  const struct clr_range segments = range_of_segments(check);
  cl_int err = clr_check_apart(out, &segments, check->status);
  if (err || !check->call->keys_out)
    return err;
  const struct clr_range keys = range_of_keys_out(check);
  return clr_check_apart(out, &keys, check->status);
}

// --- All checks of the input ---

cl_int clr_check_terms(const struct clr_check *check, const struct clr_request *request) {
  const clred_plan *plan = check->plan;
  const clred_runtime *runtime = plan->runtime;
  cl_int err = check_purpose(plan, request, check->status);
  if (!err && request->call.count > plan->shape.count_max)
    err = clr_fail(check->status, CLRED_COUNT_ABOVE_MAXIMUM, "count %llu is above the plan's count_max %llu",
                   (unsigned long long)request->call.count, (unsigned long long)plan->shape.count_max);
  if (!err)
    err = check_trips(plan, &check->extent, check->status);
  return err ? err : clr_check_queue(request->queue, runtime->context, runtime->device, check->status);
}

cl_int clr_check_in(const struct clr_check *check, const struct clr_request *request) {
  const clred_plan *plan = check->plan;
  cl_int err = clr_check_terms(check, request);
  if (!err)
    err = check_inputs(check);
  if (!err)
    err = clr_check_parameters(&plan->problem.operation, check->call->parameters, check->status);
  return err ? err : check_segments(check);
}
