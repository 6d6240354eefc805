// Builds a caller's operator alone, before any plan uses it, and checks its sizes.
#include <string.h>

#include "model/layout.h"
#include "opencl/session.h"
#include "plan/make.h"
#include "source/build_log.h"

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

static cl_int settle(const struct clr_problem *problem, const char *what, cl_ulong on_device, size_t *size,
                     struct clr_status *status) {
  if (*size && *size != on_device)
    return clr_fail_operator(status, problem->operation.name, "%s has %llu bytes on the device, but the host says %zu",
                             what, (unsigned long long)on_device, *size);
  *size = (size_t)on_device;
  return CL_SUCCESS;
}

// A selection writes elements, so its result has the element's size. The probe program cannot report it.
static cl_int settle_result(struct clr_problem *problem, cl_ulong on_device, struct clr_status *status) {
  struct clr_operation *operation = &problem->operation;
  bool writes_elements = problem->selects && !problem->custom->keeping.indices;
  return settle(problem, "result", writes_elements ? operation->element.size : on_device, &operation->result_size,
                status);
}

static cl_int settle_all(struct clr_problem *problem, const cl_ulong *sizes, struct clr_status *status) {
  struct clr_operation *operation = &problem->operation;
  cl_int err = settle(problem, "element", sizes[0], &operation->element.size, status);
  if (!err)
    err = settle(problem, "state", sizes[1], &operation->state_size, status);
  if (!err)
    err = settle_result(problem, sizes[2], status);
  sizes += 3;
  for (size_t i = 0; i < operation->input_count && !err; i++)
    err = settle(problem, problem->custom->inputs[i].name, *sizes++, &operation->input_sizes[i], status);
  for (size_t i = 0; i < operation->parameter_count && !err; i++)
    err = settle(problem, problem->custom->parameters[i].name, *sizes++, &operation->parameter_sizes[i], status);
  return err;
}

static cl_int check_limits(const struct clr_operation *operation, struct clr_status *status) {
  const struct {
    const char *what;
    size_t size;
  } limited[] = {
    {"element", operation->element.size}, {"state", operation->state_size}, {"result", operation->result_size}};
  for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
    if (!limited[i].size || limited[i].size > CLR_STATE_SIZE_MAX)
      return clr_fail_operator(status, operation->name, "%s has %zu bytes; 1 to %d can be served", limited[i].what,
                               limited[i].size, CLR_STATE_SIZE_MAX);
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
    err = settle_all(problem, sizes, status);
  if (!err)
    err = check_limits(&problem->operation, status);
  if (!err)
    clr_layout_pad(&problem->operation);
  return err;
}
