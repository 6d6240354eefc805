// The public functions of a plan without its calls: create, release, inspect, and the reference on the host.
#include "api/struct_versions.h"
#include "call/call.h"
#include "clreduce_partial.h"
#include "trial/trial.h"

cl_int clred_plan_create_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem, clred_plan **plan) {
  struct clr_problem_taken taken;
  struct clr_status status = {0};
  if (plan)
    *plan = NULL;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_problem(header, problem, &taken, &status);
  if (!err)
    err = clr_require(plan, "plan", &status);
  if (!err)
    err = clr_plan_make_tried(runtime, &taken.problem, plan, &status);
  return clr_runtime_keep(runtime, err, &status);
}

clred_runtime *clred_plan_runtime(const clred_plan *plan) {
  return plan ? plan->runtime : NULL;
}

cl_int clred_plan_warm(cl_command_queue queue, clred_plan *plan) {
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  clred_runtime *runtime = plan->runtime;
  cl_int err = clr_plan_take_program(&plan, &status);
  if (!err)
    err = clr_plan_warm(queue, plan, &status);
  return clr_runtime_keep(runtime, err, &status);
}

void clred_plan_release(clred_plan *plan) {
  clr_plan_release(plan);
}

cl_int clred_plan_inspect_v(cl_uint header, const clred_plan *plan, cl_ulong count, clred_plan_info *info) {
  clred_plan_info full;
  if (!plan || !info || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_plan_inspect(plan, count, &full);
  return err ? err : clr_struct_export(CLR_STRUCT_PLAN_INFO, header, &full, 1, info);
}

size_t clred_plan_describe(const clred_plan *plan, cl_ulong count, char *text, size_t size) {
  struct clr_text lines = {0};
  if (plan)
    clr_plan_describe(plan, count, &lines);
  // If memory ran out, the text is incomplete. In this case the result is "", because a part of the text could be
  // mistaken for all of it.
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

cl_int clred_plan_step_v(cl_uint header, const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step) {
  clred_step full;
  if (!plan || !step || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_plan_step(plan, count, index, &full);
  return err ? err : clr_struct_export(CLR_STRUCT_STEP, header, &full, 1, step);
}

cl_int clred_plan_analysis_v(cl_uint header, const clred_plan *plan, cl_ulong count, clred_analysis *analysis) {
  clred_analysis full;
  if (!plan || !analysis || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_plan_analysis(plan, count, &full);
  return err ? err : clr_struct_export(CLR_STRUCT_ANALYSIS, header, &full, 1, analysis);
}

cl_int clred_plan_edge(const clred_plan *plan, cl_ulong index, double *edge) {
  const struct clr_histogram *axis = plan && edge ? plan->problem.histogram : NULL;
  for (; axis && index > axis->bins; axis = axis->next)
    index -= axis->bins + 1;
  if (!axis)
    return CLRED_INVALID_ARGUMENT;
  *edge = axis->marks[index];
  return CL_SUCCESS;
}

cl_int clred_plan_part_v(cl_uint header, const clred_plan *plan, size_t index, clred_part *part) {
  if (!plan || index >= plan->problem.operation.part_count)
    return CLRED_INVALID_ARGUMENT;
  return clr_struct_export(CLR_STRUCT_PART, header, &plan->problem.operation.parts[index], 1, part);
}

cl_int clred_plan_reference_v(cl_uint header, const clred_plan *plan, const clred_host_call *call) {
  clred_host_call full;
  struct clr_status unused = {0};
  if (!plan || !call || clr_struct_import(CLR_STRUCT_HOST_CALL, header, call, &full, &unused))
    return CLRED_INVALID_ARGUMENT;
  return full.out ? clr_plan_reference(plan, &full, full.out) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_plan_seconds(clred_plan *plan, double *seconds) {
  return plan && seconds ? clr_plan_seconds(plan, seconds) : CLRED_INVALID_ARGUMENT;
}
