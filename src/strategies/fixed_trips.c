// Turns of loops in the kernels of the order fixed/1: bounds that tests hold against what kernels take (tests/layer).
#include "planning/trips.h"
#include "strategies/fixed_order.h"

#define FEW 256  // ends of stacks

static cl_ulong tile_of(const struct clr_shape *shape) {
  return shape->rows * shape->lanes;
}

static cl_ulong words(const struct clr_shape *shape) {
  return shape->finish == CLR_FINISH_LAST_GROUP ? shape->state_size / 4 : 0;
}

// A vector of a full tile in its row, its pairs and its push; with arrays for lanes each of these goes over the vector.
// And a prefetch for each line of memory. A tile that is not full goes element by element.
cl_ulong clr_chunked_trips(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass) {
  (void)n;
  const cl_ulong line_bytes = 64, turns_a_partial = 2;
  if (pass->kernel != CLR_KERNEL_ELEMENTS)
    return clr_add(FEW, clr_multiply(turns_a_partial + words(shape), pass->count));
  cl_ulong vectors = tile_of(shape) / shape->vector, on_lanes = shape->loops_over_lanes ? 5 * shape->vector : 2;
  cl_ulong a_tile =
    vectors * (1 + on_lanes) + tile_of(shape) * shape->element_size / line_bytes + 2 * shape->lanes + shape->rows;
  cl_ulong partials = shape->finish == CLR_FINISH_LAST_GROUP ? pass->groups : 0;
  cl_ulong last = (shape->loops_over_lanes ? 6 : 3) * tile_of(shape);
  return clr_add(clr_add(FEW + last, clr_multiply(pass->span, a_tile)),
                 clr_multiply(turns_a_partial + words(shape), partials));
}

// Turns of a group's list: columns that each work-item reads, then a tree by eights with a barrier a level. Where
// work-items fold by themselves first, they are fewer.
static cl_ulong turns_of_list(const struct clr_shape *shape, cl_ulong nodes, cl_ulong a_node) {
  const cl_ulong radix = 8, a_fold = 2 * radix + 6;
  cl_ulong levels = 1, an_item = clr_ceil_divide(shape->nodes, shape->group_size);
  for (cl_ulong apart = 1; apart < shape->nodes; apart *= 2)
    levels++;
  cl_ulong a_turn = an_item * (a_node + 1) + levels * (2 + a_fold) + 2 * an_item * a_fold;
  return clr_multiply(clr_ceil_divide(nodes, shape->nodes), a_turn);
}

cl_ulong clr_wide_trips(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass) {
  (void)n;
  cl_ulong of_partials =
    turns_of_list(shape, pass->kernel == CLR_KERNEL_ELEMENTS ? pass->groups : pass->count, 1 + words(shape));
  if (pass->kernel != CLR_KERNEL_ELEMENTS)
    return clr_add(FEW, of_partials);
  cl_ulong a_column = shape->rows * (shape->loops_over_lanes ? 6 * shape->vector : 4) + 8;
  cl_ulong of_columns = turns_of_list(shape, clr_multiply(pass->span, shape->lanes / shape->vector), a_column);
  // In the last tile a column goes lane by lane.
  cl_ulong last = 3 * shape->rows * shape->vector * clr_ceil_divide(shape->lanes, shape->group_size);
  return clr_add(FEW + last, clr_add(of_columns, of_partials));
}
