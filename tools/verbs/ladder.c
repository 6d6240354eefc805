// clreduce ladder: runs every strategy on the same data, starting with the host's loop. Each row has its time and its
// error, and is verified against the host's reference. --sweep (sweep.c) tries numbers of strategies instead.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/plot.h"
#include "base/value.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "verbs/ladder.h"
#include "verbs/sweep.h"
#include "verify/exact.h"

enum { OWN_COUNT = 8000, USUAL_CALLS = 11 };

static const double rung_budget = 2;  // seconds per rung, unless --repeat is given

// The ladder's own data is one value. A float cannot represent its multiples, so the error of each tree is visible.
// Integers take the whole part.
static void write_own_data(const struct args *args, char *spec, size_t size) {
  clred_type_info type = {.floating = CL_TRUE};
  uint64_t count = args->n.given ? args->n.value : OWN_COUNT;
  if (args->type != NULL)
    type_of_either(args->type, &type);
  // A char cannot hold 1000.
  const char *value = type.floating ? "1000.23" : value_size(type.component) == 1 ? "100" : "1000";
  snprintf(spec, size, "constant:%" PRIu64 ":%s", count, value);
}

static int choose_data(struct args *args, char *spec, size_t size) {
  bool named = args_input(args) != NULL || args->generate != NULL;
  if (named && args->n.given)
    return fail(EXIT_BAD_USE, "ladder: both -n and an input; -n is for the ladder's own data");
  if (!named) {
    write_own_data(args, spec, size);
    args->generate = spec;
  }
  return EXIT_DONE;
}

// ---- The analytic value

static bool is_constant_sum(const struct job *job) {
  const clred_type_info *type = &job->input.type;
  return job->input.recipe.constant && job->operation.op.op == CLRED_OP_SUM && type->floating && type->components == 1;
}

static double find_analytic(const struct ladder *ladder) {
  const struct job *job = &ladder->job;
  if (is_constant_sum(job))
    return (double)job->input.count * strtod(job->input.recipe.text, NULL);
  return verify_exact_value(job, &ladder->reference);
}

// Moves the reference from the verdict to the ladder; the ladder then owns it.
static int take_reference(struct ladder *ladder, struct verdict *verdict) {
  clred_type_info type = {0};
  ladder->measured = true;
  ladder->reference = verdict->reference;
  verdict->reference = (struct results){0};
  clred_type_inspect(ladder->reference.type, &type);
  ladder->single = type.components == 1;
  ladder->floating = ladder->single && type.floating;
  ladder->in_ulps = ladder->floating && exact_knows(ladder->reference.type);
  ladder->analytic = ladder->single ? find_analytic(ladder) : NAN;
  ladder->analytic_text = results_text(&ladder->reference, results_last(&ladder->reference), " ");
  if (ladder->analytic_text == NULL)
    return fail_memory();
  if (ladder->floating)
    number_double_text(ladder->analytic, ladder->analytic_text);
  return EXIT_DONE;
}

// Texts are compared, because large integers may be equal as doubles and the difference of two infinities is NaN.
// Results of several parts have no difference.
static int note_error(const struct ladder *ladder, struct rung *rung) {
  const struct results *results = &rung->outcome.results;
  uint64_t last = results_last(results);
  char *text = results_text(results, last, " ");
  double result = ladder->single ? number_as_double(results->type, results_at(results, last)) : NAN;
  if (text == NULL)
    return fail_memory();
  bool same = ladder->floating ? result == ladder->analytic : strcmp(text, ladder->analytic_text) == 0;
  rung->error = same ? 0 : result - ladder->analytic;
  const bool has_unit = ladder->in_ulps && (rung->error == 0 || ladder->analytic != 0);
  rung->ulps = has_unit ? rung->error / exact_ulp(ladder->reference.type, ladder->analytic) : NAN;
  free(text);
  return EXIT_DONE;
}

// ---- A rung

struct repeats ladder_repeats(const struct args *args) {
  if (args->repeat.given)
    return (struct repeats){.count = args->repeat.value, .warm = true};
  return (struct repeats){.count = USUAL_CALLS, .budget = rung_budget, .warm = true};
}

int ladder_note_refusal(char **refused, const char *reason) {
  *refused = text_join(reason, "", "");
  return *refused == NULL ? fail_memory() : EXIT_DONE;
}

static int judge_rung(struct ladder *ladder, struct rung *rung, const clred_plan *plan) {
  struct verdict verdict;
  int code = verify_outcome(&ladder->job, plan, &rung->outcome, false, &verdict);
  rung->correct = verdict.correct;
  if (!code && !ladder->measured)
    code = take_reference(ladder, &verdict);
  verdict_release(&verdict);
  return code ? code : note_error(ladder, rung);
}

static const char *first_strategy(bool scan) {
  return scan ? "scan_host_serial" : "host_serial";
}

static int run_strategy(struct ladder *ladder, struct rung *rung, clred_plan *plan) {
  const struct job *job = &ladder->job;
  const struct repeats repeats = ladder_repeats(job->args);
  int code = strcmp(rung->strategy, first_strategy(job->args->scan)) == 0
               ? loop_run(job, plan, repeats, &rung->outcome)
               : run_plan(&job->session, plan, &job->work, repeats, &rung->outcome);
  code = code ? code : judge_rung(ladder, rung, plan);
  if (!code && job->args->explain)
    code = steps_take(&rung->steps, plan, job->input.count);
  return code;
}

static int run_openmp(struct ladder *ladder, struct rung *rung, const clred_problem *problem, clred_plan *plan) {
  const struct job *job = &ladder->job;
  clred_plan_info info;
  clred_plan_inspect(plan, job->input.count, &info);
  const char *reason = openmp_refuses(&info, job->operation.op.op);
  if (reason != NULL)
    return ladder_note_refusal(&rung->refused, reason);
  int code = openmp_run(job, problem, plan, ladder_repeats(job->args), &rung->outcome);
  return code ? code : judge_rung(ladder, rung, plan);
}

// The options about sizes do not apply to the loops on the host. All other rows are compared with these loops.
static void set_strategy(const struct args *args, const struct rung *rung, clred_problem *problem) {
  problem->strategy = rung->strategy == NULL ? first_strategy(false) : rung->strategy;
  problem->finish = rung->finish;
  if (strcmp(problem->strategy, first_strategy(args->scan)) == 0) {
    problem->order = CLRED_ORDER_DEFAULT;
    problem->group_size = problem->groups = problem->elements = problem->stop_at = 0;
    problem->stage = CLRED_STAGE_LOCAL;
  }
}

// A refused strategy is a row. A refused problem ends the ladder.
static int climb_rung(struct ladder *ladder, struct rung *rung) {
  const struct job *job = &ladder->job;
  clred_problem problem = job->problem;
  clred_plan *plan = NULL;
  set_strategy(job->args, rung, &problem);
  cl_int status = session_plan(&job->session, &problem, &plan);
  if (status == CLRED_STRATEGY_REFUSED)
    return ladder_note_refusal(&rung->refused, clred_last_error(job->session.runtime));
  int code = session_check(&job->session, status);
  if (!code)
    code = rung->strategy == NULL ? run_openmp(ladder, rung, &problem, plan) : run_strategy(ladder, rung, plan);
  clred_plan_release(plan);
  return code;
}

// ---- The ladder

bool ladder_lists(const struct job *job, const clred_strategy_info *row) {
  return (row->scans != CL_FALSE) == job->args->scan && row->counts == CL_FALSE &&
         row->layouts & 1u << CLRED_LAYOUT_LINE;
}

static bool takes_finish(const clred_strategy_info *row, const char *finish) {
  for (size_t i = 0; row->finishes[i] != NULL; i++)
    if (strcmp(row->finishes[i], finish) == 0)
      return true;
  return false;
}

static void append(struct ladder *ladder, const char *name, const char *strategy, const char *finish, bool again) {
  struct rung *rung = &ladder->rungs[ladder->count++];
  snprintf(rung->name, sizeof rung->name, "%s%s%s", name, again ? "+" : "", again ? finish : "");
  rung->strategy = strategy;
  rung->finish = finish;
}

// Every strategy of textbooks that leaves partials has two rows: the device finishes them, and the host does. --finish
// replaces both rows by one. It applies only to strategies with partials.
static void append_strategy(struct ladder *ladder, const clred_strategy_info *row) {
  const char *finish = row->finishes[0] == NULL ? NULL : ladder->job.args->finish;
  bool has_both = finish == NULL && !row->fixed_order && takes_finish(row, "host") && row->finishes[1] != NULL;
  if (has_both && strcmp(row->finishes[0], "host") == 0)
    finish = row->finishes[1];
  append(ladder, row->name, row->name, finish, false);
  if (has_both)
    append(ladder, row->name, row->name, "host", true);
}

static void append_strategies(struct ladder *ladder, bool first) {
  const char *name = first_strategy(ladder->job.args->scan);
  clred_strategy_info row;
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++)
    if ((strcmp(row.name, name) == 0) == first && ladder_lists(&ladder->job, &row))
      append_strategy(ladder, &row);
}

static int make_rungs(struct ladder *ladder) {
  clred_strategy_info row;
  size_t count = 0;
  while (clred_strategy_at(count, &row) == CL_SUCCESS)
    count++;
  ladder->rungs = calloc(2 * count + 1, sizeof *ladder->rungs);
  if (ladder->rungs == NULL)
    return fail_memory();
  append_strategies(ladder, true);
  if (!ladder->job.args->scan)
    append(ladder, "host_openmp", NULL, NULL, false);
  append_strategies(ladder, false);
  return EXIT_DONE;
}

static int climb(struct ladder *ladder) {
  if (ladder->job.problem.scan && ladder->job.input.count == 0)
    return fail(EXIT_BAD_USE, "ladder: a scan of 0 elements has no results to compare");
  ladder->units = session_fact(&ladder->job.session, "compute_units", 1);
  int code = make_rungs(ladder);
  for (size_t i = 0; i < ladder->count && !code; i++) {
    progress_show(&ladder->job.progress, ladder->rungs[i].name, i, ladder->count);
    code = climb_rung(ladder, &ladder->rungs[i]);
  }
  progress_end(&ladder->job.progress);
  if (!code && !ladder->measured)
    return fail(EXIT_BAD_USE, "no strategy runs here: %s", ladder->rungs[0].refused);
  return code;
}

static int report(const struct ladder *ladder) {
  const struct args *args = ladder->job.args;
  int code = args->json ? ladder_print_json(ladder) : ladder_print_text(ladder);
  if (!code && args->plot != NULL)
    code = plot_draw(args->plot, ladder_write_plot, ladder);
  for (size_t i = 0; i < ladder->count && !code; i++)
    if (ladder->rungs[i].refused == NULL && !ladder->rungs[i].correct)
      code = fail(EXIT_WRONG, "ladder: %s gave a wrong result", ladder->rungs[i].name);
  return code;
}

static void release(struct ladder *ladder) {
  for (size_t i = 0; i < ladder->count; i++) {
    steps_release(&ladder->rungs[i].steps);
    outcome_release(&ladder->rungs[i].outcome);
    free(ladder->rungs[i].refused);
  }
  free(ladder->rungs);
  free(ladder->analytic_text);
  results_release(&ladder->reference);
  job_close(&ladder->job);
}

int cmd_ladder(const struct args *args) {
  struct args own = *args;
  struct ladder ladder = {0};
  char spec[64];
  int code = choose_data(&own, spec, sizeof spec);
  code = code ? code : sweep_check(&own);
  if (!code && own.plot != NULL)
    code = plot_check(own.plot);
  if (code)
    return code;
  code = job_open(&ladder.job, &own, args->op == NULL ? "sum" : args->op);
  code = code ? code : job_load(&ladder.job);
  if (!code)
    code = args->sweep ? sweep_run(&ladder.job) : climb(&ladder);
  if (!code && !args->sweep)
    code = report(&ladder);
  release(&ladder);
  return code;
}
