// hand_off: a group stops its tree when several partials are left and hands them off to the next launch, so that no
// launch ends with only a few active work-items.
#include <string.h>

#include "planning/strategy.h"
#include "strategies/per_group.h"

static cl_ulong run(const struct clr_shape *shape) {
  return 2 * shape->group_size;
}

// Returns how many partials a launch over `count` values leaves. If the last group has fewer values, it leaves fewer.
static cl_ulong partials(const struct clr_shape *shape, cl_ulong count) {
  cl_ulong before = (count - 1) / run(shape), in_last = count - before * run(shape);
  return before * shape->hand_off.partials + clr_min(in_last, shape->hand_off.partials);
}

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  cl_ulong multiple = clr_pow2_floor(facts->preferred_multiple);
  shape->hand_off.partials = clr_min(clr_clamp(multiple, 32, 128), shape->group_size);
  if (problem->stop_at > shape->group_size)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "hand_off: stop_at %llu is above the group size; give at most %llu, or a larger group_size",
                    (unsigned long long)problem->stop_at, (unsigned long long)shape->group_size);
  if (problem->stop_at)
    shape->hand_off.partials = problem->stop_at;
  return CL_SUCCESS;
}

// Launches alternate between two areas of scratch for their partials. With finish atomic, the accumulator follows these
// areas.
static cl_ulong place(const struct clr_shape *shape, unsigned index) {
  return index % 2 == 0 ? 0 : partials(shape, shape->count_max);
}

static cl_ulong accumulator(const struct clr_shape *shape) {
  cl_ulong first = partials(shape, shape->count_max);
  return first + partials(shape, first);
}

static cl_ulong scratch(const struct clr_shape *shape) {
  return accumulator(shape) + 1;
}

// Describes launch `index` of the launches that hand partials off. False if there is no such launch.
static bool hand_over(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  cl_ulong count = n;
  for (unsigned i = 0; i < index; i++) {
    if (count <= run(shape) || partials(shape, count) <= run(shape))
      return false;
    count = partials(shape, count);
  }
  *pass = (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = clr_ceil_divide(count, run(shape)),
    .group_size = shape->group_size,
    .first = place(shape, index + 1),
    .count = count,
    .span = shape->hand_off.partials,
    .target = place(shape, index),
  };
  return true;
}

static unsigned hand_overs(const struct clr_shape *shape, cl_ulong n) {
  struct clr_pass pass;
  unsigned launches = 0;
  while (hand_over(shape, n, launches, &pass))
    launches++;
  return launches;
}

// Describes the last launch: one group computes its tree to the end.
static void end_with_one_group(const struct clr_shape *shape, cl_ulong n, unsigned launches, struct clr_pass *pass) {
  hand_over(shape, n, launches - 1, pass);
  cl_ulong left = partials(shape, pass->count);
  if (n <= run(shape)) {
    pass->span = 1;
    pass->work = 2;
    return;
  }
  *pass = (struct clr_pass){.kernel = CLR_KERNEL_STATES,
                            .groups = 1,
                            .group_size = shape->group_size,
                            .first = pass->target,
                            .count = left,
                            .span = 1,
                            .work = 2};
}

static bool relaunch(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  unsigned launches = n <= run(shape) ? 0 : hand_overs(shape, n);
  if (index < launches)
    return hand_over(shape, n, index, pass);
  end_with_one_group(shape, n, launches ? launches : 1, pass);
  return index == launches;
}

static bool last_group(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  if (n <= run(shape))
    return relaunch(shape, n, index, pass);
  unsigned launches = hand_overs(shape, n);
  if (index >= launches)
    return false;
  hand_over(shape, n, index, pass);
  pass->work = index + 1 == launches;
  return true;
}

static bool on_host(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  unsigned launches = hand_overs(shape, n);
  if (index < launches)
    return hand_over(shape, n, index, pass);
  hand_over(shape, n, launches - 1, pass);
  *pass =
    (struct clr_pass){.kind = CLR_PASS_FOLD_ON_HOST, .first = pass->target, .count = partials(shape, pass->count)};
  return index == launches;
}

static bool atomically(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  unsigned launches = hand_overs(shape, n);
  if (index == 0 || index > launches)
    return clr_atomic_pass(index == 0 ? 0 : 2, accumulator(shape), pass) && index <= launches + 1;
  hand_over(shape, n, index - 1, pass);
  pass->work = index == launches;
  if (pass->work)
    pass->target = accumulator(shape);
  return true;
}

static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static bool (*const by_finish[CLR_FINISHES])(const struct clr_shape *, cl_ulong, unsigned, struct clr_pass *) = {
    [CLR_FINISH_HOST] = on_host,
    [CLR_FINISH_RELAUNCH] = relaunch,
    [CLR_FINISH_LAST_GROUP] = last_group,
    [CLR_FINISH_ATOMIC] = atomically,
  };
  return by_finish[shape->finish](shape, extent->count, index, out);
}

static bool step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *of,
                 unsigned index, struct clred_step *out) {
  return clr_group_step(shape, extent, of, (struct clr_group_end){of->work == 2, of->span, true}, index, out);
}

// Folds each group's run down to `until` values, as one launch does, and moves the values that are left to the front.
static void fold_level(const struct clr_shape *shape, struct clr_states *states, cl_ulong until) {
  cl_ulong left = 0;
  const size_t size = states->operation->state_size;
  for (cl_ulong base = 0; base < states->count; base += run(shape)) {
    cl_ulong present = states->count - base < run(shape) ? states->count - base : run(shape);
    clr_tree_halving(states, base, run(shape), present, until);
    cl_ulong kept = present < until ? present : until;
    memmove(clr_state_at(states, left), clr_state_at(states, base), (size_t)kept * size);
    left += kept;
  }
  states->count = left;
}

static cl_int reference(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_states states;
  if (clr_states_lift(values, &states))
    return CL_OUT_OF_HOST_MEMORY;
  bool whole =
    shape->finish == CLR_FINISH_RELAUNCH || (shape->finish == CLR_FINISH_LAST_GROUP && values->count <= run(shape));
  if (states.count > run(shape) || !whole)
    do
      fold_level(shape, &states, shape->hand_off.partials);
    while (states.count > run(shape));
  if (whole)
    fold_level(shape, &states, 1);
  clr_finish_reference(shape, &states, state);
  clr_states_release(&states);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_hand_off = {
  .name = "hand_off",
  .summary = "stops the tree at 32, 64 or 128 partials for each group; the next launch continues",
  .growing = CLR_ALL_FINISHES,
  .local_states = 1,
  .reduce = {.permutes = true,
             .finishes = CLR_ALL_FINISHES,
             .finish = CLR_FINISH_RELAUNCH,
             .takes_stop = true,
             .in_group = &(const struct clr_group_tree){.places = 2},
             .reference = reference},
  .fit = fit,
  .scratch = scratch,
  .pass = pass,
  .trips = clr_trips_of_share,
  CLR_GROUP_LAUNCHES,
  .step = step,
};
