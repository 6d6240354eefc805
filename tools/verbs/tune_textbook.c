// clreduce tune --textbook: tries the parameters that textbooks leave open, such as the size of a group, in all
// combinations. Every result is verified. tune_textbook.gp draws the times as heat maps.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/plot.h"
#include "base/wrap.h"
#include "bench/request.h"
#include "verbs/textbook.h"
#include "verify/verify.h"

enum { PARAMETERS = 4, STRATEGIES_MAX = 64, TRIALS_MAX = 1024, REASON_SIZE = 512 };

extern const char verbs_tune_textbook_gp[];  // tune_textbook.gp; the build embeds it

// What a trial may set. The last row stands for no parameter.
static const struct parameter {
  const char *name;
  size_t field;     // offset in clred_problem
  cl_ulong sample;  // a value that every strategy with this parameter takes
} parameters[PARAMETERS + 1] = {{"group_size", offsetof(clred_problem, group_size), 2},
                                {"groups", offsetof(clred_problem, groups), 1},
                                {"elements", offsetof(clred_problem, elements), 2},
                                {"stop_at", offsetof(clred_problem, stop_at), 1},
                                {.name = ""}};

struct strategy {
  const char *name;
  bool takes[PARAMETERS];
};

struct trial {
  const struct strategy *strategy;  // NULL: auto
  cl_ulong values[PARAMETERS + 1];  // 0: the strategy does not take the parameter
  size_t at[PARAMETERS + 1];        // the index of each value among the values to try
  char refused[REASON_SIZE];        // why it cannot run; "" if it ran
  struct outcome outcome;
  bool correct;
};

struct trials {
  struct job job;
  struct bench_sizes lists[PARAMETERS];  // the values to try
  struct strategy strategies[STRATEGIES_MAX];
  size_t strategy_count;
  struct trial *list;  // auto, then all combinations of each strategy
  size_t count;
  const struct trial *best;  // the fastest one of a named strategy with a correct result; NULL if there is none
};

static clred_problem problem_of(const struct trials *trials, const struct trial *trial) {
  clred_problem problem = trials->job.problem;
  problem.strategy = trial->strategy == NULL ? NULL : trial->strategy->name;
  for (size_t i = 0; i < PARAMETERS; i++)
    memcpy((char *)&problem + parameters[i].field, &trial->values[i], sizeof trial->values[i]);
  return problem;
}

// ---- The values

// Reads "NAME=N,...".
static int take_try(struct trials *trials, const char *text) {
  const size_t length = strcspn(text, "=");
  size_t i = 0;
  while (i < PARAMETERS && (strlen(parameters[i].name) != length || memcmp(parameters[i].name, text, length) != 0))
    i++;
  if (i == PARAMETERS || text[length] == '\0')
    return fail(EXIT_BAD_USE, "--try %s: no such parameter; give group_size, groups, elements or stop_at, and =N,...",
                text);
  if (trials->lists[i].count > 0)
    return fail(EXIT_BAD_USE, "--try %s: %s is given twice; give all its values at once", text, parameters[i].name);
  return bench_sizes_take(&trials->lists[i], "--try", text + length + 1);
}

static int take_tries(struct trials *trials, const struct texts *tries) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < tries->count && !code; i++)
    code = take_try(trials, tries->list[i]);
  return code;
}

static void add_powers(struct bench_sizes *values, cl_ulong first, cl_ulong last) {
  for (cl_ulong value = values->count > 0 ? last + 1 : first; value <= last; value *= 2)
    values->list[values->count++] = value;
}

static void add_usual_values(struct trials *trials) {
  const cl_ulong largest = session_fact(&trials->job.session, "max_work_group_size", 1024);
  const cl_ulong units = session_fact(&trials->job.session, "compute_units", 1);
  add_powers(&trials->lists[0], largest < 32 ? largest : 32, largest < 1024 ? largest : 1024);
  add_powers(&trials->lists[1], units, 8 * units);
  add_powers(&trials->lists[2], 2, 32);
  add_powers(&trials->lists[3], 32, 128);
}

// ---- The strategies

static int check_names(const char *names) {
  const char *word;
  char name[64];
  size_t length;
  int code = EXIT_DONE;
  while (!code && list_next(&names, ",", &word, &length)) {
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    code = problem_check_strategy(name);
  }
  return code;
}

// Without --strategy: those of textbooks whose groups leave partials, because textbooks leave their sizes open. The
// other form of `tune` measures the strategies of the order fixed/1.
static bool is_wanted(const char *names, const clred_strategy_info *row) {
  const bool reduces = !row->scans && !row->counts && (row->layouts & 1u << CLRED_LAYOUT_LINE) != 0;
  if (names != NULL)
    return list_has(names, ",", row->name, strlen(row->name));
  return reduces && row->finishes[0] != NULL && !row->fixed_order;
}

static bool applies(const struct trials *trials, const struct trial *trial) {
  const clred_problem problem = problem_of(trials, trial);
  char reason[REASON_SIZE];
  return clred_strategy_applies(trials->job.session.runtime, problem.strategy, &problem, reason, sizeof reason) ==
         CL_SUCCESS;
}

// A strategy that refuses the problem itself takes no parameters. Its only row says why.
static void add_strategy(struct trials *trials, const char *name, bool used[PARAMETERS]) {
  struct strategy *strategy = &trials->strategies[trials->strategy_count++];
  strategy->name = name;
  const bool refuses = !applies(trials, &(struct trial){.strategy = strategy});
  for (size_t i = 0; i < PARAMETERS; i++) {
    struct trial sample = {.strategy = strategy};
    sample.values[i] = parameters[i].sample;
    strategy->takes[i] = !refuses && applies(trials, &sample);
    used[i] = used[i] || refuses || strategy->takes[i];
  }
}

static int take_strategies(struct trials *trials, const char *names) {
  bool used[PARAMETERS] = {false};
  clred_strategy_info row;
  int code = check_names(names);
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS && !code; i++)
    if (is_wanted(names, &row) && trials->strategy_count < STRATEGIES_MAX)
      add_strategy(trials, row.name, used);
  if (!code && trials->strategy_count == 0)
    return fail(EXIT_BAD_USE, "--strategy: auto has no parameters to try; name other strategies");
  for (size_t i = 0; i < PARAMETERS && !code; i++)
    if (trials->lists[i].count > 0 && !used[i])
      code =
        fail(EXIT_BAD_USE, "--try: %s cannot be set for these strategies; leave it out, or name others by --strategy",
             parameters[i].name);
  return code;
}

// ---- The list of trials

// Counts also the trials that do not fit.
static void add_trial(struct trials *trials, const struct trial *trial) {
  if (trials->count++ < TRIALS_MAX)
    trials->list[trials->count - 1] = *trial;
}

// Adds the trials of all combinations of the parameters from `which` on. The last parameter changes first.
static void add_combinations(struct trials *trials, struct trial *trial, size_t which) {
  const struct bench_sizes *values = &trials->lists[which];
  if (which == PARAMETERS)
    add_trial(trials, trial);
  else if (!trial->strategy->takes[which])
    add_combinations(trials, trial, which + 1);
  else
    for (size_t i = 0; i < values->count; i++) {
      trial->values[which] = values->list[i];
      trial->at[which] = i;
      add_combinations(trials, trial, which + 1);
    }
}

static int make_trials(struct trials *trials) {
  trials->list = calloc(TRIALS_MAX, sizeof *trials->list);
  if (trials->list == NULL)
    return fail_memory();
  add_usual_values(trials);
  add_trial(trials, &(struct trial){.strategy = NULL});
  for (size_t i = 0; i < trials->strategy_count; i++)
    add_combinations(trials, &(struct trial){.strategy = &trials->strategies[i]}, 0);
  if (trials->count > TRIALS_MAX)
    return fail(EXIT_BAD_USE,
                "tune --textbook: %zu trials are more than %d; give fewer values by --try, or fewer "
                "strategies",
                trials->count, TRIALS_MAX);
  return EXIT_DONE;
}

// ---- The trials

// Keeps the times alone of an outcome. A size that does not fit is reported in its row. If auto refuses, the whole
// problem is refused.
static int run_trial(const struct job *job, const clred_problem *problem, struct trial *trial) {
  struct verdict verdict = {.correct = false};
  clred_plan *plan = NULL;
  const cl_int status = session_plan(&job->session, problem, &plan);
  if (status != CL_SUCCESS && trial->strategy != NULL &&
      (fail_code(status) == EXIT_BAD_USE || status == CLRED_WRONG_RESULT)) {
    snprintf(trial->refused, sizeof trial->refused, "%s", clred_last_error(job->session.runtime));
    trial->outcome.wall_seconds = trial->outcome.kernel_seconds = NAN;
    return EXIT_DONE;
  }
  int code = session_check(&job->session, status);
  code = code ? code : run_plan(&job->session, plan, &job->work, textbook_repeats(job->args), &trial->outcome);
  code = code ? code : verify_outcome(job, plan, &trial->outcome, false, &verdict);
  trial->correct = verdict.correct;
  verdict_release(&verdict);
  outcome_release(&trial->outcome);
  clred_plan_release(plan);
  return code;
}

static bool is_better(const struct trial *trial, const struct trial *best) {
  return trial->strategy != NULL && trial->correct &&
         (best == NULL || trial->outcome.wall_seconds < best->outcome.wall_seconds);
}

static const char *name_of(const struct trial *trial) {
  return trial->strategy == NULL ? "auto" : trial->strategy->name;
}

static int run_trials(struct trials *trials) {
  struct progress *progress = &trials->job.progress;
  int code = EXIT_DONE;
  for (size_t i = 0; i < trials->count && !code; i++) {
    struct trial *trial = &trials->list[i];
    const clred_problem problem = problem_of(trials, trial);
    progress_show(progress, name_of(trial), i, trials->count);
    code = run_trial(&trials->job, &problem, trial);
    if (is_better(trial, trials->best))
      trials->best = trial;
  }
  progress_end(progress);
  return code;
}

// ---- The table

// The trial's time divided by the time of the best trial.
static double to_best(const struct trials *trials, const struct trial *trial) {
  return trials->best == NULL ? NAN : trial->outcome.wall_seconds / trials->best->outcome.wall_seconds;
}

static void print_trial(const struct trials *trials, const struct trial *trial) {
  char time[CELL_SIZE], kernels[CELL_SIZE], ratio[CELL_SIZE];
  int at = trial->strategy == NULL ? printf("auto: %-16s", trial->outcome.info.strategy)
                                   : printf("%-22s", trial->strategy->name);
  for (size_t i = 0; i < PARAMETERS; i++)
    at += trial->values[i] == 0 ? printf(" %*s", i == 0 ? 10 : 8, "-")
                                : printf(" %*" PRIu64, i == 0 ? 10 : 8, (uint64_t)trial->values[i]);
  if (*trial->refused != '\0') {
    putchar(' ');
    wrap_print(trial->refused, (size_t)at + 1, (size_t)at + 1, table_width());
    return;
  }
  write_short_time(trial->outcome.wall_seconds, time);
  write_short_time(trial->outcome.kernel_seconds, kernels);
  write_short(to_best(trials, trial), ratio);
  printf(" %7s %7s %7s%s\n", time, kernels, trial->correct ? ratio : "WRONG", trial == trials->best ? " best" : "");
}

static int print_text(const struct trials *trials) {
  textbook_print_title(&trials->job);
  wrap_print("time: a whole call by the host's clock. kernels: the part of it from the start of the first kernel to "
             "the end of the last. to best: time / the best trial's.",
             0, 2, table_width());
  printf("\n%-22s group_size   groups elements  stop_at    time kernels to best\n", "strategy");
  for (size_t i = 0; i < trials->count; i++)
    print_trial(trials, &trials->list[i]);
  return EXIT_DONE;
}

// ---- JSON

static void add_row(cJSON *rows, const struct trials *trials, const struct trial *trial) {
  const struct outcome *outcome = &trial->outcome;
  const bool ran = *trial->refused == '\0';
  cJSON *row = json_add_item(rows);
  json_add_text(row, "name", name_of(trial));
  json_add_text(row, "strategy", ran ? outcome->info.strategy : trial->strategy->name);
  for (size_t i = 0; i < PARAMETERS; i++)
    json_add_known_count(row, parameters[i].name, trial->values[i] != 0, trial->values[i]);
  json_add_text(row, "finish", outcome->info.finish);
  json_add_measure(row, "wall_seconds", outcome->wall_seconds);
  json_add_measure(row, "kernel_seconds", outcome->kernel_seconds);
  json_add_measure(row, "to_best", to_best(trials, trial));
  json_add_known_count(row, "calls", ran, outcome->calls);
  json_add_known(row, "correct", ran, trial->correct);
  json_add_text(row, "refused", ran ? NULL : trial->refused);
}

static int print_json(const struct trials *trials) {
  cJSON *object = textbook_json(&trials->job), *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < trials->count; i++)
    add_row(rows, trials, &trials->list[i]);
  return json_print(object);
}

// ---- The heat maps: group sizes from left to right, the strategy's other parameter from bottom to top

// No strategy has two parameters besides the group size.
static void write_cell(const struct trials *trials, const struct trial *trial, FILE *script) {
  size_t y = 1;
  char time[CELL_SIZE];
  while (y < PARAMETERS && !trial->strategy->takes[y])
    y++;
  write_short_time(trial->outcome.wall_seconds, time);
  fprintf(script, "%zu\t%s\t%s\t%zu\t%zu", (size_t)(trial->strategy - trials->strategies) + 1, trial->strategy->name,
          parameters[y].name, trial->at[0], trial->at[y]);
  fprintf(script, "\t%" PRIu64 "\t%" PRIu64 "\t%.9g\t%s\t%d\n", (uint64_t)trial->values[0], (uint64_t)trial->values[y],
          trial->outcome.wall_seconds * 1e6, time, trial == trials->best);
}

static void write_plot(const void *of, FILE *script) {
  const struct trials *trials = of;
  char text[TEXTBOOK_TITLE_SIZE], time[CELL_SIZE];
  textbook_title(&trials->job, text);
  plot_text(script, "title", text);
  write_short_time(trials->list[0].outcome.wall_seconds, time);
  snprintf(text, sizeof text, "time of a whole call; auto takes %s", time);
  plot_text(script, "note", text);
  fprintf(script, "panels = %zu\n$cells << EOD\n", trials->strategy_count);
  fputs("panel\tstrategy\tparameter\tx\ty\tgroup_size\tvalue\tmicroseconds\tlabel\tbest\n", script);
  for (size_t i = 1; i < trials->count; i++)
    write_cell(trials, &trials->list[i], script);
  fputs("EOD\n", script);
  fputs(verbs_tune_textbook_gp, script);
}

// ---- The verb

static int report(const struct trials *trials) {
  const struct args *args = trials->job.args;
  int code = args->json ? print_json(trials) : print_text(trials);
  if (!code && args->plot != NULL)
    code = plot_draw(args->plot, write_plot, trials);
  for (size_t i = 0; i < trials->count && !code; i++)
    if (*trials->list[i].refused == '\0' && !trials->list[i].correct)
      code = fail(EXIT_WRONG, "tune --textbook: trial %zu, %s, gave a wrong result", i,
                  trials->list[i].outcome.info.strategy);
  return code;
}

// The job has no strategy: each trial sets one.
int tune_textbook(const struct args *args) {
  struct trials trials = {.count = 0};
  struct args own = *args;
  char spec[TEXTBOOK_SPEC_SIZE];
  int code = args->plot == NULL ? EXIT_DONE : plot_check(args->plot);
  if (code)
    return code;
  textbook_data(args, spec);
  own.generate = spec;
  own.strategy = NULL;
  code = job_open(&trials.job, &own, args_op(args) == NULL ? "sum" : args_op(args));
  code = code ? code : take_tries(&trials, &args->tries);
  code = code ? code : take_strategies(&trials, args->strategy);
  code = code ? code : make_trials(&trials);
  code = code ? code : job_load(&trials.job);
  code = code ? code : run_trials(&trials);
  code = code ? code : report(&trials);
  free(trials.list);
  job_close(&trials.job);
  return code;
}
