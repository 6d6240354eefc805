// Calls on host memory that the host computes, with the bits of the device: small ones, where a launch takes longer.
#include "call/check.h"
#include "host/values.h"
#include "stream/host.h"

#include <string.h>

// Nanoseconds. A launch and the wait for its result take 10 to 80 us (PoCL on two cores; an H200 with its copies), so
// the host may take as long as a quick launch. ROW is the host's time for a row without elements.
enum { LAUNCH = 10000, ROW = 200 };

// Estimates the host's nanoseconds for an element. Loops in order or over lanes take 0.3 to 1, other states 2 to 4 for
// each part. Scans whose bits depend on the order keep a list of nodes, which takes longer.
static cl_ulong element_cost(const struct clr_problem *problem) {
  const struct clr_operation *operation = &problem->operation;
  const cl_ulong parts = operation->several ? operation->part_count : operation->host->state_part_count;
  if (problem->scan)
    return operation->exact ? 2 * parts : 64;
  return operation->exact || parts == 1 ? parts : 3 * parts;
}

// True if the host has the operation, and the caller asked for nothing that only the device gives.
static bool may_compute(const clred_plan *plan) {
  const struct clr_problem *problem = &plan->problem;
  return !plan->runtime->device_only && !problem->custom && !problem->histogram && !problem->segment_type &&
         !*problem->strategy && !*problem->finish && !problem->profile && clr_has_host(&problem->operation) &&
         problem->operation.portable && plan->runtime->facts.denormals;
}

bool clr_host_computes(const clred_plan *plan, const struct clr_extent *extent) {
  if (!may_compute(plan))
    return false;
  const cl_ulong of_row = clr_add(clr_multiply(extent->count, element_cost(&plan->problem)), ROW);
  return clr_multiply(clr_multiply(extent->rows, extent->columns), of_row) <= LAUNCH;
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

static cl_int compute_row(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent,
                          cl_ulong place, unsigned char *out) {
  const struct clr_operation *operation = &plan->problem.operation;
  const void *inputs[CLR_INPUTS_MAX] = {NULL};
  union clr_room state, result;
  const struct clr_values values = values_at(plan, call, extent, place, inputs);
  if (plan->problem.scan) {
    const struct clr_scan scan = {.inclusive = plan->problem.scan == CLRED_SCAN_INCLUSIVE,
                                  .reversed = plan->problem.reversed,
                                  .start = call->initial,
                                  .results = out + (size_t)place * operation->result_size,
                                  .stride = extent->stride};
    return plan->strategy->scan.reference(&plan->shape, &values, &scan);
  }
  cl_int err = CL_SUCCESS;
  if (extent->count)
    err = plan->strategy->reduce.reference(&plan->shape, &values, &state);
  else
    clr_state_identity(operation, &state);
  clr_state_lower(operation, &state, &result);
  memcpy(out, &result, operation->result_size);
  return err;
}

cl_int clr_host_compute(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent,
                        struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  unsigned char *out = call->out;
  cl_int err = CL_SUCCESS;
  if (plan->problem.scan && !extent->count)
    return CL_SUCCESS;
  for (cl_ulong row = 0; row < extent->rows && !err; row++)
    for (cl_ulong column = 0; column < extent->columns && !err; column++) {
      err = compute_row(plan, call, extent, row * extent->row_stride + column, out);
      out += plan->problem.scan ? 0 : operation->result_size;
    }
  return err ? clr_fail(status, err, "out of memory for a call on the host") : CL_SUCCESS;
}
