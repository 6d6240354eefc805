// scan_items: many rows, along the fastest axis or across it, in the order fixed/1. A work-item scans whole rows.
#include "strategies/scans.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong most_held = 512;
  (void)status;
  clr_scan_fit_block(facts, problem, shape);
  shape->scan.across = problem->layout == CLRED_LAYOUT_COLUMNS && shape->vector > 1;
  shape->scan.keeps_lanes = facts->cpu && !shape->scan.across && shape->rows * shape->state_size <= most_held;
  if (facts->cpu && !problem->group_size)
    shape->group_size = 1;
  return CL_SUCCESS;
}

static cl_ulong elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  (void)shape;
  return extent->count;
}

// Returns how many lines a work-item scans. The number is 1, unless a group has a single work-item. Then it is several
// short lines, because starting a group takes time.
static cl_ulong span(const struct clr_shape *shape, cl_ulong lines, cl_ulong n) {
  const cl_ulong enough = 16384, groups_per_unit = 16;
  cl_ulong by_length = clr_ceil_divide(enough, n),
           by_units = clr_ceil_divide(lines, groups_per_unit * shape->compute_units);
  if (shape->group_size > 1)
    return 1;
  return clr_min(by_length, by_units);
}

static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  cl_ulong n = extent->count;
  cl_ulong taken = shape->scan.across ? shape->vector : 1;
  cl_ulong lines = clr_multiply(extent->rows, clr_ceil_divide(extent->columns, taken));
  *out = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = clr_ceil_divide(clr_ceil_divide(lines, span(shape, lines, n)), shape->group_size),
    .group_size = shape->group_size,
    .count = n,
    .span = span(shape, lines, n),
  };
  return index == 0;
}

const struct clr_strategy clr_strategy_scan_items = {
  .name = "scan_items",
  .summary = "many rows, along the fastest axis or across it: one work-item for each",
  .task = CLR_TASK_SCAN,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_ROWS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_COLUMNS),
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS),
  .fixed_order = true,
  .tree_in_global = true,
  .scan.reference = clr_scan_fixed_reference,
  .fit = fit,
  .elements = elements,
  .pass = pass,
  .launches = {[CLR_KERNEL_ELEMENTS] = "scan"},
};
