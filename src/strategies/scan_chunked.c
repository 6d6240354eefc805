#include "strategies/scans.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong most_held = 512;
  clr_scan_fit_block(facts, problem, shape);
  shape->holds = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  return clr_scan_fit_board("scan_chunked", facts, problem, shape, status);
}

// Elements of a block: what stays in a core's own cache between the two readings, but enough blocks for all cores.
static cl_ulong block(const struct clr_shape *shape, cl_ulong n) {
  const cl_ulong cached_bytes = 262144, blocks_a_unit = 4;
  cl_ulong lanes = clr_power_of_two_below(cached_bytes / (shape->element_size * shape->rows));
  cl_ulong share = clr_power_of_two_below(n / (shape->rows * blocks_a_unit * shape->compute_units));
  return shape->rows * (share < lanes ? share : lanes);
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  return clr_scan_board_pass(shape, n, block(shape, n), index, out);
}

const struct clr_strategy clr_strategy_scan_chunked = {
  .name = "scan_chunked",
  .sentence = "CPU-like devices: one launch; each work-item scans contiguous blocks that its cache holds",
  .scans = true,
  .selects = true,
  .fixed_order = true,
  .takes_groups = true,
  .relies = CLR_ON_ATOMICS | CLR_ON_WAITING,
  .team = CLR_TEAM_SINGLES,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR),
  .fit = fit,
  .elements = block,
  .scratch = clr_scan_board_scratch,
  .pass = pass,
  .step = clr_scan_step,
  .scan_reference = clr_scan_fixed_reference,
};
