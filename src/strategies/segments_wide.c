#include "strategies/segments.h"

static cl_ulong at_most(cl_ulong value, cl_ulong bound) {
  return value < bound ? value : bound;
}

// Bytes of local memory beside nodes and their stack: which segments are how long, and how many nodes those side by
// side have.
static cl_ulong list_bytes(const struct clr_shape *shape, cl_ulong columns) {
  const cl_ulong lists = 3, most_nodes_an_item = 8;
  return (lists * shape->group_size + most_nodes_an_item * shape->group_size / columns + 1 + lists) * sizeof(cl_uint);
}

// Some nodes for each work-item, as far as a chunk is read by the whole group: so many that what a group asks for
// before it reads elements is little beside them.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong most_chunks = 1u << 16, held_bytes = 128, nodes_an_item = 4, good_group_size = 128;
  clr_fixed_columns(&problem->operation, shape);
  // Short segments want many small groups, long ones loads under way: eight rows of each work-item leave room for both.
  // Runs that the device finds are short as a rule.
  shape->rows_at_once = at_most(shape->rows_at_once, shape->counted ? 4 : 8);
  if (!problem->group_size)
    shape->group_size = at_most(shape->group_size, good_group_size);
  cl_ulong columns = shape->lanes / shape->vector, states = clr_power_of_two_below(held_bytes / shape->state_size);
  while (!problem->group_size && shape->group_size > 1 && list_bytes(shape, columns) > facts->local_mem_size / 2)
    shape->group_size /= 2;
  struct clr_facts left = *facts;
  left.local_mem_size -= at_most(list_bytes(shape, columns), facts->local_mem_size);
  if (clr_fixed_nodes("segments_wide", &left, shape, status))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "segments_wide: local_mem_size is %llu: too little for groups of %llu and states of %llu bytes",
                    (unsigned long long)facts->local_mem_size, (unsigned long long)shape->group_size,
                    (unsigned long long)shape->state_size);
  shape->local_bytes += list_bytes(shape, columns);
  clr_segments_chunks(shape, shape->rows * shape->lanes, nodes_an_item * shape->group_size / columns, most_chunks, 2);
  shape->shortest = shape->in_order ? shape->rows : at_most(at_most(16, shape->lanes), states);
  clr_segments_stage(facts, &problem->operation, 16 * shape->group_size, shape->local_bytes, shape);
  return CL_SUCCESS;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  return clr_segments_pass(shape, n, index, shape->group_size, out);
}

const struct clr_strategy clr_strategy_segments_wide = {
  .name = "segments_wide",
  .sentence =
    "rows of different lengths on GPU-like devices: a work-item, part of a group, a group or several for each",
  .fixed_order = true,
  .takes_nothing = true,
  .relies = CLR_ON_LOCAL_ATOMICS,
  .layouts = CLR_LAYOUT_SEGMENTS,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES),
  .local_states = 1,
  .fit = fit,
  .elements = clr_segments_span,
  .scratch = clr_segments_scratch,
  .pass = pass,
  .step = clr_segments_step,
  .reference = clr_fixed_reference,
};
