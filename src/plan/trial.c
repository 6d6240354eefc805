// Runs while a plan is made: a probe of a caller's operator, and a trial of group sizes above the driver's hint. Also
// computes a plan's result on the host, by the same tree and so with the same bits.
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "host/values.h"
#include "model/layout.h"
#include "opencl/launch.h"
#include "opencl/session.h"
#include "plan/slots.h"
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
    clr_host_passes[CLR_PASS_COUNT_ON_HOST].compute(&work);
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

// --- The trial ---

// Elements and results on the host and on the device: one result, or `count` results of a scan.
struct trial {
  clred_plan *plan;
  struct clr_session session;
  cl_mem in, out;
  unsigned char *elements, *got, *expected;
  cl_ulong count, results;
};

// Returns enough elements to give every work-item of two groups something to do, with any strategy.
static cl_ulong trial_count(const clred_plan *plan) {
  cl_ulong count = plan->shape.group_size * 2 * 64 + 3;
  return count < plan->shape.count_max ? count : plan->shape.count_max;
}

static void fill(const struct trial *trial, cl_ulong first, cl_ulong count, unsigned char byte) {
  size_t size = trial->plan->problem.operation.element.size;
  memset(trial->elements + first * size, byte, (size_t)count * size);
}

static bool same_results(const struct trial *trial) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  bool same = true;
  for (cl_ulong i = 0; i < trial->results && same; i++)
    same =
      clr_same_parts(operation, trial->got + i * operation->result_size, trial->expected + i * operation->result_size);
  return same;
}

// Further inputs use the same elements.
static struct clr_operands operands_of(const clred_plan *plan, const cl_mem *inputs) {
  const struct clr_operation *operation = &plan->problem.operation;
  return plan->problem.histogram ? plan->histogram.operands
                                 : (struct clr_operands){.input_count = operation->input_count, .inputs = inputs};
}

static cl_int run(struct trial *trial, struct clr_status *status) {
  clred_plan *plan = trial->plan;
  const struct clr_operation *operation = &plan->problem.operation;
  const cl_mem in = trial->in, inputs[CLR_INPUTS_MAX] = {in, in, in, in, in, in, in, in};
  const clred_call asked = {.in = in};
  union clr_room result;
  bool on_host;
  struct clr_call call = {
    .asked = &asked,
    .problem = &plan->problem,
    .strategy = plan->strategy,
    .shape = &plan->shape,
    .workspace = &plan->slots[0].space,
    .queue = trial->session.queue,
    .mapping = &plan->runtime->mapping,
    .extent = {.count = trial->count, .stride = 1, .rows = 1, .row_stride = trial->count, .columns = 1},
    .out = trial->out,
    .out_stride = 1,
    .operands = operands_of(plan, inputs),
    .in_order = true,
  };
  cl_int err =
    clr_session_write(&trial->session, in, (size_t)trial->count * operation->element.size, trial->elements, status);
  if (!err)
    err = clr_run_passes(&call, &result, &on_host, status);
  if (!err && on_host && !plan->problem.scan && !plan->problem.histogram)
    err = clr_session_write(&trial->session, trial->out, operation->result_size, &result, status);
  return err ? err
             : clr_session_read(&trial->session, trial->out, (size_t)trial->results * operation->result_size,
                                trial->got, status);
}

static cl_int run_and_compare(struct trial *trial, struct clr_status *status) {
  const clred_plan *plan = trial->plan;
  const void *const inputs[CLR_INPUTS_MAX] = {trial->elements, trial->elements, trial->elements, trial->elements,
                                              trial->elements, trial->elements, trial->elements, trial->elements};
  const clred_host_call reference = {.in = trial->elements, .inputs = inputs, .count = trial->count};
  cl_int err = run(trial, status);
  if (err)
    return err;
  err = clr_plan_reference(plan, &reference, trial->expected);
  if (err)
    return clr_fail(status, err, "out of memory for what a trial of the group size must give");
  bool any_order = plan->shape.finish == CLR_FINISH_ATOMIC && !plan->problem.operation.exact;
  if (!any_order && !same_results(trial))
    return clr_fail(status, CLRED_WRONG_RESULT,
                    "%s with group_size %llu, above the driver's hint %llu, gave a wrong result in a trial",
                    plan->strategy->name, (unsigned long long)plan->shape.group_size,
                    (unsigned long long)plan->kernel_limit);
  return CL_SUCCESS;
}

// One element differs from all others, so it decides the result of min, max, all or any, and changes a sum. This
// element is placed where groups begin and end; in one run it has the larger, in another the smaller value.
static cl_int run_trials(struct trial *trial, struct clr_status *status) {
  cl_ulong size = trial->plan->shape.group_size, count = trial->count;
  const cl_ulong places[] = {0, 1, size / 2, size - 1, size, 64 * size - 1, 64 * size, count / 2, count - 1};
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < 2 * sizeof places / sizeof *places && !err; i++) {
    unsigned char common = i % 2 ? 0x3f : 0, other = i % 2 ? 0 : 0x3f;
    fill(trial, 0, count, common);
    fill(trial, places[i / 2] < count ? places[i / 2] : 0, 1, other);
    err = run_and_compare(trial, status);
  }
  return err;
}

static cl_int prepare(struct trial *trial, struct clr_status *status) {
  const clred_runtime *runtime = trial->plan->runtime;
  size_t bytes = (size_t)trial->count * trial->plan->problem.operation.element.size;
  size_t result_bytes = (size_t)trial->results * trial->plan->problem.operation.result_size;
  trial->elements = malloc(bytes);
  trial->got = malloc(result_bytes);
  trial->expected = malloc(result_bytes);
  if (!trial->elements || !trial->got || !trial->expected)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a trial of the group size");
  cl_int err =
    clr_session_open(runtime->context, runtime->device, "a trial of the group size", &trial->session, status);
  if (!err)
    err = clr_session_buffer(&trial->session, bytes, NULL, &trial->in, status);
  return err ? err : clr_session_buffer(&trial->session, result_bytes, NULL, &trial->out, status);
}

cl_int clr_trial(clred_plan *plan, struct clr_status *status) {
  struct trial trial = {.plan = plan, .count = trial_count(plan)};
  trial.results = plan->problem.scan ? trial.count : clr_values_per_result(&plan->problem);
  cl_int err = prepare(&trial, status);
  // Two is the least number of groups that hand over to each other. With fewer groups, each group has more elements, so
  // that all its work-items are active.
  cl_ulong groups_max = plan->shape.groups_max, tiles_at_least = plan->shape.fold.tiles_at_least;
  plan->shape.fold.tiles_at_least = 1;
  plan->shape.groups_max = groups_max > 2 && !plan->shape.board.levels ? 2 : groups_max;
  if (!err)
    err = run_trials(&trial, status);
  plan->shape.groups_max = groups_max;
  plan->shape.fold.tiles_at_least = tiles_at_least;
  clr_session_close(&trial.session);
  free(trial.elements);
  free(trial.got);
  free(trial.expected);
  return err;
}
