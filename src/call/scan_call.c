// What a call of a scan has beside that of a reduction.
#include "call/apart.h"
#include "call/segments_call.h"

struct clr_scan clr_scan_of(const clred_plan *plan) {
  return (struct clr_scan){
    .inclusive = plan->problem.scan == CLRED_SCAN_INCLUSIVE, .reversed = plan->problem.reversed, .stride = 1};
}

static cl_ulong out_stride(const clred_plan *plan, const clred_call *call) {
  if (plan->problem.layout == CLRED_LAYOUT_COLUMNS)
    return call->stride;
  if (plan->problem.layout != CLRED_LAYOUT_STRIDED || plan->problem.selects)
    return 1;
  return call->out_stride ? call->out_stride : call->stride ? call->stride : 1;
}

struct clr_scan_call clr_scan_call_of(const clred_plan *plan, const clred_call *call) {
  if (!plan->problem.scan)
    return (struct clr_scan_call){.is_scan = false};
  return (struct clr_scan_call){
    .is_scan = true,
    .in_place = call->in == call->out && plan->problem.in_place,
    .out_stride = out_stride(plan, call),
    .state_size = plan->problem.operation.state_size,
    .start = call->initial,
    .start_buffer = call->initial_buffer,
    .start_index = call->initial_offset,
  };
}

// --- Overlap ---

// In place means: every result where its element was.
static cl_int check_in_place(const clred_plan *plan, const struct clr_range *in, const struct clr_range *out,
                             bool same_strides, struct clr_status *status) {
  struct clr_region read, written;
  cl_int err = clr_find_region(in, &read, status);
  if (!err)
    err = clr_find_region(out, &written, status);
  if (err || !clr_do_overlap(&read, &written))
    return err;
  if (!plan->problem.in_place)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "out overlaps in: the plan was made without in_place");
  if (in->buffer != out->buffer || read.begin != written.begin || !same_strides ||
      in->element_size != out->element_size)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "out overlaps in, but not place by place: give the same buffer, offset and stride");
  return CL_SUCCESS;
}

// --- Checks ---

// Elements may be read in several rows, but results are written once.
static cl_int check_rows_apart(const struct clr_extent *extent, struct clr_status *status) {
  cl_ulong row = clr_add(clr_multiply(extent->count - 1, extent->stride), extent->columns);
  if (extent->rows > 1 && extent->row_stride < row)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "row_stride %llu: results of rows would overlap, which reach over %llu",
                    (unsigned long long)extent->row_stride, (unsigned long long)row);
  if (extent->columns > 1 && extent->count > 1 && extent->stride < extent->columns)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "stride %llu: results of columns would overlap, of which there are %llu",
                    (unsigned long long)extent->stride, (unsigned long long)extent->columns);
  return CL_SUCCESS;
}

static cl_int check_initial(const clred_plan *plan, const clred_call *call, const struct clr_range *out,
                            struct clr_status *status) {
  const struct clr_range initial = {
    "initial_buffer", call->initial_buffer, call->initial_offset, 1, plan->problem.operation.state_size,
    CL_MEM_WRITE_ONLY};
  if (call->initial && call->initial_buffer)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "initial and initial_buffer are both given");
  if (!call->initial_buffer)
    return CL_SUCCESS;
  if (plan->strategy->team == CLR_TEAM_HOST)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "initial_buffer: %s runs on the host and takes initial",
                    plan->strategy->name);
  cl_int err = clr_check_range(&initial, plan->runtime->context, status);
  return err ? err : clr_check_apart(out, &initial, status);
}

cl_int clr_check_inputs_apart(const clred_plan *plan, const clred_call *call, const struct clr_range *out,
                              cl_ulong reach, struct clr_status *status) {
  static const char *const names[] = {"inputs[0]", "inputs[1]", "inputs[2]", "inputs[3]",
                                      "inputs[4]", "inputs[5]", "inputs[6]", "inputs[7]"};
  const struct clr_operation *operation = &plan->problem.operation;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < operation->input_count && !err; i++) {
    const struct clr_range input = {
      names[i], call->inputs[i], call->input_offsets ? call->input_offsets[i] : 0, reach, operation->input_sizes[i], 0};
    err = clr_check_apart(out, &input, status);
  }
  return err;
}

cl_int clr_scan_check(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent, cl_ulong reach,
                      struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  bool on_host = plan->strategy->team == CLR_TEAM_HOST;
  cl_ulong stride = out_stride(plan, call), results = reach;
  if (plan->problem.layout == CLRED_LAYOUT_STRIDED && reach)
    results = clr_add(clr_multiply(extent->count - 1, stride), 1);
  const struct clr_range in = {"in", call->in, call->in_offset, reach, operation->element.size, 0};
  const struct clr_range out = {
    "out",
    call->out,
    call->out_offset,
    results,
    operation->result_size,
    CL_MEM_READ_ONLY | (on_host ? CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY : 0)};
  if (call->result)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "result has room for one result; a scan writes to out");
  if (!reach)
    return CL_SUCCESS;
  cl_int err = plan->problem.segment_type ? CL_SUCCESS : check_rows_apart(extent, status);
  if (!err)
    err = clr_check_range(&out, plan->runtime->context, status);
  if (!err)
    err = check_in_place(plan, &in, &out, stride == extent->stride, status);
  if (!err)
    err = clr_check_inputs_apart(plan, call, &out, reach, status);
  if (!err)
    err = clr_segments_check_apart(plan, call, &out, status);
  return err ? err : check_initial(plan, call, &out, status);
}

// --- The board ---

cl_int clr_scan_tag(const clred_plan *plan, struct clr_slot *slot, struct clr_call *call, struct clr_status *status) {
  const cl_uint most = plan->shape.scan.cell_bits == 64 ? 0xffffffffu : 0xffffu;
  const cl_ulong groups = plan->shape.scan.cells < 1024 ? plan->shape.scan.cells : 1024;
  const struct clr_pass clear = {
    .kernel = CLR_KERNEL_CLEAR, .groups = groups, .group_size = 1, .count = plan->shape.scan.cells};
  if (!plan->shape.scan.cells)
    return CL_SUCCESS;
  cl_int err = slot->tag ? CL_SUCCESS : clr_launch(call, &clear, status);
  if (err)
    return err;
  call->scan.tag = slot->tag ? slot->tag : 1;
  slot->tag = call->scan.tag == most ? 0 : call->scan.tag + 1;
  return CL_SUCCESS;
}
