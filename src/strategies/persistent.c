#include "planning/trips.h"
#include "strategies/per_group.h"

static cl_ulong values(const struct clr_shape *shape, cl_ulong n) {
  (void)n;
  return shape->group_size;
}

static cl_ulong elements(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong groups = clr_ceil_divide(n, shape->group_size);
  groups = groups < shape->groups_max ? groups : shape->groups_max;
  return groups ? clr_ceil_divide(n, groups * shape->group_size) : 0;
}

static cl_ulong fold(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states, cl_ulong group,
                     cl_ulong groups) {
  (void)n;
  cl_ulong group_size = shape->group_size, base = group * group_size, left = states->count - base;
  for (cl_ulong i = base; i < base + group_size && i < states->count; i++)
    clr_tree_in_order(states, i, groups * group_size, states->count);
  clr_tree_halving(states, base, group_size, left < group_size ? left : group_size, 1);
  return base;
}

static const struct clr_per_group rules = {.values = values, .persistent = true, .places = 1, .fold = fold};
CLR_PER_GROUP_FUNCTIONS(rules)

// A GPU's compute unit holds some 2048 work-items at once; a CPU's runs one group at a time.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  cl_ulong a_unit = facts->cpu || shape->group_size >= 2048 ? 1 : 2048 / shape->group_size;
  (void)status;
  if (!*problem->finish && !facts->device_fence)
    shape->finish = CLR_FINISH_RELAUNCH;
  shape->groups_max = problem->groups ? problem->groups : a_unit * facts->compute_units;
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_persistent = {
  .name = "persistent",
  .sentence = "just enough groups to fill the device, each works until the data is exhausted",
  .permutes = true,
  .takes_groups = true,
  .finishes = CLR_ALL_FINISHES,
  .finish = CLR_FINISH_LAST_GROUP,
  .local_states = 1,
  .fit = fit,
  .elements = elements,
  .scratch = scratch,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = reference,
};
