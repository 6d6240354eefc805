// The steps of a call, and their sums: clred_plan_step and clred_plan_analysis.
#include "planning/strategy.h"

// ---------------------------------------------------------------- Steps

// The host reads the values that it folds, and writes results. No result of an exclusive scan needs the last value. The
// host makes no requests, because requests are accesses of sub-groups.
static bool host_step(const struct clr_shape *shape, const struct clr_pass *pass, struct clred_step *step) {
  cl_ulong n = pass->count, needed = shape->scan.kind == CLRED_SCAN_EXCLUSIVE ? clr_saturating_sub(n, 1) : n;
  if (pass->kind == CLR_PASS_COUNT_ON_HOST)
    return false;
  *step = (struct clred_step){.name = "host",
                              .operations = clr_saturating_sub(n, 1),
                              .depth = pass->pairs ? clr_levels(n) : clr_saturating_sub(needed, 1),
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

// ---------------------------------------------------------------- The tree

// The strategy's own tree, run on the host with states that count: the state is the depth of its node.
#define LEVELS 64
#define TREE_MAX ((cl_ulong)1 << 22)  // elements; more would take seconds

struct tally {
  cl_ulong operations, deepest, at_depth[LEVELS];  // deepest: of the results
};

static void count_identity(void *state, void *user_data) {
  (void)user_data;
  *(cl_ulong *)state = 0;
}

static void count_lift(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                       void *state, void *user_data) {
  (void)element, (void)index, (void)inputs, (void)parameters;
  count_identity(state, user_data);
}

static void count_combine(void *a, const void *b, void *user_data) {
  struct tally *tally = user_data;
  cl_ulong depth = clr_max(*(cl_ulong *)a, *(const cl_ulong *)b) + 1;
  *(cl_ulong *)a = depth;
  tally->operations++;
  if (depth < LEVELS)
    tally->at_depth[depth]++;
}

static void count_lower(const void *state, void *result, void *user_data) {
  struct tally *tally = user_data;
  *(cl_ulong *)result = *(const cl_ulong *)state;
  tally->deepest = clr_max(tally->deepest, *(const cl_ulong *)state);
}

// Runs the tree over elements that nothing reads. False if there is no tree, if it is too large, or if memory is out.
static bool run_tree(const struct clr_shape *shape, cl_ulong count, struct tally *tally) {
  const struct clr_custom custom = {.has_host = true,
                                    .host = {count_identity, count_lift, count_combine, count_lower, tally}};
  const struct clr_operation operation = {
    .custom = &custom, .state_size = sizeof(cl_ulong), .result_size = sizeof(cl_ulong)};
  const struct clr_values values = {.operation = &operation, .elements = tally, .count = count};
  const struct clr_strategy *strategy = shape->strategy;
  cl_ulong result = 0;
  *tally = (struct tally){0};
  if (count > TREE_MAX || shape->finish == CLR_FINISH_ATOMIC || strategy->layouts & ~CLR_LAYOUT_LINES ||
      !(strategy->reduce.reference || strategy->scan.reference))
    return false;
  if (strategy->scan.reference) {
    const struct clr_scan scan = {.inclusive = shape->scan.kind == CLRED_SCAN_INCLUSIVE,
                                  .results = (unsigned char *)&result};
    return !strategy->scan.reference(shape, &values, &scan);
  }
  cl_int err = strategy->reduce.reference(shape, &values, &result);
  count_lower(&result, &result, tally);
  return !err;
}

static void take_tree(const struct clr_shape *shape, cl_ulong count, clred_analysis *analysis) {
  struct tally tally;
  const bool ran = run_tree(shape, count, &tally), has_steps = clr_strategy_has_steps(shape);
  if (!has_steps) {
    analysis->operations = ran ? tally.operations : CLR_UNKNOWN;
    analysis->peak_parallelism = ran ? 0 : CLR_UNKNOWN;
    for (int i = 1; i < LEVELS; i++)
      analysis->peak_parallelism = clr_max(analysis->peak_parallelism, tally.at_depth[i]);
  }
  if (!has_steps || shape->scan.kind)
    analysis->depth = ran ? tally.deepest : CLR_UNKNOWN;
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

clred_analysis clr_call_analysis(const struct clr_shape *shape, cl_ulong count, bool is_selection) {
  const struct clr_extent extent = clr_extent_line(count);
  clred_analysis analysis = {0};
  struct clr_pass pass;
  struct clred_step step;
  for (unsigned i = 0; count && clr_strategy_pass(shape, &extent, i, &pass); i++) {
    analysis.launches += pass.kind == CLR_PASS_LAUNCH;
    for (unsigned j = 0; step_of_pass(shape, &extent, &pass, j, &step); j++)
      add_step(&analysis, &step);
  }
  if (count && shape->strategy->exec != CLR_EXEC_HOST && !is_selection)
    take_tree(shape, count, &analysis);
  analysis.mean_parallelism = ratio(analysis.operations, analysis.depth);
  analysis.utilisation =
    ratio(analysis.active_work_items, clr_step_add(analysis.active_work_items, analysis.idle_work_items));
  analysis.work_ratio = count ? ratio(analysis.operations, count - 1) : -1;
  return analysis;
}
