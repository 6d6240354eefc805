// Computes the shape that a strategy gives a problem, or refuses the problem; tries the candidates of `auto`. Called
// when a plan is made.
#include "strategies/strategies.h"

#include "planning/strategy.h"

static enum clr_task task_of(const struct clr_problem *problem) {
  return problem->histogram ? CLR_TASK_COUNT : problem->scan ? CLR_TASK_SCAN : CLR_TASK_REDUCE;
}

unsigned clr_strategy_kernels_of(const struct clr_strategy *strategy, const struct clr_shape *shape) {
  unsigned spare = shape->finish == CLR_FINISH_ATOMIC ? 0 : CLR_KERNEL_BIT(CLR_KERNEL_BEGIN);
  // With these finishes there is one launch, so the kernel that folds states is not built. A stream builds it when the
  // stream is created.
  if (strategy->reduce.fold && (shape->finish == CLR_FINISH_LAST_GROUP || shape->finish == CLR_FINISH_HOST))
    spare |= CLR_KERNEL_BIT(CLR_KERNEL_STATES);
  return clr_strategy_kernels(strategy) & ~spare;
}

static cl_int check_operation(const struct clr_strategy *strategy, const struct clr_facts *facts,
                              const struct clr_problem *problem, struct clr_status *status) {
  static const char *const does[] = {"reduces", "scans", "counts in bins"};
  static const char *const asked[] = {"reduction", "scan", "histogram"};
  const struct clr_operation *operation = &problem->operation;
  if (strategy->task != task_of(problem))
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s %s, but the problem is a %s", strategy->name,
                    does[strategy->task], asked[task_of(problem)]);
  if (problem->histogram && operation->input_count && !strategy->sums_weights)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s counts along one axis, without weights; histogram_cells has both", strategy->name);
  if (problem->selects && !strategy->scan.selects)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s cannot run selections", strategy->name);
  cl_int err = strategy->exec == CLR_EXEC_HOST ? CL_SUCCESS : clr_check_types(operation, facts, status);
  if (!err)
    err = clr_strategy_check_trust(strategy, facts, status);
  if (err)
    return err;
  if (strategy->reduce.permutes && !operation->commutes)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s permutes elements, and %s does not commute", strategy->name,
                    operation->name);
  if (strategy->exec == CLR_EXEC_HOST && !clr_has_host(operation))
    return clr_fail(status, CLRED_NO_HOST_OPERATOR, "%s computes on the host, and %s has no host callbacks",
                    strategy->name, operation->name);
  if (!(clr_strategy_layouts(strategy) & CLR_LAYOUT_BIT(problem->layout)))
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s cannot run this layout; name another strategy, or auto",
                    strategy->name);
  if (problem->order == CLRED_ORDER_FIXED && !strategy->fixed_order && strategy->task != CLR_TASK_COUNT)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s computes in another order; order fixed needs wide or chunked",
                    strategy->name);
  return CL_SUCCESS;
}

static cl_int check_hand_numbers(const struct clr_strategy *strategy, const struct clr_problem *problem,
                                 struct clr_status *status) {
  // With `auto` the chosen strategy depends on the device, so `groups` must not be refused on some devices: it is
  // ignored.
  if (problem->groups && !strategy->takes_groups && *problem->strategy)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: groups follow from n and cannot be set", strategy->name);
  if (problem->elements && !strategy->reduce.takes_elements)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: elements cannot be set; local_coarsened has them",
                    strategy->name);
  if (problem->stage != CLRED_STAGE_LOCAL && !strategy->reduce.takes_stage)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: stage cannot be set; local_coarsened has it", strategy->name);
  if (problem->stop_at && !strategy->reduce.takes_stop)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: stop_at cannot be set; hand_off has it", strategy->name);
  if (problem->group_size > (strategy->exec == CLR_EXEC_SINGLE_ITEM) && strategy->exec != CLR_EXEC_GROUPS)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: group_size cannot be set: it runs %s", strategy->name,
                    strategy->exec == CLR_EXEC_HOST ? "on the host" : "groups of one work-item");
  return CL_SUCCESS;
}

static cl_int choose_finish(const struct clr_strategy *strategy, const struct clr_problem *problem,
                            enum clr_finish *finish, struct clr_status *status) {
  const struct clr_reduction *reduce = &strategy->reduce;
  *finish = reduce->finishes ? reduce->finish : CLR_FINISH_NONE;
  if (!*problem->finish)
    return CL_SUCCESS;
  *finish = clr_finish_named(problem->finish);
  if (*finish == CLR_FINISH_NONE)
    return clr_fail(status, CLRED_UNKNOWN_NAME,
                    "finish: there is none named '%s'; host, relaunch, last_group, atomic are", problem->finish);
  if (!reduce->finishes)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s leaves no partials, so it takes no finish", strategy->name);
  if (!(reduce->finishes & CLR_FINISH_BIT(*finish)))
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s does not take finish %s", strategy->name, problem->finish);
  return CL_SUCCESS;
}

// Some finishes fold partials in order of arrival, or by strides. They permute the partials.
static cl_int check_finish(const struct clr_strategy *strategy, const struct clr_facts *facts,
                           const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status) {
  const struct clr_operation *operation = &problem->operation;
  bool permutes =
    shape->finish == CLR_FINISH_ATOMIC || (shape->finish == CLR_FINISH_LAST_GROUP && !strategy->fixed_order);
  if (permutes && !operation->commutes)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "finish %s permutes partials, and %s does not commute",
                    clr_finish_name(shape->finish), operation->name);
  if (shape->finish == CLR_FINISH_HOST && !clr_has_host(operation) && !*problem->finish)
    shape->finish = CLR_FINISH_LAST_GROUP;
  if (shape->finish == CLR_FINISH_HOST && !clr_has_host(operation))
    return clr_fail(status, CLRED_NO_HOST_OPERATOR, "finish host computes on the host, and %s has no host callbacks",
                    operation->name);
  if (shape->finish == CLR_FINISH_LAST_GROUP && shape->state_size % 4 && !facts->device_fence) {
    if (*problem->finish)
      return clr_fail(status, CLRED_STRATEGY_REFUSED,
                      "finish last_group needs a state of whole 4-byte words on a device without a fence, not %llu "
                      "bytes (fact device_fence is 0)",
                      (unsigned long long)shape->state_size);
    shape->finish = CLR_FINISH_RELAUNCH;
  }
  if (shape->finish == CLR_FINISH_LAST_GROUP && !facts->atomics && !*problem->finish)
    shape->finish = CLR_FINISH_RELAUNCH;
  return clr_finish_check_trust(shape->finish, facts, status);
}

static cl_int check_atomic(const struct clr_facts *facts, const struct clr_shape *shape, struct clr_status *status) {
  if (shape->finish != CLR_FINISH_ATOMIC)
    return CL_SUCCESS;
  if (shape->state_size != 4 && shape->state_size != 8)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "finish atomic needs a state of 4 or 8 bytes, not %llu",
                    (unsigned long long)shape->state_size);
  if (shape->state_size == 8 && !facts->int64_atomics)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "finish atomic needs 64-bit atomics for a state of 8 bytes (fact int64_atomics is 0)");
  return CL_SUCCESS;
}

static cl_int set_group_size(const struct clr_strategy *strategy, const struct clr_facts *facts,
                             const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status) {
  shape->group_size = strategy->exec == CLR_EXEC_SINGLE_ITEM;
  if (strategy->exec != CLR_EXEC_GROUPS)
    return CL_SUCCESS;
  // If values are folded in registers, each work-item leaves one state in local memory.
  cl_ulong states = problem->stage == CLRED_STAGE_REGISTERS ? 1 : strategy->local_states;
  // A group of wide keeps one exact sum, not one for each work-item.
  if (strategy == &clr_strategy_wide && problem->operation.bins)
    states = 0;
  cl_ulong bytes = states * shape->state_size;
  cl_int err = clr_shape_group_size(facts, problem->group_size, strategy->items_wanted, problem->stop_at, bytes,
                                    &shape->group_size, status);
  shape->local_bytes = shape->group_size * bytes;
  return err;
}

static cl_int set_scratch(const struct clr_strategy *strategy, const struct clr_facts *facts,
                          const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status) {
  shape->count_max = problem->count_max ? problem->count_max : CL_ULONG_MAX;
  if (strategy->growing & CLR_FINISH_BIT(shape->finish) && !problem->count_max)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "%s: its scratch grows with n; set count_max", strategy->name);
  shape->scratch = strategy->scratch ? strategy->scratch(shape) : 0;
  if (shape->scratch > facts->max_alloc / shape->state_size)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s: scratch for %llu elements is %llu states of %llu bytes, above the device's max_alloc %llu",
                    strategy->name, (unsigned long long)problem->count_max, (unsigned long long)shape->scratch,
                    (unsigned long long)shape->state_size, (unsigned long long)facts->max_alloc);
  return CL_SUCCESS;
}

// Refuses a problem if its calls may be too long for a device that ends loops early.
static cl_int bound_calls(const struct clr_strategy *strategy, const struct clr_problem *problem,
                          struct clr_shape *shape, struct clr_status *status) {
  shape->count_most = strategy->exec == CLR_EXEC_HOST ? CL_ULONG_MAX : clr_trips_most(shape);
  if (!shape->count_most)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s: this device ends loops after %llu turns (fact loop_trips), too few for one element",
                    strategy->name, (unsigned long long)shape->loop_trips);
  if (!problem->count_max || problem->count_max <= shape->count_most)
    return CL_SUCCESS;
  return clr_fail(
    status, CLRED_STRATEGY_REFUSED,
    "%s: this device ends loops after %llu turns (fact loop_trips), enough for %llu elements; set count_max to that",
    strategy->name, (unsigned long long)shape->loop_trips, (unsigned long long)shape->count_most);
}

// True if a scan needs the index of its first element. A scan of one line may be a part of a longer scan, and a
// caller's operator may use the index in its text.
static bool uses_indices(const struct clr_problem *problem) {
  return problem->scan && !problem->selects && problem->layout == CLRED_LAYOUT_LINE &&
         (problem->operation.custom || problem->operation.moves);
}

static struct clr_shape start(const struct clr_strategy *strategy, const struct clr_facts *facts,
                              const struct clr_problem *problem) {
  bool is_by_lane = problem->layout == CLRED_LAYOUT_STRIDED || problem->layout == CLRED_LAYOUT_COLUMNS;
  struct clr_shape shape = {
    .strategy = strategy,
    .element_size = problem->operation.element.size,
    .state_size = problem->operation.state_size,
    .result_size = problem->operation.result_size,
    .inputs = problem->operation.input_count,
    .compute_units = facts->compute_units,
    .preferred_multiple = facts->preferred_multiple,
    .ptx_target = facts->ptx_target,
    .line_bytes = facts->line_bytes,
    .vector = 1,
    .in_order = !problem->operation.commutes,
    .strided = is_by_lane || problem->reversed,
    // The prefetch builtin crashes some CPU compilers without OpenCL C 3.0 (Oclgrind).
    .loads = {.prefetches = facts->cpu && facts->device_fence == CLR_FENCE_C11, .rows_at_once = 16},
    .columns = {.vectors_per_block = 1, .lane_batch = 1},
    .scan = {.kind = problem->scan,
             .reversed = problem->reversed,
             .in_place = problem->in_place,
             .indexed = uses_indices(problem)},
    .segments = {.offset_type = problem->segment_type,
                 .key_type = problem->key_type,
                 .counted_on_device = problem->layout == CLRED_LAYOUT_HEADS || problem->layout == CLRED_LAYOUT_KEYS},
    .outcome = problem->outcome,
    .long_atomics = facts->int64_atomics,
    .loop_trips = facts->loop_trips,
    .loops_over_lanes = !problem->histogram && problem->operation.lanes_form == CLR_LANES_ARRAY,
    .tuned = clr_tuned_of(strategy, problem),
  };
  shape.fold.tiles_at_least = clr_tuned_or(&shape, CLR_TUNE_TILES, 1);
  clr_shape_tile(&shape);
  return shape;
}

static cl_int fit(const struct clr_strategy *strategy, const struct clr_facts *facts, const struct clr_problem *problem,
                  struct clr_shape *shape, struct clr_status *status) {
  *shape = start(strategy, facts, problem);
  cl_int err = check_operation(strategy, facts, problem, status);
  if (!err)
    err = check_hand_numbers(strategy, problem, status);
  if (!err)
    err = choose_finish(strategy, problem, &shape->finish, status);
  if (!err)
    err = check_finish(strategy, facts, problem, shape, status);
  if (!err)
    err = check_atomic(facts, shape, status);
  if (!err)
    err = set_group_size(strategy, facts, problem, shape, status);
  if (!err && strategy->fit)
    err = strategy->fit(facts, problem, shape, status);
  if (!err)
    err = set_scratch(strategy, facts, problem, shape, status);
  if (!err)
    err = bound_calls(strategy, problem, shape, status);
  return err;
}

static bool has_scratch(const struct clr_facts *facts, const struct clr_shape *shape) {
  return shape->scratch <= facts->max_alloc / shape->state_size;
}

// On a device with many compute units, scratch for all groups may be larger than a buffer can be. Then there are fewer
// groups.
static cl_int fit_groups(const struct clr_strategy *strategy, const struct clr_facts *facts,
                         const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status) {
  struct clr_problem fewer = *problem;
  cl_int err = fit(strategy, facts, problem, shape, status);
  if (!err || problem->groups || !strategy->takes_groups || has_scratch(facts, shape))
    return err;
  for (fewer.groups = shape->groups_max / 2; fewer.groups > 0; fewer.groups /= 2)
    if (!fit(strategy, facts, &fewer, shape, status))
      return CL_SUCCESS;
  return fit(strategy, facts, problem, shape, status);
}

// If the strategy refuses the problem with the measured numbers, tries it without them.
cl_int clr_strategy_fit(const struct clr_strategy *strategy, const struct clr_facts *facts,
                        const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status) {
  struct clr_problem asked = *problem;
  struct clr_status ignored;
  clr_tune_problem(strategy, &asked);
  if (asked.tuned.given && !fit(strategy, facts, &asked, shape, &ignored)) {
    clr_tune_settle(shape);
    return CL_SUCCESS;
  }
  asked = *problem;
  asked.tuned.given = 0;
  return fit_groups(strategy, facts, &asked, shape, status);
}

// --- The choice of a plan's strategy ---

bool clr_strategy_needs_offsets(const struct clr_strategy *strategy, const struct clr_problem *problem) {
  bool has_runs = problem->layout == CLRED_LAYOUT_HEADS || problem->layout == CLRED_LAYOUT_KEYS;
  return has_runs && !strategy->finds_runs;
}

cl_int clr_strategy_check_offsets(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                  const struct clr_problem *problem, struct clr_status *status) {
  if (!clr_strategy_needs_offsets(strategy, problem))
    return CL_SUCCESS;
  if (!problem->count_max)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "layout: %s stores the offsets of the runs, at most count_max of them; set count_max",
                    strategy->name);
  if (problem->count_max >= facts->max_alloc / sizeof(cl_ulong))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "count_max: offsets of %llu runs are above the device's max_alloc %llu",
                    (unsigned long long)problem->count_max, (unsigned long long)facts->max_alloc);
  return CL_SUCCESS;
}

// What all candidates share.
struct choosing {
  const struct clr_facts *facts;
  struct clr_problem *problem;
  clr_measured *measured;
  const void *context;
};

static cl_int fit_candidate(const struct choosing *of, const struct clr_strategy *strategy, struct clr_shape *shape,
                            struct clr_status *status) {
  of->problem->tuned = of->measured(of->context, strategy);
  cl_int err = clr_strategy_fit(strategy, of->facts, of->problem, shape, status);
  return err ? err : clr_strategy_check_offsets(strategy, of->facts, of->problem, status);
}

// Tries the other candidates of `auto`: the first choice may be impossible, because local memory may be too small for
// the states, or a fact may be corrected. If a candidate lacks only count_max, the message says so.
static cl_int fit_another(const struct choosing *of, const struct clr_strategy **strategy, struct clr_shape *shape,
                          cl_int first, struct clr_status *status) {
  const struct clr_strategy *tried = *strategy, *other;
  for (size_t i = 0; (other = clr_strategy_choice(of->facts, of->problem, i)) != NULL; i++) {
    struct clr_status said = {0};
    cl_int err = other == tried ? CLRED_STRATEGY_REFUSED : fit_candidate(of, other, shape, &said);
    if (err == CLRED_STRATEGY_REFUSED || (err == CLRED_INVALID_PROBLEM && first == err))
      continue;
    *strategy = other;
    *status = said;
    if (err != CLRED_INVALID_PROBLEM)
      return err;
    first = err;
  }
  return first;
}

cl_int clr_strategy_choose(const struct clr_facts *facts, struct clr_problem *problem, clr_measured *measured,
                           const void *context, const struct clr_strategy **strategy, struct clr_shape *shape,
                           struct clr_status *status) {
  const struct choosing of = {facts, problem, measured, context};
  const char *name = problem->strategy;
  *strategy = *name ? clr_strategy_named(name) : clr_strategy_auto(facts, problem);
  if (!*strategy)
    return clr_fail(status, CLRED_UNKNOWN_NAME, "strategy: there is none named '%s'", name);
  cl_int err = fit_candidate(&of, *strategy, shape, status);
  bool may_try = !*name && (err == CLRED_STRATEGY_REFUSED || err == CLRED_INVALID_PROBLEM);
  return may_try ? fit_another(&of, strategy, shape, err, status) : err;
}
