// clreduce ladder: runs every strategy on the same data, starting with the host's loop. Each row has its time and its
// error, and is verified against the host's reference. ladder.gp draws the times as bars.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/plot.h"
#include "base/value.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "verbs/ladder_host.h"
#include "verbs/steps.h"
#include "verbs/textbook.h"
#include "verify/measure.h"
#include "verify/verify.h"

extern const char verbs_ladder_gp[];  // ladder.gp; the build embeds it

enum { RUNG_NAME_SIZE = 64, REASON_SIZE = 512 };

// A strategy with a finish.
struct rung {
  char name[RUNG_NAME_SIZE];  // STRATEGY, or STRATEGY+FINISH if another rung has this strategy, too
  const char *strategy;       // NULL: host_openmp, which is no strategy of the library
  const char *finish;         // NULL: chosen
  char refused[REASON_SIZE];  // why the strategy cannot run; "" if it ran
  struct outcome outcome;
  bool correct;
  double error;  // result - analytic (of the last result of a scan); NaN if undefined
  double ulps;   // the error in units in the last place of the exact value; NaN if undefined, or if that value is 0
  struct steps steps;
};

struct ladder {
  struct job job;
  struct rung *rungs;  // the first is the host's loop
  size_t count;
  cl_ulong units;            // compute units of the device
  bool measured;             // a rung ran, so that the fields below are set
  struct results reference;  // the host's results for the first rung that ran
  bool single;               // results are single numbers
  bool floating;             // results are single floating numbers
  bool in_ulps;              // results are floats or doubles, so errors are reported in ulps
  double analytic;           // the exact value as a double; NaN if a result has several numbers
  char *analytic_text;       // text of any result
};

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
  ladder->in_ulps = ladder->floating && measure_knows(ladder->reference.type);
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
  rung->ulps = has_unit ? rung->error / measure_ulp(ladder->reference.type, ladder->analytic) : NAN;
  free(text);
  return EXIT_DONE;
}

// ---- A rung

static int note_refusal(struct rung *rung, const char *reason) {
  snprintf(rung->refused, sizeof rung->refused, "%s", reason);
  rung->outcome.wall_seconds = rung->outcome.kernel_seconds = rung->error = rung->ulps = NAN;
  return EXIT_DONE;
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

static int run_strategy(struct ladder *ladder, struct rung *rung, clred_plan *plan) {
  const struct job *job = &ladder->job;
  const struct repeats repeats = textbook_repeats(job->args);
  int code = rung == ladder->rungs ? loop_run(job, plan, repeats, &rung->outcome)
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
    return note_refusal(rung, reason);
  int code = openmp_run(job, problem, plan, textbook_repeats(job->args), &rung->outcome);
  return code ? code : judge_rung(ladder, rung, plan);
}

// The options about sizes do not apply to the loops on the host. All other rows are compared with these loops.
static void set_strategy(const struct ladder *ladder, const struct rung *rung, clred_problem *problem) {
  problem->strategy = rung->strategy == NULL ? ladder->rungs[0].strategy : rung->strategy;
  problem->finish = rung->finish;
  if (problem->strategy == ladder->rungs[0].strategy) {
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
  set_strategy(ladder, rung, &problem);
  cl_int status = session_plan(&job->session, &problem, &plan);
  if (status == CLRED_STRATEGY_REFUSED)
    return note_refusal(rung, clred_last_error(job->session.runtime));
  int code = session_check(&job->session, status);
  if (!code)
    code = rung->strategy == NULL ? run_openmp(ladder, rung, &problem, plan) : run_strategy(ladder, rung, plan);
  clred_plan_release(plan);
  return code;
}

// ---- The ladder

// True for the strategies that run on one line and do the work of the job.
static bool is_listed(const struct job *job, const clred_strategy_info *row) {
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
  const bool has_partials = row->finishes[0] != NULL;
  const char *finish = has_partials ? ladder->job.args->finish : NULL;
  const bool has_both =
    has_partials && finish == NULL && !row->fixed_order && takes_finish(row, "host") && row->finishes[1] != NULL;
  if (has_both && strcmp(row->finishes[0], "host") == 0)
    finish = row->finishes[1];
  append(ladder, row->name, row->name, finish, false);
  if (has_both)
    append(ladder, row->name, row->name, "host", true);
}

// The library lists the host's loop before all others.
static int make_rungs(struct ladder *ladder) {
  clred_strategy_info row;
  size_t count = 0;
  while (clred_strategy_at(count, &row) == CL_SUCCESS)
    count++;
  ladder->rungs = calloc(2 * count + 1, sizeof *ladder->rungs);
  if (ladder->rungs == NULL)
    return fail_memory();
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++)
    if (is_listed(&ladder->job, &row)) {
      append_strategy(ladder, &row);
      if (ladder->count == 1 && !ladder->job.args->scan)
        append(ladder, "host_openmp", NULL, NULL, false);
    }
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

// ---- The table

// How a rung compares. NaN if undefined: it was refused, or has no times of kernels.
struct rung_scale {
  double outside;     // share of a call outside its kernels: launches, reading the result, the host's finish
  double speedup;     // the first rung's time / this one's
  double efficiency;  // speedup / compute units
  double bound;       // Amdahl's: 1 / (outside + (1 - outside) / compute units)
};

static struct rung_scale scale_of(const struct ladder *ladder, const struct rung *rung) {
  const double wall = rung->outcome.wall_seconds, kernels = rung->outcome.kernel_seconds, units = (double)ladder->units;
  struct rung_scale scale = {NAN, NAN, NAN, NAN};
  if (!(wall > 0))
    return scale;
  scale.outside = kernels > wall ? 0 : (wall - kernels) / wall;
  scale.bound = 1 / (scale.outside + (1 - scale.outside) / units);
  scale.speedup = ladder->rungs[0].outcome.wall_seconds / wall;
  scale.efficiency = scale.speedup / units;
  return scale;
}

enum { RESULT_WIDTH = 9 };

// A long name takes blanks of the finish, which is - for scans.
static int print_name(const char *name, const char *finish) {
  const int at = printf("%-22s ", name);
  return at + printf("%-*s ", 33 - at, finish);
}

// A result that is too long for its column has a line by itself.
static void print_result(const char *result, int at) {
  if (strlen(result) > RESULT_WIDTH) {
    wrap_print(result, (size_t)at, (size_t)at, table_width());
    printf("%*s", at, "");
    result = "";
  }
  printf("%*s", RESULT_WIDTH, result);
}

// A narrow terminal gets no columns for error, efficiency and bound.
static void explain_columns(const struct ladder *ladder) {
  const char *error = ladder->in_ulps ? "ulps: result - exact value, in units in the last place of the exact value. "
                                      : "error: result - exact value. ";
  char line[1024], more[256];
  snprintf(more, sizeof more,
           "effic.: speedup / %" PRIu64 " compute units. bound: by Amdahl's law the largest speedup of %" PRIu64
           " units over one, if only kernels are parallel.",
           (uint64_t)ladder->units, (uint64_t)ladder->units);
  snprintf(line, sizeof line,
           "time: a whole call by the host's clock. kernels: the part of it from the start of the first kernel to the "
           "end of the last. %sspeedup: time of %s / time. %s",
           table_is_narrow() ? "" : error, ladder->rungs[0].name,
           table_is_narrow() ? "100 columns also show error, efficiency and Amdahl's bound." : more);
  wrap_print(line, 0, 2, table_width());
}

static void print_heading(const struct ladder *ladder) {
  textbook_print_title(&ladder->job);
  explain_columns(ladder);
  putchar('\n');
  print_name("strategy", "finish");
  printf("%*s    time kernels launches", RESULT_WIDTH, "result");
  if (!table_is_narrow())
    printf(" %9s", ladder->in_ulps ? "ulps" : "error");
  printf(" speedup%s\n", table_is_narrow() ? "" : "  effic. bound");
}

// Prints speedup, efficiency and bound of a rung. A rung with a wrong result has none of them.
static void print_scale(const struct ladder *ladder, const struct rung *rung) {
  const struct rung_scale scale = scale_of(ladder, rung);
  char speedup[CELL_SIZE], efficiency[CELL_SIZE], bound[CELL_SIZE];
  write_short(scale.speedup, speedup);
  write_short(scale.efficiency, efficiency);
  write_short(scale.bound, bound);
  printf(" %7s", rung->correct ? speedup : "WRONG");
  if (rung->correct && !table_is_narrow())
    printf(" %7s %5s", efficiency, bound);
  putchar('\n');
}

static void print_rung(const struct ladder *ladder, const struct rung *rung) {
  const clred_plan_info *info = &rung->outcome.info;
  const struct results *results = &rung->outcome.results;
  const char *name = rung->strategy == NULL ? rung->name : rung->strategy;
  const char *finish = *rung->refused == '\0' ? info->finish : rung->finish;
  char time[CELL_SIZE], kernels[CELL_SIZE], error[CELL_SIZE];
  int at = print_name(name, finish == NULL ? "-" : finish);
  if (*rung->refused != '\0') {
    wrap_print(rung->refused, (size_t)at, (size_t)at, table_width());
    return;
  }
  char *result = results_text(results, results_last(results), " ");
  write_short_time(rung->outcome.wall_seconds, time);
  write_short_time(rung->outcome.kernel_seconds, kernels);
  write_measure(fabs(rung->ulps) < 9999.5 ? "%.4g" : "%.3g", ladder->in_ulps ? rung->ulps : rung->error, error);
  print_result(result == NULL ? "?" : result, at);
  printf(" %7s %7s %8" PRIu64, time, kernels, (uint64_t)info->passes);
  if (!table_is_narrow())
    printf(" %9s", error);
  print_scale(ladder, rung);
  free(result);
}

static void print_analytic(const struct ladder *ladder) {
  const int at = print_name("analytic", "");
  if (strlen(ladder->analytic_text) > RESULT_WIDTH)
    wrap_print(ladder->analytic_text, (size_t)at, (size_t)at, table_width());
  else
    printf("%*s\n", RESULT_WIDTH, ladder->analytic_text);
}

static void print_steps(const struct ladder *ladder) {
  for (size_t i = 0; i < ladder->count; i++)
    if (ladder->rungs[i].steps.count > 0) {
      printf("\n%s\n", ladder->rungs[i].name);
      steps_print(&ladder->rungs[i].steps);
    }
}

// The rung with the least time of a correct call; NULL if there is none.
static const struct rung *best_rung(const struct ladder *ladder) {
  const struct rung *best = NULL;
  for (size_t i = 0; i < ladder->count; i++) {
    const struct rung *rung = &ladder->rungs[i];
    if (*rung->refused == '\0' && rung->correct &&
        (best == NULL || rung->outcome.wall_seconds < best->outcome.wall_seconds))
      best = rung;
  }
  return best;
}

static int print_text(const struct ladder *ladder) {
  const struct rung *best = best_rung(ladder);
  print_heading(ladder);
  for (size_t i = 0; i < ladder->count; i++) {
    const bool is_best = &ladder->rungs[i] == best;
    printf("%s", is_best ? colour_begin(STDOUT_FILENO, COLOUR_BEST) : "");
    print_rung(ladder, &ladder->rungs[i]);
    printf("%s", is_best ? colour_end(STDOUT_FILENO) : "");
  }
  print_analytic(ladder);
  print_steps(ladder);
  return EXIT_DONE;
}

// ---- JSON

static cJSON *last_json(const struct results *results) {
  return results_one_json(results, results_last(results));
}

static void add_scale(cJSON *row, struct rung_scale scale) {
  json_add_measure(row, "outside_share", scale.outside);
  json_add_measure(row, "speedup", scale.speedup);
  json_add_measure(row, "efficiency", scale.efficiency);
  json_add_measure(row, "amdahl_bound", scale.bound);
}

// A refused rung has the same members; those of a call are null.
static void add_row(cJSON *rows, const struct ladder *ladder, const struct rung *rung) {
  const clred_plan_info *info = &rung->outcome.info;
  const bool ran = *rung->refused == '\0';
  cJSON *row = json_add_item(rows);
  json_add_text(row, "name", rung->name);
  json_add_text(row, "strategy", rung->strategy);
  json_add_text(row, "finish", info->finish);
  cJSON_AddItemToObject(row, "result", ran ? last_json(&rung->outcome.results) : cJSON_CreateNull());
  json_add_measure(row, "wall_seconds", rung->outcome.wall_seconds);
  json_add_measure(row, "kernel_seconds", rung->outcome.kernel_seconds);
  add_scale(row, scale_of(ladder, rung));
  json_add_measure(row, "error", rung->error);
  json_add_measure(row, "error_ulp", rung->ulps);
  json_add_known_count(row, "launches", ran, info->passes);
  json_add_text(row, "order", info->order);
  json_add_known_count(row, "group_size", ran, info->group_size);
  json_add_known_count(row, "groups", ran, info->groups);
  json_add_known_count(row, "elements_per_group", ran, info->elements_per_group);
  json_add_known_count(row, "calls", ran, rung->outcome.calls);
  json_add_known(row, "correct", ran, rung->correct);
  json_add_text(row, "refused", ran ? NULL : rung->refused);
  if (ran && ladder->job.args->explain)
    steps_add_json(row, &rung->steps);
}

static int print_json(const struct ladder *ladder) {
  cJSON *object = textbook_json(&ladder->job);
  json_add_count(object, "compute_units", ladder->units);
  if (ladder->floating)
    json_add_measure(object, "analytic", ladder->analytic);
  else
    cJSON_AddItemToObject(object, "analytic", last_json(&ladder->reference));
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < ladder->count; i++)
    add_row(rows, ladder, &ladder->rungs[i]);
  return json_print(object);
}

// ---- The bars

static void write_bar(const struct ladder *ladder, const struct rung *rung, FILE *script) {
  char time[CELL_SIZE], speedup[CELL_SIZE];
  if (*rung->refused != '\0') {
    fprintf(script, "%s\tNaN\tNaN\trefused\n", rung->name);
    return;
  }
  write_short_time(rung->outcome.wall_seconds, time);
  write_short(scale_of(ladder, rung).speedup, speedup);
  fprintf(script, "%s\t%.9g\t%.9g\t%s, x %s%s\n", rung->name, rung->outcome.wall_seconds * 1e6,
          rung->outcome.kernel_seconds * 1e6, time, speedup, rung->correct ? "" : ", WRONG");
}

static void write_plot(const void *of, FILE *script) {
  const struct ladder *ladder = of;
  char title[TEXTBOOK_TITLE_SIZE], note[256];
  textbook_title(&ladder->job, title);
  snprintf(note, sizeof note, "medians; x is the speedup over %s", ladder->rungs[0].name);
  plot_text(script, "title", title);
  plot_text(script, "note", note);
  fputs("$rows << EOD\nname\twall\tkernels\tlabel\n", script);
  for (size_t i = 0; i < ladder->count; i++)
    write_bar(ladder, &ladder->rungs[i], script);
  fputs("EOD\n", script);
  fputs(verbs_ladder_gp, script);
}

// ---- The verb

static int report(const struct ladder *ladder) {
  const struct args *args = ladder->job.args;
  int code = args->json ? print_json(ladder) : print_text(ladder);
  if (!code && args->plot != NULL)
    code = plot_draw(args->plot, write_plot, ladder);
  for (size_t i = 0; i < ladder->count && !code; i++)
    if (*ladder->rungs[i].refused == '\0' && !ladder->rungs[i].correct)
      code = fail(EXIT_WRONG, "ladder: %s gave a wrong result", ladder->rungs[i].name);
  return code;
}

static void release(struct ladder *ladder) {
  for (size_t i = 0; i < ladder->count; i++) {
    steps_release(&ladder->rungs[i].steps);
    outcome_release(&ladder->rungs[i].outcome);
  }
  free(ladder->rungs);
  free(ladder->analytic_text);
  results_release(&ladder->reference);
  job_close(&ladder->job);
}

static int choose_data(struct args *args, char spec[TEXTBOOK_SPEC_SIZE]) {
  const bool named = args_input(args) != NULL || args->generate != NULL;
  if (named && args->n.given)
    return fail(EXIT_BAD_USE, "ladder: both -n and an input; -n is for the ladder's own data");
  if (!named) {
    textbook_data(args, spec);
    args->generate = spec;
  }
  return args->plot == NULL ? EXIT_DONE : plot_check(args->plot);
}

int cmd_ladder(const struct args *args) {
  struct args own = *args;
  struct ladder ladder = {0};
  char spec[TEXTBOOK_SPEC_SIZE];
  int code = choose_data(&own, spec);
  if (code)
    return code;
  code = job_open(&ladder.job, &own, args->op == NULL ? "sum" : args->op);
  code = code ? code : job_load(&ladder.job);
  code = code ? code : climb(&ladder);
  code = code ? code : report(&ladder);
  release(&ladder);
  return code;
}
