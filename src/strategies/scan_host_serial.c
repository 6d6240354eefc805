#include "strategies/scans.h"
#include "strategies/whole_array.h"

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  (void)shape;
  *out = (struct clr_pass){.kind = CLR_PASS_SCAN_ON_HOST, .count = n};
  return index == 0;
}

static cl_int reference(const struct clr_shape *shape, const struct clr_values *values, const struct clr_scan *scan) {
  (void)shape;
  clr_scan_in_order(scan, values);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_scan_host_serial = {
  .name = "scan_host_serial",
  .sentence = "one loop on the host",
  .scans = true,
  .selects = true,
  .team = CLR_TEAM_HOST,
  .pass = pass,
  .step = clr_no_steps,
  .scan_reference = reference,
};
