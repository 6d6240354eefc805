#include <string.h>

#include "host/histograms.h"
#include "host/values.h"
#include "plan/plan.h"
#include "planning/explain.h"

const char *clr_plan_order(const clred_plan *plan) {
  bool any = plan->problem.order == CLRED_ORDER_ANY || plan->shape.finish == CLR_FINISH_ATOMIC;
  return any ? "any" : plan->strategy->fixed_order ? "fixed/1" : "own";
}

static cl_ulong count_launches(const clred_plan *plan, cl_ulong count, struct clr_pass *first) {
  const struct clr_extent extent = clr_extent_line(count);
  struct clr_pass pass;
  cl_ulong launches = 0;
  *first = (struct clr_pass){0};
  for (unsigned i = 0; clr_strategy_pass(&plan->shape, &extent, i, &pass); i++) {
    if (pass.kind != CLR_PASS_LAUNCH)
      continue;
    launches++;
    if (pass.kernel == CLR_KERNEL_ELEMENTS)
      *first = pass;
  }
  return launches;
}

static cl_ulong count_elements(const clred_plan *plan, cl_ulong count) {
  const struct clr_extent extent = clr_extent_line(count);
  if (plan->strategy->elements)
    return plan->strategy->elements(&plan->shape, &extent);
  if (plan->strategy->team != CLR_TEAM_GROUPS)
    return count;
  return plan->strategy->local_states ? 2 : 1;
}

// States of one value are those of the results: only operators with states of several parts make something else of
// them.
static clred_type state_type(const struct clr_operation *operation) {
  if (operation->custom)
    return operation->custom->state.scalar;
  return !operation->form || operation->form->state_fields ? CLRED_TYPE_NONE : operation->result_type;
}

// What a plan that finds runs first adds.
static void add_search(const clred_plan *plan, cl_ulong count, clred_plan_info *info) {
  clred_plan_info search;
  if (!plan->runs || clr_plan_inspect(plan->runs, count, &search))
    return;
  info->passes += search.passes;
  info->scratch_bytes += search.scratch_bytes + (plan->problem.count_max + 1) * sizeof(cl_ulong);
}

cl_int clr_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info) {
  struct clr_pass first;
  if (count > plan->shape.count_max || count > plan->shape.count_most)
    return CLRED_COUNT_ABOVE_MAXIMUM;
  cl_ulong launches = count_launches(plan, count, &first);
  *info = (clred_plan_info){
    .strategy = plan->strategy->name,
    .finish = clr_finish_name(plan->shape.finish),
    .order = clr_plan_order(plan),
    .portable = plan->problem.operation.portable,
    .result_type = plan->problem.operation.result_type,
    .state_type = state_type(&plan->problem.operation),
    .result_size = plan->problem.operation.result_size,
    .parts = plan->problem.operation.part_count,
    .element_size = plan->problem.operation.element.size,
    .state_size = plan->problem.operation.state_size,
    .group_size = plan->shape.group_size,
    .groups = first.groups,
    .elements = count_elements(plan, count),
    .vector_width = plan->shape.vector,
    .local_bytes = plan->shape.local_bytes,
    .scratch_bytes = plan->shape.scratch * plan->shape.state_size + plan->shape.fold.handover_words * sizeof(cl_ulong),
    .passes = launches,
    .kernel_work_group_size = plan->kernel_limit,
    .tuned = plan->shape.tuned.given != 0,
  };
  add_search(plan, count, info);
  return CL_SUCCESS;
}

void clr_plan_describe(const clred_plan *plan, cl_ulong count, struct clr_text *lines) {
  clred_plan_info info;
  if (clr_plan_inspect(plan, count, &info))
    return;
  clr_explain(&plan->runtime->facts, &plan->problem, &plan->shape, &info, count, lines);
  if (plan->runs && !clr_plan_inspect(plan->runs, count, &info))
    clr_text_format(lines, "runs: found first, by %s in %llu of the launches\n", info.strategy,
                    (unsigned long long)info.passes);
}

cl_int clr_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step) {
  const struct clr_extent extent = clr_extent_line(count);
  struct clr_pass pass;
  if (count > plan->shape.count_max)
    return CLRED_INVALID_ARGUMENT;
  cl_ulong launch = 0;
  for (unsigned i = 0; count && clr_strategy_pass(&plan->shape, &extent, i, &pass); i++) {
    if (pass.kind != CLR_PASS_LAUNCH)
      continue;
    for (unsigned j = 0; clr_strategy_step(&plan->shape, &extent, &pass, j, step); j++) {
      step->pass = launch;
      if (index-- == 0)
        return CL_SUCCESS;
    }
    launch++;
  }
  return CLRED_INVALID_ARGUMENT;
}

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
  struct clr_scan scan = clr_scan_of(plan);
  scan.start = call->initial;
  scan.results = results;
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
    clr_count_elements(plan->problem.histogram, operation->element.row, call->in, call->count, result);
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

// NVIDIA's driver answers for launches that are under way, too, with times that are not theirs yet.
static cl_int seconds_between(cl_event first, cl_event last, double *seconds) {
  cl_int status = CL_QUEUED;
  cl_ulong start = 0, end = 0;
  cl_int err = clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  if (!err && status != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  if (!err)
    err = clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  if (!err)
    err = clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  if (!err)
    *seconds = (double)(end - start) / 1e9;
  return err;
}

cl_int clr_plan_seconds(clred_plan *plan, double *seconds) {
  cl_int err = CL_SUCCESS;
  *seconds = 0;
  // Another thread's call may replace the events; under the lock it cannot.
  mtx_lock(&plan->lock);
  if (!plan->problem.profile || !plan->latest)
    err = CL_PROFILING_INFO_NOT_AVAILABLE;
  else if (plan->latest->first)
    err = seconds_between(plan->latest->first, plan->latest->last, seconds);
  mtx_unlock(&plan->lock);
  return err;
}
