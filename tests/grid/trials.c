// trials: plans of every operator, type and layout, each with a trial of its program. On a driver that computes right
// no trial may fail, so this program finds trials that are too strict, and drivers that are wrong. The default is a
// sample of all combinations.

#include <clreduce_device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "support/device.h"

#define SAMPLE 29  // the default tries one of so many combinations; a prime, so that no pattern is left out

static const clred_histogram bins = {.bins = 16, .low = -2, .high = 2};
static const clred_selection kept = {.name = "kept", .keep = "x > 0"};

// The operator and the type are set later.
static const struct kind {
  const char *name;
  clred_problem problem;
} kinds[] = {
  {"line", {LAYOUT(LINE)}},
  {"exact", {LAYOUT(LINE), .order = CLRED_ORDER_EXACT}},
  {"strided", {LAYOUT(STRIDED)}},
  {"rows", {LAYOUT(ROWS)}},
  {"columns", {LAYOUT(COLUMNS)}},
  {"segments", {LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_ULONG}},
  {"keys", {LAYOUT(KEYS), .segment_type = CLRED_TYPE_FLOAT}},
  {"heads", {LAYOUT(HEADS)}},
  {"scan", PROBLEM(LAYOUT(LINE), SCAN(INCLUSIVE))},
  {"scan in place", PROBLEM(LAYOUT(LINE), SCAN(EXCLUSIVE), .in_place = CL_TRUE)},
  {"reversed scan", PROBLEM(LAYOUT(STRIDED), SCAN(EXCLUSIVE), .reversed = CL_TRUE)},
  {"scan of rows", PROBLEM(LAYOUT(ROWS), SCAN(INCLUSIVE))},
  {"scan of columns", PROBLEM(LAYOUT(COLUMNS), SCAN(EXCLUSIVE))},
  {"scan of segments", PROBLEM(LAYOUT(SEGMENTS), SCAN(EXCLUSIVE), .segment_type = CLRED_TYPE_UINT)},
  {"scan by key", PROBLEM(LAYOUT(KEYS), SCAN(INCLUSIVE), .segment_type = CLRED_TYPE_INT)},
  {"histogram", {.histogram = &bins}},
  {"selection", {.selection = &kept}},
  {"indices", {.selection = &kept, .indices = CL_TRUE}},
  {"sums in 32 bits", {LAYOUT(LINE), .result_bits = CLRED_RESULT_32}},
  {"detected overflow", {LAYOUT(LINE), .overflow = CLRED_OVERFLOW_DETECT}},
  {"NaNs ignored", {LAYOUT(LINE), .nan = CLRED_NAN_IGNORE}},
};
#define KINDS (sizeof kinds / sizeof *kinds)

struct counts {
  unsigned tried, right, refused, failed;
};

static struct counts counts;

// Each line about a trial that is not right is a failure.
static void take_line(const char *line, void *user_data) {
  const char *const name = user_data;
  if (strncmp(line, "tried ", 6) != 0)
    return;
  counts.tried++;
  if (strlen(line) > 7 && strcmp(line + strlen(line) - 7, ": right") == 0)
    counts.right++;
  else
    printf("  FAILED %s: %s\n", name, line);
}

static bool is_refusal(cl_int status) {
  return status == CLRED_OPERATOR_TYPE || status == CLRED_INVALID_PROBLEM || status == CLRED_TYPE_NOT_SUPPORTED ||
         status == CLRED_STRATEGY_REFUSED;
}

static void try(const struct device *device, const char *assume, const struct kind *kind,
                const clred_problem *problem) {
  char name[200];
  clred_runtime *runtime = NULL;
  clred_plan *plan = NULL;
  const unsigned right = counts.right, tried = counts.tried;
  snprintf(name, sizeof name, "%s: %s of %s", kind->name, op_name(problem->op), type_name(problem->type));
  const clred_options options = {
    .assume = assume, .build_options = getenv("CLREDUCE_TEST_BUILD_OPTIONS"), .log = take_line, .user_data = name};
  cl_int status = clred_runtime_create(device->context, device->id, &options, &runtime);
  if (!status)
    status = clred_plan_create(runtime, problem, &plan);
  if (is_refusal(status))
    counts.refused++;
  else if (status || counts.right - right != counts.tried - tried) {
    counts.failed++;
    printf("  FAILED %s: %s: %s\n", name, clred_status_name(status), clred_last_error(runtime));
  }
  fflush(stdout);
  RELEASE(plan, runtime);
}

// The combination of a number, in the order kind, operator, type. False if it is not due.
static bool problem_at(size_t k, clred_op op, clred_type type, clred_problem *problem) {
  const bool has_operator = !kinds[k].problem.histogram && !kinds[k].problem.selection;
  *problem = kinds[k].problem;
  problem->type = type;
  problem->op = has_operator ? op : CLRED_OP_NONE;
  return has_operator || op == CLRED_OP_SUM;  // the others have no operator, so one stands for all
}

static void try_all(const struct device *device, const char *assume, const char *only, size_t step,
                    const struct slice *slice) {
  clred_problem problem;
  clred_op_info op;
  clred_type_info type;
  size_t index = 0;
  for (size_t k = 0; k < KINDS; k++)
    for (clred_op o = 1; clred_op_inspect(o, &op) == CL_SUCCESS; o++)
      for (clred_type t = 1; clred_type_inspect(t, &type) == CL_SUCCESS; t++)
        if ((!only || strcmp(only, kinds[k].name) == 0) && problem_at(k, o, t, &problem) && index++ % step == 0 &&
            index / step % slice->count == slice->index - 1)
          try(device, assume, &kinds[k], &problem);
}

int main(int argc, char **argv) {
  struct device device;
  struct slice slice = {1, 1};
  const char *assume = NULL, *only = NULL;
  bool full = false;
  const struct option options[] = {
    OPTION(.name = "--full", .help = "all combinations", .flag = &full),
    OPTION(.name = "--slice", .help = "only the Ith of N equal parts", .slice = &slice),
    OPTION(.name = "--only", .help = "only combinations of this kind", .text = &only),
    OPTION(.name = "--assume", .help = "facts of the device, as in clred_options", .text = &assume)};
  if (!OPTIONS_READ("trials", options, argc, argv))
    return 2;
  const char *trouble = device_open(&device);
  if (trouble) {
    fprintf(stderr, "trials: %s\n", trouble);
    return 2;
  }
  try_all(&device, assume, only, full ? 1 : SAMPLE, &slice);
  printf("%u trials, %u right, %u problems refused, %u failed\n", counts.tried, counts.right, counts.refused,
         counts.failed);
  device_close(&device);
  return counts.failed || !counts.tried;
}
