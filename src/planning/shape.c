// Computes the numbers of a plan, from facts or from tuning, the passes of a call, and the iterations of the passes'
// loops.
#include "planning/strategy.h"

#include <string.h>

#include "planning/pass.h"
#include "planning/shape.h"

// --- Numbers ---

static const char *const finish_names[CLR_FINISHES] = {"host", "relaunch", "last_group", "atomic"};

const char *clr_finish_name(enum clr_finish finish) {
  return finish < CLR_FINISH_NONE ? finish_names[finish] : NULL;
}

enum clr_finish clr_finish_named(const char *name) {
  for (int i = 0; i < CLR_FINISHES; i++)
    if (strcmp(name, finish_names[i]) == 0)
      return (enum clr_finish)i;
  return CLR_FINISH_NONE;
}

struct clr_extent clr_extent_line(cl_ulong count) {
  return (struct clr_extent){.count = count, .stride = 1, .rows = 1, .columns = 1};
}

// A row of lanes has 256 bytes, so that neighbouring loads of a GPU fill whole memory transactions.
void clr_shape_tile(struct clr_shape *shape) {
  shape->lanes = clr_pow2_floor(256 / shape->element_size);
  shape->rows = 16;
}

struct limit {
  const char *name;
  cl_ulong items;
};

static cl_ulong tightest(const struct limit *limits, size_t count, const char **name) {
  cl_ulong items = CL_ULONG_MAX;
  for (size_t i = 0; i < count; i++) {
    if (limits[i].items >= items)
      continue;
    items = limits[i].items;
    *name = limits[i].name;
  }
  return items;
}

// Polling for another group's result may take more iterations than a device with a small bound allows.
bool clr_may_wait(const struct clr_facts *facts) {
  const cl_ulong enough = (cl_ulong)1 << 24;
  return !facts->loop_trips || facts->loop_trips >= enough;
}

bool clr_runs_are_side_by_side(const struct clr_facts *facts) {
  return facts->atomics && clr_may_wait(facts);
}

cl_ulong clr_usable_local(const struct clr_facts *facts) {
  return facts->local_mem_size > CLR_LOCAL_RESERVE ? facts->local_mem_size - CLR_LOCAL_RESERVE : 0;
}

cl_int clr_refuse_local_memory(const struct clr_facts *facts, const struct clr_shape *shape,
                               struct clr_status *status) {
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "%s: local_mem_size is %llu: too little for groups of %llu and states of %llu bytes",
                  shape->strategy->name, (unsigned long long)facts->local_mem_size,
                  (unsigned long long)shape->group_size, (unsigned long long)shape->state_size);
}

cl_ulong clr_largest_group(const struct clr_facts *facts, cl_ulong most) {
  cl_ulong items = clr_min(clr_min(most, facts->max_work_group_size), facts->max_work_item_size);
  return clr_pow2_floor(facts->kernel_work_group_size ? clr_min(items, facts->kernel_work_group_size) : items);
}

cl_int clr_shape_group_size(const struct clr_facts *facts, cl_ulong asked, cl_ulong wanted, cl_ulong least,
                            cl_ulong local_bytes_per_item, cl_ulong *group_size, struct clr_status *status) {
  cl_ulong usable = clr_usable_local(facts);
  const struct limit limits[] = {
    {"max_work_group_size", facts->max_work_group_size},
    {"max_work_item_size", facts->max_work_item_size},
    {"kernel_work_group_size", facts->kernel_work_group_size ? facts->kernel_work_group_size : CL_ULONG_MAX},
    {"local_mem_size", local_bytes_per_item ? usable / local_bytes_per_item : CL_ULONG_MAX},
  };
  const char *name = "";
  cl_ulong most = tightest(limits, sizeof limits / sizeof *limits, &name);
  if (most == 0)
    return clr_fail(
      status, CLRED_STRATEGY_REFUSED, "local_mem_size is %llu: too little for one work-item, which needs %llu",
      (unsigned long long)facts->local_mem_size, (unsigned long long)(CLR_LOCAL_RESERVE + local_bytes_per_item));
  if (asked > most)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "group_size %llu is above what %s allows here: %llu",
                    (unsigned long long)asked, name, (unsigned long long)clr_pow2_floor(most));
  // Eight sub-groups are enough to hide the latency of memory.
  cl_ulong good = wanted ? wanted : clr_clamp(8 * facts->preferred_multiple, 64, 256);
  good = good > least ? good : least;
  *group_size = asked ? asked : clr_pow2_floor(clr_min(good, most));
  return CL_SUCCESS;
}

// --- Measured numbers ---

struct clr_tuned clr_tuned_of(const struct clr_strategy *strategy, const struct clr_problem *problem) {
  struct clr_tuned tuned = problem->tuned;
  bool is_line = problem->layout == CLRED_LAYOUT_LINE && !problem->reversed;
  tuned.given &= is_line ? strategy->reduce.tunables : 0;
  return tuned;
}

void clr_tune_problem(const struct clr_strategy *strategy, struct clr_problem *problem) {
  struct clr_tuned tuned = clr_tuned_of(strategy, problem);
  if (problem->group_size)
    tuned.given &= ~(CLR_TUNE_BIT(GROUP_SIZE) | CLR_TUNE_BIT(TURNS));
  if (problem->groups)
    tuned.given &= ~(CLR_TUNE_BIT(GROUPS) | CLR_TUNE_BIT(TILES));
  if (clr_tuned_has(&tuned, CLR_TUNE_GROUP_SIZE))
    problem->group_size = tuned.values[CLR_TUNE_GROUP_SIZE];
  if (clr_tuned_has(&tuned, CLR_TUNE_GROUPS))
    problem->groups = tuned.values[CLR_TUNE_GROUPS];
  problem->tuned = tuned;
}

cl_ulong clr_tuned_or(const struct clr_shape *shape, enum clr_tunable tunable, cl_ulong otherwise) {
  return clr_tuned_has(&shape->tuned, tunable) ? shape->tuned.values[tunable] : otherwise;
}

// Returns the measured number if it is at most `most`; otherwise drops it and returns `otherwise`.
static cl_ulong within(struct clr_shape *shape, enum clr_tunable tunable, cl_ulong most, cl_ulong otherwise) {
  if (clr_tuned_or(shape, tunable, 0) > most)
    shape->tuned.given &= ~(1u << tunable);
  return clr_tuned_or(shape, tunable, otherwise);
}

// Most bytes of elements or states that a work-item may hold. With more, large groups overflow the 8 MiB stacks of PoCL
// 3.1's threads.
#define MOST_HELD 1024

void clr_tune_loads(const struct clr_operation *operation, struct clr_shape *shape) {
  bool singly = shape->in_order || shape->strided, array = operation->lanes_form == CLR_LANES_ARRAY;
  bool pairs = clr_element_is_complex(&operation->element);
  cl_ulong size = shape->element_size > shape->state_size ? shape->element_size : shape->state_size;
  cl_ulong widest = (array ? MOST_HELD / 4 : MOST_HELD) / size;
  widest = clr_min(clr_min(widest, pairs ? 8 : 16), shape->lanes);
  shape->vector = within(shape, CLR_TUNE_VECTOR, singly ? 0 : widest, shape->vector);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no measured number and no size is 0
  cl_ulong most_rows = MOST_HELD / (shape->vector * size);
  shape->loads.rows_at_once = within(shape, CLR_TUNE_ROWS_AT_ONCE, most_rows, shape->loads.rows_at_once);
  while (clr_tuned_has(&shape->tuned, CLR_TUNE_VECTOR) && shape->loads.rows_at_once > 1 &&
         shape->loads.rows_at_once > most_rows)
    shape->loads.rows_at_once /= 2;
  bool few = shape->lanes * shape->state_size <= MOST_HELD;
  shape->loads.vectors_at_once = within(shape, CLR_TUNE_VECTORS_AT_ONCE, few, shape->loads.vectors_at_once);
  shape->loads.prefetches = within(shape, CLR_TUNE_PREFETCHES, shape->loads.prefetches, shape->loads.prefetches);
}

cl_ulong clr_tunable_in_use(const struct clr_shape *shape, enum clr_tunable tunable) {
  const cl_ulong in_use[CLR_TUNABLES] = {
    [CLR_TUNE_GROUPS] = shape->groups_max,
    [CLR_TUNE_TILES] = shape->fold.tiles_at_least,
    [CLR_TUNE_GROUP_SIZE] = shape->group_size,
    [CLR_TUNE_VECTOR] = shape->vector,
    [CLR_TUNE_ROWS_AT_ONCE] = shape->loads.rows_at_once,
    [CLR_TUNE_TURNS] = shape->group_size ? shape->fold.nodes / shape->group_size : 0,
    [CLR_TUNE_VECTORS_AT_ONCE] = shape->loads.vectors_at_once,
    [CLR_TUNE_PREFETCHES] = shape->loads.prefetches,
    [CLR_TUNE_KEPT] = shape->wide.kept_bytes >> 20,
  };
  return in_use[tunable];
}

void clr_tune_settle(struct clr_shape *shape) {
  for (unsigned i = 0; i < CLR_TUNABLES; i++)
    if (clr_tunable_in_use(shape, i) != shape->tuned.values[i])
      shape->tuned.given &= ~(1u << i);
}

// --- Passes ---

unsigned clr_strategy_layouts(const struct clr_strategy *strategy) {
  return strategy->layouts ? strategy->layouts : CLR_LAYOUT_LINES;
}

unsigned clr_strategy_kernels(const struct clr_strategy *strategy) {
  const unsigned of_reductions = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) |
                                 CLR_KERNEL_BIT(CLR_KERNEL_DELIVER) | CLR_KERNEL_BIT(CLR_KERNEL_BEGIN);
  return strategy->kernels ? strategy->kernels : of_reductions;
}

bool clr_strategy_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                       struct clr_pass *pass) {
  const struct clr_strategy *strategy = shape->strategy;
  if (!extent->rows || !extent->columns)
    return false;
  if (extent->count > 0 || strategy->launches_empty)
    return strategy->pass(shape, extent, index, pass);
  *pass = (struct clr_pass){.kind = CLR_PASS_LAUNCH,
                            .kernel = CLR_KERNEL_DELIVER,
                            .groups = 1,
                            .group_size = 1,
                            .span = clr_multiply(extent->rows, extent->columns)};
  if (strategy->exec == CLR_EXEC_HOST || shape->finish == CLR_FINISH_HOST)
    pass->kind = CLR_PASS_WALK_ON_HOST;
  return index == 0;
}

bool clr_strategy_has_steps(const struct clr_shape *shape) {
  return shape->strategy->step && shape->finish != CLR_FINISH_LAST_GROUP && shape->finish != CLR_FINISH_ATOMIC;
}

bool clr_strategy_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step) {
  const struct clr_strategy *strategy = shape->strategy;
  if (clr_strategy_has_steps(shape))
    return strategy->step(shape, extent, pass, index, step);
  if (index || !strategy->launches[pass->kernel])
    return false;
  clr_step_unknown(step, strategy->launches[pass->kernel]);
  return true;
}

// A value is read, combined and pushed on the stack. If lanes are arrays, each of these steps is a loop.
cl_ulong clr_turns_per_value(const struct clr_shape *shape) {
  return shape->loops_over_lanes ? 12 : 4;
}

// An allowance, in iterations, for the loops that fold the last nodes of a tree or a stack.
#define FEW 512

cl_ulong clr_trips_of_all(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass) {
  cl_ulong n = extent->count;
  cl_ulong values = clr_multiply(n > pass->count ? n : pass->count, clr_multiply(extent->rows, extent->columns));
  values = clr_add(values, clr_add(shape->counting.bins, shape->groups_max < n ? shape->groups_max : n));
  return clr_add(FEW, clr_multiply(clr_turns_per_value(shape), values));
}

cl_ulong clr_trips_of_share(const struct clr_shape *shape, const struct clr_extent *extent,
                            const struct clr_pass *pass) {
  (void)extent;
  cl_ulong share = clr_ceil_divide(pass->count, pass->groups * pass->group_size);
  // The last group may fold all partials. With atomics, all groups may retry at one address.
  cl_ulong partials = shape->finish == CLR_FINISH_LAST_GROUP ? clr_ceil_divide(pass->groups, pass->group_size)
                      : shape->finish == CLR_FINISH_ATOMIC   ? pass->groups
                                                             : 0;
  cl_ulong words = shape->state_size / 4 + 2;
  return clr_add(FEW, clr_add(clr_multiply(clr_turns_per_value(shape), share), clr_multiply(words, partials)));
}

cl_ulong clr_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass) {
  return (shape->strategy->trips ? shape->strategy->trips : clr_trips_of_all)(shape, extent, pass);
}

bool clr_trips_hold(const struct clr_shape *shape, const struct clr_extent *extent) {
  struct clr_pass pass;
  for (unsigned i = 0; clr_strategy_pass(shape, extent, i, &pass); i++) {
    // Launches with the maximum of tiles take as many iterations as the first launch.
    if (shape->board.tiles && pass.launch > 0)
      break;
    if (pass.kind != CLR_PASS_LAUNCH || pass.groups == 0)
      continue;
    if (clr_trips(shape, extent, &pass) > shape->loop_trips)
      return false;
  }
  return true;
}

cl_ulong clr_trips_most(const struct clr_shape *shape) {
  cl_ulong below = 0, above = (cl_ulong)1 << 48;
  if (!shape->loop_trips)
    return CL_ULONG_MAX;
  if (shape->count_max < above)
    above = shape->count_max + 1;
  while (above - below > 1) {
    cl_ulong middle = below + (above - below) / 2;
    const struct clr_extent extent = clr_extent_line(middle);
    if (clr_trips_hold(shape, &extent))
      below = middle;
    else
      above = middle;
  }
  return below;
}

cl_ulong clr_trips_groups(const struct clr_facts *facts, cl_ulong otherwise) {
  const cl_ulong turns_a_partial = 8;
  cl_ulong groups = clr_pow2_floor(facts->loop_trips / turns_a_partial);
  return facts->loop_trips && groups > otherwise ? groups : otherwise;
}
