// Programs are tried against the host before their first result. Build options break kernels here, as a wrong compiler
// would.

#include "support/fixture.h"

#include <stdio.h>
#include <unistd.h>

static const clred_histogram bins = {.bins = 16, .low = -2, .high = 2};

// The options that break the kernels of a strategy: every group works as the first, barriers vanish, every work-item
// works as the first of its group, rounding is not that of IEEE 754.
#define ONE_GROUP "-Dget_group_id=get_local_id"
#define NO_BARRIER "-Dbarrier(x)="
#define ONE_ITEM "-Dget_local_id=get_group_id"

static const struct broken {
  const char *options, *assume;
  clred_problem problem;
} broken[] = {
  {ONE_GROUP, "cpu=1", {OP(SUM, FLOAT), .strategy = "chunked"}},
  {ONE_GROUP, "cpu=1", {.type = CLRED_TYPE_FLOAT, .histogram = &bins, .strategy = "histogram_chunked"}},
  {ONE_GROUP, "cpu=1", {OP(SUM, FLOAT), LAYOUT(ROWS), .strategy = "rows_chunked"}},
  {ONE_GROUP, "cpu=1", {OP(SUM, FLOAT), LAYOUT(COLUMNS), .strategy = "columns_chunked"}},
  {ONE_GROUP, "cpu=1", {OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT, .strategy = "runs_chunked"}},
  {ONE_GROUP, "cpu=1",
   PROBLEM(OP(SUM, FLOAT), SCAN(INCLUSIVE), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT,
           .strategy = "scan_runs_chunked")},
  {"-cl-fast-relaxed-math", "cpu=1", {OP(VAR, FLOAT), .strategy = "chunked"}},
  {NO_BARRIER, "cpu=0", {OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 100000}},
  {NO_BARRIER, "cpu=0", {OP(SUM, FLOAT), .strategy = "wide"}},
  {ONE_ITEM, "cpu=0", {OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 100000}},
};

static unsigned tried;
static char told[600];  // why another process did not try

static void count(const char *line, void *user_data) {
  (void)user_data;
  tried += strncmp(line, "tried ", 6) == 0;
  if (strstr(line, "the other one failed"))
    snprintf(told, sizeof told, "%s", line);
}

// This program is its own process of trials.
__attribute__((constructor)) static void serve(void) {
  if (getenv("CLREDUCE_TEST_SERVES"))
    exit(clred_serve_trials());
}

static clred_runtime *runtime_with(const clred_options *options) {
  clred_runtime *runtime = NULL;
  clred_options given = *options;
  given.log = count;
  given.device_only = CL_TRUE;
  tried = 0;
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &given, &runtime));
  return OWN(runtime);
}

// The status of a plan; `message` gets the message.
static cl_int status_of(clred_runtime *runtime, const clred_problem *problem, char *message, size_t size) {
  clred_plan *plan = NULL;
  const cl_int status = clred_plan_create(runtime, problem, &plan);
  clred_copy_error(runtime, message, size);
  clred_plan_release(plan);
  return status;
}

TEST_CASE("trials", fixture_open, fixture_close);

TEST(every_broken_kernel_is_found) {
  char message[600];
  for (size_t i = 0; i < COUNT_OF(broken); i++)
    for (int trusts = 0; trusts <= 1; trusts++) {
      const struct broken *row = &broken[i];
      clred_runtime *runtime = runtime_with(&(clred_options){
        .build_options = row->options, .assume = row->assume, .trust_driver = trusts ? CL_TRUE : CL_FALSE});
      const cl_int status = status_of(runtime, &row->problem, message, sizeof message);
      ck_assert_msg(status == (trusts ? CL_SUCCESS : CLRED_WRONG_RESULT), "%s with %s: %d, %s", row->problem.strategy,
                    row->options, (int)status, message);
      if (!trusts) {
        ck_assert_msg(strstr(message, row->problem.strategy) && strstr(message, "driver") &&
                        strstr(message, "kernel clred_") && strstr(message, "element"),
                      "%s", message);
        ck_assert_uint_gt(tried, 0);
      }
      RELEASE(runtime);
    }
}

// The trial of quantiles sorts on the host.
TEST(quantiles_are_tried) {
  for (int is_broken = 0; is_broken <= 1; is_broken++) {
    clred_runtime *runtime =
      runtime_with(&(clred_options){.build_options = is_broken ? ONE_GROUP : NULL, .assume = "cpu=1"});
    clred_quantile *quantile = NULL;
    const double half = 0.5;
    const cl_int status = clred_quantile_create(
      runtime, &(clred_quantile_problem){.type = CLRED_TYPE_FLOAT, .at = &half, .at_count = 1}, &quantile);
    ck_assert_int_eq(status, is_broken ? CLRED_WRONG_RESULT : CL_SUCCESS);
    ck_assert_uint_eq(tried, 1);
    clred_quantile_release(quantile);
    RELEASE(runtime);
  }
}

// `auto` takes another strategy, whose results are right.
TEST(another_strategy_takes_the_place) {
  clred_runtime *runtime = runtime_with(&(clred_options){.build_options = NO_BARRIER, .assume = "cpu=0"});
  clred_plan *plan = NULL;
  float ones[5000], total = 0;
  for (size_t i = 0; i < COUNT_OF(ones); i++)
    ones[i] = 1;
  assert_ok(clred_plan_create(runtime, &(clred_problem){OP(SUM, FLOAT)}, &plan));
  OWN(plan);
  ck_assert_str_ne(fixture_inspect(plan, 1000).strategy, "wide");
  assert_ok(clred_plan_run_host(under_test.queue, plan, &(clred_host_call){.in = ones, .count = 5000, .out = &total}));
  ck_assert_float_eq(total, 5000);
}

// ---------------------------------------------------------------- Records

// A right program, and a wrong one, which is not built again either.
TEST_EACH(a_program_is_tried_once, 0, 2) {
  const clred_problem problem = _i ? broken[1].problem : (clred_problem){OP(MAX, INT)};
  char message[600], *directory = fixture_directory();
  for (int turn = 0; turn < 2; turn++) {
    clred_runtime *runtime = runtime_with(
      &(clred_options){.cache_directory = directory, .build_options = _i ? ONE_GROUP : NULL, .assume = "cpu=1"});
    for (int again = 0; again < 2; again++)
      ck_assert_int_eq(status_of(runtime, &problem, message, sizeof message), _i ? CLRED_WRONG_RESULT : CL_SUCCESS);
    ck_assert(!_i || strstr(message, "kernel clred_histogram_chunked_elements"));
    ck_assert_uint_eq(tried, turn == 0);
    ck_assert_uint_eq(runtime_info(runtime).builds, turn == 0);
    RELEASE(runtime);
  }
}

TEST(another_process_tries_or_says_why_not) {
  char path[4096] = "", message[600];
  ck_assert_int_gt(readlink("/proc/self/exe", path, sizeof path - 1), 0);
  const struct {
    const char *command[5], *why;
  } rows[] = {{{"/usr/bin/env", "CLREDUCE_TEST_SERVES=1", path}, ""},
              {{"/usr/bin/env", "CLREDUCE_TEST_SERVES=1", "OCL_ICD_VENDORS=/none", path}, "does not find the device"},
              {{"/usr/bin/env", "true"}, "it ended before it tried any"},
              {{"/none"}, "it cannot be started"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    *told = 0;
    clred_runtime *runtime = runtime_with(&(clred_options){.trial_command = rows[i].command});
    ck_assert_int_eq(status_of(runtime, &(clred_problem){OP(MIN, INT)}, message, sizeof message), CL_SUCCESS);
    ck_assert_msg(strstr(told, rows[i].why) && !*told == !*rows[i].why, "%s", told);
    ck_assert_uint_eq(tried, *rows[i].why != 0);
    RELEASE(runtime);
  }
}
