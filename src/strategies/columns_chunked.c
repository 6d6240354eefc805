#include "strategies/rows.h"

static cl_ulong block(const struct clr_shape *shape) {
  return shape->vector * shape->vectors_a_block;
}

struct cut {
  cl_ulong blocks, span, parts;
};

// Rows are cut into parts only where their columns are too few to keep the device busy.
static struct cut cut_of(const struct clr_shape *shape, cl_ulong n) {
  struct cut cut = {.blocks = clr_ceil_divide(shape->call_columns, block(shape))};
  cl_ulong lanes = clr_rows_lanes(shape, n), units = clr_multiply(cut.blocks, shape->call_rows);
  cl_ulong parts = units ? shape->groups_max / units : 1;
  cut.span = clr_power_of_two_above(clr_ceil_divide(lanes, parts ? parts : 1));
  cut.parts = clr_ceil_divide(lanes, cut.span);
  return cut;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  const cl_ulong turns = 4;
  struct cut cut = cut_of(shape, n);
  cl_ulong units = shape->call_rows * (index == 0 ? cut.blocks * cut.parts : shape->call_columns);
  *out = (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .group_size = shape->group_size,
    .count = index == 0 ? n : cut.parts,
    .span = cut.span,
    .work = clr_ceil_divide(units, turns * shape->groups_max),
  };
  out->groups = clr_ceil_divide(units, out->work ? out->work : 1);
  return index == 0 || (index == 1 && cut.parts > 1);
}

static cl_ulong scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  return shape->groups_max * block(shape);
}

static cl_ulong elements(const struct clr_shape *shape, cl_ulong n) {
  return clr_multiply(cut_of(shape, n).span * shape->rows, block(shape));
}

// Blocks of a memory page or more, so that a page is met once and read along; and whole vectors of them.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong runs = 1024, widest = 64, page = 4096;
  (void)facts, (void)status;
  clr_fixed_beside(&problem->operation, widest, shape);
  while (block(shape) * shape->element_size < page && block(shape) * shape->state_size < page)
    shape->vectors_a_block *= 2;
  clr_fixed_groups(problem, runs, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_columns_chunked = {
  .name = "columns_chunked",
  .sentence =
    "rows across the fastest axis on CPU-like devices: each work-item walks some columns with vectors across them",
  .fixed_order = true,
  .takes_groups = true,
  .team = CLR_TEAM_SINGLES,
  .tree_in_global = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_COLUMNS),
  .parts = {"column_run.clh", "column_run.clh", "column_blocks.clh"},
  .fit = fit,
  .elements = elements,
  .scratch = scratch,
  .pass = pass,
  .step = clr_rows_step,
  .reference = clr_fixed_reference,
};
