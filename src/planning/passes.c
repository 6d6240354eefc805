// Lists the passes of a call, and bounds the turns of their loops.
#include "planning/trips.h"

unsigned clr_strategy_kernels(const struct clr_strategy *strategy) {
  const unsigned of_reductions = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) |
                                 CLR_KERNEL_BIT(CLR_KERNEL_DELIVER) | CLR_KERNEL_BIT(CLR_KERNEL_BEGIN);
  return strategy->kernels ? strategy->kernels : of_reductions;
}

bool clr_strategy_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                       struct clr_pass *pass) {
  const struct clr_strategy *strategy = shape->strategy;
  if (extent->count > 0 || strategy->launches_empty)
    return strategy->pass(shape, extent, index, pass);
  *pass = (struct clr_pass){.kind = CLR_PASS_LAUNCH,
                            .kernel = CLR_KERNEL_DELIVER,
                            .groups = 1,
                            .group_size = 1,
                            .span = clr_multiply(extent->rows, extent->columns)};
  if (strategy->team == CLR_TEAM_HOST || shape->finish == CLR_FINISH_HOST)
    pass->kind = CLR_PASS_WALK_ON_HOST;
  return index == 0;
}

bool clr_strategy_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step) {
  return shape->strategy->step && shape->strategy->step(shape, extent, pass, index, step);
}

// Turns for each value of a work-item: read, combine, push on the stack. If lanes are arrays, each of these is a loop.
static cl_ulong turns_a_value(const struct clr_shape *shape) {
  return shape->loops_over_lanes ? 12 : 4;
}

#define FEW 512  // turns at the ends of trees and stacks

cl_ulong clr_trips_of_all(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass) {
  cl_ulong n = extent->count;
  cl_ulong values = clr_multiply(n > pass->count ? n : pass->count, clr_multiply(extent->rows, extent->columns));
  values = clr_add(values, clr_add(shape->counting.bins, shape->groups_max < n ? shape->groups_max : n));
  return clr_add(FEW, clr_multiply(turns_a_value(shape), values));
}

cl_ulong clr_trips_of_share(const struct clr_shape *shape, const struct clr_extent *extent,
                            const struct clr_pass *pass) {
  (void)extent;
  cl_ulong share = clr_ceil_divide(pass->count, pass->groups * pass->group_size);
  // The last group may fold all partials. With atomics, all groups may retry on one place.
  cl_ulong partials = shape->finish == CLR_FINISH_LAST_GROUP ? clr_ceil_divide(pass->groups, pass->group_size)
                      : shape->finish == CLR_FINISH_ATOMIC   ? pass->groups
                                                             : 0;
  cl_ulong words = shape->state_size / 4 + 2;
  return clr_add(FEW, clr_add(clr_multiply(turns_a_value(shape), share), clr_multiply(words, partials)));
}

cl_ulong clr_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass) {
  return (shape->strategy->trips ? shape->strategy->trips : clr_trips_of_all)(shape, extent, pass);
}

bool clr_trips_hold(const struct clr_shape *shape, const struct clr_extent *extent) {
  struct clr_pass pass;
  for (unsigned i = 0; clr_strategy_pass(shape, extent, i, &pass); i++) {
    if (pass.kind != CLR_PASS_LAUNCH || pass.groups == 0)
      continue;
    if (clr_trips(shape, extent, &pass) > shape->loop_trips)
      return false;
  }
  return true;
}

cl_ulong clr_trips_most(const struct clr_shape *shape) {
  cl_ulong below = 0, above = (cl_ulong)1 << 48;
  if (!shape->loop_trips)
    return CL_ULONG_MAX;
  if (shape->count_max < above)
    above = shape->count_max + 1;
  while (above - below > 1) {
    cl_ulong middle = below + (above - below) / 2;
    const struct clr_extent extent = clr_extent_line(middle);
    if (clr_trips_hold(shape, &extent))
      below = middle;
    else
      above = middle;
  }
  return below;
}

cl_ulong clr_trips_groups(const struct clr_facts *facts, cl_ulong otherwise) {
  const cl_ulong turns_a_partial = 8;
  cl_ulong groups = clr_power_of_two_below(facts->loop_trips / turns_a_partial);
  return facts->loop_trips && groups > otherwise ? groups : otherwise;
}
