// segments_chunked and segments_wide, scan_segments_chunked and scan_segments_wide: rows of different lengths, in the
// order fixed/1. Rows are cut into chunks. A chunk is a run of places; both segments and elements count as places
// (cl/segments/segments.clh).
#include "strategies/scans.h"

#include "strategies/fixed_order.h"

// Sets chunks of `units` times `unit` elements, rounded down to a power of two times `unit`, each with `states` states
// of scratch. A call has at most `most` chunks; in a long call, chunks are larger.
static void set_chunks(struct clr_shape *shape, cl_ulong unit, cl_ulong units, cl_ulong most, cl_ulong states) {
  shape->chunks.size = unit * clr_pow2_floor(units);
  shape->chunks.most = most;
  shape->chunks.states = states;
}

bool clr_segments_can_stage(const struct clr_operation *operation) {
  enum clr_reading reading = operation->custom ? operation->custom->reading : operation->element.row->reading;
  return reading != CLR_READING_HALF && operation->input_count == 0;
}

// Reserves local memory into which groups copy short segments: up to `wanted` elements, 0 if that does not help.
// `taken` bytes are already in use. Adds to local_bytes.
static void fit_stage(const struct clr_facts *facts, const struct clr_operation *operation, cl_ulong wanted,
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

// Returns scratch for the table of chunks and their states.
static cl_ulong scratch(const struct clr_shape *shape) {
  return table_states(shape, shape->chunks.most) + shape->chunks.states * shape->chunks.most;
}

static cl_ulong places(const struct clr_extent *extent) {
  return clr_add(extent->count, extent->rows);
}

// Returns the elements of a chunk.
static cl_ulong span_of(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong enough = clr_pow2_ceil(clr_ceil_divide(places(extent), shape->chunks.most));
  return enough > shape->chunks.size ? enough : shape->chunks.size;
}

// False if no segment can be longer than a chunk.
static bool may_be_cut(const struct clr_shape *shape, const struct clr_extent *extent) {
  return extent->count > span_of(shape, extent);
}

// A work-item of a CPU takes up to this many chunks one after another if they are little work.
#define CHUNKS_PER_ITEM 64

// Describes the launch of `kernel` over the call's chunks. Kernels that read elements have one group for each chunk.
static struct clr_pass launch(const struct clr_shape *shape, const struct clr_extent *extent, enum clr_kernel kernel) {
  bool reads_elements = kernel == CLR_KERNEL_ELEMENTS || kernel == CLR_KERNEL_APPLY;
  cl_ulong of_group = shape->strategy->exec == CLR_EXEC_SINGLE_ITEM ? CHUNKS_PER_ITEM : shape->group_size;
  cl_ulong span = span_of(shape, extent), chunks = clr_ceil_divide(places(extent), span);
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

#define SEGMENTS \
  .layouts = CLR_LAYOUT_SEGMENTS, .fixed_order = true, .launches_empty = true, .elements = span_of, \
  .scratch = scratch, \
  .launches = {[CLR_KERNEL_CUT] = "cut", \
               [CLR_KERNEL_ELEMENTS] = "segments", \
               [CLR_KERNEL_STATES] = "pieces", \
               [CLR_KERNEL_APPLY] = "scan"}

// ---------------------------------------------------------------- Reductions

// The launches: find where chunks begin; fold segments; and, if segments may be cut into pieces, fold the pieces.
static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_CUT, CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES};
  if (index >= (may_be_cut(shape, extent) ? 3 : 2))
    return false;
  *out = launch(shape, extent, kernels[index]);
  return true;
}

#define REDUCES \
  SEGMENTS, .reduce.reference = clr_fixed_reference, .pass = pass, \
            .kernels = \
              CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES)

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
  set_chunks(shape, tile, good_bytes / (tile * shape->element_size), most_chunks, 2);
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
    return clr_refuse_local_memory(facts, shape, status);
  shape->local_bytes += list_bytes(shape, columns);
  set_chunks(shape, clr_fixed_tile(shape), nodes_per_item * shape->group_size / columns, most_chunks, 2);
  shape->segments.shortest = shape->in_order ? shape->rows : clr_min(clr_min(16, shape->lanes), states);
  fit_stage(facts, &problem->operation, 16 * shape->group_size, shape->local_bytes, shape);
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

// ---------------------------------------------------------------- Scans

// The launches: find where chunks begin; if segments may be cut, fold the pieces and compute their prefixes; then scan.
static bool scan_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                      struct clr_pass *out) {
  static const enum clr_kernel all[] = {CLR_KERNEL_CUT, CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  static const enum clr_kernel whole[] = {CLR_KERNEL_CUT, CLR_KERNEL_APPLY};
  bool is_cut = may_be_cut(shape, extent);
  if (index >= (is_cut ? 4 : 2))
    return false;
  *out = launch(shape, extent, is_cut ? all[index] : whole[index]);
  return true;
}

#define SCANS \
  SEGMENTS, .task = CLR_TASK_SCAN, .scan.reference = clr_scan_fixed_reference, .pass = scan_pass, \
            .kernels = CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | \
                       CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY)

static cl_int fit_scan_chunked(const struct clr_facts *facts, const struct clr_problem *problem,
                               struct clr_shape *shape, struct clr_status *status) {
  const cl_ulong good_bytes = 262144, most_chunks = 1u << 14, most_held = 512;
  (void)status;
  clr_scan_fit_block(facts, problem, shape);
  shape->scan.keeps_lanes = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  set_chunks(shape, shape->rows, good_bytes / (shape->rows * shape->element_size), most_chunks, 4);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_scan_segments_chunked = {
  .name = "scan_segments_chunked",
  .summary = "scans of rows of different lengths on CPU-like devices: each work-item takes several, long ones are cut",
  .exec = CLR_EXEC_SINGLE_ITEM,
  SCANS,
  .fit = fit_scan_chunked,
};

// One extra place after each sixteen avoids bank conflicts.
cl_ulong clr_scan_staged_bytes(const struct clr_problem *problem, const struct clr_shape *shape) {
  return shape->lists.lanes * (shape->rows + 1) * problem->operation.result_size;
}

cl_ulong clr_scan_list_bytes(const struct clr_problem *problem, const struct clr_shape *shape) {
  const cl_ulong counter = 48, lane_bytes = 4, run_bytes = 36;
  return (shape->lists.lanes + shape->group_size) * (shape->state_size + lane_bytes) + counter * shape->state_size +
         clr_scan_staged_bytes(problem, shape) + shape->group_size * run_bytes + CLR_LOCAL_RESERVE;
}

// Chooses the number of lanes: few enough to leave local memory for other groups, but at least one for each work-item.
static cl_int fit_scan_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                            struct clr_status *status) {
  const cl_ulong good_group = 128, good_lanes = 128, most_chunks = 1u << 18, most_held = 16;
  cl_ulong good_bytes = clr_min(facts->local_mem_size, 28672);
  if (!problem->group_size)
    shape->group_size = clr_min(shape->group_size, good_group);
  shape->lists.lanes = good_lanes > shape->group_size ? good_lanes : shape->group_size;
  while (shape->lists.lanes > shape->group_size && clr_scan_list_bytes(problem, shape) > good_bytes)
    shape->lists.lanes /= 2;
  while (!problem->group_size && shape->group_size > 1 && clr_scan_list_bytes(problem, shape) > facts->local_mem_size) {
    shape->group_size /= 2;
    shape->lists.lanes /= 2;
  }
  shape->local_bytes = clr_scan_list_bytes(problem, shape);
  shape->lists.first_turn = facts->cpu || !facts->local_mem_dedicated;
  if (shape->local_bytes > facts->local_mem_size)
    return clr_refuse_local_memory(facts, shape, status);
  set_chunks(shape, shape->rows, shape->lists.lanes, shape->state_size > 16 ? most_chunks / 8 : most_chunks, 4);
  // Results overwrite the elements in local memory; in between, the states of a lane are in registers.
  cl_ulong lists = clr_scan_staged_bytes(problem, shape), before = shape->local_bytes;
  if (shape->state_size > most_held)
    return CL_SUCCESS;
  fit_stage(facts, &problem->operation, shape->lists.lanes * shape->rows, shape->local_bytes - lists, shape);
  cl_ulong stage = shape->local_bytes - before;
  shape->local_bytes = before + (stage > lists ? stage - lists : 0);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_scan_segments_wide = {
  .name = "scan_segments_wide",
  .summary = "scans of rows of different lengths on GPU-like devices: the lanes of many rows side by side",
  .requires = CLR_REQUIRES_LOCAL_ATOMICS,
  SCANS,
  .fit = fit_scan_wide,
};
