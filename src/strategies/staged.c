// The rows of strategies that fill a group's share of local memory with values before they fold them. As in textbooks,
// two groups of 1024 work-items share the local memory of a compute unit.
#include "planning/strategy.h"
#include "strategies/per_group.h"

// Work-items that a compute unit of a GPU runs at once, and work-items of a group if the caller names no group size.
#define ITEMS_PER_UNIT 2048
#define ITEMS_PER_GROUP 1024
#define GROUPS_PER_UNIT 2

// The textbook's factors: how many values a work-item folds before the tree.
static const cl_ulong factors[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
#define FACTORS (sizeof factors / sizeof *factors)

// On CPUs, local memory is ordinary memory. If a work-item reads many values that are a group size apart, too few of
// them are in the nearest cache: on PoCL, 64 values took four times as long as 8.
#define MOST_ON_CPU 12

// Divides the local memory of a unit among `groups_wanted` groups; 0: as many groups as make 2048 work-items. Each
// group has room for at least two values of each work-item. If the caller names no group size, groups become smaller
// until two of them fit. Otherwise fewer groups share a unit.
static void share_unit(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong groups_wanted,
                       struct clr_shape *shape) {
  cl_ulong room_of_two = facts->local_mem_size / (GROUPS_PER_UNIT * 2 * shape->state_size);
  if (!problem->group_size)
    shape->group_size = clr_pow2_floor(clr_min(room_of_two, shape->group_size));
  cl_ulong bytes = shape->group_size * shape->state_size, fit = facts->local_mem_size / (2 * bytes);
  cl_ulong wanted = groups_wanted ? groups_wanted : clr_ceil_divide(ITEMS_PER_UNIT, shape->group_size);
  cl_ulong groups = clr_min(wanted, fit ? fit : 1);
  cl_ulong room = clr_min(facts->local_mem_size / groups, clr_usable_local(facts)) / bytes;
  if (facts->cpu)
    room = clr_min(room, MOST_ON_CPU);
  // At least 2. With stage registers, local memory may have no room for two values of each work-item.
  shape->staged.factor_most = factors[0];
  for (size_t i = 0; i < FACTORS && factors[i] <= room; i++)
    shape->staged.factor_most = factors[i];
  // A unit of a CPU runs one group at a time.
  shape->staged.groups_at_once = facts->compute_units * (facts->cpu ? 1 : groups);
}

// --- local_coarsened ---

// Returns the largest factor that leaves as many groups as the device runs at once; at least 2.
static cl_ulong coarsened_factor(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong factor = factors[0];
  if (shape->staged.elements)
    return shape->staged.elements;
  for (size_t i = 0; i < FACTORS && factors[i] <= shape->staged.factor_most; i++)
    if (clr_ceil_divide(n, factors[i] * shape->group_size) >= shape->staged.groups_at_once)
      factor = factors[i];
  return factor;
}

static cl_ulong coarsened_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  return coarsened_factor(shape, extent->count);
}

static cl_ulong coarsened_values(const struct clr_shape *shape, cl_ulong n) {
  return coarsened_factor(shape, n) * shape->group_size;
}

static cl_ulong coarsened_fold(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states,
                               cl_ulong group, cl_ulong groups) {
  cl_ulong base = group * coarsened_values(shape, n), group_size = shape->group_size;
  cl_ulong end = group + 1 < groups ? base + coarsened_values(shape, n) : states->count;
  return clr_tree_of_group(states, base, group_size, group_size, end);
}

// If groups take a single value, finish relaunch would never reduce the number of values. This finish is refused if the
// caller named it. Otherwise the last group folds, or the host if the device has no reliable fence.
static cl_int fit_finish(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                         struct clr_status *status) {
  if (shape->finish != CLR_FINISH_RELAUNCH || coarsened_values(shape, 0) > 1)
    return CL_SUCCESS;
  if (*problem->finish)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "finish relaunch needs groups that take at least 2 values, not 1");
  shape->finish = facts->device_fence ? CLR_FINISH_LAST_GROUP : CLR_FINISH_HOST;
  return CL_SUCCESS;
}

static cl_int check_elements(const struct clr_facts *facts, const struct clr_problem *problem,
                             const struct clr_shape *shape, struct clr_status *status) {
  const cl_ulong most = 1u << 20, fit = clr_usable_local(facts) / (shape->group_size * shape->state_size);
  const bool is_local = problem->stage == CLRED_STAGE_LOCAL;
  if (problem->elements > most && (!is_local || most <= fit))
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "local_coarsened: elements %llu is too many; give at most %llu",
                    (unsigned long long)problem->elements, (unsigned long long)most);
  if (is_local && problem->elements > fit)
    return clr_fail(
      status, CLRED_STRATEGY_REFUSED,
      "local_coarsened: elements %llu is above %llu, which local memory holds for groups of %llu; give at "
      "most that, smaller groups, or stage registers",
      (unsigned long long)problem->elements, (unsigned long long)fit, (unsigned long long)shape->group_size);
  return CL_SUCCESS;
}

static cl_int fit_coarsened(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                            struct clr_status *status) {
  share_unit(facts, problem, 0, shape);
  shape->staged.elements = problem->elements;
  if (problem->stage == CLRED_STAGE_LOCAL)
    shape->staged.values = coarsened_factor(shape, problem->count_max ? problem->count_max : CL_ULONG_MAX);
  cl_ulong held = shape->staged.values ? shape->staged.values : 1;
  shape->local_bytes = held * shape->group_size * shape->state_size;
  cl_int err = check_elements(facts, problem, shape, status);
  return err ? err : fit_finish(facts, problem, shape, status);
}

// --- persistent ---

// Returns the values of one load: two for each work-item.
static cl_ulong persistent_values(const struct clr_shape *shape, cl_ulong n) {
  (void)n;
  return 2 * shape->group_size;
}

static cl_ulong persistent_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong loads = clr_ceil_divide(extent->count, 2 * shape->group_size);
  cl_ulong groups = clr_min(loads, shape->groups_max);
  return groups ? 2 * clr_ceil_divide(loads, groups) : 0;
}

// Folds a group's part, a run of neighbouring loads. If the loads cannot be divided equally, the first parts have one
// load more than the others.
static cl_ulong persistent_fold(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states,
                                cl_ulong group, cl_ulong groups) {
  cl_ulong load = persistent_values(shape, n), group_size = shape->group_size;
  cl_ulong loads = clr_ceil_divide(states->count, load), each = loads / groups, more = loads % groups;
  cl_ulong base = (group * each + clr_min(group, more)) * load;
  cl_ulong end = clr_min(states->count, base + (each + (group < more)) * load);
  return clr_tree_of_group(states, base, group_size, group_size, end);
}

// The longest part has up to a load more than an equal share.
static cl_ulong persistent_trips(const struct clr_shape *shape, const struct clr_extent *extent,
                                 const struct clr_pass *pass) {
  struct clr_pass longest = *pass;
  longest.count = clr_multiply(pass->span, pass->groups * pass->group_size);
  return clr_trips_of_share(shape, extent, &longest);
}

static cl_int fit_persistent(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                             struct clr_status *status) {
  (void)status;
  share_unit(facts, problem, GROUPS_PER_UNIT, shape);
  shape->staged.values = shape->staged.factor_most;
  shape->local_bytes = shape->staged.values * shape->group_size * shape->state_size;
  shape->groups_max = clr_groups_or(problem, GROUPS_PER_UNIT * facts->compute_units);
  if (!*problem->finish && shape->finish == CLR_FINISH_LAST_GROUP && !facts->device_fence)
    shape->finish = CLR_FINISH_RELAUNCH;
  return CL_SUCCESS;
}

// --- The rows ---

const struct clr_strategy clr_strategy_local_coarsened = {
  .name = "local_coarsened",
  .summary = "local_sequential after each work-item has folded several elements, first copied to local memory",
  .growing = ALL_BUT_ATOMIC,
  .local_states = 2,
  .items_wanted = ITEMS_PER_GROUP,
  .reduce.permutes = true,
  .reduce.takes_elements = true,
  .reduce.takes_stage = true,
  TREE(.places = 1, .values = coarsened_values, .fold = coarsened_fold),
  PER_GROUP(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH, clr_trips_of_share),
  .step = clr_per_group_step,
  .fit = fit_coarsened,
  .elements = coarsened_elements,
};

// As in textbooks, the host folds the few last partials.
const struct clr_strategy clr_strategy_persistent = {
  .name = "persistent",
  .summary = "two groups for each compute unit; each reads its part of the data through local memory",
  .takes_groups = true,
  .local_states = 2,
  .items_wanted = ITEMS_PER_GROUP,
  .reduce.permutes = true,
  TREE(.places = 1, .persistent = true, .values = persistent_values, .fold = persistent_fold),
  PER_GROUP(CLR_ALL_FINISHES, CLR_FINISH_HOST, persistent_trips),
  .step = clr_per_group_step,
  .fit = fit_persistent,
  .elements = persistent_elements,
};
