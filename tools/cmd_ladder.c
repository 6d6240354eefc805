// clreduce ladder: every strategy on the same data, the host's loop first, each with its time, its error against the
// exact value, and a check against the host's reference of its own tree.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "fail.h"
#include "ladder.h"

enum { OWN_COUNT = 8000, USUAL_CALLS = 11, REASON_SIZE = 1024 };

static const char   first_strategy[] = "host_serial";
static const double rung_budget = 2;  // seconds for the calls of one rung, unless --repeat says how many

// ---- The data

// The ladder's own data. One value whose multiples a float cannot hold shows what each tree loses; integers take its
// whole part.
static void write_own_data(const struct args *args, char *spec, size_t size)
{
  clred_type_info type = {.floating = CL_TRUE};
  uint64_t        count = args->n.given ? args->n.value : OWN_COUNT;
  clred_type_describe(clred_type_from_name(args->type), &type);
  // A char holds no thousand.
  const char *value = type.floating ? "1000.23" : type.size == 1 ? "100" : "1000";
  snprintf(spec, size, "constant:%" PRIu64 ":%s", count, value);
}

static int choose_data(struct args *args, char *spec, size_t size)
{
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

static bool is_constant_sum(const struct job *job)
{
  return job->input.recipe.constant && job->op.op == CLRED_OP_ADD && job->input.type.floating;
}

static void find_analytic(struct ladder *ladder)
{
  const struct job *job = &ladder->job;
  clred_type_info   type;
  clred_type_describe(ladder->result_type, &type);
  ladder->analytic = is_constant_sum(job)
                       ? (double)job->input.count * strtod(job->input.recipe.text, NULL)
                       : verify_exact_value(job->op.op, &job->input, ladder->result_type, &ladder->reference);
  if (type.floating)
    number_double_text(ladder->analytic, ladder->analytic_text);
  else
    number_text(ladder->result_type, &ladder->reference, ladder->analytic_text);
}

static void note_error(struct ladder *ladder, struct rung *rung, const struct verdict *verdict)
{
  clred_type type = rung->outcome.info.result_type;
  if (!ladder->measured) {
    ladder->measured = true;
    ladder->result_type = type;
    ladder->reference = verdict->reference;
    find_analytic(ladder);
  }
  double result = number_as_double(type, &rung->outcome.result);
  char   text[NUMBER_TEXT_SIZE];
  number_text(type, &rung->outcome.result, text);
  // As doubles two large integers may look the same, and the difference of two infinities is none.
  bool same = ladder->job.input.type.floating ? result == ladder->analytic : strcmp(text, ladder->analytic_text) == 0;
  rung->error = same ? 0 : result - ladder->analytic;
}

// ---- A rung

static struct repeats repeats_of(const struct args *args)
{
  if (args->repeat.given)
    return (struct repeats){.count = args->repeat.value, .warm = true};
  return (struct repeats){.count = USUAL_CALLS, .budget = rung_budget, .warm = true};
}

static int run_rung(struct ladder *ladder, struct rung *rung, const clred_plan *plan)
{
  const struct job *job = &ladder->job;
  struct verdict    verdict;
  int               code = verify_outcome(&job->session, plan, job->op.op, &job->input, &rung->outcome, false,
                                          &verdict);
  if (code != EXIT_DONE)
    return code;
  rung->correct = verdict.correct;
  note_error(ladder, rung, &verdict);
  return job->args->explain ? steps_take(&rung->steps, plan, job->input.count) : EXIT_DONE;
}

static int note_refusal(struct rung *rung, const char *reason)
{
  rung->refused = malloc(strlen(reason) + 1);
  if (rung->refused == NULL)
    return fail_memory();
  strcpy(rung->refused, reason);
  return EXIT_DONE;
}

// The command line's finish is for strategies that have partials, and its numbers are for the device: the host's loop
// is what the others are compared with, whatever they are told.
static void set_strategy(clred_problem *problem, const struct rung *rung)
{
  problem->strategy = rung->name;
  if (!rung->has_partials)
    problem->finish = NULL;
  if (strcmp(rung->name, first_strategy) == 0) {
    problem->order = CLRED_ORDER_DEFAULT;
    problem->group_size = problem->groups = problem->elements = 0;
  }
}

// A strategy that is refused for this problem is a row; a problem that is refused itself ends the ladder.
static int climb_rung(struct ladder *ladder, struct rung *rung)
{
  const struct job *job = &ladder->job;
  clred_problem     problem = job->problem;
  clred_plan       *plan = NULL;
  set_strategy(&problem, rung);
  cl_int status = session_plan(&job->session, &problem, &plan);
  if (status == CLRED_STRATEGY_REFUSED)
    return note_refusal(rung, clred_last_error(job->session.runtime));
  if (status != CL_SUCCESS)
    return fail_library(status, clred_last_error(job->session.runtime));
  int code = run_plan(&job->session, plan, job->buffer, &job->input, repeats_of(job->args), &rung->outcome);
  if (code == EXIT_DONE)
    code = run_rung(ladder, rung, plan);
  clred_plan_release(plan);
  return code;
}

// ---- The ladder

static void append_strategies(struct ladder *ladder, bool first)
{
  clred_strategy_info row;
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++)
    if ((strcmp(row.name, first_strategy) == 0) == first) {
      struct rung *rung = &ladder->rungs[ladder->count++];
      rung->name = row.name;
      rung->has_partials = row.finishes[0] != NULL;
    }
}

static int make_rungs(struct ladder *ladder)
{
  clred_strategy_info row;
  size_t              count = 0;
  while (clred_strategy_at(count, &row) == CL_SUCCESS)
    count++;
  ladder->rungs = calloc(count, sizeof *ladder->rungs);
  if (ladder->rungs == NULL)
    return fail_memory();
  append_strategies(ladder, true);
  append_strategies(ladder, false);
  return EXIT_DONE;
}

static int climb(struct ladder *ladder)
{
  int code = make_rungs(ladder);
  for (size_t i = 0; i < ladder->count && code == EXIT_DONE; i++) {
    progress_tell(&ladder->job.progress, ladder->rungs[i].name, i, ladder->count);
    code = climb_rung(ladder, &ladder->rungs[i]);
  }
  progress_end(&ladder->job.progress);
  if (code == EXIT_DONE && !ladder->measured)
    return fail(EXIT_BAD_USE, "no strategy runs here: %s", ladder->rungs[0].refused);
  return code;
}

static int report(const struct ladder *ladder)
{
  int code = ladder->job.args->json ? ladder_print_json(ladder) : ladder_print_text(ladder);
  for (size_t i = 0; i < ladder->count && code == EXIT_DONE; i++)
    if (ladder->rungs[i].refused == NULL && !ladder->rungs[i].correct)
      code = fail(EXIT_WRONG, "ladder: %s gave a wrong result", ladder->rungs[i].name);
  return code;
}

static void release(struct ladder *ladder)
{
  for (size_t i = 0; i < ladder->count; i++) {
    steps_release(&ladder->rungs[i].steps);
    free(ladder->rungs[i].refused);
  }
  free(ladder->rungs);
  job_close(&ladder->job);
}

int cmd_ladder(const struct args *args)
{
  struct args   own = *args;
  struct ladder ladder = {0};
  char          spec[64];
  int           code = choose_data(&own, spec, sizeof spec);
  if (code != EXIT_DONE)
    return code;
  code = job_open(&ladder.job, &own, args->op == NULL ? "add" : args->op);
  if (code == EXIT_DONE)
    code = job_load(&ladder.job);
  if (code == EXIT_DONE)
    code = climb(&ladder);
  if (code == EXIT_DONE)
    code = report(&ladder);
  release(&ladder);
  return code;
}
