#include "planning/tune.h"

#include "source/operation_text.h"

struct clr_tuned clr_tuned_of(const struct clr_strategy *strategy, const struct clr_problem *problem) {
  struct clr_tuned tuned = problem->tuned;
  bool is_line = problem->layout == CLRED_LAYOUT_LINE && !problem->reversed;
  tuned.given &= is_line ? strategy->tunables : 0;
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

// The measured number if it is at most `most`; else it is one no more.
static cl_ulong within(struct clr_shape *shape, enum clr_tunable tunable, cl_ulong most, cl_ulong otherwise) {
  if (clr_tuned_or(shape, tunable, 0) > most)
    shape->tuned.given &= ~(1u << tunable);
  return clr_tuned_or(shape, tunable, otherwise);
}

// Bytes that a work-item may hold of elements or states. Large groups of larger work-items end PoCL 3.1, whose threads
// have stacks of 8 MiB.
#define MOST_HELD 1024

void clr_tune_loads(const struct clr_operation *operation, struct clr_shape *shape) {
  bool singly = shape->in_order || shape->strided, array = clr_lanes_form(operation) == CLR_LANES_ARRAY;
  bool pairs = clr_element_is_complex(&operation->element);
  cl_ulong size = shape->element_size > shape->state_size ? shape->element_size : shape->state_size;
  cl_ulong widest = (array ? MOST_HELD / 4 : MOST_HELD) / size;
  widest = widest > (pairs ? 8 : 16) ? (pairs ? 8 : 16) : widest;
  shape->vector = within(shape, CLR_TUNE_VECTOR,
                         singly                  ? 0
                         : widest < shape->lanes ? widest
                                                 : shape->lanes,
                         shape->vector);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no number that was measured is 0, and no size
  cl_ulong most_rows = MOST_HELD / (shape->vector * size);
  shape->rows_at_once = within(shape, CLR_TUNE_ROWS_AT_ONCE, most_rows, shape->rows_at_once);
  while (clr_tuned_has(&shape->tuned, CLR_TUNE_VECTOR) && shape->rows_at_once > 1 && shape->rows_at_once > most_rows)
    shape->rows_at_once /= 2;
  bool few = shape->lanes * shape->state_size <= MOST_HELD;
  shape->vectors_at_once = within(shape, CLR_TUNE_VECTORS_AT_ONCE, few, shape->vectors_at_once);
  shape->prefetches = within(shape, CLR_TUNE_PREFETCHES, shape->prefetches, shape->prefetches);
}

cl_ulong clr_tunable_in_use(const struct clr_shape *shape, enum clr_tunable tunable) {
  const cl_ulong in_use[CLR_TUNABLES] = {
    [CLR_TUNE_GROUPS] = shape->groups_max,
    [CLR_TUNE_TILES] = shape->tiles_at_least,
    [CLR_TUNE_GROUP_SIZE] = shape->group_size,
    [CLR_TUNE_VECTOR] = shape->vector,
    [CLR_TUNE_ROWS_AT_ONCE] = shape->rows_at_once,
    [CLR_TUNE_TURNS] = shape->group_size ? shape->nodes / shape->group_size : 0,
    [CLR_TUNE_VECTORS_AT_ONCE] = shape->vectors_at_once,
    [CLR_TUNE_PREFETCHES] = shape->prefetches,
    [CLR_TUNE_KEPT] = shape->kept_bytes >> 20,
  };
  return in_use[tunable];
}

void clr_tune_settle(struct clr_shape *shape) {
  for (unsigned i = 0; i < CLR_TUNABLES; i++)
    if (clr_tunable_in_use(shape, i) != shape->tuned.values[i])
      shape->tuned.given &= ~(1u << i);
}
