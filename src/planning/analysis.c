// The steps of a call, and their sums: clred_plan_step and clred_plan_analysis.
#include "planning/strategy.h"

// ---------------------------------------------------------------- Steps

// The host reads the values that it folds, and writes results. No result of an exclusive scan needs the last value. It
// makes no requests, because requests are accesses of sub-groups.
static bool host_step(const struct clr_shape *shape, const struct clr_pass *pass, struct clred_step *step) {
  cl_ulong n = pass->count, needed = shape->scan.kind == CLRED_SCAN_EXCLUSIVE ? clr_over(n, 1) : n;
  if (pass->kind == CLR_PASS_COUNT_ON_HOST)
    return false;
  *step = (struct clred_step){.name = "host",
                              .operations = clr_over(n, 1),
                              .depth = pass->pairs ? clr_levels(n) : clr_over(needed, 1),
                              .operations_at_once = n > 1,
                              .global_accesses = n + (shape->scan.kind ? n : 1)};
  return true;
}

static bool step_of_pass(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                         unsigned index, struct clred_step *step) {
  if (pass->kind != CLR_PASS_LAUNCH)
    return index == 0 && host_step(shape, pass, step);
  return clr_strategy_step(shape, extent, pass, index, step);
}

bool clr_call_step(const struct clr_shape *shape, cl_ulong count, cl_ulong index, struct clred_step *step) {
  const struct clr_extent extent = clr_extent_line(count);
  struct clr_pass pass;
  for (unsigned i = 0; count && clr_strategy_pass(shape, &extent, i, &pass); i++)
    for (unsigned j = 0; step_of_pass(shape, &extent, &pass, j, step); j++) {
      step->pass = i;
      if (index-- == 0)
        return true;
    }
  return false;
}

// ---------------------------------------------------------------- Sums

static void add_step(clred_analysis *sum, const clred_step *step) {
#define ADD(number) sum->number = clr_step_add(sum->number, step->number);
  CLR_STEP_SUMS(ADD)
  ADD(depth)
  ADD(barriers)
  sum->steps += step->operations > 0;
  if (step->operations_at_once > sum->peak_parallelism)
    sum->peak_parallelism = step->operations_at_once;  // CLRED_NOT_STATED is greater than any number
}

// Returns a / b; -1 if one of them is not stated, or b is 0.
static double ratio(cl_ulong a, cl_ulong b) {
  return a == CLR_UNKNOWN || b == CLR_UNKNOWN || b == 0 ? -1 : (double)a / (double)b;
}

clred_analysis clr_call_analysis(const struct clr_shape *shape, cl_ulong count) {
  const struct clr_extent extent = clr_extent_line(count);
  clred_analysis analysis = {0};
  struct clr_pass pass;
  struct clred_step step;
  for (unsigned i = 0; count && clr_strategy_pass(shape, &extent, i, &pass); i++) {
    analysis.launches += pass.kind == CLR_PASS_LAUNCH;
    for (unsigned j = 0; step_of_pass(shape, &extent, &pass, j, &step); j++)
      add_step(&analysis, &step);
  }
  if (count && shape->strategy->depth)
    analysis.depth = shape->strategy->depth(shape, count);
  analysis.mean_parallelism = ratio(analysis.operations, analysis.depth);
  analysis.utilisation =
    ratio(analysis.active_work_items, clr_step_add(analysis.active_work_items, analysis.idle_work_items));
  analysis.work_ratio = count ? ratio(analysis.operations, count - 1) : -1;
  return analysis;
}
