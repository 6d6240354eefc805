#include "strategies/scans.h"

// Where there are fewer rows than groups to keep the device busy, each is cut into runs; the groups of all of them at
// most.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong groups_a_unit = 8, run_depth = 40, good_group_size = 128;
  shape->groups_max = problem->groups ? problem->groups : groups_a_unit * facts->compute_units;
  if (!problem->group_size && shape->group_size > good_group_size)
    shape->group_size = good_group_size;
  cl_ulong usable = facts->local_mem_size > CLR_LOCAL_RESERVE ? facts->local_mem_size - CLR_LOCAL_RESERVE : 0;
  cl_ulong places = (shape->rows + 1) * (shape->element_size + problem->operation.result_size);
  cl_ulong an_item = shape->state_size + places, beside = 2 * run_depth * shape->state_size;
  while (!problem->group_size && shape->group_size > 1 && shape->group_size * an_item + beside > usable)
    shape->group_size /= 2;
  shape->local_bytes = shape->group_size * an_item + beside;
  if (shape->local_bytes > usable)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "scan_rows: local_mem_size is %llu: too little for groups of %llu, which take %llu bytes",
                    (unsigned long long)facts->local_mem_size, (unsigned long long)shape->group_size,
                    (unsigned long long)shape->local_bytes);
  return CL_SUCCESS;
}

static cl_ulong tiles(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(n, shape->group_size * shape->rows);
}

// Tiles of a run: all of a row's, but for few rows.
static cl_ulong span(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong runs = shape->call_rows ? shape->groups_max / shape->call_rows : shape->groups_max;
  return clr_power_of_two_above(clr_ceil_divide(tiles(shape, n), runs ? runs : 1));
}

static cl_ulong elements(const struct clr_shape *shape, cl_ulong n) {
  return clr_multiply(span(shape, n), shape->rows);
}

// The runs' nodes, and what stands before them and after the last of each row.
static cl_ulong scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  return 3 * shape->groups_max;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  cl_ulong runs = clr_ceil_divide(tiles(shape, n), span(shape, n));
  cl_ulong lanes = clr_power_of_two_above(clr_ceil_divide(n, shape->rows));
  cl_ulong team = lanes < shape->group_size ? lanes : shape->group_size;
  unsigned step = runs > 1 ? index : index + 2;
  if (step >= 3)
    return false;
  *out = (struct clr_pass){
    .kernel = kernels[step],
    .groups = step == 1 ? shape->call_rows : clr_ceil_divide(shape->call_rows, shape->group_size / team) * runs,
    .group_size = shape->group_size,
    .count = step == 1 ? runs : n,
    .span = span(shape, n),
    .target = shape->groups_max,
    .launch = team,
  };
  return true;
}

const struct clr_strategy clr_strategy_scan_rows = {
  .name = "scan_rows",
  .sentence = "rows along the fastest axis on GPU-like devices: short ones share a group, very long ones have several",
  .scans = true,
  .fixed_order = true,
  .takes_groups = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_ROWS),
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY),
  .parts = {"scan_team.clh"},
  .fit = fit,
  .elements = elements,
  .scratch = scratch,
  .pass = pass,
  .step = clr_scan_step,
  .scan_reference = clr_scan_fixed_reference,
};
