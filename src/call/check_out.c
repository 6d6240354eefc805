// Checks a whole call: first check_in.c, then where the results go.
#include "call/check.h"
#include "plan/slots.h"

// Flags of buffers that the host cannot read, and of buffers that it cannot write.
static const cl_mem_flags host_reads = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
                          host_writes = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

static bool is_on_host(const clred_plan *plan) {
  return plan->strategy->exec == CLR_EXEC_HOST;
}

cl_ulong clr_results_reached(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent) {
  const cl_ulong reach = clr_elements_reached(extent);
  if (!plan->problem.scan)
    return clr_multiply(clr_multiply(extent->rows, extent->columns), clr_values_per_result(&plan->problem));
  if (plan->problem.layout == CLRED_LAYOUT_STRIDED && !plan->problem.selects && reach)
    return clr_add(clr_multiply(extent->count - 1, clr_out_stride(plan, call)), 1);
  return reach;
}

static struct clr_range range_of_out(const struct clr_check *check, cl_ulong results, cl_mem_flags host_flags) {
  return clr_range("out", check->call->out, check->call->out_offset, results,
                   check->plan->problem.operation.result_size, CL_MEM_READ_ONLY | host_flags);
}

// --- The outcome ---

static cl_int check_outcome(const struct clr_check *check) {
  const clred_call *call = check->call;
  struct clr_range range = clr_range_of_outcome(check);
  range.forbidden = CL_MEM_READ_ONLY | (call->outcome ? host_reads : 0) | (is_on_host(check->plan) ? host_writes : 0);
  if (!check->plan->problem.outcome && (call->outcome || call->outcome_buffer))
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                    "%s: this plan has no outcome, because its number of results is known; leave it out",
                    call->outcome ? "outcome" : "outcome_buffer");
  return call->outcome_buffer ? clr_check_range(&range, check->plan->runtime->context, check->status) : CL_SUCCESS;
}

// The outcome is written while other groups still read and write. `out` has no buffer if the result goes to the host.
static cl_int check_outcome_apart(const struct clr_check *check, const struct clr_range *out) {
  const struct clr_range outcome = clr_range_of_outcome(check);
  if (!outcome.buffer)
    return CL_SUCCESS;
  cl_int err = out->buffer ? clr_check_apart(&outcome, out, check->status) : CL_SUCCESS;
  if (!err)
    err = clr_check_apart_from_sources(check, &outcome);
  return err ? err : clr_check_apart_from_segments(check, &outcome);
}

// --- Reductions ---

// A single result is written after all reads, so it may overlap the input. With several results, some are written while
// others still need their elements.
static cl_int check_reduced_apart(const struct clr_check *check, const struct clr_range *out) {
  const struct clr_problem *problem = &check->plan->problem;
  if (out->count == 1 && !problem->segment_type && !problem->histogram)
    return CL_SUCCESS;
  cl_int err = clr_check_apart_from_sources(check, out);
  return err ? err : clr_check_apart_from_segments(check, out);
}

static cl_int check_reduction(const struct clr_check *check) {
  const clred_plan *plan = check->plan;
  const clred_call *call = check->call;
  const bool is_written_by_host = is_on_host(plan) || plan->shape.finish == CLR_FINISH_HOST;
  const cl_ulong results = clr_results_reached(plan, call, &check->extent);
  const struct clr_range out = range_of_out(check, results, is_written_by_host ? host_writes : 0);
  if (call->initial || call->initial_buffer || call->out_stride)
    return clr_fail(check->status, CLRED_INVALID_ARGUMENT, "%s is for scans",
                    call->initial          ? "initial"
                    : call->initial_buffer ? "initial_buffer"
                                           : "out_stride");
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
  const struct clr_range in = clr_range_of_in(check);
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

cl_ulong clr_out_stride(const clred_plan *plan, const clred_call *call) {
  if (plan->problem.layout == CLRED_LAYOUT_COLUMNS)
    return call->stride;
  if (plan->problem.layout != CLRED_LAYOUT_STRIDED || plan->problem.selects)
    return 1;
  return call->out_stride ? call->out_stride : call->stride ? call->stride : 1;
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
    err = clr_check_apart_from_inputs(check, &out);
  if (!err)
    err = clr_check_apart_from_segments(check, &out);
  if (!err)
    err = check_outcome_apart(check, &out);
  return err ? err : check_initial(check, &out);
}

// --- Selections ---

// Refuses fields that a selection does not use.
static cl_int refuse_foreign(const struct clr_check *check) {
  const clred_call *call = check->call;
  const struct {
    const char *name;
    bool has_value;
  } foreign[] = {{"result", call->result != NULL},
                 {"initial", call->initial != NULL},
                 {"initial_buffer", call->initial_buffer != NULL},
                 {"out_stride", call->out_stride != 0}};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (foreign[i].has_value)
      return clr_fail(check->status, CLRED_INVALID_ARGUMENT,
                      "%s: a selection does not use it; leave it out, results go to call.out", foreign[i].name);
  return CL_SUCCESS;
}

// `out` must have room for one result for each element. If the selection also writes the end, it needs room for one
// more.
static cl_int check_selection(const struct clr_check *check) {
  const clred_plan *plan = check->plan;
  const cl_ulong results = clr_add(check->call->count, plan->problem.custom->keeping.ends);
  const struct clr_range out = range_of_out(check, results, flags_of_mapped(plan));
  cl_int err = refuse_foreign(check);
  if (err || !check->reach)
    return err;
  err = clr_check_range(&out, plan->runtime->context, check->status);
  if (!err)
    err = clr_check_apart_from_sources(check, &out);
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
  cl_int err = clr_check_in(&check, request);
  if (!err)
    err = check_outcome(&check);
  if (!err)
    err = check_out(&check);
  return err ? err : clr_check_events(request->waits, request->wait_list, plan->runtime->context, status);
}
