#include "planning/trips.h"
#include "strategies/whole_array.h"

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  (void)shape;
  *out = (struct clr_pass){.kernel = CLR_KERNEL_ELEMENTS, .groups = 1, .group_size = 1, .count = n};
  return index == 0;
}

static bool step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *of, unsigned index,
                 struct clred_step *out) {
  struct clr_activity one = {.items = 1, .apart = 1};
  clr_step_make(out, shape, of, one, one, "walk");
  out->global_requests = n + 1;
  return index == 0;
}

const struct clr_strategy clr_strategy_device_serial = {
  .name = "device_serial",
  .sentence = "one work-item walks the array",
  .team = CLR_TEAM_SINGLES,
  .tree_in_global = true,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = clr_reference_in_order,
};
