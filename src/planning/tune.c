// Replaces numbers of a shape by measured ones; see tune.h.
#include "planning/tune.h"

struct clr_tuned clr_tuned_of(const struct clr_strategy *strategy, const struct clr_problem *problem) {
  struct clr_tuned tuned = problem->tuned;
  bool is_line = problem->layout == CLRED_LAYOUT_LINE && !problem->reversed;
  tuned.given &= is_line ? strategy->reduce.tunables : 0;
  return tuned;
}

void clr_tune_problem(const struct clr_strategy *strategy, struct clr_problem *problem) {
  struct clr_tuned tuned = clr_tuned_of(strategy, problem);
  if (problem->group_size)
    tuned.given &= ~(CLR_TUNE_BIT(GROUP_SIZE) | CLR_TUNE_BIT(TURNS));
  if (problem->groups)
    tuned.given &= ~(CLR_TUNE_BIT(GROUPS) | CLR_TUNE_BIT(TILES));
  if (clr_tuned_has(&tuned, CLR_TUNE_GROUP_SIZE))
    problem->group_size = tuned.values[CLR_TUNE_GROUP_SIZE];
  if (clr_tuned_has(&tuned, CLR_TUNE_GROUPS))
    problem->groups = tuned.values[CLR_TUNE_GROUPS];
  problem->tuned = tuned;
}

cl_ulong clr_tuned_or(const struct clr_shape *shape, enum clr_tunable tunable, cl_ulong otherwise) {
  return clr_tuned_has(&shape->tuned, tunable) ? shape->tuned.values[tunable] : otherwise;
}

// Returns the measured number if it is at most `most`; otherwise drops it and returns `otherwise`.
static cl_ulong within(struct clr_shape *shape, enum clr_tunable tunable, cl_ulong most, cl_ulong otherwise) {
  if (clr_tuned_or(shape, tunable, 0) > most)
    shape->tuned.given &= ~(1u << tunable);
  return clr_tuned_or(shape, tunable, otherwise);
}

// Most bytes of elements or states that a work-item may hold. With more, large groups overflow the 8 MiB stacks of PoCL
// 3.1's threads.
#define MOST_HELD 1024

void clr_tune_loads(const struct clr_operation *operation, struct clr_shape *shape) {
  bool singly = shape->in_order || shape->strided, array = clr_lanes_form(operation) == CLR_LANES_ARRAY;
  bool pairs = clr_element_is_complex(&operation->element);
  cl_ulong size = shape->element_size > shape->state_size ? shape->element_size : shape->state_size;
  cl_ulong widest = (array ? MOST_HELD / 4 : MOST_HELD) / size;
  widest = clr_at_most(clr_at_most(widest, pairs ? 8 : 16), shape->lanes);
  shape->vector = within(shape, CLR_TUNE_VECTOR, singly ? 0 : widest, shape->vector);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no measured number and no size is 0
  cl_ulong most_rows = MOST_HELD / (shape->vector * size);
  shape->loads.rows_at_once = within(shape, CLR_TUNE_ROWS_AT_ONCE, most_rows, shape->loads.rows_at_once);
  while (clr_tuned_has(&shape->tuned, CLR_TUNE_VECTOR) && shape->loads.rows_at_once > 1 &&
         shape->loads.rows_at_once > most_rows)
    shape->loads.rows_at_once /= 2;
  bool few = shape->lanes * shape->state_size <= MOST_HELD;
  shape->loads.vectors_at_once = within(shape, CLR_TUNE_VECTORS_AT_ONCE, few, shape->loads.vectors_at_once);
  shape->loads.prefetches = within(shape, CLR_TUNE_PREFETCHES, shape->loads.prefetches, shape->loads.prefetches);
}

cl_ulong clr_tunable_in_use(const struct clr_shape *shape, enum clr_tunable tunable) {
  const cl_ulong in_use[CLR_TUNABLES] = {
    [CLR_TUNE_GROUPS] = shape->groups_max,
    [CLR_TUNE_TILES] = shape->fold.tiles_at_least,
    [CLR_TUNE_GROUP_SIZE] = shape->group_size,
    [CLR_TUNE_VECTOR] = shape->vector,
    [CLR_TUNE_ROWS_AT_ONCE] = shape->loads.rows_at_once,
    [CLR_TUNE_TURNS] = shape->group_size ? shape->fold.nodes / shape->group_size : 0,
    [CLR_TUNE_VECTORS_AT_ONCE] = shape->loads.vectors_at_once,
    [CLR_TUNE_PREFETCHES] = shape->loads.prefetches,
    [CLR_TUNE_KEPT] = shape->fold.kept_bytes >> 20,
  };
  return in_use[tunable];
}

void clr_tune_settle(struct clr_shape *shape) {
  for (unsigned i = 0; i < CLR_TUNABLES; i++)
    if (clr_tunable_in_use(shape, i) != shape->tuned.values[i])
      shape->tuned.given &= ~(1u << i);
}
