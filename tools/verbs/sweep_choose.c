// What a sweep tries: the values of numbers, the strategies that take them, and all combinations.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/guess.h"
#include "verbs/sweep.h"

enum { USUAL_TRIALS = 256, LEAST_GROUP = 32, GREATEST_GROUP = 1024 };

const struct sweep_number sweep_numbers[SWEEP_NUMBERS] = {
  {"group_size", offsetof(clred_problem, group_size), 2, offsetof(clred_plan_info, group_size)},
  {"groups", offsetof(clred_problem, groups), 1, offsetof(clred_plan_info, groups)},
  {"elements", offsetof(clred_problem, elements), 2, offsetof(clred_plan_info, elements)},
  {"stop_at", offsetof(clred_problem, stop_at), 1, offsetof(clred_plan_info, stop_at)}};

cl_ulong sweep_ran(const struct trial *trial, size_t which) {
  cl_ulong value;
  memcpy(&value, (const char *)&trial->outcome.info + sweep_numbers[which].ran, sizeof value);
  return value;
}

static void set_number(clred_problem *problem, size_t which, cl_ulong value) {
  memcpy((char *)problem + sweep_numbers[which].field, &value, sizeof value);
}

clred_problem sweep_problem(const struct sweep *sweep, const struct trial *trial) {
  clred_problem problem = sweep->job->problem;
  problem.strategy = trial->strategy;
  if (trial->strategy == NULL) {
    problem.finish = NULL;
    problem.stage = CLRED_STAGE_LOCAL;
  }
  for (size_t i = 0; i < SWEEP_NUMBERS; i++)
    set_number(&problem, i, trial->numbers[i]);
  return problem;
}

// ---- The command line

int sweep_check(const struct args *args) {
  const char *alone = args_given(args, "strategy,most-trials,try", 0);
  if (!args->sweep && alone != NULL)
    return fail(EXIT_BAD_USE, "ladder: --%s applies only to --sweep; give --sweep, too", alone);
  if (args->sweep && args->explain)
    return fail(EXIT_BAD_USE, "ladder: --explain does not apply to --sweep; leave one of them out");
  return EXIT_DONE;
}

// Reads "NUMBER=N,...". Refuses a number that already has values, from another --try or an option such as --group-size.
static int take_try(struct sweep *sweep, const char *text) {
  const size_t length = strcspn(text, "=");
  for (size_t i = 0; i < SWEEP_NUMBERS; i++)
    if (strlen(sweep_numbers[i].name) == length && memcmp(sweep_numbers[i].name, text, length) == 0 &&
        text[length] == '=') {
      if (sweep->lists[i].count > 0)
        return fail(EXIT_BAD_USE, "--try %s: %s is given twice; give all its values at once", text,
                    sweep_numbers[i].name);
      return bench_sizes_take(&sweep->lists[i], "--try", text + length + 1);
    }
  return fail(EXIT_BAD_USE, "--try %s: no such number; give group_size, groups, elements or stop_at, and =N,...", text);
}

static void add_value(struct bench_sizes *list, cl_ulong value) {
  list->list[list->count++] = value;
}

static void take_usual_values(struct sweep *sweep) {
  const struct session *session = &sweep->job->session;
  const cl_ulong largest = session_fact(session, "max_work_group_size", LEAST_GROUP);
  const cl_ulong units = session_fact(session, "compute_units", 1);
  struct bench_sizes usual[SWEEP_NUMBERS] = {{.count = 0}};
  for (cl_ulong size = LEAST_GROUP; size <= largest && size <= GREATEST_GROUP; size *= 2)
    add_value(&usual[0], size);
  for (cl_ulong many = 1; many <= 8; many *= 2)
    add_value(&usual[1], many * units);
  for (cl_ulong many = 2; many <= 32; many *= 2)
    add_value(&usual[2], many);
  for (cl_ulong many = 32; many <= 128; many *= 2)
    add_value(&usual[3], many);
  for (size_t i = 0; i < SWEEP_NUMBERS; i++) {
    sweep->given[i] = sweep->lists[i].count > 0;
    if (!sweep->given[i])
      sweep->lists[i] = usual[i];
  }
}

static int take_values(struct sweep *sweep) {
  const struct args *args = sweep->job->args;
  const struct count *fixed[SWEEP_NUMBERS] = {&args->group_size, &args->groups, &args->elements, &args->stop_at};
  int code = EXIT_DONE;
  for (size_t i = 0; i < SWEEP_NUMBERS; i++)
    if (fixed[i]->given)
      add_value(&sweep->lists[i], fixed[i]->value);
  for (size_t i = 0; i < args->tries.count && !code; i++)
    code = take_try(sweep, args->tries.list[i]);
  take_usual_values(sweep);
  return code;
}

// ---- The strategies

static bool applies(const struct sweep *sweep, const struct trial *trial) {
  const clred_problem problem = sweep_problem(sweep, trial);
  char reason[256];
  return clred_strategy_applies(sweep->job->session.runtime, trial->strategy, &problem, reason, sizeof reason) ==
         CL_SUCCESS;
}

// A strategy that refuses the problem itself takes no numbers. Its only row says why.
static void add_strategy(struct sweep *sweep, const clred_strategy_info *row) {
  const size_t at = sweep->strategy_count++;
  sweep->strategies[at] = *row;
  sweep->refuses = sweep->refuses || !applies(sweep, &(struct trial){.strategy = row->name});
  for (size_t i = 0; i < SWEEP_NUMBERS; i++) {
    struct trial trial = {.strategy = row->name};
    trial.numbers[i] = sweep_numbers[i].sample;
    sweep->takes[at][i] = applies(sweep, &trial);
  }
}

// Without --strategy, a sweep tries the textbooks' strategies with partials. The verb `tune` tunes those of fixed/1.
static void take_usual_strategies(struct sweep *sweep) {
  clred_strategy_info row;
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++)
    if (ladder_lists(sweep->job, &row) && row.finishes[0] != NULL && !row.fixed_order)
      add_strategy(sweep, &row);
}

static bool find_strategy(const struct sweep *sweep, const char *name, size_t length, clred_strategy_info *row,
                          struct guess *guess) {
  guess_begin_part(guess, name, length);
  for (size_t i = 0; clred_strategy_at(i, row) == CL_SUCCESS; i++) {
    if (!ladder_lists(sweep->job, row))
      continue;
    if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
      return true;
    guess_offer(guess, row->name);
  }
  return false;
}

static bool is_listed(const struct sweep *sweep, const clred_strategy_info *row) {
  for (size_t i = 0; i < sweep->strategy_count; i++)
    if (strcmp(sweep->strategies[i].name, row->name) == 0)
      return true;
  return false;
}

static int take_named_strategies(struct sweep *sweep, const char *names) {
  clred_strategy_info row;
  struct guess guess;
  for (size_t length; *names != '\0'; names += length + (names[length] == ',')) {
    length = strcspn(names, ",");
    if (!find_strategy(sweep, names, length, &row, &guess))
      return fail(EXIT_BAD_USE,
                  "--strategy: '%.*s' is no strategy that ladder runs;%s 'clreduce list strategies' has all",
                  (int)length, names, guess.text);
    if (is_listed(sweep, &row))
      return fail(EXIT_BAD_USE, "--strategy: %s is given twice; give it once", row.name);
    if (sweep->strategy_count == SWEEP_STRATEGIES_MAX)
      return fail(EXIT_BAD_USE, "--strategy: there are more than %d; leave some out", SWEEP_STRATEGIES_MAX);
    add_strategy(sweep, &row);
  }
  return EXIT_DONE;
}

// Refuses a number that no strategy takes. If a strategy refuses the problem, it is unknown which numbers it takes.
static int check_values(const struct sweep *sweep) {
  for (size_t i = 0; i < SWEEP_NUMBERS; i++) {
    bool taken = !sweep->given[i] || sweep->refuses;
    for (size_t j = 0; j < sweep->strategy_count; j++)
      taken = taken || sweep->takes[j][i];
    if (!taken)
      return fail(EXIT_BAD_USE,
                  "--sweep: %s cannot be set for these strategies; leave it out, or name others by --strategy",
                  sweep_numbers[i].name);
  }
  return EXIT_DONE;
}

static int take_strategies(struct sweep *sweep) {
  const char *names = sweep->job->args->tried;
  int code = EXIT_DONE;
  if (names == NULL)
    take_usual_strategies(sweep);
  else
    code = take_named_strategies(sweep, names);
  if (!code && sweep->strategy_count == 0)
    return fail(EXIT_BAD_USE, "--sweep: there is no strategy to try; name some by --strategy");
  return code ? code : check_values(sweep);
}

// ---- The trials

// 0 if the strategy takes no number.
static size_t combinations(const struct sweep *sweep, size_t strategy) {
  size_t count = 1;
  bool any = false;
  for (size_t i = 0; i < SWEEP_NUMBERS; i++) {
    count *= sweep->takes[strategy][i] ? sweep->lists[i].count : 1;
    any = any || sweep->takes[strategy][i];
  }
  return any ? count : 0;
}

// Combination `index`; the last number changes first.
static void set_combination(const struct sweep *sweep, size_t strategy, size_t index, struct trial *trial) {
  for (size_t i = SWEEP_NUMBERS; i-- > 0;)
    if (sweep->takes[strategy][i]) {
      trial->numbers[i] = sweep->lists[i].list[index % sweep->lists[i].count];
      index /= sweep->lists[i].count;
    }
}

static void add_trials(struct sweep *sweep, size_t strategy) {
  const char *name = sweep->strategies[strategy].name;
  size_t count = combinations(sweep, strategy);
  sweep->trials[sweep->count++] = (struct trial){.strategy = name, .chosen = true};
  for (size_t i = 0; i < count; i++) {
    struct trial *trial = &sweep->trials[sweep->count++];
    *trial = (struct trial){.strategy = name};
    set_combination(sweep, strategy, i, trial);
  }
}

static int make_trials(struct sweep *sweep) {
  const struct count *given = &sweep->job->args->most_trials;
  const uint64_t most = given->given ? given->value : USUAL_TRIALS;
  size_t count = 1;
  for (size_t i = 0; i < sweep->strategy_count; i++)
    count += 1 + combinations(sweep, i);
  if (count > most)
    return fail(EXIT_BAD_USE, "--sweep: %zu trials are more than %" PRIu64 "; give --most-trials %zu, or fewer values",
                count, most, count);
  sweep->trials = calloc(count, sizeof *sweep->trials);
  if (sweep->trials == NULL)
    return fail_memory();
  sweep->trials[sweep->count++] = (struct trial){.chosen = true};
  for (size_t i = 0; i < sweep->strategy_count; i++)
    add_trials(sweep, i);
  return EXIT_DONE;
}

int sweep_choose(struct sweep *sweep) {
  int code = take_values(sweep);
  code = code ? code : take_strategies(sweep);
  return code ? code : make_trials(sweep);
}
