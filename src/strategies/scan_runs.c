// scan_runs_chunked: scans of runs of equal keys, and of elements from one head flag to the next, in the order fixed/1.
// The launch that scans the runs also finds them (cl/runs).
#include "strategies/runs.h"
#include "strategies/scans.h"

static cl_ulong scratch(const struct clr_shape *shape) {
  return clr_runs_scratch(shape, 2);
}

// The later launches process long runs: they fold pieces, compute the prefixes of pieces, and scan them.
static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_APPLY, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  const cl_ulong most_back = 1024;  // MOST_BACK in cl/strategies/scan_runs_chunked.cl
  return clr_runs_pass(shape, extent, kernels, 4, most_back, index, out);
}

// A tile in place would lose the elements that the next tile reads again. A reversed run is scanned from its end, which
// the tile of its begin does not know.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong most_tile = 32768, piece_lanes = 4096, most_held = 512;
  if (problem->in_place || problem->reversed)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s scans forward, and not in place", shape->strategy->name);
  clr_scan_fit_block(facts, problem, shape);
  shape->scan.keeps_lanes = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  cl_int err = clr_runs_board(facts, problem, shape, status);
  clr_runs_pieces(most_tile, piece_lanes * shape->rows, shape->scan.tiles, shape);
  return err;
}

const struct clr_strategy clr_strategy_scan_runs_chunked = {
  .name = "scan_runs_chunked",
  .sentence = "scans of runs of keys or flags on CPU-like devices: each work-item finds and scans the runs of a tile",
  .task = CLR_TASK_SCAN,
  .team = CLR_TEAM_SINGLES,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_HEADS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_KEYS),
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY) |
             CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR),
  .requires = CLR_REQUIRES_ATOMICS | CLR_REQUIRES_WAITING,
  .fixed_order = true,
  .takes_groups = true,
  .launches_empty = true,
  .finds_runs = true,
  .scan.reference = clr_scan_fixed_reference,
  .elements = clr_runs_tile,
  .scratch = scratch,
  .pass = pass,
  .step = clr_runs_step,
  .fit = fit,
};
