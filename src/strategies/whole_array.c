// Strategies with one tree over the whole array: no partials, no finish. Each strategy runs as many launches; with the
// suffix `_mono`, it runs as a loop in one launch of one group.
#include <stdio.h>
#include <string.h>

#include "planning/strategy.h"

// Returns the levels of a tree over n values: ceil(log2 n), at least 1.
static unsigned levels_of(cl_ulong n) {
  unsigned levels = 1;
  for (cl_ulong left = (n + 1) / 2; left > 1; left = (left + 1) / 2)
    levels++;
  return levels;
}

// Returns how many values are left after `level` levels.
static cl_ulong left_after(cl_ulong n, unsigned level) {
  for (unsigned i = 0; i < level; i++)
    n = (n + 1) / 2;
  return n;
}

// Returns one state for each pair of elements.
static cl_ulong scratch(const struct clr_shape *shape) {
  return shape->count_max / 2 + 1;
}

static struct clr_pass launch(const struct clr_shape *shape, unsigned index, cl_ulong items, cl_ulong count,
                              cl_ulong span) {
  return (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = clr_ceil_divide(items, shape->group_size),
    .group_size = shape->group_size,
    .count = count,
    .span = span,
  };
}

// Describes a step in which work-item i loads value i x `apart`. If there is a value `stride` behind this one, the
// work-item combines both. `items` work-items load a value, `pairs` of them combine two.
static struct clr_step_builder pairs_step(struct clred_step *step, const struct clr_shape *shape,
                                          const struct clr_pass *pass, cl_ulong stride, cl_ulong items, cl_ulong pairs,
                                          cl_ulong apart) {
  cl_ulong size = pass->group_size, before = (pass->groups - 1) * size;
  struct clr_active_items active = {
    .groups = pass->groups, .full = size, .last = clr_min(items - before, size), .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, shape, pass, active, "stride %llu", (unsigned long long)stride);
  struct clr_access first = {.groups = active.groups, .full = size, .last = items - before, .width = size},
                    second = first;
  second.last = pairs - before;
  clr_step_load(&making, first, 0, size * apart, apart);
  clr_step_load(&making, second, stride, size * apart, apart);
  clr_step_combine(&making, pairs, 1, pairs);
  return making;
}

// Describes this step for a strategy with many launches: a launch writes its states `kept` places apart, or the result.
static bool many_step(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                      cl_ulong stride, cl_ulong items, cl_ulong pairs, cl_ulong apart, cl_ulong kept) {
  struct clr_step_builder making = pairs_step(step, shape, pass, stride, items, pairs, apart);
  if (items == 1)
    clr_step_result(&making);
  else
    clr_step_scratch(&making, clr_access_each(&making.active), pass->target, pass->group_size * kept, kept);
  return true;
}

static bool mono_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                      struct clr_pass *pass) {
  *pass = launch(shape, 0, 1, extent->count, 1);
  return index == 0;
}

// Describes the first round of a launch of one group, which leaves one state for each of `items` values or pairs.
static bool mono_first(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                       cl_ulong stride, cl_ulong items, cl_ulong apart) {
  struct clr_step_builder making = pairs_step(step, shape, pass, stride, items, pass->count - items, apart);
  const struct clr_access kept = {.groups = 1, .last = items, .width = pass->group_size};
  clr_step_scratch(&making, kept, pass->target, 0, 1);
  return true;
}

// Describes a later round, which combines `pairs` pairs of states in place, `stride` apart.
static bool mono_step(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                      cl_ulong stride, cl_ulong shown, cl_ulong pairs, cl_ulong apart) {
  struct clr_active_items active = {.groups = 1, .last = clr_min(pairs, pass->group_size), .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, shape, pass, active, "stride %llu", (unsigned long long)shown);
  const struct clr_access all = {.groups = 1, .last = pairs, .width = pass->group_size};
  clr_step_scratch(&making, all, pass->target, 0, apart);
  clr_step_scratch(&making, all, pass->target + stride, 0, apart);
  clr_step_scratch(&making, all, pass->target, 0, apart);
  clr_step_combine(&making, pairs, 1, pairs);
  step->barriers = 1;
  return true;
}

static bool mono_result(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass) {
  const struct clr_active_items one = {.groups = 1, .last = 1, .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, shape, pass, one, "result");
  clr_step_scratch(&making, clr_access_each(&one), pass->target, 0, 1);
  clr_step_result(&making);
  return true;
}

static cl_int root_of(struct clr_states *states, void *state) {
  memcpy(state, states->bytes, states->operation->state_size);
  clr_states_release(states);
  return CL_SUCCESS;
}

// --- Bottom up: pairs at a distance that doubles ---

// The first launch leaves ceil(n / 2) states; launch k > 0 folds them with stride 2^(k - 1).
static bool bottom_up_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                           struct clr_pass *pass) {
  cl_ulong n = extent->count, count = index == 0 ? n : (n + 1) / 2;
  cl_ulong span = index == 0 ? 1 : (cl_ulong)1 << (index - 1);
  if (index >= levels_of(n))
    return false;
  *pass = launch(shape, index, clr_ceil_divide(count, 2 * span), count, span);
  return true;
}

static bool bottom_up_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                           unsigned index, struct clred_step *step) {
  bool first = pass->kernel == CLR_KERNEL_ELEMENTS;
  cl_ulong apart = 2 * pass->span, items = clr_ceil_divide(pass->count, apart);
  cl_ulong pairs = (pass->count + pass->span - 1) / apart;
  (void)extent;
  if (index > 0)
    return false;
  // The states of the first launch are side by side, so their stride is half the stride of the elements.
  many_step(step, shape, pass, pass->span, items, pairs, apart, first ? 1 : apart);
  // No array has 2^50 elements; the bound shows compilers that the name has room.
  apart = first ? 1 : clr_min(apart, (cl_ulong)1 << 50);
  snprintf(step->name, sizeof step->name, "stride %llu", (unsigned long long)apart);
  return true;
}

static bool bottom_up_mono_step(const struct clr_shape *shape, const struct clr_extent *extent,
                                const struct clr_pass *pass, unsigned index, struct clred_step *step) {
  cl_ulong n = extent->count, left = (n + 1) / 2;
  if (index >= levels_of(n))
    return index == levels_of(n) && mono_result(step, shape, pass);
  if (index == 0)
    return mono_first(step, shape, pass, 1, left, 2);
  cl_ulong stride = (cl_ulong)1 << (index - 1), pairs = (left + stride - 1) / (2 * stride);
  return mono_step(step, shape, pass, stride, 2 * stride, pairs, 2 * stride);
}

static cl_int bottom_up_reference(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_states states;
  (void)shape;
  if (clr_states_lift(values, &states))
    return CL_OUT_OF_HOST_MEMORY;
  clr_tree_doubling(&states, 0, values->count);
  return root_of(&states, state);
}

// --- Top down: the upper half onto the lower half ---

static bool top_down_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                          struct clr_pass *pass) {
  if (index >= levels_of(extent->count))
    return false;
  cl_ulong count = left_after(extent->count, index), half = (count + 1) / 2;
  *pass = launch(shape, index, half, count, half);
  return true;
}

static bool top_down_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                          unsigned index, struct clred_step *step) {
  (void)extent;
  return index == 0 && many_step(step, shape, pass, pass->span, pass->span, pass->count - pass->span, 1, 1);
}

static bool top_down_mono_step(const struct clr_shape *shape, const struct clr_extent *extent,
                               const struct clr_pass *pass, unsigned index, struct clred_step *step) {
  cl_ulong n = extent->count, count = left_after(n, index), half = (count + 1) / 2;
  if (index >= levels_of(n))
    return index == levels_of(n) && mono_result(step, shape, pass);
  if (index == 0)
    return mono_first(step, shape, pass, half, half, 1);
  return mono_step(step, shape, pass, half, half, count - half, 1);
}

static cl_int top_down_reference(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_states states;
  (void)shape;
  if (clr_states_lift(values, &states))
    return CL_OUT_OF_HOST_MEMORY;
  clr_tree_top_down(&states, values->count);
  return root_of(&states, state);
}

#define WHOLE_ARRAY(id, words, permuting, get_pass, get_step, tree) \
  const struct clr_strategy clr_strategy_##id = { \
    .name = #id, \
    .summary = words, \
    .tree_in_global = true, \
    .growing = CLR_FINISH_BIT(CLR_FINISH_NONE), \
    .reduce = {.permutes = permuting, .reference = tree}, \
    .scratch = scratch, \
    .pass = get_pass, \
    .trips = clr_trips_of_share, \
    .step = get_step, \
  };

WHOLE_ARRAY(bottom_up, "many launches: pairs one step apart, the step doubles", false, bottom_up_pass, bottom_up_step,
            bottom_up_reference)
WHOLE_ARRAY(bottom_up_mono, "bottom_up's loop inside one launch of one work-group, with barriers", false, mono_pass,
            bottom_up_mono_step, bottom_up_reference)
WHOLE_ARRAY(top_down, "many launches: the upper half is folded onto the lower, the length halves", true, top_down_pass,
            top_down_step, top_down_reference)
WHOLE_ARRAY(top_down_mono, "top_down's loop inside one launch of one work-group, with barriers", true, mono_pass,
            top_down_mono_step, top_down_reference)
