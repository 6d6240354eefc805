// scan_rows and scan_items: many rows, in the order fixed/1.
#include "strategies/scans.h"

// --- scan_rows ---
// Scans rows along the fastest axis. Short rows share a group. Long rows are cut into runs, and a second launch scans
// the runs' nodes.

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong groups_per_unit = 8, run_depth = 40, good_group_size = 128;
  shape->groups_max = clr_groups_or(problem, groups_per_unit * facts->compute_units);
  if (!problem->group_size)
    shape->group_size = clr_min(shape->group_size, good_group_size);
  cl_ulong usable = clr_usable_local(facts);
  cl_ulong places = (shape->rows + 1) * (shape->element_size + problem->operation.result_size);
  cl_ulong an_item = shape->state_size + places, beside = 2 * run_depth * shape->state_size;
  while (!problem->group_size && shape->group_size > 1 && shape->group_size * an_item + beside > usable)
    shape->group_size /= 2;
  shape->local_bytes = shape->group_size * an_item + beside;
  return shape->local_bytes > usable ? clr_refuse_local_memory(facts, shape, status) : CL_SUCCESS;
}

static cl_ulong tiles(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(n, shape->group_size * shape->rows);
}

// Returns the tiles of a run. A run is a whole row, unless groups_max is at least twice the number of rows.
static cl_ulong span(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong runs = extent->rows ? shape->groups_max / extent->rows : shape->groups_max;
  return clr_pow2_ceil(clr_ceil_divide(tiles(shape, extent->count), runs ? runs : 1));
}

static cl_ulong elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  return clr_multiply(span(shape, extent), shape->rows);
}

// Scratch holds the runs' nodes, their prefixes, and the prefix after the last run of each row.
static cl_ulong scratch(const struct clr_shape *shape) {
  return 3 * shape->groups_max;
}

static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  cl_ulong runs = clr_ceil_divide(tiles(shape, extent->count), span(shape, extent));
  cl_ulong lanes = clr_pow2_ceil(clr_ceil_divide(extent->count, shape->rows));
  cl_ulong team = clr_min(lanes, shape->group_size);
  unsigned step = runs > 1 ? index : index + 2;
  if (step >= 3)
    return false;
  *out = (struct clr_pass){
    .kernel = kernels[step],
    .groups = step == 1 ? extent->rows : clr_ceil_divide(extent->rows, shape->group_size / team) * runs,
    .group_size = shape->group_size,
    .count = step == 1 ? runs : extent->count,
    .span = span(shape, extent),
    .target = shape->groups_max,
    .launch = team,
  };
  return true;
}

const struct clr_strategy clr_strategy_scan_rows = {
  .name = "scan_rows",
  .summary = "rows along the fastest axis on GPU-like devices: short ones share a group, very long ones get several",
  .task = CLR_TASK_SCAN,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_ROWS),
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY),
  .fixed_order = true,
  .takes_groups = true,
  .scan.reference = clr_scan_fixed_reference,
  .fit = fit,
  .elements = elements,
  .scratch = scratch,
  .pass = pass,
  .launches = {[CLR_KERNEL_ELEMENTS] = "fold", [CLR_KERNEL_STATES] = "nodes", [CLR_KERNEL_APPLY] = "scan"},
};

// --- scan_items ---
// Scans rows along the fastest axis or across it. A work-item scans whole rows.

static cl_int items_fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
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

static cl_ulong items_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  (void)shape;
  return extent->count;
}

// Returns how many lines a work-item scans. The number is 1, unless a group has a single work-item. Then it is several
// short lines, because starting a group takes time.
static cl_ulong items_span(const struct clr_shape *shape, cl_ulong lines, cl_ulong n) {
  const cl_ulong enough = 16384, groups_per_unit = 16;
  cl_ulong by_length = clr_ceil_divide(enough, n),
           by_units = clr_ceil_divide(lines, groups_per_unit * shape->compute_units);
  if (shape->group_size > 1)
    return 1;
  return clr_min(by_length, by_units);
}

static bool items_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                       struct clr_pass *out) {
  cl_ulong n = extent->count;
  cl_ulong taken = shape->scan.across ? shape->vector : 1;
  cl_ulong lines = clr_multiply(extent->rows, clr_ceil_divide(extent->columns, taken));
  *out = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = clr_ceil_divide(clr_ceil_divide(lines, items_span(shape, lines, n)), shape->group_size),
    .group_size = shape->group_size,
    .count = n,
    .span = items_span(shape, lines, n),
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
  .fit = items_fit,
  .elements = items_elements,
  .pass = items_pass,
  .launches = {[CLR_KERNEL_ELEMENTS] = "scan"},
};
