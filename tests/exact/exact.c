// exact: the order exact beside MPFR, bit by bit. Each problem is computed as it is, reversed, in random order, and cut
// in seven parts that are joined. CI runs a few problems of each operator and type; `exact --problems 2000` is the long
// form. See oracle.h and data.h.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/data.h"
#include "exact/oracle.h"
#include "exact/own.h"
#include "grid/options.h"

#define MOST 10000000  // elements of a problem

static const struct subject {
  const char *name;
  clred_op op;  // NONE: an operator of a caller (own.h)
  enum exact_kind kind;
} subjects[] = {
  {"sum", CLRED_OP_SUM, EXACT_SUM},
  {"norm1", CLRED_OP_NORM1, EXACT_SUM_OF_MAGNITUDES},
  {"sumsq", CLRED_OP_SUMSQ, EXACT_SUM_OF_SQUARES},
  {"dot", CLRED_OP_DOT, EXACT_DOT},
  {"norm2", CLRED_OP_NORM2, EXACT_NORM},
  {"mean", CLRED_OP_MEAN, EXACT_MEAN},
  {"var", CLRED_OP_VAR, EXACT_VAR},
  {"var_sample", CLRED_OP_VAR_SAMPLE, EXACT_VAR_SAMPLE},
  {"std", CLRED_OP_STD, EXACT_STD},
  {"std_sample", CLRED_OP_STD_SAMPLE, EXACT_STD_SAMPLE},
  {"own_sum", CLRED_OP_NONE, EXACT_SUM},
  {"own_mean", CLRED_OP_NONE, EXACT_MEAN},
};
static const struct {
  const char *name;
  clred_type type, result, state;
} types[] = {
  {"half", CLRED_TYPE_HALF, CLRED_TYPE_FLOAT, CLRED_TYPE_NONE},
  {"bfloat16", CLRED_TYPE_BFLOAT16, CLRED_TYPE_FLOAT, CLRED_TYPE_NONE},
  {"float", CLRED_TYPE_FLOAT, CLRED_TYPE_FLOAT, CLRED_TYPE_NONE},
  {"double", CLRED_TYPE_DOUBLE, CLRED_TYPE_DOUBLE, CLRED_TYPE_NONE},
  {"half as double", CLRED_TYPE_HALF, CLRED_TYPE_DOUBLE, CLRED_TYPE_DOUBLE},
  {"float as double", CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_DOUBLE},
};
#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

// A problem: elements and their values, of x and of y.
struct problem {
  size_t count;
  unsigned char x[MOST * 8], y[MOST * 8];
  double x_values[MOST], y_values[MOST];
};

struct run {
  struct device device;
  clred_plan *plan;
  const struct subject *subject;
  clred_type type, result, state;
  size_t size;
  struct problem problem;
  random_state random;
  uint64_t calls, wrong;
  char what[160];
};

// ---------------------------------------------------------------- Orders of the elements

static void swap(struct run *run, size_t i, size_t j) {
  struct problem *problem = &run->problem;
  const uint64_t x = oracle_load(problem->x, run->size, i), y = oracle_load(problem->y, run->size, i);
  oracle_store(problem->x, run->size, i, oracle_load(problem->x, run->size, j));
  oracle_store(problem->y, run->size, i, oracle_load(problem->y, run->size, j));
  oracle_store(problem->x, run->size, j, x);
  oracle_store(problem->y, run->size, j, y);
}

static void reverse(struct run *run) {
  for (size_t i = 0; i < run->problem.count / 2; i++)
    swap(run, i, run->problem.count - 1 - i);
}

static void shuffle(struct run *run) {
  for (size_t i = run->problem.count; i > 1; i--)
    swap(run, i - 1, (size_t)random_below(&run->random, i));
}

// ---------------------------------------------------------------- Calls

static clred_host_call elements_of(const struct run *run, size_t first, size_t count, const void **y) {
  *y = run->problem.y + first * run->size;
  return (clred_host_call){
    .in = run->problem.x + first * run->size, .inputs = run->subject->op == CLRED_OP_DOT ? y : NULL, .count = count};
}

static cl_int compute(struct run *run, void *result) {
  const void *y;
  clred_host_call call = elements_of(run, 0, run->problem.count, &y);
  call.out = result;
  return clred_plan_run_host(run->device.queue, run->plan, &call);
}

static cl_int fold_part(struct run *run, clred_partial *whole, size_t first, size_t count) {
  const clred_partial_options options = {.first = first};
  const void *y;
  const clred_host_call call = elements_of(run, first, count, &y);
  clred_partial *part = NULL;
  cl_int status = clred_partial_create(run->plan, &options, &part);
  if (!status)
    status = clred_partial_push(run->device.queue, part, &call);
  if (!status)
    status = clred_partial_join(whole, part);
  clred_partial_release(part);
  return status;
}

enum { PARTS = 7 };

static bool is_own(const struct run *run) {
  return run->subject->op == CLRED_OP_NONE;
}

// Joins the parts from one of them on, each time the neighbour on the left or the right.
static cl_int compute_in_parts(struct run *run, void *result) {
  const clred_partial_options options = {.first = 0};
  clred_partial *whole = NULL;
  size_t cuts[PARTS + 1] = {0}, low = (size_t)random_below(&run->random, PARTS), high = low;
  cl_int status = clred_partial_create(run->plan, &options, &whole);
  for (size_t part = 0; part < PARTS; part++) {
    const size_t left = run->problem.count - cuts[part];
    cuts[part + 1] = cuts[part] + (part + 1 == PARTS ? left : (size_t)random_below(&run->random, left + 1));
  }
  while (high - low < PARTS && !status) {
    const bool goes_up = low == 0 || (high < PARTS && random_below(&run->random, 2) == 1);
    const size_t part = goes_up ? high++ : --low;
    status = fold_part(run, whole, cuts[part], cuts[part + 1] - cuts[part]);
  }
  if (!status)
    status = clred_partial_result(whole, result);
  clred_partial_release(whole);
  return status;
}

static void compare(struct run *run, const char *how, uint64_t wanted, cl_int status, const void *result) {
  const uint64_t given = oracle_load(result, run->result == CLRED_TYPE_FLOAT ? 4 : 8, 0);
  run->calls++;
  if (!status && given == wanted)
    return;
  run->wrong++;
  printf("WRONG %s %zu elements %s: status %d, 0x%" PRIx64 " is not 0x%" PRIx64 "\n", run->what, run->problem.count,
         how, (int)status, given, wanted);
}

static void check(struct run *run, enum exact_kind kind, bool in_parts, bool ignores_nan) {
  const struct problem *problem = &run->problem;
  const struct exact_values values = {run->result, problem->x_values, problem->y_values, problem->count, ignores_nan};
  const uint64_t wanted = exact_expected(kind, &values);
  uint64_t result = 0;
  compare(run, "as they are", wanted, compute(run, &result), &result);
  reverse(run);
  compare(run, "reversed", wanted, compute(run, &result), &result);
  shuffle(run);
  compare(run, "shuffled", wanted, compute(run, &result), &result);
  if (in_parts)
    compare(run, "in parts", wanted, compute_in_parts(run, &result), &result);
}

// ---------------------------------------------------------------- Problems

// What the command line asks for.
struct asked {
  uint64_t problems, seed, most, groups;
  const char *strategy, *filter;
  bool few, ignores_nan;
};

static void check_all(struct run *run, const struct asked *asked, bool in_parts) {
  const size_t counts[] = {0, 1, 2, 3, 17, 100, (size_t)asked->most};
  struct problem *problem = &run->problem;
  for (uint64_t i = 0; i < asked->problems; i++) {
    const enum exact_data data = (enum exact_data)(i % DATAS);
    problem->count = counts[(i / DATAS + i % DATAS) % COUNT_OF(counts)];
    exact_data_fill(run->type, data, problem->count, &run->random, problem->x, problem->x_values);
    exact_data_fill(run->type, data, problem->count, &run->random, problem->y, problem->y_values);
    check(run, run->subject->kind, in_parts, asked->ignores_nan);
  }
}

// Some operators on some types are enough for a device: the text of the others is the same.
static const char *const on_device[] = {
  "sum half",     "sum double",       "sum half as double", "dot float",     "dot float as double",
  "norm2 double", "std_sample float", "own_sum float",      "own_mean half", "own_mean double"};

static bool is_few(const char *what) {
  for (size_t i = 0; i < COUNT_OF(on_device); i++)
    if (strcmp(on_device[i], what) == 0)
      return true;
  return false;
}

// Operators of callers have no callbacks, and do not know of NaNs to ignore.
static bool is_possible(const struct run *run, const struct asked *asked) {
  return !is_own(run) || (strcmp(asked->strategy, "host_serial") != 0 && !asked->ignores_nan && !run->state);
}

static clred_problem problem_of(const struct run *run, const struct asked *asked) {
  if (is_own(run))
    return (clred_problem)PROBLEM(.custom = exact_own(run->subject->kind, run->type), .strategy = asked->strategy,
                                  .count_max = MOST, .groups = asked->groups);
  return (clred_problem)PROBLEM(.type = run->type, .op = run->subject->op, .order = CLRED_ORDER_EXACT,
                                .state = run->state, .strategy = asked->strategy, .count_max = MOST,
                                .groups = asked->groups,
                                .nan = asked->ignores_nan ? CLRED_NAN_IGNORE : CLRED_NAN_PROPAGATE);
}

static void check_subject(struct run *run, const struct asked *asked) {
  const clred_problem problem = problem_of(run, asked);
  clred_plan_info info;
  if (!is_possible(run, asked) || (asked->filter && !strstr(run->what, asked->filter)) ||
      (asked->few && !is_few(run->what)))
    return;
  if (clred_plan_create(run->device.runtime, &problem, &run->plan)) {
    const char *message = clred_last_error(run->device.runtime);
    printf("%s: no plan: %s\n", run->what, message);
    run->wrong += !strstr(message, "fp64") || run->result != CLRED_TYPE_DOUBLE;
    return;
  }
  clred_plan_inspect(run->plan, 1, &info);
  check_all(run, asked, strcmp(info.strategy, "wide") == 0 || strcmp(info.strategy, "chunked") == 0);
  clred_plan_release(run->plan);
}

static void check_subjects(struct run *run, const struct asked *asked) {
  for (size_t s = 0; s < COUNT_OF(subjects); s++)
    for (size_t t = 0; t < COUNT_OF(types); t++) {
      run->subject = &subjects[s];
      run->type = types[t].type;
      run->result = types[t].result;
      run->state = types[t].state;
      run->size = oracle_size(run->type);
      snprintf(run->what, sizeof run->what, "%s %s", subjects[s].name, types[t].name);
      check_subject(run, asked);
    }
}

int main(int argc, char **argv) {
  struct asked asked = {.problems = 70, .seed = 1, .most = 1500, .strategy = "host_serial"};
  const struct option options[] = {
    OPTION(.name = "--problems", .number = &asked.problems, .help = "problems of each operator and type"),
    OPTION(.name = "--most", .number = &asked.most, .help = "elements of the longest problems, at most 10000000"),
    OPTION(.name = "--groups", .number = &asked.groups, .help = "of a launch; 1: sums overflow bins"),
    OPTION(.name = "--seed", .number = &asked.seed, .help = "of the elements"),
    OPTION(.name = "--strategy", .text = &asked.strategy, .help = "host_serial by default"),
    OPTION(.name = "--filter", .text = &asked.filter, .help = "part of 'OPERATOR TYPE'"),
    OPTION(.name = "--few", .flag = &asked.few, .help = "a few operators and types only"),
    OPTION(.name = "--ignore-nan", .flag = &asked.ignores_nan, .help = "ignore NaNs"),
  };
  static struct run run;
  if (!OPTIONS_READ("exact", options, argc, argv) || asked.most > MOST)
    return 2;
  const char *failed = device_open(&run.device);
  if (failed) {
    printf("%s\n", failed);
    return 1;
  }
  run.random = random_seed(asked.seed);
  check_subjects(&run, &asked);
  device_close(&run.device);
  printf("exact: %" PRIu64 " results, %" PRIu64 " wrong\n", run.calls, run.wrong);
  return run.wrong != 0 || run.calls == 0;
}
