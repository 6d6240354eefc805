// segments_chunked and segments_wide: rows of different lengths, in the order fixed/1; and what scans of segments share
// with them. Rows are cut into chunks. A chunk is a run of places; both segments and elements count as places
// (cl/segments/segments.clh).
#include "strategies/segments.h"

void clr_segments_chunks(struct clr_shape *shape, cl_ulong unit, cl_ulong units, cl_ulong most, cl_ulong states) {
  shape->segments.chunk = unit * clr_pow2_floor(units);
  shape->segments.chunks_max = most;
  shape->segments.states_a_chunk = states;
}

bool clr_segments_can_stage(const struct clr_operation *operation) {
  enum clr_reading reading = operation->custom ? operation->custom->reading : operation->element.row->reading;
  return reading != CLR_READING_HALF && operation->input_count == 0;
}

void clr_segments_stage(const struct clr_facts *facts, const struct clr_operation *operation, cl_ulong wanted,
                        cl_ulong taken, struct clr_shape *shape) {
  const cl_ulong good_bytes = 16384, largest = 16;
  cl_ulong elements = clr_pow2_floor(good_bytes / shape->element_size), bytes;
  elements = clr_min(elements, wanted);
  bytes = (elements + elements / 32 + 1) * shape->element_size;
  if (facts->cpu || !clr_segments_can_stage(operation) || shape->element_size > largest ||
      taken + bytes + CLR_LOCAL_RESERVE > facts->local_mem_size)
    return;
  shape->segments.staged = elements;
  shape->local_bytes += bytes;
}

// Returns the states of scratch for the table of chunks: where each chunk begins, where the last one ends, and the
// number of pieces in each.
static cl_ulong table_states(const struct clr_shape *shape, cl_ulong chunks) {
  return clr_ceil_divide((2 * chunks + 1) * sizeof(cl_ulong), shape->state_size);
}

cl_ulong clr_segments_scratch(const struct clr_shape *shape) {
  return table_states(shape, shape->segments.chunks_max) + shape->segments.states_a_chunk * shape->segments.chunks_max;
}

static cl_ulong places(const struct clr_extent *extent) {
  return clr_add(extent->count, extent->rows);
}

cl_ulong clr_segments_span(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong enough = clr_pow2_ceil(clr_ceil_divide(places(extent), shape->segments.chunks_max));
  return enough > shape->segments.chunk ? enough : shape->segments.chunk;
}

bool clr_segments_may_be_cut(const struct clr_shape *shape, const struct clr_extent *extent) {
  return extent->count > clr_segments_span(shape, extent);
}

// A work-item of a CPU takes up to this many chunks one after another if they are little work.
#define CHUNKS_PER_ITEM 64

struct clr_pass clr_segments_launch(const struct clr_shape *shape, const struct clr_extent *extent,
                                    enum clr_kernel kernel) {
  bool reads_elements = kernel == CLR_KERNEL_ELEMENTS || kernel == CLR_KERNEL_APPLY;
  cl_ulong of_group = shape->strategy->exec == CLR_EXEC_SINGLE_ITEM ? CHUNKS_PER_ITEM : shape->group_size;
  cl_ulong span = clr_segments_span(shape, extent), chunks = clr_ceil_divide(places(extent), span);
  return (struct clr_pass){
    .kernel = kernel,
    .groups = clr_ceil_divide(chunks, reads_elements ? 1 : of_group),
    .group_size = shape->group_size,
    .count = extent->count,
    .span = span,
    .work = chunks,
    .target = table_states(shape, chunks),
  };
}

// The launches: find where chunks begin; fold segments; and, if segments may be cut into pieces, fold the pieces.
static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_CUT, CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES};
  if (index >= (clr_segments_may_be_cut(shape, extent) ? 3 : 2))
    return false;
  *out = clr_segments_launch(shape, extent, kernels[index]);
  return true;
}

#define REDUCES \
  .layouts = CLR_LAYOUT_SEGMENTS, \
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES), \
  .fixed_order = true, .launches_empty = true, .reduce.reference = clr_fixed_reference, .elements = clr_segments_span, \
  .scratch = clr_segments_scratch, .pass = pass, CLR_SEGMENTS_LAUNCHES

// --- segments_chunked ---

// There are many chunks, which keep any number of cores busy. Each chunk is so long that starting it takes little time.
static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong good_bytes = 262144, most_chunks = 1u << 14;
  cl_ulong tile = clr_fixed_tile(shape);
  (void)status;
  clr_fixed_vectors(facts, &problem->operation, shape);
  shape->loads.short_rows = true;
  shape->loads.rows_beside = clr_fixed_folds_beside(&problem->operation);
  shape->fold.bin_lanes = clr_has_bins(facts, problem) ? CLR_BIN_LANES : 0;
  clr_segments_chunks(shape, tile, good_bytes / (tile * shape->element_size), most_chunks, 2);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_segments_chunked = {
  .name = "segments_chunked",
  .summary = "rows of different lengths on CPU-like devices: each work-item takes several, long ones are cut",
  .exec = CLR_EXEC_SINGLE_ITEM,
  .tree_in_global = true,
  REDUCES,
  .fit = fit_chunked,
};

// --- segments_wide ---

// Returns bytes of local memory besides the nodes and their stack: the lengths of segments, and the nodes of segments
// that are folded at the same time.
static cl_ulong list_bytes(const struct clr_shape *shape, cl_ulong columns) {
  const cl_ulong lists = 3, most_nodes_per_item = 8;
  return (lists * shape->group_size + most_nodes_per_item * shape->group_size / columns + 1 + lists) * sizeof(cl_uint);
}

// A whole group reads a chunk. Each work-item has several nodes of it, so that the group's first requests, which read
// no elements, are a small part of its time.
static cl_int fit_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong most_chunks = 1u << 16, held_bytes = 128, nodes_per_item = 4, good_group_size = 128;
  clr_fixed_columns(&problem->operation, shape);
  // Short segments need many small groups, long ones need loads in flight: eight rows for each work-item serve both.
  // Runs that the device finds are usually short.
  shape->loads.rows_at_once = clr_min(shape->loads.rows_at_once, shape->segments.counted_on_device ? 4 : 8);
  if (!problem->group_size)
    shape->group_size = clr_min(shape->group_size, good_group_size);
  cl_ulong columns = shape->lanes / shape->vector, states = clr_pow2_floor(held_bytes / shape->state_size);
  while (!problem->group_size && shape->group_size > 1 && list_bytes(shape, columns) > facts->local_mem_size / 2)
    shape->group_size /= 2;
  struct clr_facts left = *facts;
  left.local_mem_size -= clr_min(list_bytes(shape, columns), facts->local_mem_size);
  if (clr_fixed_nodes(&left, shape, status))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "segments_wide: local_mem_size is %llu: too little for groups of %llu and states of %llu bytes",
                    (unsigned long long)facts->local_mem_size, (unsigned long long)shape->group_size,
                    (unsigned long long)shape->state_size);
  shape->local_bytes += list_bytes(shape, columns);
  clr_segments_chunks(shape, clr_fixed_tile(shape), nodes_per_item * shape->group_size / columns, most_chunks, 2);
  shape->segments.shortest = shape->in_order ? shape->rows : clr_min(clr_min(16, shape->lanes), states);
  clr_segments_stage(facts, &problem->operation, 16 * shape->group_size, shape->local_bytes, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_segments_wide = {
  .name = "segments_wide",
  .summary = "rows of different lengths on GPU-like devices: a work-item, part of a group, a group or several for each",
  .requires = CLR_REQUIRES_LOCAL_ATOMICS,
  .local_states = 1,
  REDUCES,
  .fit = fit_wide,
};
