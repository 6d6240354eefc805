// The launches, scratch, host's tree and analysis for the strategies in group_trees.c and staged.c. hand_off also uses
// the finish and the analysis.
#include "strategies/per_group.h"

#include <stdio.h>
#include <string.h>

static const struct clr_group_tree *tree_of(const struct clr_shape *shape) {
  return shape->strategy->reduce.in_group;
}

static cl_ulong places_of(const struct clr_shape *shape) {
  return tree_of(shape)->places * shape->group_size;
}

static cl_ulong values_of(const struct clr_shape *shape, cl_ulong n) {
  return tree_of(shape)->values ? tree_of(shape)->values(shape, n) : places_of(shape);
}

cl_ulong clr_per_group_groups(const struct clr_shape *shape, cl_ulong n, cl_ulong count) {
  cl_ulong each = values_of(shape, n);
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
  cl_ulong each = values_of(shape, n), groups = clr_per_group_groups(shape, n, count);
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

// --- The analysis: how groups load values and fold them before the tree begins, the strides, and the partials ---

// A launch as its analysis sees it.
struct launch {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  const struct clr_group_tree *tree;
  struct clr_group_end end;
  bool in_global;
  bool staged;                 // values are copied to local memory before they are folded
  bool pairs;                  // the first stride combines values as they are loaded
  cl_ulong places;             // of a group's tree
  cl_ulong taken, left;        // values that a full group and the last group take at once
  cl_ulong in_full, in_last;   // values with which their trees begin
  cl_ulong partials, of_last;  // values that a full group leaves, and the last group
  unsigned loads, strides;     // steps
};

static unsigned strides_between(cl_ulong width, cl_ulong until) {
  unsigned strides = 0;
  for (; width > until && width > 1; width /= 2)
    strides++;
  return strides;
}

static struct launch launch_of(const struct clr_shape *shape, const struct clr_extent *extent,
                               const struct clr_pass *pass, struct clr_group_end end) {
  struct launch it = {
    .shape = shape,
    .pass = pass,
    .tree = shape->strategy->reduce.in_group,
    .end = end,
    .in_global = shape->strategy->tree_in_global,
    .staged = shape->staged.values > 0,
  };
  it.places = it.tree->places * shape->group_size;
  it.taken = values_of(shape, extent->count);
  // The last of persistent groups has one of the shorter parts.
  cl_ulong loads = clr_ceil_divide(pass->count, it.taken);
  it.left = pass->count - (it.tree->persistent ? loads - loads / pass->groups : pass->groups - 1) * it.taken;
  it.pairs = !it.in_global && !it.tree->doubling && it.tree->places == 2;
  it.in_full = clr_min(it.taken, it.places);
  it.in_last = clr_min(it.left, it.places);
  it.partials = clr_min(it.in_full, end.until);
  it.of_last = clr_min(it.in_last, end.until);
  it.strides = strides_between(it.places, end.until);
  it.loads = it.staged ? 2 : 1;
  return it;
}

// ---------------------------------------------------------------- Loads

// Adds accesses to the tree's places, in global or local memory: by each active work-item, from place `begin` on.
static void access_places(const struct clr_step_builder *making, const struct launch *it, struct clr_access access,
                          cl_ulong begin, cl_ulong value_stride) {
  if (it->in_global)
    clr_step_scratch(making, access, it->pass->work + begin, it->taken, value_stride);
  else
    clr_step_local(making, access, begin, value_stride);
}

static struct clr_step_builder begin_load(const struct launch *it, struct clred_step *step, const char *name) {
  cl_ulong size = it->shape->group_size;
  const struct clr_active_items active = {
    .groups = it->pass->groups, .full = clr_min(it->taken, size), .last = clr_min(it->left, size), .apart = 1};
  return clr_step_begin(step, it->shape, it->pass, active, "%s", name);
}

// Returns an access to the values of each group, but to at most `most` of them.
static struct clr_access access_values(const struct launch *it, cl_ulong most) {
  return (struct clr_access){.groups = it->pass->groups,
                             .full = clr_min(it->taken, most),
                             .last = clr_min(it->left, most),
                             .width = it->shape->group_size};
}

// Adds the operations by which work-items fold the values of a group until one value is left for each place of the
// tree.
static void fold_values(const struct clr_step_builder *making, const struct launch *it) {
  cl_ulong others = it->pass->groups - 1, size = it->shape->group_size, places = it->places;
  cl_ulong full = clr_saturating_sub(it->taken, places), last = clr_saturating_sub(it->left, places);
  cl_ulong most = others ? it->taken : it->left;
  clr_step_combine(making, others * full + last, clr_ceil_divide(most, places) - 1,
                   others * clr_min(full, size) + clr_min(last, size));
}

// If values are not staged, work-items fold them while they load.
static void load_step(const struct launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, it->in_global ? "copy" : "load");
  cl_ulong held = it->staged ? it->taken : it->pairs ? it->shape->group_size : it->places;
  clr_step_load(&making, access_values(it, CL_ULONG_MAX), 0, it->taken, 1);
  access_places(&making, it, access_values(it, held), 0, 1);
  if (!it->staged)
    fold_values(&making, it);
}

// Work-items fold the values that they copied, and keep one.
static void staged_step(const struct launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, "fold");
  clr_step_local(&making, access_values(it, CL_ULONG_MAX), 0, 1);
  clr_step_local(&making, access_values(it, it->shape->group_size), 0, 1);
  fold_values(&making, it);
  snprintf(step->name, sizeof step->name, "%llu to 1", (unsigned long long)it->pass->span);
}

// --- Persistent groups: a group loads as many of its values as local memory holds, and folds them before it loads more

// Returns how often a work-item fills its places to read `values` values. One place keeps what was folded before.
static cl_ulong fills_of(const struct launch *it, cl_ulong values) {
  cl_ulong places = it->shape->staged.values;
  return values <= places ? values > 0 : 1 + clr_ceil_divide(values - places, places - 1);
}

// Neighbouring groups: each reads `full` values, but the last of them reads `last` values. The first begins at value
// `begin`.
struct parts {
  cl_ulong groups, begin, full, last;
};

// Gives the parts of a launch: parts[0] has the longer parts, if there are any, parts[1] the others.
static void cut_parts(const struct launch *it, struct parts parts[2]) {
  cl_ulong groups = it->pass->groups, load = it->taken;
  cl_ulong loads = clr_ceil_divide(it->pass->count, load), each = loads / groups * load, more = loads % groups;
  parts[0] = (struct parts){more, 0, each + load, each + load};
  parts[1] = (struct parts){groups - more, more * (each + load), each, it->left};
}

static void parts_load_step(const struct launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, "load");
  struct parts parts[2];
  cut_parts(it, parts);
  for (size_t i = 0; i < 2; i++) {
    struct clr_access values = {
      .groups = parts[i].groups, .full = parts[i].full, .last = parts[i].last, .width = it->shape->group_size};
    clr_step_load(&making, values, parts[i].begin, parts[i].full, 1);
    clr_step_local(&making, values, 0, 1);
  }
}

// Adds what `groups` groups do with `values` values each. Each value is read once. Each fill ends with one write, and
// each fill after the first begins with one more read. Neighbouring work-items use neighbouring places, so there are no
// conflicts.
static void add_folds(const struct clr_step_builder *making, const struct launch *it, cl_ulong groups,
                      cl_ulong values) {
  cl_ulong size = it->shape->group_size, active = clr_min(values, size), rest = values % size;
  cl_ulong fills = rest * fills_of(it, values / size + 1) + (size - rest) * fills_of(it, values / size);
  making->step->local_accesses += groups * (values + 2 * fills - active);
  clr_step_combine(making, groups * (values - active), 0, 0);
  making->step->operations_at_once += groups * clr_min(values - active, size);
}

static void parts_fold_step(const struct launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, "fold");
  struct parts parts[2];
  cut_parts(it, parts);
  for (size_t i = 0; i < 2; i++)
    if (parts[i].groups) {
      add_folds(&making, it, parts[i].groups - 1, parts[i].full);
      add_folds(&making, it, 1, parts[i].last);
    }
  cl_ulong longest = parts[0].groups ? parts[0].full : it->pass->groups > 1 ? parts[1].full : it->left;
  step->depth = clr_ceil_divide(longest, it->shape->group_size) - 1;
  snprintf(step->name, sizeof step->name, "%llu to 1", (unsigned long long)it->pass->span);
}

// Describes load step `index`. False if there is no such step.
static bool load_steps(const struct launch *it, unsigned index, struct clred_step *step) {
  if (index >= it->loads)
    return false;
  if (it->tree->persistent)
    (index ? parts_fold_step : parts_load_step)(it, step);
  else
    (index ? staged_step : load_step)(it, step);
  return true;
}

// Each active work-item combines two places into the first.
static void combine_places(const struct clr_step_builder *making, const struct launch *it, cl_ulong stride,
                           cl_ulong value_stride) {
  const struct clr_access each = clr_access_each(&making->active);
  access_places(making, it, each, 0, value_stride);
  access_places(making, it, each, stride, value_stride);
  access_places(making, it, each, 0, value_stride);
}

// ---------------------------------------------------------------- Strides

// Returns how many work-items of a group combine places that are `stride` apart, if its tree begins with `present`
// places.
static cl_ulong active_at(const struct launch *it, cl_ulong stride, cl_ulong present) {
  if (!it->tree->doubling)
    return clr_min(clr_saturating_sub(present, stride), stride);
  return present > stride ? (present - stride - 1) / (2 * stride) + 1 : 0;
}

static void stride_step(const struct launch *it, unsigned index, struct clred_step *step) {
  bool doubling = it->tree->doubling;
  cl_ulong stride = doubling ? (cl_ulong)1 << index : it->places >> (index + 1);
  struct clr_active_items active = {.groups = it->pass->groups,
                                    .full = active_at(it, stride, it->in_full),
                                    .last = active_at(it, stride, it->in_last),
                                    .apart = doubling ? 2 * stride / it->tree->places : 1};
  struct clr_step_builder making =
    clr_step_begin(step, it->shape, it->pass, active, "stride %llu", (unsigned long long)stride);
  clr_step_combine(&making, step->active_work_items, 1, step->active_work_items);
  if (it->pairs && index == 0)
    return;
  step->barriers = 1;
  combine_places(&making, it, stride, doubling ? 2 * stride : 1);
}

// ---------------------------------------------------------------- Partials

// The work-items that hold partials write them, or the result.
static void partials_step(const struct launch *it, struct clred_step *step) {
  struct clr_active_items active = {.groups = it->pass->groups, .full = it->partials, .last = it->of_last, .apart = 1};
  struct clr_step_builder making =
    clr_step_begin(step, it->shape, it->pass, active, it->end.is_result ? "result" : "partials");
  struct clr_access each = clr_access_each(&active);
  access_places(&making, it, each, 0, 1);
  if (it->end.is_result)
    clr_step_result(&making);
  else
    clr_step_scratch(&making, each, it->pass->target, it->partials, 1);
  // Kernels that publish partials may store them word by word.
  if (!it->end.is_result && it->end.publishes && it->shape->state_size > sizeof(cl_uint))
    step->requests = step->lines = CLR_UNKNOWN;
}

bool clr_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                    struct clr_group_end end, unsigned index, struct clred_step *step) {
  struct launch it = launch_of(shape, extent, pass, end);
  if (load_steps(&it, index, step))
    return true;
  index -= it.loads - 1;
  if (index <= it.strides)
    stride_step(&it, index - 1, step);
  else
    partials_step(&it, step);
  return index <= it.strides + 1;
}

bool clr_per_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                        unsigned index, struct clred_step *step) {
  const struct clr_group_end end = {.is_result = shape->finish == CLR_FINISH_RELAUNCH && pass->groups == 1, .until = 1};
  return clr_group_step(shape, extent, pass, end, index, step);
}
