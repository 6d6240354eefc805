// ladder --sweep: runs all trials, verifies every one, and reports them.
#include "verbs/sweep.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/plot.h"

static int judge(const struct sweep *sweep, struct trial *trial, const clred_plan *plan) {
  struct verdict verdict;
  int code = verify_outcome(sweep->job, plan, &trial->outcome, false, &verdict);
  trial->correct = verdict.correct;
  verdict_release(&verdict);
  return code;
}

// A size that does not fit is reported in its row. If auto refuses, the whole problem is refused.
static int run_trial(const struct sweep *sweep, struct trial *trial) {
  const struct session *session = &sweep->job->session;
  const clred_problem problem = sweep_problem(sweep, trial);
  clred_plan *plan = NULL;
  cl_int status = session_plan(session, &problem, &plan);
  if (status != CL_SUCCESS && trial->strategy != NULL &&
      (fail_code(status) == EXIT_BAD_USE || status == CLRED_WRONG_RESULT))
    return ladder_note_refusal(&trial->refused, clred_last_error(session->runtime));
  int code = session_check(session, status);
  code = code ? code : run_plan(session, plan, &sweep->job->work, ladder_repeats(sweep->job->args), &trial->outcome);
  code = code ? code : judge(sweep, trial, plan);
  clred_plan_release(plan);
  return code;
}

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

// The first interrupt ends the sweep, a second one the process. An interrupt that is ignored stays ignored.
static void catch_interrupt(struct sigaction *before) {
  struct sigaction action = {.sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, NULL, before);
  if (before->sa_handler != SIG_IGN)
    sigaction(SIGINT, &action, NULL);
}

static int run_trials(struct sweep *sweep) {
  struct progress *progress = &sweep->job->progress;
  struct sigaction before;
  int code = EXIT_DONE;
  catch_interrupt(&before);
  for (; sweep->done < sweep->count && !code && !interrupted; sweep->done += !code) {
    struct trial *trial = &sweep->trials[sweep->done];
    progress_show(progress, trial->strategy == NULL ? "auto" : trial->strategy, sweep->done, sweep->count);
    code = run_trial(sweep, trial);
  }
  progress_end(progress);
  sigaction(SIGINT, &before, NULL);
  return code;
}

bool trial_beats(const struct trial *trial, const struct trial *best) {
  return trial->refused == NULL && trial->correct &&
         (best == NULL || trial->outcome.wall_seconds < best->outcome.wall_seconds);
}

const struct trial *sweep_best(const struct sweep *sweep) {
  const struct trial *best = NULL;
  for (size_t i = 1; i < sweep->done; i++)
    if (trial_beats(&sweep->trials[i], best))
      best = &sweep->trials[i];
  return best;
}

double sweep_auto_excess(const struct sweep *sweep) {
  const struct trial *best = sweep_best(sweep);
  if (best == NULL || sweep->done == 0 || !(best->outcome.wall_seconds > 0))
    return NAN;
  return sweep->trials[0].outcome.wall_seconds / best->outcome.wall_seconds - 1;
}

static int print(const struct sweep *sweep) {
  return sweep->job->args->json ? sweep_print_json(sweep) : sweep_print_text(sweep);
}

static int report(const struct sweep *sweep) {
  const struct args *args = sweep->job->args;
  int code = print(sweep);
  if (!code && args->plot != NULL)
    code = plot_draw(args->plot, sweep_write_plot, sweep);
  for (size_t i = 0; i < sweep->done && !code; i++)
    if (sweep->trials[i].refused == NULL && !sweep->trials[i].correct)
      code = fail(EXIT_WRONG, "ladder --sweep: trial %zu, %s, gave a wrong result", i,
                  sweep->trials[i].outcome.info.strategy);
  return code;
}

static void release(struct sweep *sweep) {
  for (size_t i = 0; i < sweep->count; i++) {
    outcome_release(&sweep->trials[i].outcome);
    free(sweep->trials[i].refused);
  }
  free(sweep->trials);
}

int sweep_run(struct job *job) {
  struct sweep sweep = {.job = job};
  int code = sweep_choose(&sweep);
  if (!code) {
    code = run_trials(&sweep);
    if (!code)
      code = report(&sweep);
    else if (sweep.done > 0)
      print(&sweep);
  }
  release(&sweep);
  if (interrupted) {
    fflush(stdout);
    raise(SIGINT);
  }
  return code;
}
