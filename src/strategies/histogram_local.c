#include "strategies/histograms.h"
#include "strategies/whole_array.h"

// Local memory that a group takes for counters and yet leaves room for other groups.
#define GOOD_BYTES 32768
#define GROUPS_A_UNIT 4
// So often elements may be read again for the bins that did not fit; more often, atomics on global memory are no worse.
#define TURNS_MAX 4

// Counters and edges in local memory, as far as they fit: counters first, in turns if need be, then edges, then more
// copies of the counters, one for each work-item of a sub-group at most.
static void fit_counters(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  struct clr_counting *counting = &shape->counting;
  cl_ulong usable = facts->local_mem_size > CLR_LOCAL_RESERVE ? facts->local_mem_size - CLR_LOCAL_RESERVE : 0;
  cl_ulong key = shape->element_size == 8 ? 8 : 4, counters = usable / sizeof(cl_uint),
           edges = problem->histogram->bins - 1;
  counting->by_value = shape->element_size == 1 && counters >= 256;
  counting->slots = counting->by_value ? 256 : problem->histogram->bins;
  if (counting->slots > clr_multiply(counters, TURNS_MAX))
    return;
  counting->turns = clr_ceil_divide(counting->slots, counters);
  counting->local_slots = clr_ceil_divide(counting->slots, counting->turns);
  cl_ulong taken = counting->local_slots * sizeof(cl_uint);
  if (!counting->by_value && clr_multiply(edges, key) <= usable - taken)
    counting->local_edges = edges;
  cl_ulong left = usable - counting->local_edges * key, good = left < GOOD_BYTES ? left : GOOD_BYTES;
  cl_ulong copies = clr_power_of_two_below(good / taken), most = clr_power_of_two_below(facts->preferred_multiple);
  most = most < shape->group_size ? most : shape->group_size;
  counting->copies = copies < most ? copies : most;
  shape->local_bytes = taken * counting->copies + counting->local_edges * key;
}

// Counters are as many whatever a group's size, so a large one has more work-items for each.
static void widen(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong widest = 1024, limits[] = {facts->max_work_group_size, facts->max_work_item_size,
                                            facts->kernel_work_group_size ? facts->kernel_work_group_size : widest};
  cl_ulong most = widest;
  if (problem->group_size || facts->cpu || !shape->counting.local_slots)
    return;
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    most = limits[i] < most ? limits[i] : most;
  shape->group_size = clr_power_of_two_below(most);
}

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  (void)status;
  clr_histogram_fit(problem, clr_multiply(facts->compute_units, GROUPS_A_UNIT), shape);
  fit_counters(facts, problem, shape);
  widen(facts, problem, shape);
  clr_histogram_add_up(facts, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_histogram_local = {
  .name = "histogram_local",
  .sentence =
    "GPU-like devices: each group counts in local memory, in a copy for each work-item of a sub-group if there is room",
  .counts = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE),
  .kernels = CLR_HISTOGRAM_KERNELS,
  .takes_groups = true,
  .relies = CLR_ON_ATOMICS | CLR_ON_LOCAL_ATOMICS,
  .team = CLR_TEAM_GROUPS,
  .fit = fit,
  .scratch = clr_histogram_scratch,
  .pass = clr_histogram_pass,
  .step = clr_no_steps,
};
