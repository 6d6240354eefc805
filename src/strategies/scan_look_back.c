#include "strategies/scans.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status)
{
  const cl_ulong good_past = 3;
  cl_int err = clr_scan_fit_board("scan_look_back", facts, problem, shape, status);
  shape->past = shape->levels > 1 && shape->state_size <= 16 ? good_past : 0;
  // Windows of 32 nodes and their blocks of eight, the binary digits' nodes, and two edges.
  cl_ulong nodes = (shape->levels + shape->past) * (32 + 4) + shape->levels * 5 + 2;
  return err ? err : clr_scan_fit_tile("scan_look_back", facts, problem, nodes, shape, status);
}

static cl_ulong elements(const struct clr_shape *shape, cl_ulong n)
{
  (void)n;
  return shape->rows * shape->strip_lanes;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out)
{
  return clr_scan_board_pass(shape, n, shape->group_size * shape->rows * shape->strip_lanes, index, out);
}

const struct clr_strategy clr_strategy_scan_look_back = {
  .name = "scan_look_back",
  .sentence = "GPU-like devices: one pass; groups tell each other what their tiles give",
  .scans = true,
  .fixed_order = true,
  .takes_groups = true,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR),
  .parts = {"look_back.clh", "scan_tile.clh"},
  .fit = fit, .elements = elements, .scratch = clr_scan_board_scratch, .pass = pass, .step = clr_scan_step,
  .scan_reference = clr_scan_fixed_reference,
};
