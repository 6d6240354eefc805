#include "strategies/scans.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  cl_int err = clr_scan_fit_board("scan_look_back", facts, problem, shape, status);
  // Windows of 32 nodes a level, their blocks of eight, their binary digits, and two edges.
  return err ? err
             : clr_scan_fit_tile("scan_look_back", facts, problem, shape->levels * (32 + 4 + 5) + 2, shape, status);
}

static cl_ulong elements(const struct clr_shape *shape, cl_ulong n) {
  (void)n;
  return shape->rows * shape->strip_lanes;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  return clr_scan_board_pass(shape, n, shape->group_size * shape->rows * shape->strip_lanes, index, out);
}

const struct clr_strategy clr_strategy_scan_look_back = {
  .name = "scan_look_back",
  .sentence = "GPU-like devices: one pass; groups tell each other what their tiles give",
  .scans = true,
  .selects = true,
  .fixed_order = true,
  .takes_groups = true,
  .relies = CLR_ON_ATOMICS | CLR_ON_WAITING,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR),
  .fit = fit,
  .elements = elements,
  .scratch = clr_scan_board_scratch,
  .pass = pass,
  .step = clr_scan_step,
  .scan_reference = clr_scan_fixed_reference,
};
