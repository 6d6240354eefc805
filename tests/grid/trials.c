// trials: plans of every operator, type and layout, each with a trial of its program. On a driver that computes right
// no trial may fail, so this program finds trials that are too strict, and drivers that are wrong. It makes no calls.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

#define SAMPLE 29  // the default tries one of so many problems; a prime, so that no pattern is left out

static const clred_histogram sixteen_bins = {.bins = 16, .low = -2, .high = 2};
static const clred_selection positive = {.name = "positive", .keep = "x > 0"};

// The operator and the type are set later.
static const clred_problem kinds[] = {
  {LAYOUT(LINE)},
  {.order = CLRED_ORDER_EXACT},
  {LAYOUT(STRIDED)},
  {LAYOUT(ROWS)},
  {LAYOUT(COLUMNS)},
  {LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_ULONG},
  {LAYOUT(KEYS), .segment_type = CLRED_TYPE_FLOAT},
  {LAYOUT(HEADS)},
  PROBLEM(SCAN(INCLUSIVE)),
  PROBLEM(SCAN(EXCLUSIVE), .in_place = CL_TRUE),
  PROBLEM(LAYOUT(STRIDED), SCAN(EXCLUSIVE), .reversed = CL_TRUE),
  PROBLEM(LAYOUT(ROWS), SCAN(INCLUSIVE)),
  PROBLEM(LAYOUT(COLUMNS), SCAN(EXCLUSIVE)),
  PROBLEM(LAYOUT(SEGMENTS), SCAN(EXCLUSIVE), .segment_type = CLRED_TYPE_UINT),
  PROBLEM(LAYOUT(KEYS), SCAN(INCLUSIVE), .segment_type = CLRED_TYPE_INT),
  {.result_bits = CLRED_RESULT_32},
  {.overflow = CLRED_OVERFLOW_DETECT},
  {.nan = CLRED_NAN_IGNORE},
  // These have no operator.
  {.histogram = &sixteen_bins},
  {.selection = &positive},
  {.selection = &positive, .indices = CL_TRUE},
};

static void list(struct combinations *all, bool full) {
  clred_op_info op;
  clred_type_info type;
  size_t index = 0;
  for (clred_type t = 1; clred_type_inspect(t, &type) == CL_SUCCESS; t++)
    for (clred_op o = 1; clred_op_inspect(o, &op) == CL_SUCCESS; o++)
      for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        clred_problem problem = kinds[k];
        const bool has_operator = !problem.histogram && !problem.selection;
        problem.type = t;
        problem.op = has_operator ? o : CLRED_OP_NONE;
        if ((has_operator || o == 1) && index++ % (full ? 1 : SAMPLE) == 0)
          combinations_add(all, &problem);
      }
}

// Trials of one plan.
struct tried {
  const char *name;
  unsigned right, wrong;
};

static void take_line(const char *line, void *user_data) {
  struct tried *tried = user_data;
  const size_t length = strlen(line);
  if (strncmp(line, "tried ", 6) != 0)
    return;
  if (length > 7 && strcmp(line + length - 7, ": right") == 0)
    tried->right++;
  else if (++tried->wrong)
    printf("FAILED %s: %s\n", tried->name, line);
}

// CLRED_OPERATOR_TEXT: `positive` is no text for complex numbers.
static bool is_refusal(cl_int status) {
  return status == CLRED_OPERATOR_TEXT || status == CLRED_OPERATOR_TYPE || status == CLRED_INVALID_PROBLEM ||
         status == CLRED_TYPE_NOT_SUPPORTED || status == CLRED_STRATEGY_REFUSED;
}

static enum outcome try(struct run *run, const struct combination *one) {
  struct tried tried = {.name = one->name};
  clred_runtime *runtime = NULL;
  clred_plan *plan = NULL;
  const clred_options options = {.assume = getenv("CLREDUCE_TEST_ASSUME"),
                                 .build_options = getenv("CLREDUCE_TEST_BUILD_OPTIONS"),
                                 .log = take_line,
                                 .user_data = &tried};
  cl_int status = clred_runtime_create(run->device->context, run->device->id, &options, &runtime);
  if (!status)
    status = clred_plan_create(runtime, &one->problem, &plan);
  const bool is_broken = status && !is_refusal(status);
  if (is_broken)
    printf("FAILED %s: %s: %s\n", one->name, clred_status_name(status), clred_last_error(runtime));
  RELEASE(plan, runtime);
  return is_broken || tried.wrong ? FAILED : tried.right ? PASSED : SKIPPED;
}

int main(int argc, char **argv) {
  const struct program trials = {
    .name = "trials", .pairwise = "one of 29 problems (default)", .list = list, .run = try};
  return program_main(&trials, argc, argv);
}
