#include "planning/trips.h"
#include "strategies/whole_array.h"

static bool step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *of, unsigned index,
                 struct clred_step *out) {
  if (index >= clr_levels(n))
    return false;
  cl_ulong stride = (cl_ulong)1 << index, items = clr_ceil_divide(n, 2 * stride),
           pairs = (n + stride - 1) / (2 * stride);
  return clr_mono_step(out, shape, of, index, stride, index ? pairs : items, index ? 3 * pairs : 2 * items + pairs);
}

const struct clr_strategy clr_strategy_bottom_up_mono = {
  .name = "bottom_up_mono",
  .sentence = "bottom_up's loop inside one launch of one work-group, with barriers",
  .tree_in_global = true,
  .scratch = clr_scratch_of_pairs,
  .pass = clr_mono_pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = clr_reference_doubling,
};
