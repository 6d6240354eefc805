#include "strategies/scans.h"
#include "strategies/segments.h"

// Bytes of a list's results, with the odd distance between sixteen and sixteen.
static cl_ulong staged_bytes(const struct clr_problem *problem, const struct clr_shape *shape) {
  return shape->chunk_lanes * (shape->rows + 1) * problem->operation.result_size;
}

// Bytes of local memory: cl/scan_list.clh and the kernels' own.
static cl_ulong local_bytes(const struct clr_problem *problem, const struct clr_shape *shape) {
  const cl_ulong counter = 48, lane_bytes = 4, run_bytes = 36;
  return (shape->chunk_lanes + shape->group_size) * (shape->state_size + lane_bytes) + counter * shape->state_size +
         staged_bytes(problem, shape) + shape->group_size * run_bytes + CLR_LOCAL_RESERVE;
}

// As many lanes as leave room for other groups, but at least one a work-item.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong good_group = 128, good_lanes = 128, most_chunks = 1u << 18, most_held = 16;
  cl_ulong good_bytes = facts->local_mem_size < 28672 ? facts->local_mem_size : 28672;
  if (!problem->group_size && shape->group_size > good_group)
    shape->group_size = good_group;
  shape->chunk_lanes = good_lanes > shape->group_size ? good_lanes : shape->group_size;
  while (shape->chunk_lanes > shape->group_size && local_bytes(problem, shape) > good_bytes)
    shape->chunk_lanes /= 2;
  while (!problem->group_size && shape->group_size > 1 && local_bytes(problem, shape) > facts->local_mem_size) {
    shape->group_size /= 2;
    shape->chunk_lanes /= 2;
  }
  shape->local_bytes = local_bytes(problem, shape);
  if (shape->local_bytes > facts->local_mem_size)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "scan_segments: local_mem_size is %llu: too little for %llu lanes of %llu bytes",
                    (unsigned long long)facts->local_mem_size, (unsigned long long)shape->chunk_lanes,
                    (unsigned long long)shape->state_size);
  clr_segments_chunks(shape, shape->rows, shape->chunk_lanes, shape->state_size > 16 ? most_chunks / 8 : most_chunks,
                      4);
  // Elements and results take turns in one place; work-items hold a lane of states between.
  cl_ulong lists = staged_bytes(problem, shape), before = shape->local_bytes;
  if (shape->state_size > most_held)
    return CL_SUCCESS;
  clr_segments_stage(facts, &problem->operation, shape->chunk_lanes * shape->rows, shape->local_bytes - lists, shape);
  cl_ulong stage = shape->local_bytes - before;
  shape->local_bytes = before + (stage > lists ? stage - lists : 0);
  return CL_SUCCESS;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  return clr_segments_scan_pass(shape, n, index, shape->group_size, out);
}

const struct clr_strategy clr_strategy_scan_segments = {
  .name = "scan_segments",
  .sentence = "scans of rows of different lengths on GPU-like devices: the lanes of many rows side by side",
  .scans = true,
  .fixed_order = true,
  .takes_nothing = true,
  .relies = CLR_ON_LOCAL_ATOMICS,
  .layouts = CLR_LAYOUT_SEGMENTS,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) |
             CLR_KERNEL_BIT(CLR_KERNEL_APPLY),
  .fit = fit,
  .elements = clr_segments_span,
  .scratch = clr_segments_scratch,
  .pass = pass,
  .step = clr_segments_step,
  .scan_reference = clr_scan_fixed_reference,
};
