#include "strategies/fixed_order.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status)
{
  const cl_ulong groups_a_unit = 8;
  clr_fixed_columns(&problem->operation, shape);
  cl_int err = clr_fixed_nodes("wide", facts, shape, status);
  return err ? err : clr_fixed_fit(facts, problem, groups_a_unit * facts->compute_units, shape, status);
}

const struct clr_strategy clr_strategy_wide = {
  .name = "wide",
  .sentence = "GPU-like devices: neighbouring work-items read neighbouring words, wide loads, one launch",
  .fixed_order = true,
  .parts = {"nodes.clh"},
  .own_part = "node_list.clh",
  .takes_groups = true,
  .finishes = CLR_FIXED_FINISHES,
  .finish = CLR_FINISH_LAST_GROUP,
  .local_states = 1,
  .fit = fit, .elements = clr_fixed_elements, .scratch = clr_fixed_scratch, .pass = clr_fixed_pass,
  .step = clr_fixed_step, .reference = clr_fixed_reference, .fold = clr_fixed_fold,
};
