// scan_segments_chunked and scan_segments_wide: scans of rows of different lengths, in the order fixed/1.
#include "strategies/scans.h"
#include "strategies/segments.h"

// The launches: find where chunks begin; if segments may be cut, fold the pieces and compute their prefixes; then scan.
static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel all[] = {CLR_KERNEL_CUT, CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  static const enum clr_kernel whole[] = {CLR_KERNEL_CUT, CLR_KERNEL_APPLY};
  bool may_be_cut = clr_segments_may_be_cut(shape, extent);
  if (index >= (may_be_cut ? 4 : 2))
    return false;
  *out = clr_segments_launch(shape, extent, may_be_cut ? all[index] : whole[index]);
  return true;
}

#define SCANS_SEGMENTS \
  .task = CLR_TASK_SCAN, .layouts = CLR_LAYOUT_SEGMENTS, \
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | \
             CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY), \
  .fixed_order = true, .launches_empty = true, .scan.reference = clr_scan_fixed_reference, \
  .elements = clr_segments_span, .scratch = clr_segments_scratch, .pass = pass, CLR_SEGMENTS_LAUNCHES

static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong good_bytes = 262144, most_chunks = 1u << 14, most_held = 512;
  (void)status;
  clr_scan_fit_block(facts, problem, shape);
  shape->scan.keeps_lanes = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  clr_segments_chunks(shape, shape->rows, good_bytes / (shape->rows * shape->element_size), most_chunks, 4);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_scan_segments_chunked = {
  .name = "scan_segments_chunked",
  .summary = "scans of rows of different lengths on CPU-like devices: each work-item takes several, long ones are cut",
  .exec = CLR_EXEC_SINGLE_ITEM,
  SCANS_SEGMENTS,
  .fit = fit_chunked,
};

// One extra place after each sixteen avoids bank conflicts.
cl_ulong clr_scan_staged_bytes(const struct clr_problem *problem, const struct clr_shape *shape) {
  return shape->segments.chunk_lanes * (shape->rows + 1) * problem->operation.result_size;
}

cl_ulong clr_scan_list_bytes(const struct clr_problem *problem, const struct clr_shape *shape) {
  const cl_ulong counter = 48, lane_bytes = 4, run_bytes = 36;
  return (shape->segments.chunk_lanes + shape->group_size) * (shape->state_size + lane_bytes) +
         counter * shape->state_size + clr_scan_staged_bytes(problem, shape) + shape->group_size * run_bytes +
         CLR_LOCAL_RESERVE;
}

// Chooses the number of lanes: few enough to leave local memory for other groups, but at least one for each work-item.
static cl_int fit_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong good_group = 128, good_lanes = 128, most_chunks = 1u << 18, most_held = 16;
  cl_ulong good_bytes = clr_min(facts->local_mem_size, 28672);
  if (!problem->group_size)
    shape->group_size = clr_min(shape->group_size, good_group);
  shape->segments.chunk_lanes = good_lanes > shape->group_size ? good_lanes : shape->group_size;
  while (shape->segments.chunk_lanes > shape->group_size && clr_scan_list_bytes(problem, shape) > good_bytes)
    shape->segments.chunk_lanes /= 2;
  while (!problem->group_size && shape->group_size > 1 && clr_scan_list_bytes(problem, shape) > facts->local_mem_size) {
    shape->group_size /= 2;
    shape->segments.chunk_lanes /= 2;
  }
  shape->local_bytes = clr_scan_list_bytes(problem, shape);
  shape->segments.runs_first_turn = facts->cpu || !facts->local_mem_dedicated;
  if (shape->local_bytes > facts->local_mem_size)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "scan_segments_wide: local_mem_size is %llu: too little for %llu lanes of %llu bytes",
                    (unsigned long long)facts->local_mem_size, (unsigned long long)shape->segments.chunk_lanes,
                    (unsigned long long)shape->state_size);
  clr_segments_chunks(shape, shape->rows, shape->segments.chunk_lanes,
                      shape->state_size > 16 ? most_chunks / 8 : most_chunks, 4);
  // Results overwrite the elements in local memory; in between, the states of a lane are in registers.
  cl_ulong lists = clr_scan_staged_bytes(problem, shape), before = shape->local_bytes;
  if (shape->state_size > most_held)
    return CL_SUCCESS;
  clr_segments_stage(facts, &problem->operation, shape->segments.chunk_lanes * shape->rows, shape->local_bytes - lists,
                     shape);
  cl_ulong stage = shape->local_bytes - before;
  shape->local_bytes = before + (stage > lists ? stage - lists : 0);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_scan_segments_wide = {
  .name = "scan_segments_wide",
  .summary = "scans of rows of different lengths on GPU-like devices: the lanes of many rows side by side",
  .requires = CLR_REQUIRES_LOCAL_ATOMICS,
  SCANS_SEGMENTS,
  .fit = fit_wide,
};
