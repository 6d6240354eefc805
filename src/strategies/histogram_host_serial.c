#include "strategies/histograms.h"
#include "strategies/whole_array.h"

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  (void)shape;
  *out = (struct clr_pass){.kind = CLR_PASS_COUNT_ON_HOST, .count = n};
  return index == 0;
}

const struct clr_strategy clr_strategy_histogram_host_serial = {
  .name = "histogram_host_serial",
  .sentence = "one loop on the host",
  .counts = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE),
  .team = CLR_TEAM_HOST,
  .pass = pass,
  .step = clr_no_steps,
};
