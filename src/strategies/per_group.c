#include "strategies/per_group.h"

#include <string.h>

static cl_ulong values_of(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n) {
  return rules->values ? rules->values(shape, n) : rules->places * shape->group_size;
}

cl_ulong clr_per_group_groups(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                              cl_ulong count) {
  cl_ulong each = values_of(rules, shape, n);
  if (!rules->persistent)
    return clr_ceil_divide(count, each);
  // Groups of one work-item take two values at least: otherwise relaunching would never end.
  cl_ulong groups = clr_ceil_divide(count, each > 1 ? each : 2);
  return groups > shape->groups_max ? shape->groups_max : groups;
}

cl_int clr_fit_finish(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong values,
                      struct clr_shape *shape, struct clr_status *status) {
  if (shape->finish != CLR_FINISH_RELAUNCH || values > 1)
    return CL_SUCCESS;
  if (*problem->finish)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "finish relaunch needs groups that take at least 2 values, not 1");
  shape->finish = facts->device_fence ? CLR_FINISH_LAST_GROUP : CLR_FINISH_HOST;
  return CL_SUCCESS;
}

// Scratch of a slot: the work area of trees in global memory, then two places that launches write partials to in turn.
struct layout {
  cl_ulong work, first, second;
};

static struct layout lay_out(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n) {
  // An n of 0 asks for the fewest values a group takes, so these are the most groups any call can have.
  cl_ulong groups = clr_per_group_groups(rules, shape, 0, n);
  return (struct layout){
    .work = rules->in_global ? clr_multiply(groups, shape->group_size) : 0,
    .first = groups,
    .second = shape->finish == CLR_FINISH_RELAUNCH ? clr_per_group_groups(rules, shape, 0, groups) : 0,
  };
}

cl_ulong clr_per_group_scratch(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                               bool *bounded) {
  *bounded = rules->persistent || (shape->finish == CLR_FINISH_ATOMIC && !rules->in_global);
  struct layout layout = lay_out(rules, shape, *bounded ? CL_ULONG_MAX : n);
  if (shape->finish == CLR_FINISH_ATOMIC)
    return clr_add(layout.work, 1);
  return clr_add(layout.work, clr_add(layout.first, layout.second));
}

bool clr_atomic_pass(unsigned index, cl_ulong accumulator, struct clr_pass *pass) {
  const enum clr_kernel kernels[] = {CLR_KERNEL_BEGIN, CLR_KERNEL_ELEMENTS, CLR_KERNEL_DELIVER};
  if (index > 2)
    return false;
  *pass = (struct clr_pass){
    .kernel = kernels[index], .groups = 1, .group_size = 1, .first = accumulator, .count = 1, .target = accumulator};
  return true;
}

static struct clr_pass level(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                             unsigned index, cl_ulong count) {
  struct layout layout = lay_out(rules, shape, shape->count_max);
  const cl_ulong places[2] = {layout.work, layout.work + layout.first};
  return (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = clr_per_group_groups(rules, shape, n, count),
    .group_size = shape->group_size,
    .first = places[(index + 1) % 2],
    .count = count,
    .span = values_of(rules, shape, n) / shape->group_size,
    .target = places[index % 2],
  };
}

static bool relaunch(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n, unsigned index,
                     struct clr_pass *pass) {
  cl_ulong count = n;
  for (unsigned i = 0; i < index; i++) {
    if (count == 1 || clr_per_group_groups(rules, shape, n, count) == 1)
      return false;
    count = clr_per_group_groups(rules, shape, n, count);
  }
  *pass = level(rules, shape, n, index, count);
  return true;
}

bool clr_per_group_pass(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n, unsigned index,
                        struct clr_pass *pass) {
  if (shape->finish == CLR_FINISH_RELAUNCH)
    return relaunch(rules, shape, n, index, pass);
  struct clr_pass fold = level(rules, shape, n, 0, n);
  if (shape->finish == CLR_FINISH_ATOMIC) {
    if (!clr_atomic_pass(index, fold.target, pass))
      return false;
    if (pass->kernel == CLR_KERNEL_ELEMENTS)
      *pass = fold;
    return true;
  }
  *pass = fold;
  if (index == 1 && shape->finish == CLR_FINISH_HOST)
    *pass = (struct clr_pass){.kind = CLR_PASS_FOLD_ON_HOST, .first = fold.target, .count = fold.groups};
  return index < (shape->finish == CLR_FINISH_HOST ? 2 : 1);
}

void clr_finish_reference(const struct clr_shape *shape, struct clr_states *states, void *state) {
  cl_ulong group_size = shape->group_size, count = states->count;
  if (shape->finish == CLR_FINISH_LAST_GROUP) {
    for (cl_ulong i = 0; i < group_size && i < count; i++)
      clr_tree_in_order(states, i, group_size, count);
    clr_tree_halving(states, 0, group_size, count < group_size ? count : group_size, 1);
  } else {
    clr_tree_in_order(states, 0, 1, count);
  }
  memcpy(state, clr_state_at(states, 0), states->operation->state_size);
}

static cl_ulong fold_group(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                           const struct clr_states *states, cl_ulong group, cl_ulong groups) {
  if (rules->fold)
    return rules->fold(shape, n, states, group, groups);
  cl_ulong places = rules->places * shape->group_size, base = group * places;
  cl_ulong present = group + 1 < groups ? places : states->count - base;
  if (rules->doubling)
    clr_tree_doubling(states, base, present);
  else
    clr_tree_halving(states, base, places, present, 1);
  return base;
}

static void fold_level(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                       struct clr_states *states) {
  cl_ulong groups = clr_per_group_groups(rules, shape, n, states->count);
  for (cl_ulong group = 0; group < groups; group++) {
    cl_ulong partial = fold_group(rules, shape, n, states, group, groups);
    memmove(clr_state_at(states, group), clr_state_at(states, partial), states->operation->state_size);
  }
  states->count = groups;
}

cl_int clr_per_group_reference(const struct clr_per_group *rules, const struct clr_shape *shape,
                               const struct clr_values *values, void *state) {
  struct clr_states states;
  cl_int err = clr_states_lift(values, &states);
  if (err)
    return err;
  do
    fold_level(rules, shape, values->count, &states);
  while (shape->finish == CLR_FINISH_RELAUNCH && states.count > 1);
  clr_finish_reference(shape, &states, state);
  clr_states_release(&states);
  return CL_SUCCESS;
}

// --- The steps of a launch ---

// Values that a group's tree begins with: what its work-items hold after reading. The last group may have fewer.
static cl_ulong tree_values(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                            const struct clr_pass *pass, bool last) {
  cl_ulong places = shape->group_size * rules->places, taken = values_of(rules, shape, n);
  cl_ulong present = last ? pass->count - (pass->groups - 1) * taken : taken;
  return present < places ? present : places;
}

static struct clr_activity tree_activity(const struct clr_per_group *rules, const struct clr_shape *shape,
                                         cl_ulong present, unsigned index) {
  cl_ulong width = shape->group_size * rules->places,
           stride = rules->doubling ? (cl_ulong)1 << index : width >> (index + 1);
  struct clr_activity activity = {.apart = 1, .stride = stride};
  if (rules->doubling) {
    activity.apart = 2 * stride / rules->places;
    activity.items = present > stride ? (present - stride - 1) / (2 * stride) + 1 : 0;
  } else {
    cl_ulong above = present > stride ? present - stride : 0;
    activity.items = above < stride ? above : stride;
  }
  return activity;
}

bool clr_per_group_step(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                        const struct clr_pass *pass, unsigned index, struct clred_step *step) {
  unsigned strides = 0;
  struct clr_activity full = {.items = 1, .apart = 1}, last = full;
  if (pass->kernel == CLR_KERNEL_BEGIN || pass->kernel == CLR_KERNEL_DELIVER) {
    clr_step_make(step, shape, pass, full, full, pass->kernel == CLR_KERNEL_BEGIN ? "begin" : "deliver");
    step->global_requests = pass->kernel == CLR_KERNEL_BEGIN ? 1 : 2;
    return index == 0;
  }
  for (cl_ulong width = shape->group_size * rules->places; width > 1; width /= 2)
    strides++;
  cl_ulong values = tree_values(rules, shape, n, pass, false), in_last = tree_values(rules, shape, n, pass, true);
  if (index == 0) {
    full.items = values < shape->group_size ? values : shape->group_size;
    last.items = in_last < shape->group_size ? in_last : shape->group_size;
    full.apart = last.apart = 1;
    clr_step_make(step, shape, pass, full, last, "load");
    step->global_requests = pass->count + (rules->in_global ? pass->count : 0);
    return true;
  }
  if (index <= strides) {
    full = tree_activity(rules, shape, values, index - 1);
    last = tree_activity(rules, shape, in_last, index - 1);
    clr_step_make(step, shape, pass, full, last, "stride %llu", (unsigned long long)full.stride);
    step->barriers = 1;
    step->global_requests = rules->in_global ? 3 * step->active_work_items : 0;
    return true;
  }
  return index == strides + 1 && clr_step_partials(step, shape, pass, 1);
}
