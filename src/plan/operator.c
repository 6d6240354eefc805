// The operator of a plan apart from the plan's program: the sizes of a caller's types, which a probe reads on the
// device, and results that the host computes, by the same tree and so with the same bits.
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "host/values.h"
#include "model/layout.h"
#include "opencl/launch.h"
#include "opencl/session.h"
#include "planning/host_passes.h"

// --- Sizes of a caller's operator ---

#define SIZES (3 + CLR_INPUTS_MAX + CLR_OPERANDS_MAX)

static const char purpose[] = "asking for the sizes of an operator's types";

// Reads the sizes on the device: element, state, result, each input, each parameter.
static cl_int read_sizes(const clred_runtime *runtime, cl_program program, cl_ulong *sizes, struct clr_status *status) {
  struct clr_session session;
  cl_kernel kernel;
  cl_mem buffer;
  cl_int err = clr_session_open(runtime->context, runtime->device, purpose, &session, status);
  if (!err)
    err = clr_session_kernel(&session, program, "clred_probe", &kernel, status);
  if (!err)
    err = clr_session_buffer(&session, SIZES * sizeof *sizes, NULL, &buffer, status);
  if (!err && (err = clSetKernelArg(kernel, 0, sizeof buffer, &buffer)) != CL_SUCCESS)
    clr_fail_call(status, err, "clSetKernelArg", purpose);
  if (!err)
    err = clr_session_launch(&session, kernel, 1, 1, status);
  if (!err)
    err = clr_session_read(&session, buffer, SIZES * sizeof *sizes, sizes, status);
  clr_session_close(&session);
  return err;
}

// A type of the operator: its name in messages, its size on the host, and the most bytes that it may have.
struct own_size {
  const char *what;
  size_t *size, most;
};

// Lists the sizes in the order in which the device reports them.
static size_t list_sizes(struct clr_problem *problem, struct own_size list[SIZES]) {
  struct clr_operation *of = &problem->operation;
  size_t count = 0;
  list[count++] = (struct own_size){"element", &of->element.size, CLR_OWN_SIZE_MAX};
  list[count++] = (struct own_size){"state", &of->state_size, CLR_STATE_SIZE_MAX};
  list[count++] = (struct own_size){"result", &of->result_size, CLR_OWN_SIZE_MAX};
  for (size_t i = 0; i < of->input_count; i++)
    list[count++] = (struct own_size){problem->custom->inputs[i].name, &of->input_sizes[i], CLR_OWN_SIZE_MAX};
  for (size_t i = 0; i < of->parameter_count; i++)
    list[count++] = (struct own_size){problem->custom->parameters[i].name, &of->parameter_sizes[i], CLR_OWN_SIZE_MAX};
  return count;
}

static cl_int settle_sizes(struct clr_problem *problem, cl_ulong *on_device, struct clr_status *status) {
  struct own_size list[SIZES];
  const size_t count = list_sizes(problem, list);
  // A selection writes elements, so its result has the element's size. The probe program cannot report it.
  if (problem->selects && !problem->custom->keeping.indices)
    on_device[2] = on_device[0];
  for (size_t i = 0; i < count; i++) {
    if (*list[i].size && *list[i].size != on_device[i])
      return clr_fail_operator(status, problem->operation.name,
                               "%s has %llu bytes on the device, but the host says %zu", list[i].what,
                               (unsigned long long)on_device[i], *list[i].size);
    *list[i].size = (size_t)on_device[i];
  }
  for (size_t i = 0; i < count; i++)
    if (!*list[i].size || *list[i].size > list[i].most)
      return clr_fail_operator(status, problem->operation.name, "%s has %zu bytes; 1 to %zu can be served",
                               list[i].what, *list[i].size, list[i].most);
  return CL_SUCCESS;
}

cl_int clr_probe(clred_runtime *runtime, struct clr_problem *problem, struct clr_status *status) {
  cl_ulong sizes[SIZES] = {0};
  struct clr_built *built = NULL;
  cl_int err = clr_check_types(&problem->operation, &runtime->facts, status);
  if (!err)
    err = clr_runtime_probe(runtime, &problem->operation, &built, status);
  if (!err)
    err = read_sizes(runtime, built->program, sizes, status);
  if (!err)
    atomic_store(&built->launched, true);
  if (!err)
    err = settle_sizes(problem, sizes, status);
  if (!err)
    clr_layout_pad(&problem->operation);
  return err;
}

// --- The reference ---

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
  return call->count ? plan->strategy->scan.reference(&plan->shape, values, &scan) : CL_SUCCESS;
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
    struct clr_host_work work = {.problem = &plan->problem, .values = values, .result = result};
    struct clr_states sums = {0};
    if (operation->weights)
      sums = clr_states_make(operation->weights, plan->problem.histogram->results);
    if (operation->weights && !sums.bytes)
      return CL_OUT_OF_HOST_MEMORY;
    work.room = sums.bytes;
    clr_host_passes[CLR_PASS_COUNT_ON_HOST].compute(&work);
    clr_states_release(&sums);
    return CL_SUCCESS;
  }
  if (plan->problem.scan)
    return scan_reference(plan, call, &values, result);
  clr_state_identity(operation, &state);
  cl_int err = call->count ? plan->strategy->reduce.reference(&plan->shape, &values, &state) : CL_SUCCESS;
  if (err)
    return err;
  clr_state_lower(operation, &state, &lowered);
  memcpy(result, &lowered, operation->result_size);
  return CL_SUCCESS;
}
