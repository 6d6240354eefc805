#include "strategies/rows.h"

// Few enough items that starting them is nothing, many enough to keep any number of cores busy to the end.
static cl_ulong units_a_group(const struct clr_shape *shape, cl_ulong units, cl_ulong tiles) {
  const cl_ulong turns = 4;
  (void)tiles;
  return clr_ceil_divide(units, turns * shape->groups_max);
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  return clr_rows_pass(shape, n, index, units_a_group, out);
}

static cl_ulong scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  return shape->groups_max;
}

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong runs = 1024;
  clr_fixed_vectors(facts, &problem->operation, shape);
  shape->short_rows = true;
  (void)status;
  clr_fixed_groups(problem, runs, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_rows_chunked = {
  .name = "rows_chunked",
  .sentence = "many rows along the fastest axis on CPU-like devices: each work-item walks several, long ones are cut",
  .fixed_order = true,
  .takes_groups = true,
  .team = CLR_TEAM_SINGLES,
  .tree_in_global = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_ROWS),
  .parts = {"vector_tiles.clh"},
  .fit = fit,
  .elements = clr_rows_elements,
  .scratch = scratch,
  .pass = pass,
  .step = clr_rows_step,
  .reference = clr_fixed_reference,
};
