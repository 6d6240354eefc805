// The analysis of launches in which each group computes a tree: strides, the partials, and the finish.
#include "strategies/per_group_steps.h"

static unsigned strides_between(cl_ulong width, cl_ulong until) {
  unsigned strides = 0;
  for (; width > until && width > 1; width /= 2)
    strides++;
  return strides;
}

static struct clr_group_launch launch_of(const struct clr_shape *shape, const struct clr_extent *extent,
                                         const struct clr_pass *pass, struct clr_group_end end) {
  struct clr_group_launch it = {
    .shape = shape,
    .pass = pass,
    .tree = shape->strategy->reduce.in_group,
    .end = end,
    .in_global = shape->strategy->tree_in_global,
    .staged = shape->fold.staged > 0,
  };
  it.places = it.tree->places * shape->group_size;
  it.taken = clr_per_group_values(shape, extent->count);
  // If groups have parts, the last group has one of the shorter parts.
  cl_ulong loads = clr_ceil_divide(pass->count, it.taken);
  it.left = pass->count - (it.tree->in_parts ? loads - loads / pass->groups : pass->groups - 1) * it.taken;
  it.pairs = !it.in_global && !it.tree->doubling && it.tree->places == 2;
  it.in_full = clr_min(it.taken, it.places);
  it.in_last = clr_min(it.left, it.places);
  it.partials = clr_min(it.in_full, end.until);
  it.of_last = clr_min(it.in_last, end.until);
  it.strides = strides_between(it.places, end.until);
  it.loads = it.staged ? 2 : 1;
  return it;
}

// Each active work-item combines two places into the first.
static void combine_places(const struct clr_step_builder *making, const struct clr_group_launch *it, cl_ulong stride,
                           cl_ulong value_stride) {
  const struct clr_access each = clr_access_each(&making->active);
  clr_group_places(making, it, each, 0, value_stride);
  clr_group_places(making, it, each, stride, value_stride);
  clr_group_places(making, it, each, 0, value_stride);
}

// ---------------------------------------------------------------- Strides

// Returns how many work-items of a group combine places that are `stride` apart, if its tree begins with `present`
// places.
static cl_ulong active_at(const struct clr_group_launch *it, cl_ulong stride, cl_ulong present) {
  if (!it->tree->doubling)
    return clr_min(clr_saturating_sub(present, stride), stride);
  return present > stride ? (present - stride - 1) / (2 * stride) + 1 : 0;
}

static void stride_step(const struct clr_group_launch *it, unsigned index, struct clred_step *step) {
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

static cl_ulong all_partials(const struct clr_group_launch *it) {
  return (it->pass->groups - 1) * it->partials + it->of_last;
}

// The work-items that hold partials write them, or the result.
static void partials_step(const struct clr_group_launch *it, struct clred_step *step) {
  bool finishes = it->end.how == CLR_ENDS_WITH_FINISH, is_result = it->end.how == CLR_ENDS_WITH_RESULT;
  struct clr_active_items active = {.groups = it->pass->groups, .full = it->partials, .last = it->of_last, .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, it->shape, it->pass, active, is_result ? "result" : "partials");
  struct clr_access each = clr_access_each(&active);
  clr_group_places(&making, it, each, 0, 1);
  if (is_result)
    clr_step_result(&making);
  else if (finishes && it->shape->finish == CLR_FINISH_ATOMIC)
    clr_step_atomic(&making, all_partials(it));
  else if (finishes || it->end.publishes)
    clr_step_publish(&making, each, it->pass->target, it->partials);
  else
    clr_step_scratch(&making, each, it->pass->target, it->partials, 1);
}

// ---------------------------------------------------------------- The last group

// Adds accesses to the places of the group that folds the partials. In global memory, it is not known which group this
// is. So the lines are known only if the places of a group are whole lines.
static void access_places_of_one(const struct clr_step_builder *making, const struct clr_group_launch *it,
                                 struct clr_access access, cl_ulong begin) {
  cl_ulong others = it->pass->groups - 1;
  if (!it->in_global) {
    clr_step_local(making, access, begin, 1);
    return;
  }
  clr_step_scratch(making, access, it->pass->work + others * it->taken + begin, 0, 1);
  if (others && it->taken * it->shape->state_size % it->shape->line_bytes)
    making->step->lines = CLR_UNKNOWN;
}

// One work-item of each group takes a ticket and writes the group's flag.
static void ticket_step(const struct clr_group_launch *it, struct clred_step *step) {
  struct clr_active_items one = {.groups = it->pass->groups, .full = 1, .last = 1, .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, it->shape, it->pass, one, "ticket");
  struct clr_access each = clr_access_each(&one);
  clr_step_count_groups(&making);
  each.size = sizeof(cl_uint);
  each.local = true;
  clr_step_access(&making, each);
  step->barriers = 1;
}

static void fold_step(const struct clr_group_launch *it, cl_ulong held, struct clred_step *step) {
  cl_ulong partials = all_partials(it), size = it->pass->group_size;
  struct clr_active_items active = {.groups = 1, .full = held, .last = held, .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, it->shape, it->pass, active, "fold");
  struct clr_access each = clr_access_each(&active), all = {.groups = 1, .last = partials, .width = size};
  clr_step_publish(&making, all, it->pass->target, 0);
  access_places_of_one(&making, it, each, 0);
  clr_step_combine(&making, partials - held, clr_ceil_divide(partials, size) - 1, clr_min(partials - held, size));
}

static void fold_stride_step(const struct clr_group_launch *it, cl_ulong held, cl_ulong stride,
                             struct clred_step *step) {
  cl_ulong items = clr_min(clr_saturating_sub(held, stride), stride);
  struct clr_active_items active = {.groups = 1, .full = items, .last = items, .apart = 1};
  struct clr_step_builder making =
    clr_step_begin(step, it->shape, it->pass, active, "fold %llu", (unsigned long long)stride);
  struct clr_access each = clr_access_each(&active);
  access_places_of_one(&making, it, each, 0);
  access_places_of_one(&making, it, each, stride);
  access_places_of_one(&making, it, each, 0);
  clr_step_combine(&making, items, 1, items);
  step->barriers = 1;
}

static void result_step(const struct clr_group_launch *it, struct clred_step *step) {
  struct clr_active_items one = {.groups = 1, .full = 1, .last = 1, .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, it->shape, it->pass, one, "result");
  access_places_of_one(&making, it, clr_access_each(&one), 0);
  clr_step_result(&making);
}

static bool last_group_step(const struct clr_group_launch *it, unsigned index, struct clred_step *step) {
  cl_ulong size = it->pass->group_size, held = clr_min(all_partials(it), size);
  unsigned strides = strides_between(size, 1);
  if (index == 0)
    ticket_step(it, step);
  else if (index == 1)
    clr_step_flag(step, it->shape, it->pass, it->pass->groups);
  else if (index == 2)
    fold_step(it, held, step);
  else if (index < 3 + strides)
    fold_stride_step(it, held, size >> (index - 2), step);
  else
    result_step(it, step);
  return index <= 3 + strides;
}

// ---------------------------------------------------------------- A launch

// Finish atomic has launches of a single work-item that set the accumulator or deliver it.
static bool single_step(const struct clr_shape *shape, const struct clr_pass *pass, unsigned index,
                        struct clred_step *step) {
  const struct clr_active_items one = {.groups = 1, .full = 1, .last = 1, .apart = 1};
  bool begins = pass->kernel == CLR_KERNEL_BEGIN;
  struct clr_step_builder making = clr_step_begin(step, shape, pass, one, begins ? "begin" : "deliver");
  clr_step_scratch(&making, clr_access_each(&one), begins ? pass->target : pass->first, 0, 1);
  if (!begins)
    clr_step_result(&making);
  return index == 0;
}

bool clr_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                    struct clr_group_end end, unsigned index, struct clred_step *step) {
  if (pass->kernel == CLR_KERNEL_BEGIN || pass->kernel == CLR_KERNEL_DELIVER)
    return single_step(shape, pass, index, step);
  struct clr_group_launch it = launch_of(shape, extent, pass, end);
  if (clr_group_load_step(&it, index, step))
    return true;
  index -= it.loads - 1;
  if (index <= it.strides)
    stride_step(&it, index - 1, step);
  else if (index == it.strides + 1)
    partials_step(&it, step);
  else
    return end.how == CLR_ENDS_WITH_FINISH && shape->finish == CLR_FINISH_LAST_GROUP &&
           last_group_step(&it, index - it.strides - 2, step);
  return true;
}

bool clr_per_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                        unsigned index, struct clred_step *step) {
  struct clr_group_end end = {.how = CLR_ENDS_WITH_PARTIALS, .until = 1};
  if (shape->finish == CLR_FINISH_LAST_GROUP || shape->finish == CLR_FINISH_ATOMIC)
    end.how = CLR_ENDS_WITH_FINISH;
  else if (shape->finish == CLR_FINISH_RELAUNCH && pass->groups == 1)
    end.how = CLR_ENDS_WITH_RESULT;
  return clr_group_step(shape, extent, pass, end, index, step);
}
