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
#include "verbs/textbook.h"
#include "verify/measure.h"

extern const char verbs_ladder_gp[];  // ladder.gp; the build embeds it

struct ladder {
  struct trials rows;        // the first is the host's loop
  cl_ulong units;            // compute units of the device
  bool measured;             // a strategy ran, so that the members below are set
  struct results reference;  // the host's results for the first strategy that ran
  bool single;               // results are single numbers
  bool floating;             // results are single floating numbers
  bool in_ulps;              // results are floats or doubles, so errors are reported in ulps
  double analytic;           // the exact value as a double; NaN if a result has several numbers
  char *analytic_text;       // text of any result
};

static const struct ladder *ladder_of(const struct trials *rows) {
  return (const struct ladder *)(const void *)rows;  // its first member
}

// ---- The analytic value

static bool is_constant_sum(const struct job *job) {
  const clred_type_info *type = &job->input.type;
  return job->input.recipe.constant && job->operation.op.op == CLRED_OP_SUM && type->floating && type->components == 1;
}

static double find_analytic(const struct ladder *ladder) {
  const struct job *job = &ladder->rows.job;
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

// Compares texts: different large integers may be equal as doubles, and the difference of two infinities is NaN.
// Results of several parts have no difference.
static int note_error(const struct ladder *ladder, struct trial *row) {
  const struct results *results = &row->outcome.results;
  uint64_t last = results_last(results);
  char *text = results_text(results, last, " ");
  double result = ladder->single ? number_as_double(results->type, results_at(results, last)) : NAN;
  if (text == NULL)
    return fail_memory();
  bool same = ladder->floating ? result == ladder->analytic : strcmp(text, ladder->analytic_text) == 0;
  row->error = same ? 0 : result - ladder->analytic;
  const bool has_unit = ladder->in_ulps && (row->error == 0 || ladder->analytic != 0);
  row->ulps = has_unit ? row->error / measure_ulp(ladder->reference.type, ladder->analytic) : NAN;
  free(text);
  return EXIT_DONE;
}

// ---- Rows on the host, over elements in host memory

struct loop {
  const clred_plan *plan;
  clred_host_call call;
  const void *inputs[USER_INPUTS_MAX];
};

static cl_int call_loop(void *about, void *results) {
  const struct loop *loop = about;
  clred_host_call call = loop->call;
  call.out = results;
  return clred_plan_reference(loop->plan, &call);
}

// Runs host_serial or scan_host_serial.
static int run_loop(const struct trials *rows, clred_plan *plan, struct outcome *outcome) {
  const struct job *job = &rows->job;
  struct loop loop = {.plan = plan, .call = {.in = job->input.data, .count = job->work.call.count}};
  struct work work = job->work;
  for (size_t i = 0; i < job->other_count; i++)
    loop.inputs[i] = job->others[i].data;
  loop.call.inputs = loop.inputs;
  loop.call.initial = job->work.call.initial;
  work.by_hand = call_loop;
  work.about = &loop;
  return run_plan(&job->session, plan, &work, trials_repeats(rows), outcome);
}

// host_openmp is the textbook's reduction(op:total): each thread folds a contiguous share of the elements into its own
// total, and the totals are folded in order. Each thread folds as host_serial does, so the row takes the same types.

#ifdef _OPENMP
#include <omp.h>
// A team of `threads` threads.
#define ON_ALL_THREADS _Pragma("omp parallel for schedule(static, 1) num_threads((int)threads)")
static cl_ulong thread_count(void) {
  return (cl_ulong)omp_get_max_threads();
}
#else
#define ON_ALL_THREADS
static cl_ulong thread_count(void) {
  return 0;
}
#endif

struct team {
  const struct job *job;
  const clred_plan *fold;  // elements to a total
  clred_plan *join;        // totals to the result
  cl_ulong threads;
  size_t size;  // bytes of a total
  unsigned char *totals;
  cl_int *statuses;
};

// A second reduction joins the threads' totals, so a result must be an element of the same operator.
static bool is_closed(const clred_plan_info *info, clred_op op) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_PROD, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_AND,
                                 CLRED_OP_OR,  CLRED_OP_XOR,  CLRED_OP_ALL, CLRED_OP_ANY};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i] == op)
      return info->result_type != CLRED_TYPE_NONE && info->result_type == info->state_type;
  return false;
}

// Why host_openmp cannot run; NULL if it can.
static const char *openmp_refuses(const clred_plan_info *info, clred_op op) {
  if (thread_count() == 0)
    return "this build has no OpenMP; build the tool with a compiler that has it";
  if (!is_closed(info, op))
    return "threads join results, so only sum, prod, min, max, and, or, xor, all and any run here, and only if the "
           "type of the state is that of the result";
  return NULL;
}

static cl_int fold_shares(struct team *team) {
  const cl_ulong threads = team->threads, count = team->job->work.call.count;
  const size_t size = team->job->input.type.size;
  const unsigned char *in = team->job->input.data;
  ON_ALL_THREADS
  for (cl_ulong i = 0; i < threads; i++) {
    const cl_ulong first = count * i / threads, end = count * (i + 1) / threads;
    const clred_host_call call = {.in = in + first * size, .count = end - first, .out = team->totals + i * team->size};
    team->statuses[i] = clred_plan_reference(team->fold, &call);
  }
  for (cl_ulong i = 0; i < threads; i++)
    if (team->statuses[i] != CL_SUCCESS)
      return team->statuses[i];
  return CL_SUCCESS;
}

static cl_int call_team(void *about, void *result) {
  struct team *team = about;
  const clred_host_call join = {.in = team->totals, .count = team->threads, .out = result};
  cl_int status = fold_shares(team);
  return status == CL_SUCCESS ? clred_plan_reference(team->join, &join) : status;
}

static int prepare_team(struct team *team, const clred_problem *problem, clred_type total) {
  clred_problem join = *problem;
  join.type = total;
  team->totals = calloc(team->threads + 1, team->size);
  team->statuses = calloc(team->threads + 1, sizeof *team->statuses);
  if (team->totals == NULL || team->statuses == NULL)
    return fail_memory();
  return session_check(&team->job->session, session_plan(&team->job->session, &join, &team->join));
}

// `plan` is the plan of host_serial for `problem`.
static int run_openmp(const struct trials *rows, const clred_problem *problem, clred_plan *plan,
                      struct outcome *outcome) {
  const struct job *job = &rows->job;
  const cl_ulong count = job->work.call.count, threads = thread_count();
  struct team team = {.job = job, .fold = plan, .threads = threads < count ? threads : count};
  struct work work = job->work;
  clred_plan_info info;
  clred_plan_inspect(plan, count, &info);
  team.size = info.result_size;
  int code = prepare_team(&team, problem, info.result_type);
  if (count > 0) {
    work.by_hand = call_team;
    work.about = &team;
  }
  code = code ? code : run_plan(&job->session, plan, &work, trials_repeats(rows), outcome);
  // The number of threads decides in which order the elements are combined.
  outcome->info.order = "any";
  outcome->info.elements = count;
  clred_plan_release(team.join);
  free(team.totals);
  free(team.statuses);
  return code;
}

// ---- A row

static int judge(struct ladder *ladder, struct trial *row, const clred_plan *plan) {
  struct verdict verdict;
  int code = verify_outcome(&ladder->rows.job, plan, &row->outcome, false, &verdict);
  row->correct = verdict.correct;
  if (!code && !ladder->measured)
    code = take_reference(ladder, &verdict);
  verdict_release(&verdict);
  return code ? code : note_error(ladder, row);
}

static int run_row(struct ladder *ladder, struct trial *row, const clred_problem *problem, clred_plan *plan) {
  const struct trials *rows = &ladder->rows;
  const struct job *job = &rows->job;
  clred_plan_info info;
  int code;
  clred_plan_inspect(plan, job->input.count, &info);
  const char *reason = row->strategy == NULL ? openmp_refuses(&info, job->operation.op.op) : NULL;
  if (reason != NULL)
    return trial_refuse(row, reason);
  if (row->strategy == NULL)
    code = run_openmp(rows, problem, plan, &row->outcome);
  else if (row == rows->list)
    code = run_loop(rows, plan, &row->outcome);
  else
    code = run_plan(&job->session, plan, &job->work, trials_repeats(rows), &row->outcome);
  code = code ? code : judge(ladder, row, plan);
  if (!code && job->args->explain && row->strategy != NULL)
    code = steps_take(&row->steps, plan, job->input.count);
  return code;
}

// The options about sizes do not apply to the loops on the host, which are the baseline of all other rows.
static void set_strategy(const struct trials *rows, const struct trial *row, clred_problem *problem) {
  const char *loop = rows->list[0].strategy;
  problem->strategy = row->strategy == NULL ? loop : row->strategy;
  problem->finish = row->finish;
  if (problem->strategy == loop) {
    problem->order = CLRED_ORDER_DEFAULT;
    problem->group_size = problem->groups = problem->elements = problem->stop_at = 0;
    problem->stage = CLRED_STAGE_LOCAL;
  }
}

// A refused strategy is a row. A refused problem ends the ladder.
static int climb(struct trials *rows, struct trial *row) {
  const struct session *session = &rows->job.session;
  clred_problem problem = rows->job.problem;
  clred_plan *plan = NULL;
  set_strategy(rows, row, &problem);
  cl_int status = session_plan(session, &problem, &plan);
  if (status == CLRED_STRATEGY_REFUSED)
    return trial_refuse(row, clred_last_error(session->runtime));
  int code = session_check(session, status);
  code = code ? code : run_row((struct ladder *)(void *)rows, row, &problem, plan);
  clred_plan_release(plan);
  return code;
}

// ---- The list of rows

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

static void append(struct trials *rows, const char *name, const char *strategy, const char *finish, bool again) {
  struct trial *trial = &rows->list[rows->count++];
  snprintf(trial->name, sizeof trial->name, "%s%s%s", name, again ? "+" : "", again ? finish : "");
  trial->strategy = strategy;
  trial->finish = finish;
}

// A textbook's strategy with partials has two rows: in one the device finishes the partials, in the other the host.
// --finish replaces both rows by one. It applies only to strategies with partials.
static void append_strategy(struct trials *rows, const clred_strategy_info *row) {
  const bool has_partials = row->finishes[0] != NULL;
  const char *finish = has_partials ? rows->job.args->finish : NULL;
  const bool has_both =
    has_partials && finish == NULL && !row->fixed_order && takes_finish(row, "host") && row->finishes[1] != NULL;
  if (has_both && strcmp(row->finishes[0], "host") == 0)
    finish = row->finishes[1];
  append(rows, row->name, row->name, finish, false);
  if (has_both)
    append(rows, row->name, row->name, "host", true);
}

// The library lists the host's loop before all others.
static int make_rows(struct trials *rows) {
  clred_strategy_info row;
  size_t count = 0;
  while (clred_strategy_at(count, &row) == CL_SUCCESS)
    count++;
  rows->list = calloc(2 * count + 1, sizeof *rows->list);
  if (rows->list == NULL)
    return fail_memory();
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++)
    if (is_listed(&rows->job, &row)) {
      append_strategy(rows, &row);
      if (rows->count == 1 && !rows->job.args->scan)
        append(rows, "host_openmp", NULL, NULL, false);
    }
  return EXIT_DONE;
}

static int climb_all(struct ladder *ladder) {
  struct trials *rows = &ladder->rows;
  if (rows->job.problem.scan && rows->job.input.count == 0)
    return fail(EXIT_BAD_USE, "ladder: a scan of 0 elements has no results to compare");
  ladder->units = session_fact(&rows->job.session, "compute_units", 1);
  int code = make_rows(rows);
  code = code ? code : trials_run(rows, climb, 0);
  if (!code && !ladder->measured)
    return fail(EXIT_BAD_USE, "no strategy runs here: %s", rows->list[0].refused);
  return code;
}

// ---- The table

// Speedup and efficiency of a row. NaN if the row was refused, or has no times of kernels.
struct scale {
  double outside;     // share of a call outside its kernels: launches, reading the result, the host's finish
  double speedup;     // the first row's time / this one's
  double efficiency;  // speedup / compute units
  double bound;       // Amdahl's: 1 / (outside + (1 - outside) / compute units)
};

static struct scale scale_of(const struct ladder *ladder, const struct trial *row) {
  const double wall = row->outcome.wall_seconds, kernels = row->outcome.kernel_seconds, units = (double)ladder->units;
  struct scale scale = {NAN, NAN, NAN, NAN};
  if (!(wall > 0))
    return scale;
  scale.outside = kernels > wall ? 0 : (wall - kernels) / wall;
  scale.bound = 1 / (scale.outside + (1 - scale.outside) / units);
  scale.speedup = ladder->rows.list[0].outcome.wall_seconds / wall;
  scale.efficiency = scale.speedup / units;
  return scale;
}

enum { RESULT_WIDTH = 9 };

// Name and finish have 33 columns together. The finish of a scan is -.
static int print_name(const char *name, const char *finish) {
  const int at = printf("%-22s ", name);
  return at + printf("%-*s ", 33 - at, finish);
}

// A result that is too long for its column has its own line.
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
           table_is_narrow() ? "" : error, ladder->rows.list[0].name,
           table_is_narrow() ? "100 columns also show error, efficiency and Amdahl's bound." : more);
  wrap_print(line, 0, 2, table_width());
}

static void print_heading(const struct ladder *ladder) {
  trials_print_title(&ladder->rows);
  explain_columns(ladder);
  putchar('\n');
  print_name("strategy", "finish");
  printf("%*s    time kernels launches", RESULT_WIDTH, "result");
  if (!table_is_narrow())
    printf(" %9s", ladder->in_ulps ? "ulps" : "error");
  printf(" speedup%s\n", table_is_narrow() ? "" : "  effic. bound");
}

// Prints speedup, efficiency and bound of a row. A row with a wrong result has none of them.
static void print_scale(const struct ladder *ladder, const struct trial *row) {
  const struct scale scale = scale_of(ladder, row);
  char speedup[CELL_SIZE], efficiency[CELL_SIZE], bound[CELL_SIZE];
  write_short(scale.speedup, speedup);
  write_short(scale.efficiency, efficiency);
  write_short(scale.bound, bound);
  printf(" %7s", row->correct ? speedup : "WRONG");
  if (row->correct && !table_is_narrow())
    printf(" %7s %5s", efficiency, bound);
  putchar('\n');
}

static void print_row(const struct ladder *ladder, const struct trial *row) {
  const clred_plan_info *info = &row->outcome.info;
  const struct results *results = &row->outcome.results;
  const char *name = row->strategy == NULL ? row->name : row->strategy;
  const char *finish = trial_ran(row) ? info->finish : row->finish;
  char time[CELL_SIZE], kernels[CELL_SIZE], error[CELL_SIZE];
  int at = print_name(name, finish == NULL ? "-" : finish);
  if (!trial_ran(row)) {
    wrap_print(row->refused, (size_t)at, (size_t)at, table_width());
    return;
  }
  char *result = results_text(results, results_last(results), " ");
  write_short_time(row->outcome.wall_seconds, time);
  write_short_time(row->outcome.kernel_seconds, kernels);
  write_measure(fabs(row->ulps) < 9999.5 ? "%.4g" : "%.3g", ladder->in_ulps ? row->ulps : row->error, error);
  print_result(result == NULL ? "?" : result, at);
  printf(" %7s %7s %8" PRIu64, time, kernels, (uint64_t)info->passes);
  if (!table_is_narrow())
    printf(" %9s", error);
  print_scale(ladder, row);
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
  for (size_t i = 0; i < ladder->rows.count; i++)
    if (ladder->rows.list[i].steps.count > 0) {
      printf("\n%s\n", ladder->rows.list[i].name);
      steps_print(&ladder->rows.list[i].steps);
    }
}

static int print_text(const struct ladder *ladder) {
  const struct trials *rows = &ladder->rows;
  print_heading(ladder);
  for (size_t i = 0; i < rows->count; i++) {
    const bool is_best = &rows->list[i] == rows->best;
    fputs(is_best ? colour_begin(STDOUT_FILENO, COLOUR_BEST) : "", stdout);
    print_row(ladder, &rows->list[i]);
    fputs(is_best ? colour_end(STDOUT_FILENO) : "", stdout);
  }
  print_analytic(ladder);
  print_steps(ladder);
  return EXIT_DONE;
}

// ---- JSON

static cJSON *last_json(const struct results *results) {
  return results_one_json(results, results_last(results));
}

static void add_scale(cJSON *row, struct scale scale) {
  json_add_measure(row, "outside_share", scale.outside);
  json_add_measure(row, "speedup", scale.speedup);
  json_add_measure(row, "efficiency", scale.efficiency);
  json_add_measure(row, "amdahl_bound", scale.bound);
}

// A refused row has the same members; those of a call are null.
static void add_row(cJSON *list, const struct ladder *ladder, const struct trial *trial) {
  const clred_plan_info *info = &trial->outcome.info;
  const bool ran = trial_ran(trial);
  cJSON *row = json_add_item(list);
  json_add_text(row, "name", trial->name);
  json_add_text(row, "strategy", trial->strategy);
  json_add_text(row, "finish", info->finish);
  cJSON_AddItemToObject(row, "result", ran ? last_json(&trial->outcome.results) : cJSON_CreateNull());
  json_add_measure(row, "wall_seconds", trial->outcome.wall_seconds);
  json_add_measure(row, "kernel_seconds", trial->outcome.kernel_seconds);
  add_scale(row, scale_of(ladder, trial));
  json_add_measure(row, "error", trial->error);
  json_add_measure(row, "error_ulp", trial->ulps);
  json_add_known_count(row, "launches", ran, info->passes);
  json_add_text(row, "order", info->order);
  json_add_known_count(row, "group_size", ran, info->group_size);
  json_add_known_count(row, "groups", ran, info->groups);
  json_add_known_count(row, "elements_per_group", ran, info->elements_per_group);
  json_add_known_count(row, "calls", ran, trial->outcome.calls);
  json_add_known(row, "correct", ran, trial->correct);
  json_add_text(row, "refused", ran ? NULL : trial->refused);
  if (ran && ladder->rows.job.args->explain)
    steps_add_json(row, &trial->steps);
}

static int print_json(const struct ladder *ladder) {
  cJSON *object = trials_json(&ladder->rows);
  json_add_count(object, "compute_units", ladder->units);
  if (ladder->floating)
    json_add_measure(object, "analytic", ladder->analytic);
  else
    cJSON_AddItemToObject(object, "analytic", last_json(&ladder->reference));
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < ladder->rows.count; i++)
    add_row(rows, ladder, &ladder->rows.list[i]);
  return json_print(object);
}

// ---- The bars

static void write_bar(const struct ladder *ladder, const struct trial *trial, FILE *script) {
  char time[CELL_SIZE], speedup[CELL_SIZE];
  if (!trial_ran(trial)) {
    fprintf(script, "%s\tNaN\tNaN\trefused\n", trial->name);
    return;
  }
  write_short_time(trial->outcome.wall_seconds, time);
  write_short(scale_of(ladder, trial).speedup, speedup);
  fprintf(script, "%s\t%.9g\t%.9g\t%s, x %s%s\n", trial->name, trial->outcome.wall_seconds * 1e6,
          trial->outcome.kernel_seconds * 1e6, time, speedup, trial->correct ? "" : ", WRONG");
}

static void write_plot(const void *of, FILE *script) {
  const struct ladder *ladder = ladder_of(of);
  char title[TEXTBOOK_TITLE_SIZE], note[256];
  trials_title(&ladder->rows, title);
  snprintf(note, sizeof note, "medians; x is the speedup over %s", ladder->rows.list[0].name);
  plot_text(script, "title", title);
  plot_text(script, "note", note);
  fputs("$rows << EOD\nname\twall\tkernels\tlabel\n", script);
  for (size_t i = 0; i < ladder->rows.count; i++)
    write_bar(ladder, &ladder->rows.list[i], script);
  fputs("EOD\n", script);
  fputs(verbs_ladder_gp, script);
}

// ---- The verb

static int print(const struct trials *rows) {
  return rows->args.json ? print_json(ladder_of(rows)) : print_text(ladder_of(rows));
}

int cmd_ladder(const struct args *args) {
  struct ladder ladder = {.units = 0};
  int code = trials_open(&ladder.rows, args, args->op);
  code = code ? code : job_load(&ladder.rows.job);
  code = code ? code : climb_all(&ladder);
  code = code ? code : trials_report(&ladder.rows, print, write_plot);
  free(ladder.analytic_text);
  results_release(&ladder.reference);
  trials_release(&ladder.rows);
  return code;
}
