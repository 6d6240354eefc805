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
#include "bench/bench.h"
#include "verbs/textbook.h"

enum { STRATEGIES_MAX = 64, TRIALS_MAX = 1024, FIRST_OF_STRATEGIES = 1 };  // trial 0 is auto

extern const char verbs_tune_textbook_gp[];  // tune_textbook.gp; the build embeds it

static const struct parameter {
  const char *name;
  size_t field;     // offset in clred_problem
  cl_ulong sample;  // a value that every strategy with this parameter takes
} parameters[TRIAL_PARAMETERS] = {{"group_size", offsetof(clred_problem, group_size), 2},
                                  {"groups", offsetof(clred_problem, groups), 1},
                                  {"elements", offsetof(clred_problem, elements), 2},
                                  {"stop_at", offsetof(clred_problem, stop_at), 1}};

struct tuning {
  struct trials trials;                        // auto, then all combinations of each strategy
  struct bench_sizes lists[TRIAL_PARAMETERS];  // the values to try
  struct strategy {
    const char *name;
    bool takes[TRIAL_PARAMETERS];
  } strategies[STRATEGIES_MAX];
  size_t strategy_count;
};

static clred_problem problem_of(const struct trials *trials, const struct trial *trial) {
  clred_problem problem = trials->job.problem;
  problem.strategy = trial->strategy;
  for (size_t i = 0; i < TRIAL_PARAMETERS; i++)
    memcpy((char *)&problem + parameters[i].field, &trial->values[i], sizeof trial->values[i]);
  return problem;
}

// ---- The values

// Reads "NAME=N,...".
static int take_try(struct tuning *tuning, const char *text) {
  const size_t length = strcspn(text, "=");
  size_t i = 0;
  while (i < TRIAL_PARAMETERS &&
         (strlen(parameters[i].name) != length || memcmp(parameters[i].name, text, length) != 0))
    i++;
  if (i == TRIAL_PARAMETERS || text[length] == '\0')
    return fail(EXIT_BAD_USE, "--try %s: no such parameter; give group_size, groups, elements or stop_at, and =N,...",
                text);
  if (tuning->lists[i].count > 0)
    return fail(EXIT_BAD_USE, "--try %s: %s is given twice; give all its values at once", text, parameters[i].name);
  return bench_sizes_take(&tuning->lists[i], "--try", text + length + 1);
}

static int take_tries(struct tuning *tuning, const struct texts *tries) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < tries->count && !code; i++)
    code = take_try(tuning, tries->list[i]);
  return code;
}

static void add_powers(struct bench_sizes *values, cl_ulong first, cl_ulong last) {
  for (cl_ulong value = values->count > 0 ? last + 1 : first; value <= last; value *= 2)
    values->list[values->count++] = value;
}

static void add_usual_values(struct tuning *tuning) {
  const cl_ulong largest = session_fact(&tuning->trials.job.session, "max_work_group_size", 1024);
  const cl_ulong units = session_fact(&tuning->trials.job.session, "compute_units", 1);
  add_powers(&tuning->lists[0], largest < 32 ? largest : 32, largest < 1024 ? largest : 1024);
  add_powers(&tuning->lists[1], units, 8 * units);
  add_powers(&tuning->lists[2], 2, 32);
  add_powers(&tuning->lists[3], 32, 128);
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

// Without --strategy: the textbooks' strategies whose groups leave partials, because textbooks do not set their sizes.
// `tune` without --textbook measures the strategies of the order fixed/1.
static bool is_wanted(const char *names, const clred_strategy_info *row) {
  const bool reduces = !row->scans && !row->counts && (row->layouts & 1u << CLRED_LAYOUT_LINE) != 0;
  if (names != NULL)
    return list_has(names, ",", row->name, strlen(row->name));
  return reduces && row->finishes[0] != NULL && !row->fixed_order;
}

static bool applies(const struct trials *trials, const struct trial *trial) {
  const clred_problem problem = problem_of(trials, trial);
  return clred_strategy_applies(trials->job.session.runtime, problem.strategy, &problem, NULL, 0) == CL_SUCCESS;
}

// A strategy that refuses the problem itself takes no parameters. Its only row says why.
static void add_strategy(struct tuning *tuning, const char *name, bool used[TRIAL_PARAMETERS]) {
  struct strategy *strategy = &tuning->strategies[tuning->strategy_count++];
  strategy->name = name;
  const bool refuses = !applies(&tuning->trials, &(struct trial){.strategy = name});
  for (size_t i = 0; i < TRIAL_PARAMETERS; i++) {
    struct trial sample = {.strategy = name};
    sample.values[i] = parameters[i].sample;
    strategy->takes[i] = !refuses && applies(&tuning->trials, &sample);
    used[i] = used[i] || refuses || strategy->takes[i];
  }
}

static int take_strategies(struct tuning *tuning, const char *names) {
  bool used[TRIAL_PARAMETERS] = {false};
  clred_strategy_info row;
  int code = check_names(names);
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS && !code; i++)
    if (is_wanted(names, &row) && tuning->strategy_count < STRATEGIES_MAX)
      add_strategy(tuning, row.name, used);
  if (!code && tuning->strategy_count == 0)
    return fail(EXIT_BAD_USE, "--strategy: auto has no parameters to try; name other strategies");
  for (size_t i = 0; i < TRIAL_PARAMETERS && !code; i++)
    if (tuning->lists[i].count > 0 && !used[i])
      code =
        fail(EXIT_BAD_USE, "--try: %s cannot be set for these strategies; leave it out, or name others by --strategy",
             parameters[i].name);
  return code;
}

// ---- The trials

// Adds the trials of all combinations of the parameters from `which` on. The last parameter changes first. Also counts
// the trials that do not fit.
static void add_combinations(struct tuning *tuning, const struct strategy *strategy, struct trial *trial,
                             size_t which) {
  const struct bench_sizes *values = &tuning->lists[which];
  if (which == TRIAL_PARAMETERS) {
    if (tuning->trials.count++ < TRIALS_MAX)
      tuning->trials.list[tuning->trials.count - 1] = *trial;
  } else if (!strategy->takes[which]) {
    add_combinations(tuning, strategy, trial, which + 1);
  } else {
    for (size_t i = 0; i < values->count; i++) {
      trial->values[which] = values->list[i];
      trial->at[which] = i;
      add_combinations(tuning, strategy, trial, which + 1);
    }
  }
}

static int make_trials(struct tuning *tuning) {
  struct trials *trials = &tuning->trials;
  trials->list = calloc(TRIALS_MAX, sizeof *trials->list);
  if (trials->list == NULL)
    return fail_memory();
  add_usual_values(tuning);
  trials->list[trials->count++] = (struct trial){.name = "auto"};
  for (size_t i = 0; i < tuning->strategy_count; i++) {
    const struct strategy *strategy = &tuning->strategies[i];
    struct trial trial = {.strategy = strategy->name};
    snprintf(trial.name, sizeof trial.name, "%s", strategy->name);
    add_combinations(tuning, strategy, &trial, 0);
  }
  if (trials->count <= TRIALS_MAX)
    return EXIT_DONE;
  const size_t count = trials->count;
  trials->count = 0;
  return fail(EXIT_BAD_USE,
              "tune --textbook: %zu trials are more than %d; give fewer values by --try, or fewer strategies", count,
              TRIALS_MAX);
}

// A size that does not fit is reported in its row. If auto refuses, the whole
// problem is refused.
static int run_trial(struct trials *trials, struct trial *trial) {
  const struct session *session = &trials->job.session;
  const clred_problem problem = problem_of(trials, trial);
  struct verdict verdict = {.correct = false};
  clred_plan *plan = NULL;
  const cl_int status = session_plan(session, &problem, &plan);
  if (status != CL_SUCCESS && trial->strategy != NULL &&
      (fail_code(status) == EXIT_BAD_USE || status == CLRED_WRONG_RESULT))
    return trial_refuse(trial, clred_last_error(session->runtime));
  int code = session_check(session, status);
  code = code ? code : run_plan(session, plan, &trials->job.work, trials_repeats(trials), &trial->outcome);
  code = code ? code : verify_outcome(&trials->job, plan, &trial->outcome, false, &verdict);
  trial->correct = verdict.correct;
  verdict_release(&verdict);
  clred_plan_release(plan);
  return code;
}

// ---- The table

// The trial's time divided by the time of the best trial.
static double to_best(const struct trials *trials, const struct trial *trial) {
  return trials->best == NULL ? NAN : trial->outcome.wall_seconds / trials->best->outcome.wall_seconds;
}

static void print_trial(const struct trials *trials, const struct trial *trial) {
  char time[CELL_SIZE], kernels[CELL_SIZE], ratio[CELL_SIZE];
  int at =
    trial->strategy == NULL ? printf("auto: %-16s", trial->outcome.info.strategy) : printf("%-22s", trial->strategy);
  for (size_t i = 0; i < TRIAL_PARAMETERS; i++)
    at += trial->values[i] == 0 ? printf(" %*s", i == 0 ? 10 : 8, "-")
                                : printf(" %*" PRIu64, i == 0 ? 10 : 8, (uint64_t)trial->values[i]);
  if (!trial_ran(trial)) {
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
  trials_print_title(trials);
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
  const bool ran = trial_ran(trial);
  cJSON *row = json_add_item(rows);
  json_add_text(row, "name", trial->name);
  json_add_text(row, "strategy", ran ? outcome->info.strategy : trial->strategy);
  for (size_t i = 0; i < TRIAL_PARAMETERS; i++)
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
  cJSON *object = trials_json(trials), *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < trials->count; i++)
    add_row(rows, trials, &trials->list[i]);
  return json_print(object);
}

// ---- The heat maps: group sizes from left to right, the strategy's other parameter from bottom to top

// No strategy has two parameters besides the group size.
static void write_cell(const struct strategy *strategies, size_t panel, const struct trials *trials,
                       const struct trial *trial, FILE *script) {
  size_t y = 1;
  char time[CELL_SIZE];
  while (y < TRIAL_PARAMETERS && !strategies[panel].takes[y])
    y++;
  const bool has_y = y < TRIAL_PARAMETERS;
  write_short_time(trial->outcome.wall_seconds, time);
  fprintf(script, "%zu\t%s\t%s\t%zu\t%zu", panel + 1, trial->name, has_y ? parameters[y].name : "", trial->at[0],
          has_y ? trial->at[y] : 0);
  fprintf(script, "\t%" PRIu64 "\t%" PRIu64 "\t%.9g\t%s\t%d\n", (uint64_t)trial->values[0],
          (uint64_t)(has_y ? trial->values[y] : 0), trial->outcome.wall_seconds * 1e6, time, trial == trials->best);
}

static void write_plot(const void *of, FILE *script) {
  const struct tuning *tuning = of;  // the trials are its first member
  const struct trials *trials = &tuning->trials;
  char text[TEXTBOOK_TITLE_SIZE], time[CELL_SIZE];
  size_t panel = 0;
  trials_title(trials, text);
  plot_text(script, "title", text);
  write_short_time(trials->list[0].outcome.wall_seconds, time);
  snprintf(text, sizeof text, "time of a whole call; auto takes %s", time);
  plot_text(script, "note", text);
  fprintf(script, "panels = %zu\n$cells << EOD\n", tuning->strategy_count);
  fputs("panel\tstrategy\tparameter\tx\ty\tgroup_size\tvalue\tmicroseconds\tlabel\tbest\n", script);
  for (size_t i = FIRST_OF_STRATEGIES; i < trials->count; i++) {
    while (strcmp(tuning->strategies[panel].name, trials->list[i].name) != 0)
      panel++;
    write_cell(tuning->strategies, panel, trials, &trials->list[i], script);
  }
  fputs("EOD\n", script);
  fputs(verbs_tune_textbook_gp, script);
}

// ---- The verb

static int print(const struct trials *trials) {
  return trials->args.json ? print_json(trials) : print_text(trials);
}

int tune_textbook(const struct args *args) {
  struct tuning tuning = {.strategy_count = 0};
  struct trials *trials = &tuning.trials;
  int code = trials_open(trials, args, args_op(args));
  code = code ? code : take_tries(&tuning, &args->tries);
  code = code ? code : take_strategies(&tuning, args->strategy);
  code = code ? code : make_trials(&tuning);
  code = code ? code : job_load(&trials->job);
  code = code ? code : trials_run(trials, run_trial, FIRST_OF_STRATEGIES);
  code = code ? code : trials_report(trials, print, write_plot);
  trials_release(trials);
  return code;
}
