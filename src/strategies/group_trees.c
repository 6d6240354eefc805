// Strategies in which each group computes one tree and leaves one partial, as rows; per_group.c has what they share.
#include "planning/strategy.h"
#include "strategies/per_group.h"

// If groups take a single value, finish relaunch would never reduce the number of values. It is refused if the caller
// named it. Otherwise the last group folds, or the host if the device has no reliable fence.
static cl_int fit_finish(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong values,
                         struct clr_shape *shape, struct clr_status *status) {
  if (shape->finish != CLR_FINISH_RELAUNCH || values > 1)
    return CL_SUCCESS;
  if (*problem->finish)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "finish relaunch needs groups that take at least 2 values, not 1");
  shape->finish = facts->device_fence ? CLR_FINISH_LAST_GROUP : CLR_FINISH_HOST;
  return CL_SUCCESS;
}

// --- local_coarsened ---

// Returns the next of the textbook's factors: 2, 3, then powers of two.
static cl_ulong next_factor(cl_ulong factor) {
  return factor == 2 ? 3 : factor == 3 ? 4 : 2 * factor;
}

// Returns the largest factor for which a group's run fits local memory and each compute unit gets at least four groups.
static cl_ulong coarsened_factor(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong factor = 2, run = shape->group_size * shape->state_size;
  if (shape->fold.elements)
    return shape->fold.elements;
  for (cl_ulong next = next_factor(factor); next * run <= shape->local_mem_size; next = next_factor(next)) {
    if (clr_ceil_divide(n, next * shape->group_size) < 4 * shape->compute_units)
      break;
    factor = next;
  }
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
  for (cl_ulong i = base; i < base + group_size && i < end; i++)
    clr_tree_in_order(states, i, group_size, end);
  clr_tree_halving(states, base, group_size, clr_at_most(end - base, group_size), 1);
  return base;
}

static cl_int fit_coarsened(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                            struct clr_status *status) {
  if (problem->elements > 1u << 20)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "local_coarsened: elements %llu is above %u",
                    (unsigned long long)problem->elements, 1u << 20);
  shape->fold.elements = problem->elements;
  return fit_finish(facts, problem, coarsened_values(shape, 0), shape, status);
}

// --- persistent ---

static cl_ulong persistent_values(const struct clr_shape *shape, cl_ulong n) {
  (void)n;
  return shape->group_size;
}

static cl_ulong persistent_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  cl_ulong groups = clr_at_most(clr_ceil_divide(extent->count, shape->group_size), shape->groups_max);
  return groups ? clr_ceil_divide(extent->count, groups * shape->group_size) : 0;
}

static cl_ulong persistent_fold(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states,
                                cl_ulong group, cl_ulong groups) {
  (void)n;
  cl_ulong group_size = shape->group_size, base = group * group_size, left = states->count - base;
  for (cl_ulong i = base; i < base + group_size && i < states->count; i++)
    clr_tree_in_order(states, i, groups * group_size, states->count);
  clr_tree_halving(states, base, group_size, clr_at_most(left, group_size), 1);
  return base;
}

// A compute unit of a GPU holds about 2048 work-items at once; that of a CPU runs one group at a time.
static cl_int fit_persistent(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                             struct clr_status *status) {
  cl_ulong a_unit = facts->cpu || shape->group_size >= 2048 ? 1 : 2048 / shape->group_size;
  (void)status;
  if (!*problem->finish && !facts->device_fence)
    shape->finish = CLR_FINISH_RELAUNCH;
  shape->groups_max = clr_groups_or(problem, a_unit * facts->compute_units);
  return CL_SUCCESS;
}

// --- The rows ---

#define PER_GROUP \
  .reduce.reference = clr_per_group_reference, .scratch = clr_per_group_scratch, .pass = clr_per_group_pass, \
  .trips = clr_trips_of_share, .step = clr_per_group_step

#define FINISHES(finishes_, first) .reduce.finishes = (finishes_), .reduce.finish = (first)
#define TREE(...) \
  .reduce.in_group = &(const struct clr_group_tree) { \
    __VA_ARGS__ \
  }

// With finish atomic and trees in local memory, scratch is one state and does not grow.
#define ALL_BUT_ATOMIC (CLR_ALL_FINISHES & ~CLR_FINISH_BIT(CLR_FINISH_ATOMIC))

// A work-item copies two values and combines them in the first step.
static cl_ulong global_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  (void)shape, (void)extent;
  return 2;
}

const struct clr_strategy clr_strategy_global_interleaved = {
  .name = "global_interleaved",
  .sentence = "one tree for each group, in global memory, stride doubling: divergent, the textbook's first kernel",
  .tree_in_global = true,
  .growing = CLR_ALL_FINISHES,
  TREE(.doubling = true, .places = 2),
  FINISHES(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH),
  PER_GROUP,
  .elements = global_elements,
};

const struct clr_strategy clr_strategy_global_sequential = {
  .name = "global_sequential",
  .sentence = "one tree for each group, in global memory, stride halving: convergent",
  .tree_in_global = true,
  .growing = CLR_ALL_FINISHES,
  .reduce.permutes = true,
  TREE(.places = 2),
  FINISHES(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH),
  PER_GROUP,
  .elements = global_elements,
};

const struct clr_strategy clr_strategy_local_interleaved = {
  .name = "local_interleaved",
  .sentence = "a tree in local memory, stride doubling over neighbours: divergent, the naive mapping",
  .growing = ALL_BUT_ATOMIC,
  .local_states = 2,
  TREE(.doubling = true, .places = 2),
  FINISHES(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH),
  PER_GROUP,
};

const struct clr_strategy clr_strategy_local_sequential = {
  .name = "local_sequential",
  .sentence = "a tree in local memory, stride halving: active work-items stay together",
  .growing = ALL_BUT_ATOMIC,
  .local_states = 1,
  .reduce.permutes = true,
  TREE(.places = 2),
  FINISHES(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH),
  PER_GROUP,
};

// The strategy atomic is local_sequential with finish atomic.
const struct clr_strategy clr_strategy_atomic = {
  .name = "atomic",
  .sentence = "one partial for each group, added to the result by atomics in the order of arrival",
  .local_states = 1,
  .reduce.permutes = true,
  TREE(.places = 2),
  FINISHES(CLR_FINISH_BIT(CLR_FINISH_ATOMIC), CLR_FINISH_ATOMIC),
  PER_GROUP,
};

const struct clr_strategy clr_strategy_local_coarsened = {
  .name = "local_coarsened",
  .sentence = "local_sequential after each work-item has folded several elements",
  .growing = ALL_BUT_ATOMIC,
  .local_states = 1,
  .reduce.permutes = true,
  .reduce.takes_elements = true,
  TREE(.places = 1, .values = coarsened_values, .fold = coarsened_fold),
  FINISHES(CLR_ALL_FINISHES, CLR_FINISH_RELAUNCH),
  PER_GROUP,
  .fit = fit_coarsened,
  .elements = coarsened_elements,
};

const struct clr_strategy clr_strategy_persistent = {
  .name = "persistent",
  .sentence = "just enough groups to fill the device; each loops over the data",
  .takes_groups = true,
  .local_states = 1,
  .reduce.permutes = true,
  TREE(.places = 1, .persistent = true, .values = persistent_values, .fold = persistent_fold),
  FINISHES(CLR_ALL_FINISHES, CLR_FINISH_LAST_GROUP),
  PER_GROUP,
  .fit = fit_persistent,
  .elements = persistent_elements,
};
