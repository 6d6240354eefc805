// scan_runs_chunked and scan_runs_wide: scans of runs of equal keys, and of elements from one head flag to the next, in
// the order fixed/1. The launch that scans the runs also finds them (cl/runs).
#include "strategies/runs.h"
#include "strategies/scans.h"

static cl_ulong scratch(const struct clr_shape *shape) {
  return clr_runs_scratch(shape, 2);
}

// The later launches process long runs: they fold pieces, compute the prefixes of pieces, and scan them.
static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_APPLY, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  const cl_ulong most_back = 1024;  // MOST_BACK in cl/strategies/scan_runs_chunked.cl, scan_runs_wide.cl
  return clr_runs_pass(shape, extent, kernels, 4, most_back, index, out);
}

// In place, the results of a tile would overwrite elements that the next tile reads again. In a reversed scan, a run
// starts with its last element, but the tile in which the run begins does not know where it ends.
static cl_int refuse_backward(const struct clr_problem *problem, const struct clr_shape *shape,
                              struct clr_status *status) {
  if (!problem->in_place && !problem->reversed)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s scans forward, and not in place", shape->strategy->name);
}

#define SCANS_RUNS \
  .task = CLR_TASK_SCAN, .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_HEADS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_KEYS), \
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY) | \
             CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR), \
  .fixed_order = true, .takes_groups = true, .launches_empty = true, .finds_runs = true, \
  .scan.reference = clr_scan_fixed_reference, .elements = clr_runs_tile, .scratch = scratch, .pass = pass, \
  CLR_RUNS_LAUNCHES

static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong most_tile = clr_runs_limit(facts, 32768, 512), piece_lanes = clr_runs_limit(facts, 4096, 64);
  const cl_ulong most_held = 512;
  cl_int err = refuse_backward(problem, shape, status);
  if (err)
    return err;
  clr_scan_fit_block(facts, problem, shape);
  shape->scan.keeps_lanes = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  err = clr_runs_board(facts, problem, shape, status);
  clr_runs_pieces(most_tile, piece_lanes * shape->rows, shape->scan.tiles, shape);
  return err;
}

const struct clr_strategy clr_strategy_scan_runs_chunked = {
  .name = "scan_runs_chunked",
  .summary = "scans of runs of keys or flags on CPU-like devices: each work-item finds and scans the runs of a tile",
  .exec = CLR_EXEC_SINGLE_ITEM,
  SCANS_RUNS,
  .fit = fit_chunked,
};

// Copies a tile to local memory, if a work-item can keep its states in registers until the results are written. In
// local memory, results overwrite the elements.
static void stage_tile(const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong largest = 16, overhang = 64;
  cl_ulong elements = shape->segments.tile + overhang, results = clr_scan_staged_bytes(problem, shape);
  if (!clr_segments_can_stage(&problem->operation) || shape->element_size > largest || shape->state_size > largest)
    return;
  shape->segments.staged = elements;
  cl_ulong bytes = (elements + elements / 32 + 2) * shape->element_size;
  shape->local_bytes += bytes > results ? bytes - results : 0;
}

// Sets the numbers that follow from the group size. A group has a tile of ROWS elements for each work-item.
static void set_tile(const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong begin_bytes = 2, found_bytes = 256, counts_of_32 = 5, piece_lists = 16;
  cl_ulong tile = shape->group_size * shape->rows;
  shape->segments.chunk_lanes = shape->group_size;
  clr_runs_pieces(tile, piece_lists * tile, shape->scan.tiles, shape);
  shape->local_bytes =
    clr_scan_list_bytes(problem, shape) + tile * begin_bytes + tile / 32 * counts_of_32 + found_bytes;
  stage_tile(problem, shape);
}

// Takes the largest group whose tile fits local memory. Groups of fewer than 4 have tiles that are shorter than the
// elements that they stage before the tile.
static cl_int fit_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong good_group_size = 256, least_group_size = 4;
  cl_int err = refuse_backward(problem, shape, status);
  if (err)
    return err;
  if (!problem->group_size)
    shape->group_size = clr_min(clr_largest_group(facts, good_group_size), good_group_size);
  err = clr_runs_board(facts, problem, shape, status);
  shape->segments.runs_first_turn = facts->cpu || !facts->local_mem_dedicated;
  set_tile(problem, shape);
  while (!problem->group_size && shape->group_size > least_group_size && shape->local_bytes > facts->local_mem_size) {
    shape->group_size /= 2;
    set_tile(problem, shape);
  }
  if (err || (shape->local_bytes <= facts->local_mem_size && shape->group_size >= least_group_size))
    return err;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "scan_runs_wide: local_mem_size is %llu: too little for groups of %llu and states of %llu bytes",
                  (unsigned long long)facts->local_mem_size, (unsigned long long)shape->group_size,
                  (unsigned long long)shape->state_size);
}

const struct clr_strategy clr_strategy_scan_runs_wide = {
  .name = "scan_runs_wide",
  .summary = "scans of runs of keys or flags on GPU-like devices: each group finds and scans the runs of a tile",
  .requires = CLR_REQUIRES_ATOMICS | CLR_REQUIRES_LOCAL_ATOMICS | CLR_REQUIRES_WAITING,
  SCANS_RUNS,
  .fit = fit_wide,
};
