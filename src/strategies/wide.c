#include "strategies/fixed_order.h"

// Loads of 16 bytes are the widest one instruction makes.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status)
{
  const cl_ulong load_bytes = 16, groups_a_unit = 8, turns_at_once = 8;
  cl_ulong usable = facts->local_mem_size - CLR_LOCAL_RESERVE;
  shape->vector = load_bytes / shape->element_size;
  shape->nodes = shape->group_size * turns_at_once;
  while (shape->nodes * shape->state_size > usable)
    shape->nodes /= 2;
  shape->local_bytes = shape->nodes * shape->state_size;
  return clr_fixed_fit(facts, problem, groups_a_unit * facts->compute_units, shape, status);
}

const struct clr_strategy clr_strategy_wide = {
  .name = "wide",
  .sentence = "GPU-like devices: neighbouring work-items read neighbouring words, wide loads, one launch",
  .fixed_order = true,
  .permutes = true,
  .takes_groups = true,
  .finishes = CLR_FIXED_FINISHES,
  .finish = CLR_FINISH_LAST_GROUP,
  .local_states = 1,
  .fit = fit, .elements = clr_fixed_elements, .scratch = clr_fixed_scratch, .pass = clr_fixed_pass,
  .step = clr_fixed_step, .reference = clr_fixed_reference,
};
