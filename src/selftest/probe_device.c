// Probes a device (clred_probe_device) in three steps: kernels without plans, then plans that use the findings of the
// kernels, then the strategies that `auto` chooses with all findings.
#include "selftest/probe_plans.h"

// Shares of the total time, for the progress that the caller sees.
#define BY_KERNELS 0.1
#define BY_STRATEGIES 0.3
#define BY_OPERATORS 0.45
#define BY_ORDER 0.1
#define BY_CHOICES 0.05

#define ROW(name, about, probe) {name, about, clr_probe_##probe},
static const struct clr_probe probes[] = {CLR_PROBE_MAP(ROW)};
#undef ROW

static cl_int probe_by_kernels(struct clr_plan_trials *trials, clred_runtime *runtime, struct clr_status *status) {
  struct clr_prober prober = {
    .reported = &runtime->reported,
    .findings = trials->findings,
    .programs = {.context = runtime->context, .device = runtime->device, .options = runtime->options},
    .full = trials->options->full != CL_FALSE};
  const size_t count = sizeof probes / sizeof *probes;
  cl_int err = clr_prober_open(&prober, status);
  trials->share = BY_KERNELS;
  for (size_t i = 0; i < count && !err; i++) {
    struct clr_probed probed;
    if (!clr_trials_want(trials, probes[i].about))
      continue;
    if (!clr_trials_begin(trials, probes[i].name, (double)i / (double)count))
      break;
    clr_probe_run(&prober, &probes[i], &probed);
    clr_trials_end(trials, probes[i].name, probes[i].about, &probed);
  }
  clr_prober_close(&prober);
  trials->begun += trials->share;
  return err;
}

// Makes a runtime that uses the findings so far, and calls the functions in `parts` with it.
static cl_int with_findings(struct clr_plan_trials *trials, clred_runtime *like,
                            void (*const *parts)(struct clr_plan_trials *), const double *shares,
                            struct clr_status *status) {
  const clred_options options = {.build_options = like->options, .trust_driver = CL_TRUE};
  const struct clr_findings findings = *trials->findings;
  cl_int err = clr_runtime_make(like->context, like->device, &options, &findings, &trials->runtime, status);
  if (!err)
    err = clr_session_open(like->context, like->device, "the queue of the trials", &trials->session, status);
  for (; !err && *parts && !trials->stopped; parts++) {
    trials->share = *shares++;
    (*parts)(trials);
    trials->begun += trials->share;
  }
  clr_session_close(&trials->session);
  clr_runtime_release(trials->runtime);
  trials->runtime = NULL;
  return err;
}

// If the trials of plans found nothing new, this runtime has all findings. Then it also tries the choices, and no
// second runtime is made.
static void try_if_same(struct clr_plan_trials *trials) {
  trials->chosen = clr_findings_same(&trials->runtime->known, trials->findings);
  if (trials->chosen)
    clr_try_choices(trials);
}

static cl_int probe(clred_runtime *runtime, struct clr_plan_trials *trials, struct clr_status *status) {
  static void (*const tried[])(struct clr_plan_trials *) = {clr_try_strategies, clr_try_operators, clr_try_order,
                                                            try_if_same, NULL};
  static void (*const last[])(struct clr_plan_trials *) = {clr_try_choices, NULL};
  static const double shares[] = {BY_STRATEGIES, BY_OPERATORS, BY_ORDER, 0}, last_share[] = {BY_CHOICES};
  cl_int err = probe_by_kernels(trials, runtime, status);
  if (!err)
    err = with_findings(trials, runtime, tried, shares, status);
  return err || trials->chosen ? err : with_findings(trials, runtime, last, last_share, status);
}

cl_int clr_probe_device(clred_runtime *runtime, const clred_probe_options *options, clred_probe_counts *counts,
                        struct clr_status *status) {
  struct clr_findings findings = {.count = 0};
  struct clr_plan_trials trials = {.findings = &findings, .options = options};
  cl_int err = probe(runtime, &trials, status);
  if (err)
    return err;
  *counts = trials.counts;
  clr_lock_take(&runtime->lock);
  runtime->found = findings;
  runtime->has_found = true;
  clr_lock_give(&runtime->lock);
  return CL_SUCCESS;
}
