// Quantiles that are refused, each with its status and a message that names the culprit. What was refused writes
// nothing, and the next run is right.

#include <math.h>

#include "support/fixture.h"

#define COUNT 100

static const double half[] = {0.5}, above[] = {0.5, 1.5}, below[] = {-0.1}, no_number[] = {NAN};
static double many[CLRED_QUANTILES_MAX + 1];

TEST_CASE("problems", fixture_open, fixture_close);

static void refused(const clred_quantile_problem *problem, cl_int status, const char *words) {
  clred_quantile *quantile = (clred_quantile *)&quantile;
  assert_status(clred_quantile_create(under_test.runtime, problem, &quantile), status);
  ck_assert_ptr_null(quantile);
  check_said(words);
}

#define ONE .type = CLRED_TYPE_INT, .at = half, .at_count = 1

static const struct refusal {
  clred_quantile_problem problem;
  cl_int status;
  const char *words;
} refusals[] = {
  {{.type = CLRED_TYPE_INT}, CLRED_INVALID_PROBLEM, "needs one of at, top and bottom"},
  {{ONE, .top = 1}, CLRED_INVALID_PROBLEM, "needs one of at, top and bottom"},
  {{.type = CLRED_TYPE_INT, .top = 1, .bottom = 1}, CLRED_INVALID_PROBLEM, "needs one of at, top and bottom"},
  {{.type = CLRED_TYPE_INT, .at = half}, CLRED_INVALID_PROBLEM, "at_count: 0 quantiles"},
  {{.type = CLRED_TYPE_INT, .at = many, .at_count = CLRED_QUANTILES_MAX + 1}, CLRED_INVALID_PROBLEM, "257 quantiles"},
  {{.type = CLRED_TYPE_INT, .at = above, .at_count = 2}, CLRED_INVALID_PROBLEM, "at[1]: 1.5 is no quantile"},
  {{.type = CLRED_TYPE_INT, .at = below, .at_count = 1}, CLRED_INVALID_PROBLEM, "at[0]: -0.1 is no quantile"},
  {{.type = CLRED_TYPE_INT, .at = no_number, .at_count = 1}, CLRED_INVALID_PROBLEM, "at[0]: nan is no quantile"},
  {{ONE, .interpolation = (clred_interpolation)4}, CLRED_INVALID_PROBLEM, "interpolation: there is no value 4"},
  {{ONE, .nan = (clred_nan)2}, CLRED_INVALID_PROBLEM, "nan: there is no value 2"},
  {{.type = CLRED_TYPE_INT, .top = ((cl_ulong)1 << 30) + 1}, CLRED_INVALID_PROBLEM, "top: 1073741825 is too many"},
  {{.type = CLRED_TYPE_INT, .bottom = CL_ULONG_MAX}, CLRED_INVALID_PROBLEM, "bottom: 18446744073709551615"},
  {{.type = CLRED_TYPE_CFLOAT, .top = 1}, CLRED_OPERATOR_TYPE, "cfloat has no order"},
  {{.type = CLRED_VECTOR(CLRED_TYPE_INT, 4), .top = 1}, CLRED_OPERATOR_TYPE, "has no order"},
  {{.type = CLRED_TYPE_NONE, .top = 1}, CLRED_INVALID_PROBLEM, "type: 0 is no type"},
  {{.type = (clred_type)99, .top = 1}, CLRED_INVALID_PROBLEM, "type: 99 is no type"},
};

TEST_ROWS(wrong_problems, refusals) {
  refused(&refusals[_i].problem, refusals[_i].status, refusals[_i].words);
}

TEST(missing_arguments) {
  clred_quantile *quantile = NULL;
  clred_quantile_info info;
  const clred_quantile_problem problem = {ONE};
  assert_invalid(clred_quantile_create(NULL, &problem, &quantile));
  refused_naming(clred_quantile_create(under_test.runtime, NULL, &quantile), "problem is NULL");
  refused_naming(clred_quantile_create(under_test.runtime, &problem, NULL), "quantile is NULL");
  assert_invalid(clred_quantile_inspect(NULL, &info));
  assert_invalid(clred_quantile_warm(under_test.queue, NULL));
  assert_invalid(clred_quantile_run(under_test.queue, NULL, NULL, 0, 1, &info, NULL, 0, NULL));
  assert_invalid(clred_quantile_run_host(under_test.queue, NULL, &info, 1, &info, NULL));
  clred_quantile_release(NULL);
}

TEST(devices_that_lack_something) {
  fixture_reopen("atomics=0");
  refused(&(clred_quantile_problem){ONE}, CLRED_STRATEGY_REFUSED, "atomics of 32 bits");
  fixture_reopen("local_mem_size=2048");
  for (int i = 0; i < CLRED_QUANTILES_MAX; i++)
    many[i] = i / 256.0;
  refused(&(clred_quantile_problem){.type = CLRED_TYPE_INT, .at = many, .at_count = CLRED_QUANTILES_MAX},
          CLRED_STRATEGY_REFUSED, "at_count: 256 need 8192 bytes of local memory");
  fixture_reopen("local_mem_size=256");
  refused(&(clred_quantile_problem){.type = CLRED_TYPE_INT, .top = 3}, CLRED_STRATEGY_REFUSED,
          "top: 3 need 512 bytes of local memory");
  fixture_reopen("types=0");
  refused(&(clred_quantile_problem){ONE}, CLRED_TYPE_NOT_SUPPORTED, "wrong with int (fact types)");
}

// ---------------------------------------------------------------- Runs

static float elements[COUNT];
static clred_quantile *median, *chosen;
static cl_mem in;

static double result;
static float tops[50];
static cl_ulong places[50];

static void open_runs(void) {
  fixture_open();
  result = -1;
  memset(tops, 0, sizeof tops);
  memset(places, 0, sizeof places);
  for (int i = 0; i < COUNT; i++)
    elements[i] = i < 10 ? NAN : (float)i;
  in = fixture_buffer(elements, sizeof elements);
  median =
    QUANTILE(.type = CLRED_TYPE_FLOAT, .at = half, .at_count = 1, .nan = CLRED_NAN_IGNORE, .count_max = COUNT - 1);
  chosen = QUANTILE(.type = CLRED_TYPE_FLOAT, .top = 50, .nan = CLRED_NAN_IGNORE);
}

TEST_CASE("runs", open_runs, fixture_close);

static void run_refused(cl_int got, cl_int status, const char *words) {
  assert_refused(got, status, words);
  ck_assert(result == -1 && tops[0] == 0 && places[0] == 0);
}

#define RUN_MEDIAN(...) clred_quantile_run(under_test.queue, median, __VA_ARGS__, 0, NULL)
#define RUN_CHOSEN(...) clred_quantile_run(under_test.queue, chosen, __VA_ARGS__, 0, NULL)

TEST(wrong_runs) {
  cl_mem unread = OWN(clCreateBuffer(under_test.context, CL_MEM_WRITE_ONLY, sizeof elements, NULL, NULL));
  run_refused(RUN_MEDIAN(in, 0, 20, NULL, NULL), CLRED_INVALID_ARGUMENT, "results is NULL");
  run_refused(RUN_MEDIAN(in, 0, 0, &result, NULL), CLRED_INVALID_ARGUMENT, "a quantile of 0 elements");
  run_refused(RUN_MEDIAN(in, 0, 10, &result, NULL), CLRED_INVALID_ARGUMENT, "all are NaN");
  run_refused(RUN_MEDIAN(in, 0, 20, &result, places), CLRED_INVALID_ARGUMENT, "places: only top and bottom");
  run_refused(RUN_MEDIAN(in, 0, COUNT, &result, NULL), CLRED_COUNT_ABOVE_MAXIMUM, "100 elements, count_max is 99");
  run_refused(RUN_MEDIAN(in, 50, 51, &result, NULL), CLRED_OUT_OF_RANGE, "in: needs 51 elements from offset 50");
  run_refused(RUN_MEDIAN(NULL, 0, 20, &result, NULL), CLRED_INVALID_ARGUMENT, "in is NULL");
  run_refused(RUN_MEDIAN(unread, 0, 20, &result, NULL), CLRED_INVALID_ARGUMENT, "in was created with flags");
  run_refused(RUN_CHOSEN(in, 0, 49, tops, places), CLRED_OUT_OF_RANGE, "50 elements are asked for, there are 49");
  run_refused(RUN_CHOSEN(in, 0, 59, tops, places), CLRED_OUT_OF_RANGE, "there are 49 without the NaNs");
  run_refused(clred_quantile_run_host(under_test.queue, median, NULL, 20, &result, NULL), CLRED_INVALID_ARGUMENT,
              "in is NULL");
  run_refused(clred_quantile_run(NULL, median, in, 0, 20, &result, NULL, 0, NULL), CLRED_INVALID_ARGUMENT, "queue");
  run_refused(clred_quantile_run(under_test.queue, median, in, 0, 20, &result, NULL, 1, NULL), CLRED_INVALID_ARGUMENT,
              "event_wait_list");
}

TEST(right_runs_after_wrong_ones) {
  run_refused(RUN_MEDIAN(in, 0, 10, &result, NULL), CLRED_INVALID_ARGUMENT, "all are NaN");
  assert_ok(clred_quantile_warm(under_test.queue, median));
  assert_ok(RUN_MEDIAN(in, 0, 21, &result, NULL));
  ck_assert(result == 15);
  assert_ok(RUN_CHOSEN(in, 0, 60, tops, NULL));
  ck_assert(tops[0] == 59 && tops[49] == 10);
}

// A run waits for the events of its list. The writes before the last one take longer than a run that does not wait.
TEST(waits_for_events) {
  cl_command_queue queue = fixture_queue(0);
  const size_t large = (size_t)16 << 20;
  void *bytes = claim(large);
  cl_mem slow = fixture_buffer(bytes, large);
  cl_event written = NULL;
  float others[20];
  for (int i = 0; i < 20; i++)
    others[i] = 1000;
  assert_ok(clred_quantile_warm(under_test.queue, median));
  for (int i = 0; i < 20; i++)
    assert_ok(clEnqueueWriteBuffer(queue, slow, CL_FALSE, 0, large, bytes, 0, NULL, NULL));
  assert_ok(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, sizeof others, others, 0, NULL, &written));
  assert_ok(clFlush(queue));
  assert_ok(clred_quantile_run(under_test.queue, median, in, 0, 20, &result, NULL, 1, &written));
  ck_assert(result == 1000);
  clReleaseEvent(written);
}

TEST(an_event_that_failed) {
  if (!fixture_has_user_events())
    return;
  cl_event failed = fixture_user_event();
  assert_ok(clSetUserEventStatus(failed, -5));
  run_refused(clred_quantile_run(under_test.queue, median, in, 0, 20, &result, NULL, 1, &failed),
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "event_wait_list ended in");
}
