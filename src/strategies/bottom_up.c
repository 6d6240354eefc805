#include "planning/trips.h"
#include "strategies/whole_array.h"

// The first launch leaves ceil(n / 2) states; launch k > 0 folds those with stride 2^(k - 1).
static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  cl_ulong count = index == 0 ? n : (n + 1) / 2, span = index == 0 ? 1 : (cl_ulong)1 << (index - 1);
  if (index >= clr_levels(n))
    return false;
  *out = (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = clr_ceil_divide(clr_ceil_divide(count, 2 * span), shape->group_size),
    .group_size = shape->group_size,
    .count = count,
    .span = span,
  };
  return true;
}

static bool step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *of, unsigned index,
                 struct clred_step *out) {
  cl_ulong items = clr_ceil_divide(of->count, 2 * of->span), pairs = (of->count + of->span - 1) / (2 * of->span);
  cl_ulong stride = of->kernel == CLR_KERNEL_ELEMENTS ? 1 : 2 * of->span;
  (void)n;
  return index == 0 && clr_many_step(out, shape, of, stride, items, items + pairs + items);
}

const struct clr_strategy clr_strategy_bottom_up = {
  .name = "bottom_up",
  .sentence = "many launches: pairs one step apart, the step doubles",
  .tree_in_global = true,
  .scratch = clr_scratch_of_pairs,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = clr_reference_doubling,
};
