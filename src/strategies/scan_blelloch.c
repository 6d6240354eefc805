#include "strategies/scans.h"

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  *out = (struct clr_pass){.kernel = CLR_KERNEL_ELEMENTS, .groups = 1, .group_size = shape->group_size, .count = n};
  return index == 0;
}

static cl_int reference(const struct clr_shape *shape, const struct clr_values *values, const struct clr_scan *scan) {
  return clr_scan_tiles(scan, values, 2 * shape->group_size);
}

const struct clr_strategy clr_strategy_scan_blelloch = {
  .name = "scan_blelloch",
  .sentence = "one group: up-sweep and down-sweep in local memory, tile after tile",
  .scans = true,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS),
  .local_states = 2,
  .pass = pass,
  .step = clr_scan_step,
  .scan_reference = reference,
};
