// The public functions of a plan, but for its calls: its life, what it says of itself, and its reference on the host.
#include "call/call.h"

cl_int clred_plan_create(clred_runtime *runtime, const clred_problem *problem, clred_plan **plan) {
  struct clr_status status = {0};
  if (plan)
    *plan = NULL;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(problem, "problem", &status);
  if (!err)
    err = clr_require(plan, "plan", &status);
  if (!err)
    err = clr_plan_make(runtime, problem, (struct clr_keeping){.indices = problem->indices}, plan, &status);
  return clr_runtime_keep(runtime, err, &status);
}

cl_int clred_plan_warm(cl_command_queue queue, clred_plan *plan) {
  struct clr_status status = {0};
  return plan ? clr_runtime_keep(plan->runtime, clr_plan_warm(queue, plan, &status), &status) : CLRED_INVALID_ARGUMENT;
}

void clred_plan_release(clred_plan *plan) {
  clr_plan_release(plan);
}

cl_int clred_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info) {
  return plan && info ? clr_plan_inspect(plan, count, info) : CLRED_INVALID_ARGUMENT;
}

size_t clred_plan_describe(const clred_plan *plan, cl_ulong count, char *text, size_t size) {
  struct clr_text lines = {0};
  if (plan)
    clr_plan_describe(plan, count, &lines);
  // Half of it would look like all of it.
  size_t length = clr_text_copy(lines.failed || !lines.bytes ? "" : lines.bytes, text, size);
  clr_text_release(&lines);
  return length;
}

size_t clred_plan_source(const clred_plan *plan, char *text, size_t size) {
  struct clr_text source = {0};
  if (plan && plan->built)
    clr_programs_source(&plan->runtime->programs, plan->built, &source);
  size_t length = clr_text_copy(source.failed || !source.bytes ? "" : source.bytes, text, size);
  clr_text_release(&source);
  return length;
}

cl_int clred_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step) {
  return plan && step ? clr_plan_step(plan, count, index, step) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_plan_edge(const clred_plan *plan, cl_ulong index, double *edge) {
  if (!plan || !edge || !plan->problem.histogram || index > plan->problem.histogram->bins)
    return CLRED_INVALID_ARGUMENT;
  *edge = plan->problem.histogram->marks[index];
  return CL_SUCCESS;
}

cl_int clred_plan_part(const clred_plan *plan, size_t index, clred_part *part) {
  if (!plan || !part || index >= plan->problem.operation.part_count)
    return CLRED_INVALID_ARGUMENT;
  *part = plan->problem.operation.parts[index];
  return CL_SUCCESS;
}

cl_int clred_plan_reference_call(const clred_plan *plan, const clred_host_call *call, void *result) {
  return plan && call && result ? clr_plan_reference(plan, call, result) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_plan_reference(const clred_plan *plan, const void *in, cl_ulong count, void *result) {
  const clred_host_call call = {.in = in, .count = count};
  return clred_plan_reference_call(plan, &call, result);
}

cl_int clred_plan_seconds(clred_plan *plan, double *seconds) {
  return plan && seconds ? clr_plan_seconds(plan, seconds) : CLRED_INVALID_ARGUMENT;
}
