#include "planning/tune.h"
#include "strategies/fixed_order.h"

// A run of the least length must end before the device's loops do, with as much again for what stands beside it.
static void shorten_runs(const struct clr_facts *facts, struct clr_shape *shape) {
  struct clr_pass run = {.kind = CLR_PASS_LAUNCH, .kernel = CLR_KERNEL_ELEMENTS};
  for (run.span = shape->tiles_at_least; facts->loop_trips && run.span > 1; run.span /= 2)
    if (clr_chunked_trips(shape, 0, &run) <= facts->loop_trips / 2)
      break;
  shape->tiles_at_least = run.span;
}

// As many runs as keep any number of cores busy to the end, and few enough that folding their partials is nothing.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong runs = 1024, tiles_a_run = 16;
  clr_fixed_vectors(facts, &problem->operation, shape);
  clr_tune_loads(&problem->operation, shape);
  // Giving a run to a core takes as long as reading some ten KiB.
  shape->tiles_at_least = clr_tuned_or(shape, CLR_TUNE_TILES, tiles_a_run);
  shorten_runs(facts, shape);
  (void)status;
  clr_fixed_fit(facts, problem, runs, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_chunked = {
  .name = "chunked",
  .sentence = "CPU-like devices: each work-item walks one long contiguous run with wide vectors, no barrier",
  .fixed_order = true,
  .parts = {"vector_tiles.clh"},
  .takes_groups = true,
  .tunables = CLR_TUNE_BIT(GROUPS) | CLR_TUNE_BIT(TILES) | CLR_TUNE_BIT(VECTOR) | CLR_TUNE_BIT(VECTORS_AT_ONCE) |
              CLR_TUNE_BIT(PREFETCHES),
  .team = CLR_TEAM_SINGLES,
  .tree_in_global = true,
  .finishes = CLR_FIXED_FINISHES,
  .finish = CLR_FINISH_LAST_GROUP,
  .fit = fit,
  .elements = clr_fixed_elements,
  .scratch = clr_fixed_scratch,
  .pass = clr_fixed_pass,
  .trips = clr_chunked_trips,
  .step = clr_fixed_step,
  .reference = clr_fixed_reference,
  .fold = clr_fixed_fold,
};
