// scan_reduce_then_scan: three launches, in the order fixed/1. The launches fold runs of tiles, scan the runs' nodes,
// and scan the runs with their prefixes. No group waits for another.
#include "strategies/scans.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong groups_per_unit = 8, run_depth = 40;
  shape->groups_max = clr_groups_or(problem, clr_trips_groups(facts, groups_per_unit * facts->compute_units));
  return clr_scan_fit_tile(facts, problem, 2 * run_depth + 2, shape, status);
}

static cl_ulong tiles(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(n, clr_scan_tile(shape));
}

// Returns the tiles of a run: the smallest power of two with which groups_max groups are enough.
static cl_ulong span(const struct clr_shape *shape, cl_ulong n) {
  return clr_pow2_ceil(clr_ceil_divide(tiles(shape, n), shape->groups_max));
}

static cl_ulong elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  return span(shape, extent->count) * shape->rows * shape->strip.lanes;
}

// Scratch holds the runs' nodes and the prefix after the last run.
static cl_ulong scratch(const struct clr_shape *shape) {
  return shape->groups_max + 1;
}

static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  cl_ulong n = extent->count;
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  cl_ulong runs = clr_ceil_divide(tiles(shape, n), span(shape, n));
  if (index >= 3)
    return false;
  *out = (struct clr_pass){
    .kernel = kernels[index],
    .groups = index == 1 ? 1 : runs,
    .group_size = shape->group_size,
    .count = index == 1 ? runs : n,
    .span = span(shape, n),
  };
  return true;
}

// A tile is read, its lanes are swept up and down with radix 8, and its results are written. A selection also moves its
// results.
static cl_ulong trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass) {
  const cl_ulong few = 512, a_level = 60, value_stride = 16;
  cl_ulong levels = 0;
  (void)extent;
  for (cl_ulong width = shape->group_size; width > 1; width /= 2)
    levels++;
  cl_ulong a_tile =
    levels * a_level + value_stride * shape->rows * shape->strip.lanes * (shape->loops_over_lanes ? 3 : 1);
  cl_ulong runs = clr_ceil_divide(pass->count, shape->group_size);
  return clr_add(few, pass->kernel == CLR_KERNEL_STATES ? clr_multiply(runs, 8 + 2 * levels)
                                                        : clr_multiply(pass->span, a_tile));
}

const struct clr_strategy clr_strategy_scan_reduce_then_scan = {
  .name = "scan_reduce_then_scan",
  .summary = "three launches: runs are folded, their nodes scanned, and the runs scanned with their prefixes",
  .task = CLR_TASK_SCAN,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY),
  .fixed_order = true,
  .takes_groups = true,
  .scan = {.selects = true, .reference = clr_scan_fixed_reference},
  .fit = fit,
  .elements = elements,
  .scratch = scratch,
  .pass = pass,
  .trips = trips,
  .launches = {[CLR_KERNEL_ELEMENTS] = "fold", [CLR_KERNEL_STATES] = "nodes", [CLR_KERNEL_APPLY] = "scan"},
};
