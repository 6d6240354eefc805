// A driver that reports a kernel's largest group size as 4, though larger groups run. The library tries larger groups
// when it makes the plan, and uses them if the result of the trial is right. The linker puts the wrappers below between
// the library and OpenCL (--wrap=NAME).

#include "prototypes.h"
#include "support/callbacks.h"
#include "support/fixture.h"

#define HINT 4

// What the wrapped driver does with groups above the hint.
static enum outcome { THEY_RUN, THEY_FAIL, THEY_LIE, THEY_ADD, THEY_FORGET } above = THEY_RUN;
static unsigned launched_above;
static bool is_latest_above;  // the latest launch had such groups

WRAPPED_OPENCL(clGetKernelWorkGroupInfo) {
  const size_t hint = HINT;
  (void)kernel, (void)device, (void)param_name, (void)param_value_size, (void)param_value_size_ret;
  memcpy(param_value, &hint, sizeof hint);
  return CL_SUCCESS;
}

WRAPPED_OPENCL(clEnqueueNDRangeKernel) {
  bool is_above = local_work_size && *local_work_size > HINT;
  launched_above += is_above;
  is_latest_above = is_above;
  if (is_above && above == THEY_FAIL)
    return CL_INVALID_WORK_GROUP_SIZE;
  const size_t fewer = is_above ? *global_work_size - *local_work_size : 0;
  if (above == THEY_FORGET && fewer)
    global_work_size = &fewer;
  return __real_clEnqueueNDRangeKernel ARGUMENTS_clEnqueueNDRangeKernel;
}

// Leaves the guards around results as they are.
static void add_to_results(cl_float *words, size_t count) {
  const cl_uint guard = 0xa5a5a5a5;  // CLR_TRIAL_GUARD
  for (size_t i = 0; i < count; i++)
    if (memcmp(&words[i], &guard, sizeof guard) != 0)
      words[i] += 0.75f;
}

WRAPPED_OPENCL(clEnqueueReadBuffer) {
  blocking_read = CL_TRUE;
  cl_int err = __real_clEnqueueReadBuffer ARGUMENTS_clEnqueueReadBuffer;
  if (!err && above == THEY_LIE && is_latest_above)
    memset(ptr, 0x55, size);
  if (!err && above == THEY_ADD && is_latest_above)
    add_to_results(ptr, size / sizeof(cl_float));
  return err;
}

static const struct {
  const char *name;
  clred_problem problem;
} kinds[] = {{"groups of a tree", {OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 4096}},
             {"wide", {OP(SUM, FLOAT), .strategy = "wide"}},
             {"two inputs", {OP(DOT, FLOAT), .strategy = "wide"}},
             {"parts", {OP(MINMAX, INT), .strategy = "local_sequential", .count_max = 4096}},
             {"one group", {OP(SUM, FLOAT), .strategy = "top_down_mono", .count_max = 4096}},
             {"a scan", PROBLEM(OP(SUM, FLOAT), SCAN(INCLUSIVE), .strategy = "scan_blelloch", .count_max = 4096)},
             {"an exclusive scan",
              PROBLEM(OP(SUM, FLOAT), SCAN(EXCLUSIVE), .strategy = "scan_blelloch_recursive", .count_max = 4096)}};

static cl_ulong group_size_of(const clred_plan *plan) {
  return fixture_inspect(plan, 1000).group_size;
}

static clred_plan *plan_by(clred_runtime *runtime, const clred_problem *problem, enum outcome holds) {
  clred_plan *plan;
  above = holds;
  launched_above = 0;
  is_latest_above = false;
  assert_ok(clred_plan_create(runtime, problem, &plan));
  above = THEY_RUN;
  return OWN(plan);
}

static clred_plan *plan_of(const clred_problem *problem, enum outcome holds) {
  return plan_by(under_test.runtime, problem, holds);
}

TEST_CASE("all", fixture_open, fixture_close);

TEST_ROWS(sizes_above_the_hint_are_tried, kinds) {
  for (enum outcome holds = THEY_RUN; holds <= THEY_LIE; holds++) {
    const cl_ulong size = group_size_of(plan_of(&kinds[_i].problem, holds));
    ck_assert_msg(launched_above > 0, "%s: nothing was tried", kinds[_i].name);
    ck_assert_msg((size > HINT) == (holds == THEY_RUN), "%s: groups of %llu", kinds[_i].name, (unsigned long long)size);
  }
}

IDENTITY(most, cl_uchar, 0)
LIFT(most, cl_uchar, cl_uchar, x)
COMBINE(most, cl_uchar, a > b ? a : b)
HOST(most, cl_uchar);

// A group that does nothing leaves the node of an earlier call. The maximum of many random bytes is the same without
// it.
TEST(groups_above_the_hint_that_do_nothing_are_found) {
  const clred_operator most =
    OPERATOR(.name = "most", .element = "uchar", .state = "uchar", .identity = "0", .lift = "x",
             .combine = "a > b ? a : b", .commutative = CL_TRUE, .host = &most_host);
  const clred_problem problem = {.custom = &most, .strategy = "local_sequential", .count_max = 4096};
  ck_assert_uint_gt(group_size_of(plan_of(&problem, THEY_RUN)), HINT);
  ck_assert_uint_le(group_size_of(plan_of(&problem, THEY_FORGET)), HINT);
}

IDENTITY(own, cl_float, 0)
LIFT(own, cl_float, cl_float, x)
COMBINE(own, cl_float, a + b)
HOST(own, cl_float);

// Trials of other group sizes allow a caller's operator to round otherwise than on the host, and compare no results of
// the order `any`. Above the hint, bits are compared.
TEST(small_faults_above_the_hint_are_found) {
  const clred_operator own = OPERATOR(.name = "own", .element = "float", .state = "float", .identity = "0", .lift = "x",
                                      .combine = "a + b", .commutative = CL_TRUE, .host = &own_host);
  const clred_problem problems[] = {
    {OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 4096, .order = CLRED_ORDER_ANY},
    {.custom = &own, .strategy = "local_sequential", .count_max = 4096}};
  for (size_t i = 0; i < COUNT_OF(problems); i++) {
    ck_assert_uint_gt(group_size_of(plan_of(&problems[i], THEY_RUN)), HINT);
    ck_assert_uint_le(group_size_of(plan_of(&problems[i], THEY_ADD)), HINT);
  }
}

// The library records what trials find. A failure above the hint is not recorded, so later plans use the hint, too.
TEST(failures_above_the_hint_are_not_recorded) {
  char *directory = fixture_directory();
  for (int turn = 0; turn < 4; turn++) {
    clred_runtime *runtime = NULL;
    assert_ok(clred_runtime_create(under_test.context, under_test.id,
                                   &(clred_options){.cache_directory = directory, .device_only = CL_TRUE}, &runtime));
    OWN(runtime);
    for (int again = 0; again < 2; again++) {
      clred_plan *plan = plan_by(runtime, &kinds[1].problem, turn % 2 ? THEY_FAIL : THEY_LIE);
      ck_assert_uint_le(group_size_of(plan), HINT);
      ck_assert_uint_gt(launched_above, 0);
      RELEASE(plan);
    }
    RELEASE(runtime);
  }
}

// A group size that the problem sets is not changed.
TEST(asked_for) {
  clred_problem problem = kinds[0].problem;
  clred_plan *plan;
  problem.group_size = 64;
  above = THEY_FAIL;
  ck_assert_int_ne(clred_plan_create(under_test.runtime, &problem, &plan), CL_SUCCESS);
  ck_assert_ptr_null(plan);
  above = THEY_LIE;
  ck_assert_int_eq(clred_plan_create(under_test.runtime, &problem, &plan), CLRED_WRONG_RESULT);
  above = THEY_RUN;
  assert_ok(clred_plan_create(under_test.runtime, &problem, &plan));
  ck_assert_uint_eq(group_size_of(plan), 64);
  clred_plan_release(plan);
}

// Without host callbacks the library cannot check a trial, so there is none.
TEST(cannot_be_tried) {
  const clred_operator own = OPERATOR(.name = "own", .element = "float", .state = "float", .identity = "0", .lift = "x",
                                      .combine = "a + b", .commutative = CL_TRUE);
  clred_problem problem = {.custom = &own, .strategy = "local_sequential", .count_max = 4096};
  clred_plan *plan = plan_of(&problem, THEY_RUN);
  ck_assert_uint_le(group_size_of(plan), HINT);
  problem.group_size = 64;
  ck_assert_int_eq(clred_plan_create(under_test.runtime, &problem, &plan), CLRED_STRATEGY_REFUSED);
  ck_assert_ptr_nonnull(strstr(clred_last_error(under_test.runtime), "has no host callbacks to try it with"));
}
