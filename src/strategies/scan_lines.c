#include "strategies/scans.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status)
{
  const cl_ulong most_held = 512;
  (void)status;
  clr_scan_fit_block(facts, problem, shape);
  shape->holds = facts->cpu && shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  if (facts->cpu && !problem->group_size)
    shape->group_size = 1;
  return CL_SUCCESS;
}

static cl_ulong elements(const struct clr_shape *shape, cl_ulong n)
{
  (void)shape;
  return n;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out)
{
  cl_ulong lines = clr_multiply(shape->call_rows, shape->call_columns);
  *out = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = clr_ceil_divide(lines, shape->group_size),
    .group_size = shape->group_size,
    .count = n,
  };
  return index == 0;
}

const struct clr_strategy clr_strategy_scan_lines = {
  .name = "scan_lines",
  .sentence = "many rows, along the fastest axis or across it: a work-item each",
  .scans = true,
  .fixed_order = true,
  .tree_in_global = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_ROWS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_COLUMNS),
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS),
  .parts = {"scan_block.clh", "scan_run.clh"},
  .fit = fit, .elements = elements, .pass = pass, .step = clr_scan_step,
  .scan_reference = clr_scan_fixed_reference,
};
