// rows_chunked and rows_wide: many rows along the fastest axis, in the order fixed/1. If there are too few rows, each
// is cut into units of tiles; a second launch then folds the units' nodes.
#include "strategies/fixed_order.h"

static cl_ulong at_least_one(cl_ulong value) {
  return value ? value : 1;
}

// Returns the tiles of a unit. Rows are cut only if there are too few of them to keep the device busy.
static cl_ulong span_of(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong parts = at_least_one(shape->groups_max / at_least_one(extent->rows));
  cl_ulong span = clr_ceil_divide(clr_fixed_tiles(shape, extent->count), parts);
  return clr_pow2_ceil(span > shape->fold.tiles_at_least ? span : shape->fold.tiles_at_least);
}

static cl_ulong elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  return clr_ceil_divide(span_of(shape, extent) * clr_fixed_tile(shape), shape->group_size);
}

// Describes the launch over units, or the one over their nodes. `units_per_group` returns how many units of `tiles`
// tiles share a group.
static bool pass_by(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                    cl_ulong (*units_per_group)(const struct clr_shape *shape, cl_ulong units, cl_ulong tiles),
                    struct clr_pass *pass) {
  cl_ulong tiles = clr_fixed_tiles(shape, extent->count), span = span_of(shape, extent);
  cl_ulong parts = clr_ceil_divide(tiles, span), units = extent->rows * (index == 0 ? parts : 1);
  cl_ulong shared = index == 0 ? units_per_group(shape, units, clr_min(span, tiles)) : 1;
  *pass = (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = clr_ceil_divide(units, shared),
    .group_size = shape->group_size,
    .count = index == 0 ? extent->count : parts,
    .span = span,
    .work = shared,
  };
  return index == 0 || (index == 1 && parts > 1);
}

#define ROWS \
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_ROWS), .fixed_order = true, .takes_groups = true, \
  .reduce.reference = clr_fixed_reference, .elements = elements, .scratch = clr_fixed_scratch, CLR_UNITS

// Makes 4 times groups_max groups: few enough to start quickly, enough to keep all cores busy to the end.
static cl_ulong chunked_units_per_group(const struct clr_shape *shape, cl_ulong units, cl_ulong tiles) {
  const cl_ulong turns = 4;
  (void)tiles;
  return clr_ceil_divide(units, turns * shape->groups_max);
}

static bool chunked_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                         struct clr_pass *pass) {
  return pass_by(shape, extent, index, chunked_units_per_group, pass);
}

static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  (void)status;
  clr_fixed_vectors(facts, &problem->operation, shape);
  shape->loads.short_rows = true;
  shape->loads.rows_beside = clr_fixed_folds_beside(&problem->operation);
  shape->fold.bin_lanes = clr_has_bins(facts, problem) ? CLR_BIN_LANES : 0;
  clr_fixed_runs(facts, problem, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_rows_chunked = {
  .name = "rows_chunked",
  .summary = "many rows along the fastest axis on CPU-like devices: each work-item takes several, long ones are cut",
  .exec = CLR_EXEC_SINGLE_ITEM,
  .tree_in_global = true,
  ROWS,
  .fit = fit_chunked,
  .pass = chunked_pass,
};

// Returns how many units can keep their nodes in local memory at the same time.
static cl_ulong wide_units_per_group(const struct clr_shape *shape, cl_ulong units, cl_ulong tiles) {
  cl_ulong columns = clr_multiply(tiles, shape->lanes / shape->vector);
  (void)units;
  return columns >= shape->fold.nodes ? 1 : shape->fold.nodes / clr_pow2_ceil(columns);
}

// A row that is shorter than a tile takes places only for the columns that it has.
static bool wide_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                      struct clr_pass *pass) {
  cl_ulong columns = clr_ceil_divide(clr_fixed_lanes(shape, extent->count), shape->vector);
  if (!pass_by(shape, extent, index, wide_units_per_group, pass))
    return false;
  if (index == 0 && extent->count < clr_fixed_tile(shape) && columns < shape->fold.nodes) {
    pass->work = shape->fold.nodes / clr_pow2_ceil(columns);
    pass->groups = clr_ceil_divide(extent->rows, pass->work);
  }
  return true;
}

static cl_int fit_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong groups_per_unit = 8, long_row = 16 * clr_fixed_tile(shape);
  clr_fixed_columns(&problem->operation, shape);
  // A short row of elements has few rows of lanes. So more work-items at once are better than more loads for each
  // work-item. Measured on an H100: rows of 16384 floats are 4 % faster with eight loads than with four.
  shape->loads.rows_at_once = clr_min(shape->loads.rows_at_once, problem->count_max >= long_row ? 8 : 4);
  shape->groups_max = clr_groups_or(problem, groups_per_unit * facts->compute_units);
  return clr_fixed_nodes(facts, shape, status);
}

const struct clr_strategy clr_strategy_rows_wide = {
  .name = "rows_wide",
  .summary = "many rows along the fastest axis on GPU-like devices: short ones share a group, long ones are cut",
  .local_states = 1,
  ROWS,
  .fit = fit_wide,
  .pass = wide_pass,
};
