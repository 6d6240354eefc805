#include "strategies/histograms.h"
#include "strategies/whole_array.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong groups_a_unit = 8;
  (void)status;
  clr_histogram_fit(problem, clr_multiply(facts->compute_units, groups_a_unit), shape);
  clr_histogram_add_up(facts, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_histogram_atomic = {
  .name = "histogram_atomic",
  .sentence = "one atomic an element, on counts in global memory",
  .counts = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE),
  .kernels = CLR_HISTOGRAM_KERNELS,
  .takes_groups = true,
  .relies = CLR_ON_ATOMICS,
  .team = CLR_TEAM_GROUPS,
  .fit = fit,
  .scratch = clr_histogram_scratch,
  .pass = clr_histogram_pass,
  .step = clr_no_steps,
};
