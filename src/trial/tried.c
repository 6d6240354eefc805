// Makes plans whose programs were tried: in this process, or first in one that may crash (worker.h). If a program is
// wrong, another strategy or finish is used.
#include "trial/trial.h"

#include <stdio.h>
#include <string.h>

#include "opencl/device.h"
#include "trial/worker.h"

// ---------------------------------------------------------------- One plan

static void describe_failure(const struct clr_tried_program *program, bool is_wrong, const struct clr_status *found,
                             char words[CLR_MESSAGE_SIZE]) {
  struct clr_device_names names;
  struct clr_status ignored;
  if (clr_device_name(program->runtime->device, &names, &ignored))
    *names.platform = *names.driver = 0;
  snprintf(words, CLR_MESSAGE_SIZE, "%s of %.40s %s with the driver %.60s %.60s: kernel %s, %.150s", program->strategy,
           program->operation, is_wrong ? "computes wrong" : "fails", names.platform, names.driver, program->kernel,
           found->message);
}

cl_int clr_trial_conclude(const struct clr_tried_program *program, cl_int err, const struct clr_status *found,
                          struct clr_status *status) {
  char words[CLR_MESSAGE_SIZE] = "";
  const bool is_wrong = err == CLRED_WRONG_RESULT;
  clr_runtime_log(program->runtime, "tried %s of %.60s: %.400s", program->strategy, program->operation,
                  err ? found->message : "right");
  if (err)
    describe_failure(program, is_wrong, found, words);
  const bool lacks_memory = err == CL_OUT_OF_HOST_MEMORY || err == CL_MEM_OBJECT_ALLOCATION_FAILURE;
  // After an error of OpenCL the context may be useless. Another process goes on, and does not try this program again.
  const bool is_known = is_wrong || (!lacks_memory && program->runtime->programs.is_alone);
  clr_runtime_judge(program->runtime, program->built, program->cover, err, is_known ? words : NULL);
  if (is_wrong)
    return clr_fail(status, CLRED_WRONG_RESULT, "%s", words);
  if (!err || lacks_memory)
    return CL_SUCCESS;
  *status = *found;
  return err;
}

// Does not record that the program is wrong. With such a record, no later plan could be made with the hint as limit.
static cl_int fail_above_hint(const clred_plan *plan, enum clr_vetting vetting, cl_int err,
                              const struct clr_status *found, struct clr_status *status) {
  if (vetting == CLR_VET_BEGIN)
    clr_runtime_judge(plan->runtime, plan->built, clr_plan_cover(plan), CLR_UNTRIED, NULL);
  clr_fail(status, err, "%s of %.60s with group_size %llu, above the driver's hint %llu: %.300s", plan->strategy->name,
           plan->problem.operation.name, (unsigned long long)plan->shape.group_size,
           (unsigned long long)plan->kernel_limit, found->message);
  clr_runtime_log(plan->runtime, "tried %s", status->message);
  return err;
}

// A group size above the driver's hint is tried even if the program is not vetted.
static cl_int try(clred_plan *plan, enum clr_vetting vetting, struct clr_status *status) {
  struct clr_status found = {0};
  char kernel[80];
  if (!plan->built || plan->is_right || (vetting == CLR_VET_NOTHING && !clr_plan_is_above_hint(plan)))
    return CL_SUCCESS;
  const cl_int err = clr_trial_run(plan, &found);
  if (err && clr_plan_is_above_hint(plan))
    return fail_above_hint(plan, vetting, err, &found, status);
  clr_plan_kernel_name(plan, kernel, sizeof kernel);
  const struct clr_tried_program program = {
    plan->runtime, plan->built, clr_plan_cover(plan), plan->strategy->name, plan->problem.operation.name, kernel};
  return clr_trial_conclude(&program, err, &found, status);
}

// What a plan is made of: a problem, or a scan whose nodes it makes.
struct subject {
  clred_runtime *runtime;
  const clred_problem *problem;
  const clred_plan *scan;
};

static cl_int make_one(const struct subject *subject, const struct clr_making *how, clred_plan **made,
                       struct clr_status *status) {
  *made = NULL;
  return subject->scan ? clr_plan_make_nodes(subject->scan, how, made, status)
                       : clr_plan_make(subject->runtime, subject->problem, how, made, status);
}

// True if the group size may be why the trial failed. Drivers also report that a group needs too much memory.
static bool is_too_large(const clred_plan *plan, cl_int err) {
  static const cl_int reasons[] = {CLRED_WRONG_RESULT,
                                   CLRED_STRATEGY_REFUSED,
                                   CL_INVALID_WORK_GROUP_SIZE,
                                   CL_INVALID_WORK_ITEM_SIZE,
                                   CL_OUT_OF_RESOURCES,
                                   CL_OUT_OF_HOST_MEMORY,
                                   CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                   CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST};
  bool may_be = false;
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    may_be |= err == reasons[i];
  return may_be && clr_plan_is_above_hint(plan) && !plan->problem.group_size;
}

// Makes a plan and tries it. `failed` becomes true if the trial of the program failed.
static cl_int make_and_try(const struct subject *subject, struct clr_making how, clred_plan **made, bool *failed,
                           struct clr_status *status) {
  how.above_hint = true;
  *failed = false;
  cl_int err = make_one(subject, &how, made, status);
  if (!err && (err = try(*made, how.vetting, status)) != CL_SUCCESS && is_too_large(*made, err)) {
    clr_plan_release(*made);
    how.above_hint = false;
    err = make_one(subject, &how, made, status);
    if (!err)
      err = try(*made, how.vetting, status);
  }
  *failed = err && *made;
  if (err) {
    clr_plan_release(*made);
    *made = NULL;
  }
  return err;
}

static cl_int make(clred_runtime *runtime, const clred_problem *problem, clred_plan **made, bool *failed,
                   struct clr_status *status) {
  const struct subject subject = {.runtime = runtime, .problem = problem};
  const enum clr_vetting vetting = runtime->trusts                        ? CLR_VET_NOTHING
                                   : atomic_load(&runtime->outside.works) ? CLR_VET_KNOWN
                                                                          : CLR_VET_BEGIN;
  cl_int err = make_and_try(&subject, (struct clr_making){.vetting = vetting}, made, failed, status);
  if (err != CLR_UNTRIED)
    return err;
  clr_worker_try(runtime, problem);
  return make_and_try(&subject, (struct clr_making){.vetting = CLR_VET_BEGIN}, made, failed, status);
}

cl_int clr_plan_make_tuned(clred_runtime *runtime, const clred_problem *problem, const struct clr_tuned *tuned,
                           clred_plan **made, struct clr_status *status) {
  const struct subject subject = {.runtime = runtime, .problem = problem};
  bool failed;
  return make_and_try(&subject, (struct clr_making){tuned, CLR_VET_NOTHING, true}, made, &failed, status);
}

// ---------------------------------------------------------------- Other forms

// The forms of a problem, in the order in which they are tried: each strategy that `auto` may choose, or the named
// strategy; each first with the finish that it chooses, then with the other finishes.
struct forms {
  const clred_problem *given;
  const struct clr_strategy *strategies[CLR_CHOICES];
  size_t strategy_count;
};

static bool is_auto(const char *name) {
  return !name || !*name || strcmp(name, "auto") == 0;
}

static cl_int list_forms(const clred_runtime *runtime, const clred_problem *given, struct forms *forms,
                         struct clr_status *status) {
  struct clr_problem problem;
  *forms = (struct forms){.given = given};
  cl_int err = clr_problem_make(given, &problem, status);
  const struct clr_strategy *strategy = NULL;
  if (!err && !is_auto(given->strategy))
    forms->strategies[forms->strategy_count++] = clr_strategy_named(given->strategy);
  for (size_t i = 0; !err && is_auto(given->strategy); i++) {
    strategy = clr_strategy_choice(&runtime->facts, &problem, i);
    if (!strategy)
      break;
    forms->strategies[forms->strategy_count++] = strategy;
  }
  clr_problem_release(&problem);
  return err;
}

// True if another form may work although this one failed.
static bool may_go_on(cl_int err) {
  return err && err != CL_OUT_OF_HOST_MEMORY;
}

// Tries a strategy with the finish of its choice, then with each other one.
static cl_int make_with(clred_runtime *runtime, const struct forms *forms, const struct clr_strategy *strategy,
                        clred_plan **made, struct clr_status *status) {
  clred_problem problem = *forms->given;
  bool failed;
  problem.strategy = strategy->name;
  cl_int err = make(runtime, &problem, made, &failed, status);
  for (int i = CLR_FINISHES - 1; i >= 0 && may_go_on(err) && is_auto(forms->given->finish); i--) {
    // The finish atomic has no order, so it is no substitute.
    if (!(strategy->reduce.finishes & CLR_FINISH_BIT(i)) || i == CLR_FINISH_ATOMIC)
      continue;
    problem.finish = clr_finish_name((enum clr_finish)i);
    err = make(runtime, &problem, made, &failed, status);
  }
  return err;
}

static cl_int make_other(clred_runtime *runtime, const clred_problem *problem, clred_plan **made,
                         struct clr_status *status) {
  const struct clr_status first = *status;
  struct forms forms;
  cl_int err = list_forms(runtime, problem, &forms, status);
  if (!err)
    err = first.code;
  for (size_t i = 0; i < forms.strategy_count && may_go_on(err); i++)
    err = make_with(runtime, &forms, forms.strategies[i], made, status);
  if (!err)
    clr_runtime_log(runtime, "%s; %s with finish %s replaces it", first.message, (*made)->strategy->name,
                    (*made)->shape.finish == CLR_FINISH_NONE ? "none" : clr_finish_name((*made)->shape.finish));
  if (!may_go_on(err))
    return err;
  *status = first;
  return first.code;
}

cl_int clr_plan_make_tried(clred_runtime *runtime, const clred_problem *problem, clred_plan **made,
                           struct clr_status *status) {
  cl_int err = problem->host_calls ? clr_plan_make_for_host_calls(runtime, problem, made, status) : CL_SUCCESS;
  if (err || (problem->host_calls && *made))
    return err;
  bool failed = false;
  err = make(runtime, problem, made, &failed, status);
  if (runtime->trusts)
    return err;
  // If a program does not compile, the cause may be the caller's own text.
  const bool is_built_in = !problem->custom && !problem->selection;
  if (failed || err == CLRED_WRONG_RESULT || (err == CL_BUILD_PROGRAM_FAILURE && is_built_in))
    err = make_other(runtime, problem, made, status);
  return err;
}

cl_int clr_plan_take_program(clred_plan **plan, struct clr_status *status) {
  clred_plan *given = *plan;
  cl_int err = CL_SUCCESS;
  if (!given->for_host_calls)
    return CL_SUCCESS;
  clr_mutex_lock(&given->lock);
  if (!given->on_device)
    err = clr_plan_make_tried(given->runtime, &given->device_problem, &given->on_device, status);
  *plan = given->on_device;
  clr_mutex_unlock(&given->lock);
  return err;
}

cl_int clr_plan_make_nodes_tried(const clred_plan *scan, clred_plan **made, struct clr_status *status) {
  const struct subject subject = {.scan = scan};
  bool failed;
  return make_and_try(&subject, (struct clr_making){.vetting = scan->runtime->trusts ? CLR_VET_NOTHING : CLR_VET_BEGIN},
                      made, &failed, status);
}
