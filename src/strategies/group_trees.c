// The rows of strategies in which each group computes one tree and leaves one partial. per_group.c has what they share.
// staged.c has the strategies that fill local memory first.
#include "planning/strategy.h"
#include "strategies/per_group.h"

// --- persistent_interleaved ---

static cl_ulong interleaved_values(const struct clr_shape *shape, cl_ulong n) {
  (void)n;
  return shape->group_size;
}

static cl_ulong interleaved_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong groups = clr_per_group_groups(shape, extent->count, extent->count);
  return groups ? clr_ceil_divide(extent->count, groups * shape->group_size) : 0;
}

static cl_ulong interleaved_fold(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states,
                                 cl_ulong group, cl_ulong groups) {
  (void)n;
  cl_ulong group_size = shape->group_size, base = group * group_size;
  return clr_tree_of_group(states, base, group_size, groups * group_size, states->count);
}

// A compute unit of a GPU holds about 2048 work-items at once; a compute unit of a CPU runs one group at a time.
static cl_int fit_interleaved(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                              struct clr_status *status) {
  cl_ulong a_unit = facts->cpu || shape->group_size >= 2048 ? 1 : 2048 / shape->group_size;
  (void)status;
  if (!*problem->finish && !facts->device_fence)
    shape->finish = CLR_FINISH_RELAUNCH;
  shape->groups_max = clr_groups_or(problem, a_unit * facts->compute_units);
  return CL_SUCCESS;
}

// --- The rows ---

// A work-item copies two values and combines them in the first step.
static cl_ulong global_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  (void)shape, (void)extent;
  return 2;
}

const struct clr_strategy clr_strategy_global_interleaved = {
  .name = "global_interleaved",
  .summary = "one tree for each group, in global memory, stride doubling: divergent, the textbook's first kernel",
  .tree_in_global = true,
  .growing = CLR_ALL_FINISHES,
  TREE(.doubling = true, .places = 2),
  PER_GROUP(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH, clr_trips_of_share),
  .step = clr_per_group_step,
  .elements = global_elements,
};

const struct clr_strategy clr_strategy_global_sequential = {
  .name = "global_sequential",
  .summary = "one tree for each group, in global memory, stride halving: convergent",
  .tree_in_global = true,
  .growing = CLR_ALL_FINISHES,
  .reduce.permutes = true,
  TREE(.places = 2),
  PER_GROUP(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH, clr_trips_of_share),
  .step = clr_per_group_step,
  .elements = global_elements,
};

const struct clr_strategy clr_strategy_local_interleaved = {
  .name = "local_interleaved",
  .summary = "a tree in local memory, stride doubling over neighbours: divergent, the naive mapping",
  .growing = ALL_BUT_ATOMIC,
  .local_states = 2,
  TREE(.doubling = true, .places = 2),
  PER_GROUP(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH, clr_trips_of_share),
  .step = clr_per_group_step,
};

const struct clr_strategy clr_strategy_local_sequential = {
  .name = "local_sequential",
  .summary = "a tree in local memory, stride halving: active work-items stay together",
  .growing = ALL_BUT_ATOMIC,
  .local_states = 1,
  .reduce.permutes = true,
  TREE(.places = 2),
  PER_GROUP(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH, clr_trips_of_share),
  .step = clr_per_group_step,
};

// The strategy atomic is local_sequential with finish atomic.
const struct clr_strategy clr_strategy_atomic = {
  .name = "atomic",
  .summary = "one partial for each group, added to the result by atomics in the order of arrival",
  .local_states = 1,
  .reduce.permutes = true,
  TREE(.places = 2),
  PER_GROUP(CLR_FINISH_BIT(CLR_FINISH_ATOMIC), CLR_FINISH_ATOMIC, clr_trips_of_share),
};

const struct clr_strategy clr_strategy_persistent_interleaved = {
  .name = "persistent_interleaved",
  .summary = "just enough groups to fill the device; each loops over the data, a stride of all work-items apart",
  .takes_groups = true,
  .local_states = 1,
  .reduce.permutes = true,
  TREE(.places = 1, .persistent = true, .values = interleaved_values, .fold = interleaved_fold),
  PER_GROUP(CLR_ALL_FINISHES, CLR_FINISH_LAST_GROUP, clr_trips_of_share),
  .fit = fit_interleaved,
  .elements = interleaved_elements,
};
