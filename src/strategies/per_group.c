// The launches, scratch and host's tree for the strategies in group_trees.c and staged.c. hand_off also uses the
// finish.
#include "strategies/per_group.h"

#include <string.h>

static const struct clr_group_tree *tree_of(const struct clr_shape *shape) {
  return shape->strategy->reduce.in_group;
}

static cl_ulong places_of(const struct clr_shape *shape) {
  return tree_of(shape)->places * shape->group_size;
}

cl_ulong clr_per_group_values(const struct clr_shape *shape, cl_ulong n) {
  return tree_of(shape)->values ? tree_of(shape)->values(shape, n) : places_of(shape);
}

cl_ulong clr_per_group_groups(const struct clr_shape *shape, cl_ulong n, cl_ulong count) {
  cl_ulong each = clr_per_group_values(shape, n);
  if (!tree_of(shape)->persistent)
    return clr_ceil_divide(count, each);
  // A group takes at least two values, even with one work-item: otherwise relaunches would never end.
  return clr_min(clr_ceil_divide(count, each > 1 ? each : 2), shape->groups_max);
}

// The parts of a slot's scratch: the work area of trees in global memory, then two areas for partials, which launches
// use alternately.
struct layout {
  cl_ulong work, first, second;
};

static struct layout lay_out(const struct clr_shape *shape, cl_ulong n) {
  // n = 0 gives the fewest values for each group, so the most groups of any call.
  cl_ulong groups = clr_per_group_groups(shape, 0, n);
  return (struct layout){
    .work = shape->strategy->tree_in_global ? clr_multiply(groups, places_of(shape)) : 0,
    .first = groups,
    .second = shape->finish == CLR_FINISH_RELAUNCH ? clr_per_group_groups(shape, 0, groups) : 0,
  };
}

cl_ulong clr_per_group_scratch(const struct clr_shape *shape) {
  struct layout layout = lay_out(shape, tree_of(shape)->persistent ? CL_ULONG_MAX : shape->count_max);
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

static struct clr_pass level(const struct clr_shape *shape, cl_ulong n, unsigned index, cl_ulong count) {
  struct layout layout = lay_out(shape, shape->count_max);
  const cl_ulong places[2] = {layout.work, layout.work + layout.first};
  cl_ulong each = clr_per_group_values(shape, n), groups = clr_per_group_groups(shape, n, count);
  return (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = groups,
    .group_size = shape->group_size,
    .first = places[(index + 1) % 2],
    .count = count,
    .span = clr_ceil_divide(clr_ceil_divide(count, each), groups) * each / shape->group_size,
    .target = places[index % 2],
  };
}

static bool relaunch(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  cl_ulong count = n;
  for (unsigned i = 0; i < index; i++) {
    if (count == 1 || clr_per_group_groups(shape, n, count) == 1)
      return false;
    count = clr_per_group_groups(shape, n, count);
  }
  *pass = level(shape, n, index, count);
  return true;
}

bool clr_per_group_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                        struct clr_pass *pass) {
  if (shape->finish == CLR_FINISH_RELAUNCH)
    return relaunch(shape, extent->count, index, pass);
  struct clr_pass fold = level(shape, extent->count, 0, extent->count);
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

// --- The tree on the host ---

void clr_finish_reference(const struct clr_shape *shape, struct clr_states *states, void *state) {
  const cl_ulong items = shape->finish == CLR_FINISH_LAST_GROUP ? shape->group_size : 1;
  clr_tree_of_group(states, 0, items, items, states->count);
  memcpy(state, clr_state_at(states, 0), states->operation->state_size);
}

static cl_ulong fold_group(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states, cl_ulong group,
                           cl_ulong groups) {
  if (tree_of(shape)->fold)
    return tree_of(shape)->fold(shape, n, states, group, groups);
  cl_ulong places = places_of(shape), base = group * places;
  cl_ulong present = group + 1 < groups ? places : states->count - base;
  if (tree_of(shape)->doubling)
    clr_tree_doubling(states, base, present);
  else
    clr_tree_halving(states, base, places, present, 1);
  return base;
}

static void fold_level(const struct clr_shape *shape, cl_ulong n, struct clr_states *states) {
  cl_ulong groups = clr_per_group_groups(shape, n, states->count);
  for (cl_ulong group = 0; group < groups; group++) {
    cl_ulong partial = fold_group(shape, n, states, group, groups);
    memmove(clr_state_at(states, group), clr_state_at(states, partial), states->operation->state_size);
  }
  states->count = groups;
}

cl_int clr_per_group_reference(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_states states;
  cl_int err = clr_states_lift(values, &states);
  if (err)
    return err;
  do
    fold_level(shape, values->count, &states);
  while (shape->finish == CLR_FINISH_RELAUNCH && states.count > 1);
  clr_finish_reference(shape, &states, state);
  clr_states_release(&states);
  return CL_SUCCESS;
}
