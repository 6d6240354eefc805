// What a plan must compute, on the host: the same tree, so the same bits.
#include <string.h>

#include "host/histograms.h"
#include "host/values.h"
#include "plan/plan.h"

static bool lacks_one(const void *const *pointers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!pointers || !pointers[i])
      return true;
  return false;
}

static bool lacks_inputs(const struct clr_operation *operation, const clred_host_call *call) {
  return (call->count && (!call->in || lacks_one(call->inputs, operation->input_count))) ||
         lacks_one(call->parameters, operation->parameter_count);
}

static cl_int scan_reference(const clred_plan *plan, const clred_host_call *call, const struct clr_values *values,
                             void *results) {
  const struct clr_scan scan = {.inclusive = plan->problem.scan == CLRED_SCAN_INCLUSIVE,
                                .reversed = plan->problem.reversed,
                                .start = call->initial,
                                .results = results,
                                .stride = 1};
  return call->count ? plan->strategy->scan_reference(&plan->shape, values, &scan) : CL_SUCCESS;
}

cl_int clr_plan_reference(const clred_plan *plan, const clred_host_call *call, void *result) {
  union clr_room state, lowered;
  if (plan->problem.selects || lacks_inputs(&plan->problem.operation, call))
    return CLRED_INVALID_ARGUMENT;
  const struct clr_operation *operation = &plan->problem.operation;
  if (!clr_has_host(operation))
    return CLRED_NO_HOST_OPERATOR;
  const struct clr_values values = {operation, call->in, call->count, 1, call->inputs, call->parameters, 0};
  if (plan->problem.histogram) {
    clr_count_elements(plan->problem.histogram, operation->element.row, call->in, call->count, result);
    return CL_SUCCESS;
  }
  if (plan->problem.scan)
    return scan_reference(plan, call, &values, result);
  clr_state_identity(operation, &state);
  cl_int err = call->count ? plan->strategy->reference(&plan->shape, &values, &state) : CL_SUCCESS;
  if (err)
    return err;
  clr_state_lower(operation, &state, &lowered);
  memcpy(result, &lowered, operation->result_size);
  return CL_SUCCESS;
}

bool clr_same_parts(const struct clr_operation *operation, const unsigned char *a, const unsigned char *b) {
  for (size_t i = 0; i < operation->part_count; i++) {
    struct clr_element element;
    size_t offset = operation->parts[i].offset;
    clr_element_make(operation->parts[i].type, &element);
    if (memcmp(a + offset, b + offset, element.size) != 0)
      return false;
  }
  return true;
}
