#include "strategies/histograms.h"
#include "strategies/whole_array.h"

// What a core's own cache holds beside the elements that pass through it.
#define HELD_BYTES 16384
// Work-items and rows of counts: enough of the former to keep cores busy to the end, and few enough of the latter to
// add up.
#define ROWS_A_UNIT 16
#define ROWS_BYTES 67108864

static void fit_counters(const struct clr_problem *problem, struct clr_shape *shape) {
  struct clr_counting *counting = &shape->counting;
  const cl_ulong most_copies = 16 / shape->element_size < 4 ? 16 / shape->element_size : 4;
  counting->has_rows = true;
  counting->by_value = shape->element_size == 1;
  counting->slots = counting->by_value ? 256 : problem->histogram->bins;
  cl_ulong copies = HELD_BYTES / sizeof(cl_uint) / counting->slots;
  if (copies == 0)
    return;
  counting->local_slots = counting->slots;
  counting->copies = clr_power_of_two_below(copies < most_copies ? copies : most_copies);
}

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  (void)status;
  clr_histogram_fit(problem, clr_multiply(facts->compute_units, ROWS_A_UNIT), shape);
  fit_counters(problem, shape);
  cl_ulong bytes = facts->max_alloc < ROWS_BYTES ? facts->max_alloc : ROWS_BYTES;
  cl_ulong rows = bytes / sizeof(cl_uint) / shape->counting.slots;
  rows = rows ? rows : 1;
  if (!problem->groups && shape->groups_max > rows)
    shape->groups_max = rows;
  shape->counting.slice = clr_multiply(shape->groups_max, CLR_COUNTER_BEARS);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_histogram_chunked = {
  .name = "histogram_chunked",
  .sentence =
    "CPU-like devices: each work-item counts a contiguous run by itself, without atomics; a second launch adds up",
  .counts = true,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE),
  .kernels = CLR_HISTOGRAM_KERNELS,
  .takes_groups = true,
  .team = CLR_TEAM_SINGLES,
  .fit = fit,
  .scratch = clr_histogram_scratch,
  .pass = clr_histogram_pass,
  .step = clr_no_steps,
};
