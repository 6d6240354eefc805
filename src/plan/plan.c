// Makes plans: chooses a strategy, builds its program, and makes slots.
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "host/values.h"
#include "runtime/loop_limit.h"

static struct clr_tuned measured(const void *context, const struct clr_strategy *strategy) {
  const clred_plan *plan = context;
  const struct clr_tuned *tuned = plan->how ? plan->how->tuned : NULL;
  return tuned ? *tuned : clr_runtime_tuned(plan->runtime, strategy->name, &plan->problem);
}

// Finds the smallest group size limit that the driver reports for the kernels that run with the plan's group size.
static cl_int ask_kernel_limit(clred_plan *plan, struct clr_status *status) {
  static const enum clr_kernel asked[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sizeof asked / sizeof *asked && !err; i++) {
    size_t limit = 0;
    if (!plan->slots[0].space.kernels[asked[i]])
      continue;
    err = clGetKernelWorkGroupInfo(plan->slots[0].space.kernels[asked[i]], plan->runtime->device,
                                   CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL);
    if (i == 0 || limit < plan->kernel_limit)
      plan->kernel_limit = limit;
  }
  return err ? clr_fail_call(status, err, "clGetKernelWorkGroupInfo", "the kernel's group size") : CL_SUCCESS;
}

// --- Runs ---

static cl_int make(clred_runtime *runtime, const clred_problem *problem, struct clr_keeping keeping,
                   const struct clr_making *how, clred_plan **made, struct clr_status *status);

// A run begins at element 0, at each flag that is not 0, and at each key that is not == to the one before. So each NaN
// is a run. At index 0 the kernel compares the key with itself.
static const char *head_text(clred_type keys) {
  struct clr_element element;
  if (!keys)
    return "(index == 0) | (x != 0)";
  bool has_parts = clr_element_make(keys, &element) && (element.components > 1 || clr_element_is_complex(&element));
  return has_parts ? "(index == 0) | (any(x != before) != 0)" : "(index == 0) | (x != before)";
}

// Makes the plan that finds the runs, if the strategy needs their offsets. Calls of that plan write the position where
// each run begins, then the number of elements, as ulong. The outcome's count is the number of runs. A plan that is
// prepared again may have another strategy.
static cl_int make_runs(clred_plan *plan, struct clr_status *status) {
  const struct clr_problem *of = &plan->problem;
  const clred_type keys = of->key_type ? of->key_type->id : CLRED_TYPE_NONE;
  const clred_selection heads = {.name = keys ? "runs of keys" : "heads", .keep = head_text(keys)};
  const clred_problem problem = {
    .type = keys ? keys : CLRED_TYPE_UCHAR,
    .selection = &heads,
    .indices = CL_TRUE,
    .count_max = of->count_max,
    .in_flight = of->in_flight,
    .profile = of->profile,
  };
  const struct clr_keeping keeping = {.indices = true, .looks_before = keys != CLRED_TYPE_NONE, .ends = true};
  const bool are_needed = clr_strategy_needs_offsets(plan->strategy, of);
  if (!are_needed) {
    clr_plan_release(plan->runs);
    plan->runs = NULL;
  }
  return plan->runs || !are_needed ? CL_SUCCESS
                                   : make(plan->runtime, &problem, keeping,
                                          &(struct clr_making){.vetting = CLR_VET_NOTHING}, &plan->runs, status);
}

// --- Preparation ---

unsigned clr_plan_cover(const clred_plan *plan) {
  const struct clr_problem *problem = &plan->problem;
  const cl_ulong most = clr_min(CLR_TRIAL_ELEMENTS, plan->shape.count_max);
  const bool any_order = plan->shape.finish == CLR_FINISH_ATOMIC || problem->order == CLRED_ORDER_ANY;
  const bool has_host = problem->custom && (problem->custom->has_host || problem->custom->keep);
  const bool has_many_bins = problem->histogram && problem->histogram->results > CLR_TRIAL_BYTES / sizeof(cl_ulong);
  unsigned cover = 0;
  for (cl_ulong size = most; size; size /= 2)
    cover++;
  return cover | (unsigned)problem->layout << 8 | (unsigned)problem->in_place << 12 | (unsigned)any_order << 13 |
         (unsigned)has_host << 14 | (unsigned)has_many_bins << 15;
}

// If the plan cannot be made, the program that was vetted for it was not tried.
static void forget_trial(clred_plan *plan) {
  if (plan->built && plan->how->vetting == CLR_VET_BEGIN && !plan->is_right)
    clr_runtime_judge(plan->runtime, plan->built, clr_plan_cover(plan), CLR_UNTRIED, NULL);
}

static cl_int prepare(clred_plan *plan, const struct clr_facts *facts, struct clr_status *status) {
  cl_int err = clr_strategy_choose(facts, &plan->problem, measured, plan, &plan->strategy, &plan->shape, status);
  plan->built = NULL;
  if (!err && plan->strategy->exec != CLR_EXEC_HOST) {
    const struct clr_vet vet = {plan->how->vetting, clr_plan_cover(plan)};
    err = clr_runtime_program(plan->runtime, plan->strategy, &plan->problem.operation, &plan->shape,
                              clr_strategy_kernels_of(plan->strategy, &plan->shape), &vet, &plan->built,
                              &plan->is_right, status);
  }
  if (!err)
    err = make_runs(plan, status);
  if (!err)
    err = clr_histogram_make_arguments(plan, status);
  if (!err)
    err = clr_slots_create(plan, status);
  if (!err && plan->built)
    err = ask_kernel_limit(plan, status);
  if (err)
    forget_trial(plan);
  return err;
}

// False if no launch of the plan can need so many iterations that it matters whether the device ends long loops.
static bool may_loop_long(const struct clr_problem *problem) {
  const cl_ulong few = 8192;
  const struct clr_strategy *named = clr_strategy_named(problem->strategy);
  bool is_one_row = problem->layout == CLRED_LAYOUT_LINE || problem->layout == CLRED_LAYOUT_STRIDED;
  bool is_short = is_one_row && !problem->histogram && problem->count_max > 0 && problem->count_max <= few;
  return !is_short && !(named && named->exec == CLR_EXEC_HOST);
}

// Drivers report a kernel's group size limit as a hint, and some report far less than works. A size above the hint must
// be tried against the host. If that is not possible, the plan is made again with the hint as limit.
static cl_int prepare_within_limit(clred_plan *plan, struct clr_status *status) {
  struct clr_facts facts = plan->runtime->facts;
  cl_int err = may_loop_long(&plan->problem) ? clr_loop_limit_find(plan->runtime, &facts, status) : CL_SUCCESS;
  if (!err)
    err = prepare(plan, &facts, status);
  if (err || plan->shape.group_size <= plan->kernel_limit)
    return err;
  const struct clr_operation *operation = &plan->problem.operation;
  if (plan->how->above_hint && !plan->problem.selects && clr_has_host(operation) && operation->part_count)
    return CL_SUCCESS;
  forget_trial(plan);
  if (plan->problem.group_size)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "group_size %llu is above the driver's hint %llu, and %s has no host callbacks to try it with; "
                    "give a smaller group_size",
                    (unsigned long long)plan->shape.group_size, (unsigned long long)plan->kernel_limit,
                    operation->name);
  facts.kernel_work_group_size = plan->kernel_limit ? plan->kernel_limit : 1;
  clr_slots_release(plan);
  return prepare(plan, &facts, status);
}

// --- Bins ---

// Bytes that a bin takes at most: the host holds an edge as number and key, and makes a copy of the key; the device has
// the key, a counter in scratch, and a count. The caller's result has one more count for each bin. Each call in flight
// has its own counters. Sums of weights, and bins of several axes, have cells instead of counters.
#define BYTES_PER_BIN 40
#define BYTES_A_BIN_IN_FLIGHT 12

// Bins may take half of the memory; the other half is for elements and other programs. This is checked before anything
// is allocated: systems promise more memory than they have, and kill the process that uses it.
cl_int clr_bins_check_bound(const clred_problem *problem, const struct clr_facts *facts, struct clr_status *status) {
  const clred_histogram *given = problem->histogram;
  const bool has_cells = given && (given->weight_type || given->next);
  const cl_ulong calls = problem->in_flight ? problem->in_flight : 1, results = clr_histogram_results(given),
                 cells = has_cells ? clr_bin_cells(given->weight_type) * sizeof(cl_ulong) : 0,
                 bytes = clr_add(BYTES_PER_BIN, clr_multiply(calls, BYTES_A_BIN_IN_FLIGHT + cells));
  const cl_ulong memory = facts->global_mem_size ? facts->global_mem_size : CL_ULONG_MAX;
  const cl_ulong most = clr_min(memory / 2 / bytes, facts->max_alloc / clr_max(cells, sizeof(cl_ulong)));
  // More than CLR_BINS_MAX bins are refused on every device, so the limits of this device do not matter.
  if (!given || results <= most || results > CLR_BINS_MAX)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "histogram: bins %llu is too many: each needs up to %llu bytes, and this device has global_mem_size "
                  "%llu and max_alloc %llu; give at most %llu",
                  (unsigned long long)results, (unsigned long long)bytes, (unsigned long long)facts->global_mem_size,
                  (unsigned long long)facts->max_alloc, (unsigned long long)most);
}

// --- Plans ---

static cl_int allocate(clred_runtime *runtime, clred_plan **made, struct clr_status *status) {
  clred_plan *plan = calloc(1, sizeof *plan);
  bool locked = plan && clr_mutex_init(&plan->lock);
  if (!locked || !clr_condition_init(&plan->given)) {
    if (locked)
      clr_mutex_destroy(&plan->lock);
    free(plan);
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a plan");
  }
  plan->runtime = runtime;
  *made = plan;
  return CL_SUCCESS;
}

// Gives the plan to the caller, or releases it after a failure.
static cl_int give(clred_plan *plan, cl_int err, clred_plan **made) {
  plan->how = NULL;
  if (err)
    clr_plan_release(plan);
  else
    *made = plan;
  return err;
}

// `keeping` adds what a selection needs and the problem cannot express.
static cl_int make(clred_runtime *runtime, const clred_problem *problem, struct clr_keeping keeping,
                   const struct clr_making *how, clred_plan **made, struct clr_status *status) {
  clred_plan *plan = NULL;
  cl_int err = allocate(runtime, &plan, status);
  if (err)
    return err;
  plan->how = how;
  err = clr_bins_check_bound(problem, &runtime->facts, status);
  if (!err)
    err = clr_problem_make_keeping(problem, keeping, &plan->problem, status);
  if (!err && plan->problem.custom)
    err = clr_probe(runtime, &plan->problem, status);
  if (!err)
    err = prepare_within_limit(plan, status);
  return give(plan, err, made);
}

cl_int clr_plan_make(clred_runtime *runtime, const clred_problem *problem, const struct clr_making *how,
                     clred_plan **made, struct clr_status *status) {
  return make(runtime, problem, (struct clr_keeping){.indices = problem->indices != CL_FALSE}, how, made, status);
}

// --- Plans for calls on host memory ---

bool clr_plan_fits_host(const clred_plan *plan) {
  const struct clr_problem *problem = &plan->problem;
  return !plan->runtime->device_only && !problem->custom && !problem->histogram && !problem->segment_type &&
         !*problem->strategy && !*problem->finish && !problem->profile && clr_has_host(&problem->operation) &&
         problem->operation.portable && plan->runtime->facts.denormals;
}

// The problem has no pointers to texts, because neither strategy nor finish are named.
static void keep_problem(clred_plan *plan, const clred_problem *problem) {
  plan->for_host_calls = true;
  plan->device_problem = *problem;
  plan->device_problem.host_calls = CL_FALSE;
  plan->device_problem.strategy = plan->device_problem.finish = NULL;
  if (problem->list_count)
    plan->device_problem.list =
      memcpy(plan->device_list, problem->list, problem->list_count * sizeof *plan->device_list);
}

cl_int clr_plan_make_for_host_calls(clred_runtime *runtime, const clred_problem *problem, clred_plan **made,
                                    struct clr_status *status) {
  clred_plan *plan = NULL;
  bool fits = false;
  *made = NULL;
  if (problem->custom || problem->selection || problem->histogram)
    return CL_SUCCESS;
  cl_int err = allocate(runtime, &plan, status);
  if (err)
    return err;
  err = clr_problem_make(problem, &plan->problem, status);
  if (!err)
    fits = clr_plan_fits_host(plan);
  if (!err && fits)
    err = clr_strategy_choose(&runtime->facts, &plan->problem, measured, plan, &plan->strategy, &plan->shape, status);
  if (!err && fits)
    keep_problem(plan, problem);
  if (err || !fits)
    clr_plan_release(plan);
  else
    *made = plan;
  return err;
}

// --- Plans that fold the elements of a scan to nodes, for scans in chunks and in parts ---

cl_int clr_plan_check_nodes(const clred_plan *scan, struct clr_status *status) {
  const struct clr_problem *problem = &scan->problem;
  if (!problem->scan || problem->selects)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "the plan is no scan, so it has no chunks or parts of a scan; make it with problem.scan");
  if (problem->layout != CLRED_LAYOUT_LINE || problem->reversed)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "a scan in chunks or parts is one line of neighbours from the first to the last; the plan %s",
                    problem->reversed ? "is reversed" : "has another layout");
  if (!scan->strategy->fixed_order && !problem->operation.exact)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "strategy %s makes no scans in chunks or parts; those with the order fixed/1 do",
                    scan->strategy->name);
  return clr_plan_check_program(scan, status);
}

// The elements of a scan's lane are neighbours. In a reduction, the elements of a lane are neighbours only if the
// operator does not commute. Exact operators may be folded in any order.
struct clr_operation clr_plan_nodes_operation(const clred_plan *scan) {
  struct clr_operation operation = scan->problem.operation;
  operation.commutes = operation.commutes && operation.exact;
  return operation;
}

// Makes a plan of a problem that is checked already. The plan takes over what the problem owns.
static cl_int make_of(clred_runtime *runtime, const struct clr_problem *problem, const struct clr_making *how,
                      clred_plan **made, struct clr_status *status) {
  clred_plan *plan = NULL;
  cl_int err = allocate(runtime, &plan, status);
  if (err)
    return err;
  plan->problem = *problem;
  plan->how = how;
  return give(plan, prepare_within_limit(plan, status), made);
}

cl_int clr_plan_make_nodes(const clred_plan *scan, const struct clr_making *how, clred_plan **made,
                           struct clr_status *status) {
  const struct clr_problem problem = {.operation = clr_plan_nodes_operation(scan),
                                      .layout = CLRED_LAYOUT_LINE,
                                      .in_flight = 1,
                                      .order = CLRED_ORDER_FIXED,
                                      .profile = scan->problem.profile};
  cl_int err = clr_plan_check_nodes(scan, status);
  if (!err)
    err = make_of(scan->runtime, &problem, how, made, status);
  if (!err)
    (*made)->makes_nodes = true;
  return err;
}

// --- Release ---

void clr_plan_release(clred_plan *plan) {
  if (!plan)
    return;
  clr_plan_release(plan->on_device);
  clr_slots_release(plan);
  clr_plan_release(plan->runs);
  clr_histogram_release_arguments(plan);
  clr_problem_release(&plan->problem);
  clr_condition_release(&plan->given);
  clr_mutex_destroy(&plan->lock);
  free(plan);
}
