// Checks a call before anything is enqueued: which fields it sets, what it reads, and where the results go.
#include "call/check.h"

#include "planning/strategy.h"

const char *const clr_input_names[CLR_INPUTS_MAX] = {"inputs[0]", "inputs[1]", "inputs[2]", "inputs[3]",
                                                     "inputs[4]", "inputs[5]", "inputs[6]", "inputs[7]"};

// Flags of buffers that the host cannot read, and of buffers that it cannot write.
static const cl_mem_flags host_reads = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
                          host_writes = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

static bool is_on_host(const clred_plan *plan) {
  return plan->strategy->exec == CLR_EXEC_HOST;
}

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

cl_ulong clr_out_stride(const clred_plan *plan, const clred_call *call) {
  if (plan->problem.layout == CLRED_LAYOUT_COLUMNS)
    return call->stride;
  if (plan->problem.layout != CLRED_LAYOUT_STRIDED || plan->problem.selects)
    return 1;
  return call->out_stride ? call->out_stride : call->stride ? call->stride : 1;
}

cl_ulong clr_results_reached(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent) {
  const cl_ulong reach = clr_elements_reached(extent);
  if (!plan->problem.scan)
    return clr_multiply(clr_multiply(extent->rows, extent->columns), clr_values_per_result(&plan->problem));
  if (plan->problem.layout == CLRED_LAYOUT_STRIDED && !plan->problem.selects && reach)
    return clr_add(clr_multiply(extent->count - 1, clr_out_stride(plan, call)), 1);
  return reach;
}

// True if 64 bits can count the elements. Lengths of 0 are skipped: the product of the other lengths must fit, too.
static bool fits(cl_uint dimensions, const cl_ulong *shape) {
  cl_ulong product = 1;
  for (cl_uint i = 0; i < dimensions; i++) {
    if (shape[i] && product > CL_ULONG_MAX / shape[i])
      return false;
    product *= shape[i] ? shape[i] : 1;
  }
  return true;
}

cl_int clr_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions, const cl_ulong *shape,
                           cl_uint axis) {
  const cl_uint most_dimensions = 8;
  cl_ulong before = 1, after = 1;
  if (dimensions < 1 || dimensions > most_dimensions || axis >= dimensions || !fits(dimensions, shape))
    return CLRED_INVALID_ARGUMENT;
  for (cl_uint i = 0; i < axis; i++)
    before *= shape[i];
  for (cl_uint i = axis + 1; i < dimensions; i++)
    after *= shape[i];
  call->count = shape[axis];
  call->stride = after;
  call->rows = before;
  call->row_stride = shape[axis] * after;
  call->columns = after;
  *layout = after == 1 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_COLUMNS;
  return CL_SUCCESS;
}

// --- What needs no buffer ---

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

// --- What the call reads ---

static struct clr_range range_of_in(const struct clr_check *check) {
  return clr_range("in", check->call->in, check->call->in_offset, check->reach,
                   check->plan->problem.operation.element.size, 0);
}

static struct clr_range range_of_outcome(const struct clr_check *check) {
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
  const cl_mem_flags forbidden = CL_MEM_WRITE_ONLY | (is_on_host(plan) ? host_reads : 0);
  struct clr_range range = range_of_in(check);
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

static cl_int check_apart_from_inputs(const struct clr_check *check, const struct clr_range *out) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; check->reach && i < check->plan->problem.operation.input_count && !err; i++) {
    const struct clr_range input = range_of_input(check, i);
    err = clr_check_apart(out, &input, check->status);
  }
  return err;
}

static cl_int check_apart_from_sources(const struct clr_check *check, const struct clr_range *out) {
  const struct clr_range in = range_of_in(check);
  cl_int err = check->reach ? clr_check_apart(out, &in, check->status) : CL_SUCCESS;
  return err ? err : check_apart_from_inputs(check, out);
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
  return err ? err : check_apart_from_sources(check, &keys);
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

static cl_int check_apart_from_segments(const struct clr_check *check, const struct clr_range *out) {
  if (!check->plan->problem.segment_type)
    return CL_SUCCESS;
  const struct clr_range segments = range_of_segments(check);
  cl_int err = clr_check_apart(out, &segments, check->status);
  if (err || !check->call->keys_out)
    return err;
  const struct clr_range keys = range_of_keys_out(check);
  return clr_check_apart(out, &keys, check->status);
}

// --- Results ---

// The name of a field that only scans use and the call sets; NULL: there is none.
static const char *field_of_scans(const clred_call *call) {
  return call->initial ? "initial" : call->initial_buffer ? "initial_buffer" : call->out_stride ? "out_stride" : NULL;
}

static struct clr_range range_of_out(const struct clr_check *check, cl_ulong results, cl_mem_flags host_flags) {
  return clr_range("out", check->call->out, check->call->out_offset, results,
                   check->plan->problem.operation.result_size, CL_MEM_READ_ONLY | host_flags);
}

// --- The outcome ---

static cl_int check_outcome(const struct clr_check *check) {
  const clred_call *call = check->call;
  struct clr_range range = range_of_outcome(check);
  range.forbidden = CL_MEM_READ_ONLY | (call->outcome ? host_reads : 0) | (is_on_host(check->plan) ? host_writes : 0);
  if (!check->plan->problem.outcome && (call->outcome || call->outcome_buffer))
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "%s: this plan has no outcome, because its number of results is known; leave it out",
                    call->outcome ? "outcome" : "outcome_buffer");
  return call->outcome_buffer ? clr_check_range(&range, check->plan->runtime->context, check->status) : CL_SUCCESS;
}

// The outcome is written while other groups still read and write. `out` has no buffer if the result goes to the host.
static cl_int check_outcome_apart(const struct clr_check *check, const struct clr_range *out) {
  const struct clr_range outcome = range_of_outcome(check);
  if (!outcome.buffer)
    return CL_SUCCESS;
  cl_int err = out->buffer ? clr_check_apart(&outcome, out, check->status) : CL_SUCCESS;
  if (!err)
    err = check_apart_from_sources(check, &outcome);
  return err ? err : check_apart_from_segments(check, &outcome);
}

// --- Reductions ---

// A single result is written after all reads, so it may overlap the input. With several results, some are written while
// others still need their elements.
static cl_int check_reduced_apart(const struct clr_check *check, const struct clr_range *out) {
  const struct clr_problem *problem = &check->plan->problem;
  if (out->count == 1 && !problem->segment_type && !problem->histogram)
    return CL_SUCCESS;
  cl_int err = check_apart_from_sources(check, out);
  return err ? err : check_apart_from_segments(check, out);
}

static cl_int check_reduction(const struct clr_check *check) {
  const clred_plan *plan = check->plan;
  const clred_call *call = check->call;
  const bool is_written_by_host = is_on_host(plan) || plan->shape.finish == CLR_FINISH_HOST;
  const cl_ulong results = clr_results_reached(plan, call, &check->extent);
  const struct clr_range out = range_of_out(check, results, is_written_by_host ? host_writes : 0);
  if (field_of_scans(call))
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT, "%s is for scans", field_of_scans(call));
  if (call->out && call->result)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "result and out are both given, but a call writes to one of them; leave the other out");
  if (call->result && results > 1 && !plan->problem.histogram)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "result holds one value, but this call makes %llu; set call.out", (unsigned long long)results);
  cl_int err = call->result ? CL_SUCCESS : clr_check_range(&out, plan->runtime->context, check->status);
  if (!err && !call->result && results)
    err = check_reduced_apart(check, &out);
  return err || !results ? err : check_outcome_apart(check, &out);
}

cl_int clr_check_rows_apart(const struct clr_check *check) {
  const struct clr_extent *extent = &check->extent;
  cl_ulong row = clr_add(clr_multiply(extent->count - 1, extent->stride), extent->columns);
  if (extent->rows > 1 && extent->row_stride < row)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "row_stride %llu: results of rows would overlap; give at least %llu",
                    (unsigned long long)extent->row_stride, (unsigned long long)row);
  if (extent->columns > 1 && extent->count > 1 && extent->stride < extent->columns)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "stride %llu: results of columns would overlap; give at least %llu",
                    (unsigned long long)extent->stride, (unsigned long long)extent->columns);
  return CL_SUCCESS;
}

// In place, each result replaces its own element.
static cl_int check_in_place(const struct clr_check *check, const struct clr_range *out, bool same_strides) {
  const struct clr_problem *problem = &check->plan->problem;
  const struct clr_range in = range_of_in(check);
  struct clr_region read, written;
  cl_int err = clr_find_region(&in, &read, check->status);
  if (!err)
    err = clr_find_region(out, &written, check->status);
  if (err || !clr_do_overlap(&read, &written))
    return err;
  if (!problem->in_place)
    return clr_fail(
      check->status, CLRED_INVALID_ARGUMENT,
      "out overlaps in, but the plan was made without in_place; set problem.in_place or give another buffer");
  if (in.buffer != out->buffer || read.begin != written.begin || !same_strides || in.element_size != out->element_size)
    return clr_fail(
      check->status, CLRED_INVALID_ARGUMENT,
      "out overlaps in, but a result would overwrite another element; give the same buffer, offset and stride");
  return CL_SUCCESS;
}

static cl_int check_initial(const struct clr_check *check, const struct clr_range *out) {
  const clred_call *call = check->call;
  const struct clr_range initial = clr_range("initial_buffer", call->initial_buffer, call->initial_offset, 1,
                                             check->plan->problem.operation.state_size, CL_MEM_WRITE_ONLY);
  if (call->initial && call->initial_buffer)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "initial and initial_buffer are both given; leave one of them out");
  if (!call->initial_buffer)
    return CL_SUCCESS;
  if (is_on_host(check->plan))
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT, "initial_buffer: %s runs on the host; set initial instead",
                    check->plan->strategy->name);
  cl_int err = clr_check_range(&initial, check->plan->runtime->context, check->status);
  return err ? err : clr_check_apart(out, &initial, check->status);
}

// The host maps the whole range of `out` even if it writes only a part, so the old contents must be readable.
static cl_mem_flags flags_of_mapped(const clred_plan *plan) {
  return is_on_host(plan) ? host_reads | host_writes : 0;
}

static cl_int check_scan(const struct clr_check *check) {
  const clred_plan *plan = check->plan;
  const cl_ulong stride = clr_out_stride(plan, check->call);
  const cl_ulong results = clr_results_reached(plan, check->call, &check->extent);
  const struct clr_range out = range_of_out(check, results, flags_of_mapped(plan));
  if (check->call->result)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT, "result holds one value; a scan writes to call.out");
  if (!check->reach)
    return CL_SUCCESS;
  cl_int err = plan->problem.segment_type ? CL_SUCCESS : clr_check_rows_apart(check);
  if (!err)
    err = clr_check_range(&out, plan->runtime->context, check->status);
  if (!err)
    err = check_in_place(check, &out, stride == check->extent.stride);
  if (!err)
    err = check_apart_from_inputs(check, &out);
  if (!err)
    err = check_apart_from_segments(check, &out);
  if (!err)
    err = check_outcome_apart(check, &out);
  return err ? err : check_initial(check, &out);
}

// --- Selections ---

// `out` must have room for one result for each element. If the selection also writes the end, it needs room for one
// more.
static cl_int check_selection(const struct clr_check *check) {
  const clred_plan *plan = check->plan;
  const cl_ulong results = clr_add(check->call->count, plan->problem.custom->keeping.ends);
  const struct clr_range out = range_of_out(check, results, flags_of_mapped(plan));
  const char *foreign = check->call->result ? "result" : field_of_scans(check->call);
  if (foreign)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "%s: a selection does not use it; leave it out, results go to call.out", foreign);
  if (!check->reach)
    return CL_SUCCESS;
  cl_int err = clr_check_range(&out, plan->runtime->context, check->status);
  if (!err)
    err = check_apart_from_sources(check, &out);
  return err ? err : check_outcome_apart(check, &out);
}

// --- All checks of a call ---

static cl_int check_out(const struct clr_check *check) {
  const struct clr_problem *problem = &check->plan->problem;
  return problem->selects ? check_selection(check) : problem->scan ? check_scan(check) : check_reduction(check);
}

cl_int clr_check_request(const clred_plan *plan, const struct clr_request *request, const struct clr_extent *extent,
                         struct clr_status *status) {
  const struct clr_check check = {plan, &request->call, *extent, clr_elements_reached(extent), status};
  cl_int err = clr_check_terms(&check, request);
  if (!err)
    err = check_inputs(&check);
  if (!err)
    err = clr_check_parameters(&plan->problem.operation, check.call->parameters, status);
  if (!err)
    err = check_segments(&check);
  if (!err)
    err = check_outcome(&check);
  if (!err)
    err = check_out(&check);
  return err ? err : clr_check_events(request->waits, request->wait_list, plan->runtime->context, status);
}
