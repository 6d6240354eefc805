#include "source/operation_text.h"
#include "strategies/rows.h"

// Work-items side by side over the columns: up to 32, whose loads together fill several lines of memory.
static cl_ulong across(const struct clr_shape *shape, cl_ulong columns_an_item, cl_ulong limit) {
  cl_ulong wanted = clr_power_of_two_above(clr_ceil_divide(shape->call_columns, columns_an_item));
  cl_ulong most = shape->group_size < limit ? shape->group_size : limit;
  return wanted < most ? wanted : most;
}

struct cut {
  cl_ulong across, deep, blocks, span, parts;
};

// Rows are cut into parts only where their columns are too few to keep the device busy.
static struct cut cut_of(const struct clr_shape *shape, cl_ulong n) {
  struct cut cut = {.across = across(shape, shape->vector, 32)};
  cl_ulong lanes = clr_rows_lanes(shape, n);
  cut.deep = shape->group_size / cut.across;
  cut.blocks = clr_ceil_divide(shape->call_columns, cut.across * shape->vector);
  cl_ulong groups = clr_multiply(cut.blocks, shape->call_rows), parts = groups ? shape->groups_max / groups : 1;
  cut.span = clr_power_of_two_above(clr_ceil_divide(lanes, cut.deep * (parts ? parts : 1)));
  cut.parts = clr_ceil_divide(lanes, cut.deep * cut.span);
  return cut;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  struct cut cut = cut_of(shape, n);
  cl_ulong side_by_side = across(shape, 1, 8);
  *out = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = cut.blocks * cut.parts * shape->call_rows,
    .group_size = shape->group_size,
    .count = n,
    .span = cut.span,
    .work = cut.across,
  };
  if (index == 0)
    return true;
  *out = (struct clr_pass){
    .kernel = CLR_KERNEL_STATES,
    .groups = clr_ceil_divide(shape->call_columns, side_by_side) * shape->call_rows,
    .group_size = shape->group_size,
    .count = cut.parts,
    .span = clr_power_of_two_above(clr_ceil_divide(cut.parts, shape->group_size / side_by_side)),
    .work = side_by_side,
  };
  return index == 1 && cut.parts > 1;
}

// Parts are only made as long as blocks, rows and parts together stay below groups_max.
static cl_ulong scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  return shape->groups_max * (shape->group_size < 32 ? shape->group_size : 32) * shape->vector;
}

static cl_ulong elements(const struct clr_shape *shape, cl_ulong n) {
  return cut_of(shape, n).span * shape->rows * shape->vector;
}

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong groups_a_unit = 8, good_bytes = 16384;
  cl_ulong usable = facts->local_mem_size > CLR_LOCAL_RESERVE ? facts->local_mem_size - CLR_LOCAL_RESERVE : 0;
  cl_ulong most = usable < good_bytes ? usable : good_bytes;
  clr_fixed_beside(&problem->operation, 16, shape);
  while (shape->vector > 1 && shape->group_size * shape->vector * shape->state_size > most)
    shape->vector /= 2;
  shape->local_bytes = shape->group_size * shape->vector * shape->state_size;
  // Eight lanes of small states at once keep as many loads under way.
  while (shape->lane_batch < 8 && shape->lane_batch < shape->lanes &&
         2 * shape->lane_batch * shape->vector * shape->state_size <= 128)
    shape->lane_batch *= 2;
  (void)status;
  clr_fixed_groups(problem, groups_a_unit * facts->compute_units, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_columns_wide = {
  .name = "columns_wide",
  .sentence = "rows across the fastest axis on GPU-like devices: neighbouring work-items take neighbouring columns",
  .fixed_order = true,
  .takes_groups = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_COLUMNS),
  .parts = {"column_run.clh", "column_run.clh", "column_blocks.clh"},
  .local_states = 1,
  .fit = fit,
  .elements = elements,
  .scratch = scratch,
  .pass = pass,
  .step = clr_rows_step,
  .reference = clr_fixed_reference,
};
