// columns_chunked and columns_wide: each row is a column of an array (docs/glossary.md), in the order fixed/1. A unit
// of work is a block of columns (in columns_wide, all columns if they are dense), or a part of it. If there are too few
// blocks to keep the device busy, rows are cut into parts; a second launch then folds the parts' nodes.
#include "strategies/fixed_order.h"

struct cut {
  cl_ulong across;  // columns_wide: work-items side by side in a block; 0: groups take all columns, which are dense
  cl_ulong blocks;  // blocks of columns
  cl_ulong span;    // lanes of a part for each work-item; if columns are dense, for the group
  cl_ulong parts;   // parts of a row
};

// Returns the number of parts of a row. Each part takes `units` units; the units of all parts are at most groups_max.
static cl_ulong parts_for(const struct clr_shape *shape, cl_ulong units) {
  cl_ulong parts = units ? shape->groups_max / units : 1;
  return parts ? parts : 1;
}

#define COLUMNS \
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_COLUMNS), .fixed_order = true, .takes_groups = true, \
  .reduce.reference = clr_fixed_reference, CLR_UNITS

// --- columns_chunked ---

static cl_ulong block(const struct clr_shape *shape) {
  return shape->vector * shape->columns.vectors_per_block;
}

static struct cut chunked_cut(const struct clr_shape *shape, const struct clr_extent *extent) {
  struct cut cut = {.blocks = clr_ceil_divide(extent->columns, block(shape))};
  cl_ulong lanes = clr_fixed_lanes(shape, extent->count);
  cl_ulong elements = clr_multiply(extent->count, clr_min(extent->columns, block(shape)));
  cl_ulong most = elements / (shape->fold.tiles_at_least * clr_fixed_tile(shape));
  cl_ulong parts = clr_min(parts_for(shape, clr_multiply(cut.blocks, extent->rows)), most ? most : 1);
  cut.span = clr_pow2_ceil(clr_ceil_divide(lanes, parts));
  cut.parts = clr_ceil_divide(lanes, cut.span);
  return cut;
}

static bool chunked_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                         struct clr_pass *pass) {
  const cl_ulong turns = 4;
  struct cut cut = chunked_cut(shape, extent);
  cl_ulong units = extent->rows * (index == 0 ? cut.blocks * cut.parts : extent->columns);
  *pass = (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .group_size = shape->group_size,
    .count = index == 0 ? extent->count : cut.parts,
    .span = cut.span,
    .work = clr_ceil_divide(units, turns * shape->groups_max),
  };
  pass->groups = clr_ceil_divide(units, pass->work ? pass->work : 1);
  return index == 0 || (index == 1 && cut.parts > 1);
}

static cl_ulong chunked_scratch(const struct clr_shape *shape) {
  return shape->groups_max * block(shape);
}

static cl_ulong chunked_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  return clr_multiply(chunked_cut(shape, extent).span * shape->rows, block(shape));
}

// A block of whole vectors spans at least a memory page, so that each page is read once and completely.
static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong widest = 64, page = 4096;
  (void)status;
  clr_fixed_beside(&problem->operation, widest, shape);
  while (block(shape) * shape->element_size < page && block(shape) * shape->state_size < page)
    shape->columns.vectors_per_block *= 2;
  clr_fixed_runs(facts, problem, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_columns_chunked = {
  .name = "columns_chunked",
  .summary =
    "rows across the fastest axis on CPU-like devices: each work-item walks some columns with vectors across them",
  .exec = CLR_EXEC_SINGLE_ITEM,
  .tree_in_global = true,
  COLUMNS,
  .fit = fit_chunked,
  .elements = chunked_elements,
  .scratch = chunked_scratch,
  .pass = chunked_pass,
};

// --- columns_wide ---

// 32 work-items side by side load several cache lines together; with fewer than 8, the loads of a sub-group are
// scattered.
#define ACROSS_MAX 32
#define ACROSS_ENOUGH 8

static cl_ulong across_most(const struct clr_shape *shape) {
  return clr_min(shape->group_size, ACROSS_MAX);
}

// The same as DENSE in cl/group/dense_columns.clh.
static bool has_dense(const struct clr_shape *shape) {
  return shape->vector > 1 && !shape->loops_over_lanes && !shape->in_order;
}

// True if a group reads all columns as neighbours. This needs columns without gaps, and few enough that a group can
// hold their nodes. For short columns, blocks of vectors are better if ACROSS_ENOUGH work-items are side by side,
// because each then has the loads of several lanes in flight.
static bool is_dense(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong columns = extent->columns, vector = shape->vector;
  bool fits = columns > 0 && columns <= shape->group_size && columns <= across_most(shape) * vector;
  bool are_short = extent->count < clr_fixed_tile(shape);
  bool fill_blocks = columns % vector == 0 && columns / vector >= ACROSS_ENOUGH;
  return has_dense(shape) && extent->stride == columns && fits && !(are_short && fill_blocks);
}

// Each work-item of a group has at least one vector of lanes.
static struct cut dense_cut(const struct clr_shape *shape, const struct clr_extent *extent) {
  struct cut cut = {.blocks = 1};
  cl_ulong lanes = clr_fixed_lanes(shape, extent->count);
  cl_ulong least = clr_pow2_floor(shape->group_size * shape->vector / extent->columns);
  cut.span = clr_pow2_ceil(clr_ceil_divide(lanes, parts_for(shape, extent->rows)));
  cut.span = cut.span > least ? cut.span : least;
  cut.parts = clr_ceil_divide(lanes, cut.span);
  return cut;
}

// Returns how many work-items are side by side in a block. Starting a group takes as long as several loads. So if
// columns are short, blocks are wider and a work-item has more lanes of its column, while there are enough blocks.
static cl_ulong across(const struct clr_shape *shape, const struct clr_extent *extent, cl_ulong lanes) {
  const cl_ulong lanes_per_item = 16;
  cl_ulong wide = clr_pow2_ceil(clr_ceil_divide(extent->columns, shape->vector));
  cl_ulong side_by_side = clr_min(wide, across_most(shape));
  while (2 * side_by_side <= clr_min(wide, shape->group_size) &&
         lanes < lanes_per_item * (shape->group_size / side_by_side) &&
         clr_multiply(extent->columns / (2 * side_by_side * shape->vector), extent->rows) >= shape->groups_max)
    side_by_side *= 2;
  return side_by_side;
}

static struct cut wide_cut(const struct clr_shape *shape, const struct clr_extent *extent) {
  if (is_dense(shape, extent))
    return dense_cut(shape, extent);
  cl_ulong lanes = clr_fixed_lanes(shape, extent->count);
  struct cut cut = {.across = across(shape, extent, lanes)};
  cl_ulong deep = shape->group_size / cut.across;
  cut.blocks = clr_ceil_divide(extent->columns, cut.across * shape->vector);
  cl_ulong parts = parts_for(shape, clr_multiply(cut.blocks, extent->rows));
  cut.span = clr_pow2_ceil(clr_ceil_divide(lanes, deep * parts));
  cut.parts = clr_ceil_divide(lanes, deep * cut.span);
  return cut;
}

// Returns how many work-items are side by side in the launch over `parts` partials of each column. As many as possible
// share a column, so that each of them has few partials.
static cl_ulong states_across(const struct clr_shape *shape, const struct clr_extent *extent, cl_ulong parts) {
  cl_ulong most = clr_clamp(shape->group_size / clr_pow2_ceil(parts), 1, across_most(shape));
  return clr_min(clr_pow2_ceil(extent->columns), clr_pow2_floor(most));
}

static bool wide_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                      struct clr_pass *pass) {
  struct cut cut = wide_cut(shape, extent);
  *pass = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = cut.blocks * cut.parts * extent->rows,
    .group_size = shape->group_size,
    .count = extent->count,
    .span = cut.span,
    .work = cut.across,
  };
  if (index == 0)
    return true;
  cl_ulong side_by_side = states_across(shape, extent, cut.parts);
  *pass = (struct clr_pass){
    .kernel = CLR_KERNEL_STATES,
    .groups = clr_ceil_divide(extent->columns, side_by_side) * extent->rows,
    .group_size = shape->group_size,
    .count = cut.parts,
    .span = clr_pow2_ceil(clr_ceil_divide(cut.parts, shape->group_size / side_by_side)),
    .work = side_by_side,
  };
  return index == 1 && cut.parts > 1;
}

// Returns enough states for all parts: rows are cut only as long as blocks x rows x parts is at most groups_max. Blocks
// wider than ACROSS_MAX are never cut.
static cl_ulong wide_scratch(const struct clr_shape *shape) {
  return shape->groups_max * across_most(shape) * shape->vector;
}

static cl_ulong wide_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  const struct cut cut = wide_cut(shape, extent);
  cl_ulong lanes = cut.across ? cut.span * shape->vector : clr_multiply(cut.span, extent->columns) / shape->group_size;
  return clr_multiply(lanes, shape->rows);
}

// The same as NODE_ROOM in cl/group/node_list.clh.
static cl_ulong node_bytes(const struct clr_shape *shape, cl_ulong nodes) {
  return (nodes + nodes / (shape->vector > 8 ? shape->vector : 8)) * shape->state_size;
}

static cl_int fit_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong groups_per_unit = 16, good_bytes = 18432, batch_bytes = 128, vectors_per_item = 4,
                 elements_at_once = 64;
  (void)status;
  cl_ulong most = clr_min(clr_usable_local(facts), good_bytes), *nodes = &shape->fold.nodes;
  clr_fixed_beside(&problem->operation, 16, shape);
  while (shape->vector > 1 && node_bytes(shape, shape->group_size * shape->vector) > most)
    shape->vector /= 2;
  *nodes = shape->group_size * shape->vector;
  while (has_dense(shape) && *nodes < vectors_per_item * shape->group_size * shape->vector &&
         node_bytes(shape, 2 * *nodes) <= most)
    *nodes *= 2;
  shape->local_bytes = node_bytes(shape, *nodes);
  shape->fold.radix = clr_fixed_radix(&problem->operation);
  clr_fixed_rows_at_once(&problem->operation, elements_at_once, shape);
  // With small states, up to eight lanes are read at once, so that eight loads are in flight.
  cl_ulong *batch = &shape->columns.lane_batch;
  while (*batch < 8 && *batch < shape->lanes && 2 * *batch * shape->vector * shape->state_size <= batch_bytes)
    *batch *= 2;
  shape->groups_max = clr_groups_or(problem, groups_per_unit * facts->compute_units);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_columns_wide = {
  .name = "columns_wide",
  .summary = "rows across the fastest axis on GPU-like devices: neighbouring work-items take neighbouring columns",
  .local_states = 1,
  COLUMNS,
  .fit = fit_wide,
  .elements = wide_elements,
  .scratch = wide_scratch,
  .pass = wide_pass,
};
