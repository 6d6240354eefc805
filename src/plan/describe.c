// Describes plans and strategies for the caller: clred_plan_describe and related functions.
#include <stdio.h>

#include "plan/plan.h"
#include "strategies/strategies.h"

void clr_strategy_describe(const struct clr_strategy *row, clred_strategy_info *info) {
  size_t count = 0;
  *info = (clred_strategy_info){.name = row->name,
                                .summary = row->summary,
                                .scans = row->task == CLR_TASK_SCAN,
                                .counts = row->task == CLR_TASK_COUNT,
                                .fixed_order = row->fixed_order,
                                .layouts = clr_strategy_layouts(row),
                                .needs_bound = row->growing != 0};
  if (row->reduce.finishes)
    info->finishes[count++] = clr_finish_name(row->reduce.finish);
  for (int finish = 0; finish < CLR_FINISHES; finish++)
    if ((row->reduce.finishes & CLR_FINISH_BIT(finish)) && finish != (int)row->reduce.finish)
      info->finishes[count++] = clr_finish_name((enum clr_finish)finish);
}

cl_int clr_strategy_applies(const struct clr_facts *facts, const char *strategy, const clred_problem *problem,
                            struct clr_status *status) {
  struct clr_problem asked = {.custom = NULL};
  struct clr_shape shape;
  const struct clr_strategy *row = clr_strategy_named(strategy);
  cl_int err = clr_bins_check_bound(problem, facts, status);
  if (!err)
    err = clr_problem_make(problem, &asked, status);
  if (!err && !row)
    err = clr_fail(status, CLRED_UNKNOWN_NAME, "strategy: there is none named '%.60s'", strategy);
  if (!err && (!asked.operation.state_size || !asked.operation.element.size))
    err = clr_fail(status, CLRED_INVALID_PROBLEM,
                   "custom: element_size and state_size are missing; set them, because nothing is built here");
  if (!err)
    snprintf(asked.strategy, sizeof asked.strategy, "%s", row->name);
  if (!err)
    err = clr_strategy_check_offsets(row, facts, &asked, status);
  if (!err)
    err = clr_strategy_fit(row, facts, &asked, &shape, status);
  clr_problem_release(&asked);
  return err;
}

static const char *order_of(const clred_plan *plan) {
  if (plan->problem.order == CLRED_ORDER_EXACT)
    return "exact";
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
  if (plan->strategy->exec != CLR_EXEC_GROUPS)
    return count;
  return plan->strategy->local_states ? 2 : 1;
}

// Returns the type of a state. A state of a single value has the result's type, and a product begins with a value of
// this type. A state with other members has no single type: NONE.
static clred_type state_type(const struct clr_operation *operation) {
  if (operation->custom)
    return operation->custom->state.scalar;
  if (!operation->form || (operation->form->state_fields && !operation->form->normal))
    return CLRED_TYPE_NONE;
  return operation->result_type;
}

// Adds the numbers of the plan that finds the runs.
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
    .order = order_of(plan),
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
    .scratch_bytes = plan->shape.scratch * plan->shape.state_size +
                     (plan->shape.wide.handover_words + plan->shape.wide.digit_cells) * sizeof(cl_ulong),
    .passes = launches,
    .kernel_work_group_size = plan->kernel_limit,
    .tuned = plan->shape.tuned.given != 0,
    .stop_at = plan->shape.hand_off.partials,
    .elements_per_group = clr_multiply(plan->shape.group_size, count_elements(plan, count)),
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
  if (count > plan->shape.count_max || !clr_call_step(&plan->shape, count, index, step))
    return CLRED_INVALID_ARGUMENT;
  return CL_SUCCESS;
}

cl_int clr_plan_analysis(const clred_plan *plan, cl_ulong count, clred_analysis *analysis) {
  if (count > plan->shape.count_max)
    return CLRED_INVALID_ARGUMENT;
  *analysis = clr_call_analysis(&plan->shape, count, plan->problem.selects);
  return CL_SUCCESS;
}

// Check the status first: for running launches NVIDIA's driver returns times that are not final.
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
  // The lock keeps another thread's call from replacing the events.
  clr_mutex_lock(&plan->lock);
  if (!plan->problem.profile || !plan->latest)
    err = CL_PROFILING_INFO_NOT_AVAILABLE;
  else if (plan->latest->first)
    err = seconds_between(plan->latest->first, plan->latest->last, seconds);
  clr_mutex_unlock(&plan->lock);
  return err;
}
