#include "planning/trips.h"
#include "strategies/per_group.h"

// The textbook's factors are 2, 3 and then powers of two.
static cl_ulong next_factor(cl_ulong factor) {
  return factor == 2 ? 3 : factor == 3 ? 4 : 2 * factor;
}

// The largest factor for which the run of a group fits local memory and four groups a compute unit are left.
static cl_ulong elements(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong factor = 2, run = shape->group_size * shape->state_size;
  if (shape->elements)
    return shape->elements;
  for (cl_ulong next = next_factor(factor); next * run <= shape->local_mem_size; next = next_factor(next)) {
    if (clr_ceil_divide(n, next * shape->group_size) < 4 * shape->compute_units)
      break;
    factor = next;
  }
  return factor;
}

static cl_ulong values(const struct clr_shape *shape, cl_ulong n) {
  return elements(shape, n) * shape->group_size;
}

static cl_ulong fold(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states, cl_ulong group,
                     cl_ulong groups) {
  cl_ulong base = group * values(shape, n), group_size = shape->group_size;
  cl_ulong end = group + 1 < groups ? base + values(shape, n) : states->count;
  for (cl_ulong i = base; i < base + group_size && i < end; i++)
    clr_tree_in_order(states, i, group_size, end);
  clr_tree_halving(states, base, group_size, end - base < group_size ? end - base : group_size, 1);
  return base;
}

static const struct clr_per_group rules = {.values = values, .places = 1, .fold = fold};
CLR_PER_GROUP_FUNCTIONS(rules)

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  if (problem->elements > 1u << 20)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "local_coarsened: elements %llu is above %u",
                    (unsigned long long)problem->elements, 1u << 20);
  shape->elements = problem->elements;
  return clr_fit_finish(facts, problem, values(shape, 0), shape, status);
}

const struct clr_strategy clr_strategy_local_coarsened = {
  .name = "local_coarsened",
  .sentence = "local_sequential after each work-item has folded several elements",
  .permutes = true,
  .takes_elements = true,
  .finishes = CLR_ALL_FINISHES,
  .finish = CLR_FINISH_RELAUNCH,
  .local_states = 1,
  .fit = fit,
  .elements = elements,
  .scratch = scratch,
  .pass = pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = reference,
};
