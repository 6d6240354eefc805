#include "planning/tune.h"
#include "source/operation_text.h"
#include "strategies/fixed_order.h"

// Cells of 64 bits, each with one word of a state, of which keys with places take fewer; none where it is not certain
// that the group that waits sees them all.
static cl_ulong told_words(const struct clr_facts *facts, const struct clr_shape *shape) {
  const cl_ulong most_words = 8, most_groups = 65536;
  bool waits = shape->finish == CLR_FINISH_LAST_GROUP && facts->groups_go_on && facts->atomics &&
               facts->int64_atomics && !facts->loop_trips;
  cl_ulong words = shape->state_size / 4;
  bool fits = shape->state_size % 4 == 0 && words <= most_words && shape->groups_max <= most_groups &&
              words * shape->groups_max <= facts->max_alloc / 16;
  return waits && fits ? words * shape->groups_max : 0;
}

// Whether 31 bits count the elements of a group in any call: they are neighbours in memory, and a group has up to twice
// its share of them, or as many tiles as it takes at least.
static bool has_places(const struct clr_facts *facts, const struct clr_shape *shape) {
  const cl_ulong places = CL_INT_MAX;
  cl_ulong memory = facts->global_mem_size > facts->max_alloc ? facts->global_mem_size : facts->max_alloc;
  cl_ulong share = memory / shape->element_size / shape->groups_max;
  return !shape->strided && share < places / 2 &&
         clr_multiply(shape->tiles_at_least, shape->rows * shape->lanes) < places;
}

// Whether elements are read by loads that take a hint: those of cl/loads.clh.
static bool loads_take_hints(const struct clr_operation *operation, const struct clr_shape *shape) {
  const cl_ulong load_bytes = 16;
  return shape->vector * shape->element_size == load_bytes && clr_lanes_form(operation) != CLR_LANES_ARRAY &&
         !clr_element_is_complex(&operation->element);
}

// Two fifths of the cache: of more, too little has stayed when the next call begins.
static cl_ulong kept_bytes(const struct clr_facts *facts, const struct clr_operation *operation,
                           const struct clr_shape *shape) {
  const cl_ulong least_target = 80;
  cl_ulong kept_mib = facts->shared_cache / 5 * 2 >> 20;
  if (facts->ptx_target < least_target || !kept_mib || !loads_take_hints(operation, shape))
    return 0;
  return clr_tuned_or(shape, CLR_TUNE_KEPT, kept_mib) << 20;
}

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  // More than run at once, so that no unit is left without while another has two to do.
  const cl_ulong groups_a_unit = 16;
  clr_fixed_columns(&problem->operation, shape);
  clr_tune_loads(&problem->operation, shape);
  // Starting a group and telling of its partial takes longer than a column for each work-item.
  cl_ulong a_column_each = clr_power_of_two_above(clr_ceil_divide(shape->group_size, shape->lanes / shape->vector));
  shape->exact = problem->operation.exact && problem->operation.commutes;
  shape->tiles_at_least = clr_tuned_or(shape, CLR_TUNE_TILES, a_column_each);
  cl_int err = clr_fixed_nodes("wide", facts, shape, status);
  if (err)
    return err;
  clr_fixed_fit(facts, problem, groups_a_unit * facts->compute_units, shape);
  shape->told_words = told_words(facts, shape);
  shape->places = has_places(facts, shape);
  shape->kept_bytes = kept_bytes(facts, &problem->operation, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_wide = {
  .name = "wide",
  .sentence = "GPU-like devices: neighbouring work-items read neighbouring words, wide loads, one launch",
  .fixed_order = true,
  .parts = {"places.clh", "nodes.clh", "hand_over.clh", "exact.clh"},
  .own_part = "node_list.clh",
  .takes_groups = true,
  .tunables = CLR_TUNE_BIT(GROUPS) | CLR_TUNE_BIT(TILES) | CLR_TUNE_BIT(GROUP_SIZE) | CLR_TUNE_BIT(VECTOR) |
              CLR_TUNE_BIT(ROWS_AT_ONCE) | CLR_TUNE_BIT(TURNS) | CLR_TUNE_BIT(KEPT),
  .finishes = CLR_FIXED_FINISHES,
  .finish = CLR_FINISH_LAST_GROUP,
  .local_states = 1,
  .fit = fit,
  .elements = clr_fixed_elements,
  .scratch = clr_fixed_scratch,
  .pass = clr_fixed_pass,
  .trips = clr_wide_trips,
  .step = clr_fixed_step,
  .reference = clr_fixed_reference,
  .fold = clr_fixed_fold,
};
