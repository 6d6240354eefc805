#include "planning/trips.h"

// Turns for each value that a work-item takes: reading it, combining it, keeping it on a stack; and where lanes are
// arrays, each of these is a loop.
static cl_ulong turns_a_value(const struct clr_shape *shape) {
  return shape->loops_over_lanes ? 12 : 4;
}

#define FEW 512  // ends of trees, stacks and digits

cl_ulong clr_trips_of_all(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass) {
  cl_ulong values =
    clr_multiply(n > pass->count ? n : pass->count, clr_multiply(shape->call_rows, shape->call_columns));
  values = clr_add(values, clr_add(shape->counting.bins, shape->groups_max < n ? shape->groups_max : n));
  return clr_add(FEW, clr_multiply(turns_a_value(shape), values));
}

cl_ulong clr_trips_of_share(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass) {
  (void)n;
  cl_ulong share = clr_ceil_divide(pass->count, pass->groups * pass->group_size);
  // The last group may fold all partials, or many come at once to one place.
  cl_ulong partials = shape->finish == CLR_FINISH_LAST_GROUP ? clr_ceil_divide(pass->groups, pass->group_size)
                      : shape->finish == CLR_FINISH_ATOMIC   ? pass->groups
                                                             : 0;
  cl_ulong words = shape->state_size / 4 + 2;
  return clr_add(FEW, clr_add(clr_multiply(turns_a_value(shape), share), clr_multiply(words, partials)));
}

bool clr_trips_hold(const struct clr_strategy *strategy, const struct clr_shape *shape, cl_ulong n) {
  struct clr_pass pass;
  for (unsigned i = 0; clr_strategy_pass(strategy, shape, n, i, &pass); i++) {
    if (pass.kind != CLR_PASS_LAUNCH || pass.groups == 0)
      continue;
    cl_ulong trips = strategy->trips ? strategy->trips(shape, n, &pass) : clr_trips_of_all(shape, n, &pass);
    if (trips > shape->loop_trips)
      return false;
  }
  return true;
}

cl_ulong clr_trips_most(const struct clr_strategy *strategy, const struct clr_shape *shape) {
  cl_ulong below = 0, above = (cl_ulong)1 << 48;
  if (!shape->loop_trips)
    return CL_ULONG_MAX;
  if (shape->count_max < above)
    above = shape->count_max + 1;
  while (above - below > 1) {
    cl_ulong middle = below + (above - below) / 2;
    if (clr_trips_hold(strategy, shape, middle))
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
