// What asks about plans and operators, and what tries them on the host.
#include <clreduce_device.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "clock.h"

static cl_int numbers[NUMBERS];

struct question_row {
  const char *name;
  clred_problem problem;
  cl_int (*run)(struct bench *bench);
  bool with_plan, is_silent;
  long forgets;  // allocations that may fail unseen
  bool drops;    // what fails is not tried further
  size_t results;
};

static const struct question_row *row_of(const struct bench *bench) {
  return bench->scenario->row;
}

// ---------------------------------------------------------------- The questions

static const clred_operand input[] = {{"weight", "int", 4}};
static const clred_operand parameter[] = {{"shift", "long", 8}};
static const clred_operator weighted =
  OPERATOR(.name = "weighted", .element = "int", .state = "{ long sum; int last; }", .identity = "{ 0, 0 }",
           .lift = "MAKE(x * weight + shift, x)", .combine = "MAKE(a.sum + b.sum, b.last)", .inputs = input,
           .input_count = 1, .parameters = parameter, .parameter_count = 1, .commutative = CL_TRUE);

static cl_int check_laws(struct bench *bench) {
  clred_law laws[CLRED_LAWS] = {{.name = NULL}};
  const cl_int status = clred_check_laws(bench->runtime, &row_of(bench)->problem, 1, laws);
  for (int i = 0; i < CLRED_LAWS && !status; i++)
    bench->host.bytes[GUARD + i] = (unsigned char)laws[i].holds;
  return status;
}

static cl_int ask_strategy(struct bench *bench) {
  return clred_strategy_applies(bench->runtime, "chunked", &row_of(bench)->problem, bench->error, sizeof bench->error);
}

// A description that memory fails is shorter; it never fails.
static cl_int describe(struct bench *bench) {
  char text[8192];
  clred_step step;
  double edge;
  clred_plan_describe(bench->plan, NUMBERS, text, sizeof text);
  for (cl_ulong i = 0; clred_plan_step(bench->plan, NUMBERS, i, &step) == CL_SUCCESS; i++)
    ;
  return row_of(bench)->problem.histogram ? clred_plan_edge(bench->plan, 1, &edge) : CL_SUCCESS;
}

static cl_int refer(struct bench *bench) {
  return clred_plan_reference(bench->plan,
                              &(clred_host_call){.in = numbers, .count = NUMBERS, .out = bench->host.bytes + GUARD});
}

static cl_int tune(struct bench *bench) {
  const clred_tune_options options = {.seconds = 30};
  clred_tuned tuned[CLRED_TUNED_MAX];
  size_t count = 0;
  clock_pretend(true);
  const cl_int status = clred_tune(bench->runtime, &row_of(bench)->problem, &options, tuned, &count);
  clock_pretend(false);
  return status || count ? status : CLRED_WRONG_RESULT;
}

// ---------------------------------------------------------------- The table

#define SUM .type = CLRED_TYPE_INT, .op = CLRED_OP_ADD

static const struct question_row rows[] = {
  ROW(.name = "laws", .problem = {.type = CLRED_TYPE_INT, .op = CLRED_OP_MAX}, .run = check_laws,
      .results = CLRED_LAWS),
  ROW(.name = "laws of an operator of one's own", .problem = {.custom = &weighted}, .run = check_laws, .forgets = 1000,
      .results = CLRED_LAWS),
  ROW(.name = "does a strategy apply", .problem = {.custom = &weighted}, .run = ask_strategy, .is_silent = true),
  ROW(.name = "describe", .problem = {SUM}, .run = describe, .with_plan = true, .forgets = 1000),
  ROW(.name = "describe a histogram", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins}, .run = describe,
      .with_plan = true, .forgets = 1000),
  ROW(.name = "reference", .problem = {SUM}, .run = refer, .with_plan = true, .is_silent = true, .results = 8),
  ROW(.name = "reference of a tree", .problem = {SUM, .strategy = "top_down", .count_max = NUMBERS}, .run = refer,
      .with_plan = true, .is_silent = true, .results = 8),
  ROW(.name = "reference of a scan", .problem = {SUM, .scan = CLRED_SCAN_EXCLUSIVE}, .run = refer, .with_plan = true,
      .is_silent = true, .results = NUMBERS * 8),
  ROW(.name = "reference of Blelloch's scan",
      .problem = {SUM, .scan = CLRED_SCAN_EXCLUSIVE, .strategy = "scan_blelloch_recursive", .count_max = NUMBERS},
      .run = refer, .with_plan = true, .is_silent = true, .results = NUMBERS * 8),
  ROW(.name = "reference of a histogram", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins}, .run = refer,
      .with_plan = true, .is_silent = true, .results = 24),
  ROW(.name = "tune", .problem = {SUM, .count_max = NUMBERS}, .run = tune, .forgets = 1000, .drops = true),
};

// ---------------------------------------------------------------- Scenarios

static const char *open_question(struct bench *bench) {
  fill_numbers(numbers, sizeof numbers);
  bench->host_size = row_of(bench)->results;
  return NULL;
}

static const char *make_runtime(struct bench *bench) {
  return bench_runtime(bench, NULL) ? bench->error : NULL;
}

static const char *open_with_plan(struct bench *bench) {
  const char *trouble = open_question(bench);
  if (!trouble)
    trouble = make_runtime(bench);
  if (!trouble && clred_plan_create(bench->runtime, &row_of(bench)->problem, &bench->plan))
    return bench_say(bench, "no plan: %s", clred_last_error(bench->runtime));
  return trouble;
}

static cl_int act(struct bench *bench) {
  return row_of(bench)->run(bench);
}

void add_questions(struct scenarios *all) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct question_row *row = &rows[i];
    struct scenario scenario =
      ROW(.row = row, .open = row->with_plan ? open_with_plan : open_question, .act = act, .judge = bench_judge,
          .forgives = "clGetProgramBuildInfo", .forgives_memory = row->forgets,
          .flags = (row->is_silent ? SILENT : 0) | (row->drops ? DROPS : 0));
    scenario.before = row->with_plan ? NULL : make_runtime;
    scenario.after = row->with_plan ? NULL : bench_release;
    add_scenario(all, row->name, scenario);
  }
}
