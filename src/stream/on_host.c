// Calls on host memory that the host computes, with the bits of the device: small ones, where a launch takes longer.
#include "call/check.h"
#include "host/values.h"
#include "strategies/fixed_order.h"
#include "stream/host.h"

// Picoseconds. A launch and the wait for its result take 10 to 80 us (PoCL on two cores; an H200 with its copies). The
// host may take as long as many launches do. LINE and LINE_BESIDE: the cost of each line, if lines are reduced one by
// one or side by side. Added for each element: NOT_NEIGHBOURS, if the elements of lines side by side are not neighbours
// in memory; FEW, if there are only a few columns.
enum { LAUNCH = 45000000, LINE = 100000, LINE_BESIDE = 2000, NOT_NEIGHBOURS = 750, FEW = 2500 };

// Rows of at most this many elements are reduced side by side.
enum { SHORT = 96 };

// Estimates the host's picoseconds for an element of a line.
static cl_ulong element_cost(const struct clr_problem *problem) {
  const cl_ulong number = 250, rounded = 150, part = 400, rounded_part = 1250, scanned = 1000, node = 70000,
                 byte_of_terms = 1000, vector = 50000, converted = 1100, modulus = 3500;
  const struct clr_operation *operation = &problem->operation;
  const cl_ulong parts = operation->several ? operation->part_count : operation->host->state_part_count;
  const enum clr_reading reading = operation->element.row->reading;
  const cl_ulong more = reading == CLR_READING_HALF || reading == CLR_READING_BFLOAT16 ? converted : 0;
  if (operation->element.components > 1)
    return vector;
  if (operation->state_size > parts * sizeof(cl_ulong))  // long integers
    return operation->state_size * byte_of_terms;
  if (problem->scan)
    return operation->exact ? parts * scanned : node;
  if (parts == 1 && clr_element_is_complex(&operation->element))
    return modulus;
  if (parts == 1)
    return more + (operation->exact ? number : rounded);
  return more + parts * (operation->exact ? part : rounded_part);
}

// True if lines are reduced side by side: columns, and short rows.
static bool are_beside(const struct clr_extent *extent) {
  return extent->columns > 1 || extent->count <= SHORT;
}

bool clr_host_computes(const clred_plan *plan, const struct clr_extent *extent) {
  if (!clr_plan_fits_host(plan))
    return false;
  const bool beside = !plan->problem.scan && are_beside(extent);
  const bool few = extent->columns > 1 && extent->columns < CLR_LANES_AT_ONCE;
  const cl_ulong more = !beside                ? 0
                        : few                  ? FEW
                        : extent->columns == 1 ? NOT_NEIGHBOURS
                                               : 0,
                 element = element_cost(&plan->problem) + more,
                 line = clr_add(clr_multiply(extent->count, element), beside ? LINE_BESIDE : LINE);
  return clr_multiply(clr_multiply(extent->rows, extent->columns), line) <= LAUNCH;
}

// The elements of a row: those at `place` and behind it.
static struct clr_values values_at(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent,
                                   cl_ulong place, const void *inputs[CLR_INPUTS_MAX]) {
  const struct clr_operation *operation = &plan->problem.operation;
  for (size_t i = 0; i < operation->input_count && call->inputs; i++)
    inputs[i] = (const unsigned char *)call->inputs[i] + (size_t)place * operation->input_sizes[i];
  return (struct clr_values){.operation = operation,
                             .elements = (const unsigned char *)call->in + (size_t)place * operation->element.size,
                             .count = extent->count,
                             .stride = extent->stride,
                             .inputs = inputs,
                             .parameters = call->parameters};
}

static cl_int scan_lines(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent) {
  struct clr_scan scan = {.inclusive = plan->problem.scan == CLRED_SCAN_INCLUSIVE,
                          .reversed = plan->problem.reversed,
                          .start = call->initial,
                          .stride = extent->stride};
  cl_int err = CL_SUCCESS;
  for (cl_ulong row = 0; row < extent->rows && extent->count; row++)
    for (cl_ulong column = 0; column < extent->columns && !err; column++) {
      const cl_ulong place = row * extent->row_stride + column;
      const void *inputs[CLR_INPUTS_MAX] = {NULL};
      const struct clr_values values = values_at(plan, call, extent, place, inputs);
      scan.results = (unsigned char *)call->out + (size_t)place * plan->problem.operation.result_size;
      err = plan->strategy->scan.reference(&plan->shape, &values, &scan);
    }
  return err;
}

// Reduces `width` lines. The first line begins at `place`, and each other line `apart` elements after the one before.
static cl_int reduce_lines(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent,
                           cl_ulong place, cl_ulong apart, cl_ulong width, unsigned char *out) {
  const struct clr_operation *operation = &plan->problem.operation;
  const cl_ulong at_once = sizeof(union clr_room) / operation->state_size;
  for (cl_ulong line = 0, block; line < width; line += block, place += block * apart) {
    union clr_room states;
    const void *inputs[CLR_INPUTS_MAX] = {NULL};
    const struct clr_values values = values_at(plan, call, extent, place, inputs);
    cl_int err = CL_SUCCESS;
    block = plan->strategy->fixed_order ? clr_min(width - line, at_once) : 1;
    if (!extent->count)
      for (cl_ulong i = 0; i < block; i++)
        clr_state_identity(operation, states.bytes + i * operation->state_size);
    else if (plan->strategy->fixed_order)
      clr_fixed_lines(&plan->shape, &values, apart, block, &states);
    else
      err = plan->strategy->reduce.reference(&plan->shape, &values, &states);
    if (err)
      return err;
    clr_states_lower(operation, &states, block, out);
    out += block * operation->result_size;
  }
  return CL_SUCCESS;
}

static cl_int reduce_all(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent) {
  const bool of_columns = extent->columns != 1, of_rows = !of_columns && are_beside(extent);  // there may be none
  const cl_ulong width = of_columns ? extent->columns : of_rows ? extent->rows : 1;
  cl_int err = CL_SUCCESS;
  for (cl_ulong row = 0; row < (of_rows ? 1 : extent->rows) && !err; row++)
    err = reduce_lines(plan, call, extent, row * extent->row_stride, of_columns ? 1 : extent->row_stride, width,
                       (unsigned char *)call->out + (size_t)(row * width) * plan->problem.operation.result_size);
  return err;
}

cl_int clr_host_compute(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent,
                        struct clr_status *status) {
  cl_int err = plan->problem.scan ? scan_lines(plan, call, extent) : reduce_all(plan, call, extent);
  return err ? clr_fail(status, err, "out of memory for a call on the host") : CL_SUCCESS;
}
