// Implements clred_plan_warm: launches each kernel in every form that a driver may compile at a first launch, over data
// of the library.
#include "call/warm.h"

#include "call/check.h"
#include "opencl/launch.h"
#include "planning/strategy.h"

#define LARGE 65535
// Warming makes calls up to this size only. Forms that need longer calls are compiled at the first such call.
#define MOST_ELEMENTS ((cl_ulong)1 << 24)
#define MOST_BYTES ((cl_ulong)64 << 20)

static bool is_new(const struct clr_warming *warming, const struct clr_form_of_launch *form) {
  for (size_t i = 0; i < warming->form_count; i++)
    if (warming->forms[i].kernel == form->kernel && warming->forms[i].group_size == form->group_size &&
        warming->forms[i].is_large == form->is_large)
      return false;
  return warming->form_count < CLR_WARM_FORMS;
}

static bool adds_forms(struct clr_warming *warming, const struct clr_extent *extent) {
  const clred_plan *plan = warming->plan;
  const size_t before = warming->form_count;
  struct clr_pass pass;
  if (clr_writes_nothing(&plan->problem, plan->strategy, extent))
    return false;
  for (unsigned i = 0; clr_strategy_pass(&plan->shape, extent, i, &pass); i++) {
    const struct clr_form_of_launch form = {pass.kernel, pass.group_size, pass.groups * pass.group_size >= LARGE};
    if (pass.kind == CLR_PASS_LAUNCH && is_new(warming, &form))
      warming->forms[warming->form_count++] = form;
  }
  return warming->form_count > before;
}

static cl_ulong rows_of(const struct clr_extent *extent) {
  return clr_multiply(extent->rows, extent->columns);
}

static bool is_grid(const clred_plan *plan) {
  return plan->problem.layout == CLRED_LAYOUT_ROWS || plan->problem.layout == CLRED_LAYOUT_COLUMNS;
}

static cl_ulong elements_of(const clred_plan *plan, const struct clr_extent *extent) {
  return is_grid(plan) ? clr_multiply(extent->count, rows_of(extent)) : extent->count;
}

// True if the buffers for the call are small enough.
static bool is_small(const clred_plan *plan, const struct clr_extent *extent) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_ulong elements = elements_of(plan, extent), rows = rows_of(extent);
  return elements <= MOST_ELEMENTS && rows <= MOST_ELEMENTS &&
         elements <= MOST_BYTES / clr_largest_operand(operation) &&
         clr_warm_results(plan, elements, rows) <= MOST_BYTES / operation->result_size;
}

static void consider(struct clr_warming *warming, cl_ulong count, cl_ulong rows) {
  const clred_plan *plan = warming->plan;
  const bool columns = plan->problem.layout == CLRED_LAYOUT_COLUMNS;
  const struct clr_extent extent = clr_extent_of(
    plan, &(clred_call){.count = count, .stride = columns ? rows : 1, .rows = columns ? 1 : rows, .columns = rows});
  if (count > plan->shape.count_max || count > plan->shape.count_most || !is_small(plan, &extent) ||
      warming->extent_count == CLR_WARM_FORMS || !adds_forms(warming, &extent))
    return;
  warming->extents[warming->extent_count++] = extent;
  cl_ulong elements = elements_of(plan, &extent), results = rows_of(&extent);
  warming->elements = elements > warming->elements ? elements : warming->elements;
  warming->rows = results > warming->rows ? results : warming->rows;
}

// Try short calls first: they cover most forms.
static void find_calls(struct clr_warming *warming) {
  const clred_layout layout = warming->plan->problem.layout;
  const bool has_rows = is_grid(warming->plan) || layout == CLRED_LAYOUT_SEGMENTS;
  for (cl_ulong size = 1; size <= MOST_ELEMENTS; size *= 2)
    for (cl_ulong rows = 1; rows <= (has_rows ? size : 1); rows *= 2) {
      if (size == rows)
        consider(warming, 0, rows);
      consider(warming, size / (is_grid(warming->plan) ? rows : 1), rows);
      consider(warming, size / (is_grid(warming->plan) ? rows : 1) + 1, rows);
    }
}

static cl_int call(struct clr_warming *warming, const struct clr_extent *extent, struct clr_status *status) {
  const void *parameters[CLR_OPERANDS_MAX];
  cl_event done = NULL;
  for (size_t i = 0; i < CLR_OPERANDS_MAX; i++)
    parameters[i] = warming->parameters[i];
  const struct clr_request request = {.queue = warming->queue,
                                      .call = {.in = warming->in,
                                               .inputs = warming->inputs,
                                               .parameters = parameters,
                                               .count = extent->count,
                                               .stride = extent->stride,
                                               .rows = extent->rows,
                                               .columns = extent->columns,
                                               .segments = warming->segments,
                                               .out = warming->out},
                                      .event = &done,
                                      .warms = true};
  cl_int err = clr_enqueue(warming->plan, &request, status);
  return err ? err : clr_finish_event(&done, "warming a plan", status);
}

static cl_int run(struct clr_warming *warming, const struct clr_extent *extent, struct clr_status *status) {
  const bool has_offsets = warming->plan->problem.layout == CLRED_LAYOUT_SEGMENTS;
  cl_int err = has_offsets ? clr_warm_offsets(warming, extent, status) : CL_SUCCESS;
  if (!err)
    err = call(warming, extent, status);
  if (has_offsets)
    clr_release_buffers(&warming->segments, 1);
  return err;
}

cl_int clr_plan_warm(cl_command_queue queue, clred_plan *plan, struct clr_status *status) {
  struct clr_warming warming = {.plan = plan, .queue = queue};
  cl_int err = clr_check_queue(queue, plan->runtime->context, plan->runtime->device, status);
  if (!err && plan->runs)
    err = clr_plan_warm(queue, plan->runs, status);
  if (err || !plan->built)
    return err;
  find_calls(&warming);
  err = clr_warm_data(&warming, status);
  for (size_t i = 0; i < warming.extent_count && !err; i++) {
    err = run(&warming, &warming.extents[i], status);
    // The device ends loops too early for this length; skip the call.
    if (err == CLRED_COUNT_ABOVE_MAXIMUM)
      err = CL_SUCCESS;
  }
  clr_warm_release(&warming);
  return err;
}
