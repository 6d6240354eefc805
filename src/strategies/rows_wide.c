#include "strategies/rows.h"

// As many units as have room for their nodes side by side.
static cl_ulong units_a_group(const struct clr_shape *shape, cl_ulong units, cl_ulong tiles) {
  cl_ulong columns = clr_multiply(tiles, shape->lanes / shape->vector);
  (void)units;
  return columns >= shape->nodes ? 1 : shape->nodes / clr_power_of_two_above(columns);
}

// Of a row shorter than a tile only the columns that it has.
static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  cl_ulong columns = clr_ceil_divide(clr_rows_lanes(shape, n), shape->vector);
  if (!clr_rows_pass(shape, n, index, units_a_group, out))
    return false;
  if (index == 0 && n < shape->rows * shape->lanes && columns < shape->nodes) {
    out->work = shape->nodes / clr_power_of_two_above(columns);
    out->groups = clr_ceil_divide(shape->call_rows, out->work);
  }
  return true;
}

static cl_ulong scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  return shape->groups_max;
}

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong groups_a_unit = 8;
  clr_fixed_columns(&problem->operation, shape);
  // Short rows have few rows of lanes: more work-items at once serve them better than more loads of each.
  shape->rows_at_once = shape->rows_at_once < 4 ? shape->rows_at_once : 4;
  cl_int err = clr_fixed_nodes("rows_wide", facts, shape, status);
  clr_fixed_groups(problem, groups_a_unit * facts->compute_units, shape);
  return err;
}

const struct clr_strategy clr_strategy_rows_wide = {
  .name = "rows_wide",
  .sentence = "many rows along the fastest axis on GPU-like devices: short ones share a group, long ones are cut",
  .fixed_order = true,
  .takes_groups = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_ROWS),
  .parts = {"nodes.clh"},
  .own_part = "node_list.clh",
  .local_states = 1,
  .fit = fit,
  .elements = clr_rows_elements,
  .scratch = scratch,
  .pass = pass,
  .step = clr_rows_step,
  .reference = clr_fixed_reference,
};
