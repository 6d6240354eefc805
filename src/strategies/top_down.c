#include "planning/trips.h"
#include "strategies/whole_array.h"

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  cl_ulong count = n;
  if (index >= clr_levels(n))
    return false;
  for (unsigned i = 0; i < index; i++)
    count = (count + 1) / 2;
  *out = (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = clr_ceil_divide((count + 1) / 2, shape->group_size),
    .group_size = shape->group_size,
    .count = count,
    .span = (count + 1) / 2,
  };
  return true;
}

static bool step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *of, unsigned index,
                 struct clred_step *out) {
  (void)n;
  return index == 0 && clr_many_step(out, shape, of, of->span, of->span, of->count + of->span);
}

const struct clr_strategy clr_strategy_top_down = {
  .name = "top_down",
  .sentence = "many launches: the upper half is folded onto the lower, the length halves",
  .permutes = true,
  .tree_in_global = true,
  .scratch = clr_scratch_of_pairs,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = clr_reference_top_down,
};
