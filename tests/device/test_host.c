// Calls on host memory. The programs over lists of problems (tests/grid) compare those of plans, and the reference.

#include "support/fixture.h"

TEST_CASE("memory", fixture_open, fixture_close);

// The first call of a kind builds the program, and later ones build nothing.
TEST(one_build_a_kind) {
  const cl_int values[3] = {1, 2, 4};
  cl_long results[3] = {-1, 0, -1};
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
  for (int i = 0; i < 3; i++)
    assert_ok(clred_reduce_host(under_test.runtime, CLRED_TYPE_INT, CLRED_OP_SUM, values, 3, &results[1]));
  ck_assert(results[0] == -1 && results[1] == 7 && results[2] == -1);
  assert_ok(clred_reduce_host(under_test.runtime, CLRED_TYPE_INT, CLRED_OP_SUM, NULL, 0, &results[1]));
  ck_assert_int_eq(results[1], 0);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 1);
}

// Elements and results at unaligned addresses, as in a mapped file with a header.
TEST(memory_that_begins_anywhere) {
  enum { GUARD = 0x5a };
  static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};
  static const cl_long sums[6] = {7, 5, 10, 15, 6, 7};
  clred_plan *plan = PLAN(OP(SUM, INT), SCAN(INCLUSIVE));
  unsigned char in[sizeof numbers + 1], out[sizeof sums + 2];
  memcpy(in + 1, numbers, sizeof numbers);
  memset(out, GUARD, sizeof out);
  RUN_HOST(plan, .in = in + 1, .count = 6, .out = out + 1);
  ck_assert_mem_eq(out + 1, sums, sizeof sums);
  ck_assert_int_eq(out[0], GUARD);
  ck_assert_int_eq(out[sizeof out - 1], GUARD);
  RUN_HOST(plan, .count = 0);
}

// Host memory goes through a stream if it has more elements than loops may run, or if copying all of it first would
// take long.
static const struct {
  const char *assume;
  size_t count;
  cl_int inspected;
} lengths[] = {{"loop_trips=20000", (size_t)1 << 24, CLRED_COUNT_ABOVE_MAXIMUM},
               {"unified_memory=0", (size_t)33 << 20, CL_SUCCESS}};

TEST_ROWS(more_than_a_call_takes, lengths) {
  cl_ulong result = 0;
  const size_t count = lengths[_i].count;
  fixture_reopen(lengths[_i].assume);
  cl_uchar *ones = memset(claim(count), 1, count);
  clred_plan *plan = PLAN(OP(SUM, UCHAR), .strategy = "chunked", .groups = 64);
  clred_plan_info info;
  fixture_inspect(plan, 4096);
  assert_status(clred_plan_inspect(plan, count, &info), lengths[_i].inspected);
  RUN_HOST(plan, .in = ones, .count = count, .out = &result);
  ck_assert_uint_eq(result, count);
}

// ---------------------------------------------------------------- Small calls, which the host computes

static clred_runtime *with_host;

static void open_with_host(void) {
  fixture_open();
  assert_ok(
    clred_runtime_create(under_test.context, under_test.id, &(clred_options){.trust_driver = CL_TRUE}, &with_host));
  OWN(with_host);
}

TEST_CASE("small calls", open_with_host, fixture_close);

static clred_plan *plan_with_host(const clred_problem *problem) {
  clred_plan *plan = NULL;
  assert_ok(clred_plan_create(with_host, problem, &plan));
  return OWN(plan);
}

// A queue that waits for an event of the user runs no kernel, so only the host can give the result.
TEST(small_calls_need_no_device) {
  const cl_float numbers[5] = {1, 2, 3, 4, 0.5f};
  cl_float sum = 0, sums[5];
  if (!fixture_has_user_events()) {
    fixture_skip("small calls", "the device has no user events");
    return;
  }
  clred_plan *reduction = plan_with_host(&(clred_problem){OP(SUM, FLOAT)}),
             *scan = plan_with_host(&(clred_problem){OP(SUM, FLOAT), SCAN(INCLUSIVE)});
  cl_event gate = fixture_user_event();
  assert_ok(clEnqueueBarrierWithWaitList(under_test.queue, 1, &gate, NULL));
  RUN_HOST(reduction, .in = numbers, .count = 5, .out = &sum);
  RUN_HOST(scan, .in = numbers, .count = 5, .out = sums);
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  ck_assert_float_eq(sum, 10.5f);
  ck_assert_float_eq(sums[3], 10);
}

// The host refuses what the device refuses, in the same words.
TEST(small_calls_are_refused_alike) {
  const cl_float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  cl_float out[8] = {0};
  const struct {
    clred_problem problem;
    clred_host_call call;
    const char *words;
  } bad[] = {
    {{OP(SUM, FLOAT)}, {.in = NULL, .count = 4, .out = out}, "in"},
    {{OP(SUM, FLOAT)}, {.in = numbers, .count = 4}, "out"},
    {{OP(SUM, FLOAT)}, {.in = numbers, .count = 4, .out = out, .initial = numbers}, "initial"},
    {{OP(SUM, FLOAT), .count_max = 2}, {.in = numbers, .count = 4, .out = out}, "count"},
    {{OP(SUM, FLOAT), SCAN(INCLUSIVE)}, {.in = numbers, .count = 4}, "out"},
    {{OP(SUM, FLOAT), SCAN(INCLUSIVE), .layout = CLRED_LAYOUT_ROWS},
     {.in = numbers, .count = 4, .rows = 2, .row_stride = 2, .out = out},
     "row_stride"},
    {{OP(SUM, FLOAT), .layout = CLRED_LAYOUT_SEGMENTS, .segment_type = CLRED_TYPE_UINT},
     {.in = numbers, .count = 4, .rows = 2, .out = out},
     "segments"},
  };
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    clred_plan *of_host = plan_with_host(&bad[i].problem), *of_device = fixture_plan(&bad[i].problem);
    const cl_int status = clred_plan_run_host(under_test.queue, of_host, &bad[i].call);
    ck_assert_int_ne(status, CL_SUCCESS);
    ck_assert_int_eq(clred_plan_run_host(under_test.queue, of_device, &bad[i].call), status);
    ck_assert_str_eq(clred_last_error(with_host), clred_last_error(under_test.runtime));
    ck_assert_ptr_nonnull(strstr(clred_last_error(with_host), bad[i].words));
  }
}

// A plan for calls on host memory builds its program only when the device must compute, and takes nothing that needs
// the program earlier. It has copied the list of operators by then.
TEST(plans_for_calls_on_host_memory_build_late) {
  enum { COUNT = 400000 };
  clred_op list[] = {CLRED_OP_SUM, CLRED_OP_MAX};
  clred_problem problem = {.type = CLRED_TYPE_INT, .list = list, .list_count = 2, .host_calls = CL_TRUE};
  clred_plan *late = plan_with_host(&problem), *folds = NULL, *warmed = plan_with_host(&problem);
  clred_stream *stream = NULL;
  clred_partial *partial = NULL;
  struct {
    cl_long sum;
    cl_int max;
  } result = {0};
  cl_int *numbers = claim(COUNT * sizeof *numbers);
  const cl_mem in = fixture_buffer(numbers, sizeof *numbers), out = fixture_buffer(&result, sizeof result);
  list[0] = CLRED_OP_MIN;
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i % 1000;
  RUN_HOST(late, .in = numbers, .count = 10, .out = &result);
  ck_assert_int_eq(result.sum, 45);
  ck_assert_int_eq(result.max, 9);
  ck_assert_uint_eq(clred_plan_source(late, NULL, 0), 0);
  ck_assert_int_eq(
    clred_enqueue(under_test.queue, late, &(clred_call){.in = in, .count = 1, .out = out}, 0, NULL, NULL),
    CLRED_INVALID_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(clred_last_error(with_host), "host_calls"));
  ck_assert_int_eq(clred_stream_create(under_test.queue, late, NULL, &stream), CLRED_INVALID_ARGUMENT);
  ck_assert_int_eq(clred_partial_create(late, NULL, &partial), CLRED_INVALID_ARGUMENT);
  problem = (clred_problem){OP(SUM, INT), SCAN(INCLUSIVE), .host_calls = CL_TRUE};
  ck_assert_int_eq(clred_plan_create_scan_partials(plan_with_host(&problem), &folds), CLRED_INVALID_ARGUMENT);
  for (int i = 0; i < 2; i++)
    RUN_HOST(late, .in = numbers, .count = COUNT, .out = &result);
  ck_assert_int_eq(result.sum, 400 * 499500L);
  ck_assert_int_eq(result.max, 999);
  assert_ok(clred_plan_warm(under_test.queue, warmed));
  RUN_HOST(warmed, .in = numbers, .count = COUNT, .out = &result);
  ck_assert_int_eq(result.sum, 400 * 499500L);
}

// In a list, argminmax has a smaller state than alone, so more lines of the list fit in a block of states. A write
// behind the block is seen by the address sanitizer, the results by every build.
TEST(lists_over_columns_side_by_side) {
  enum { COLUMNS = 97, COUNT = 4 };
  const clred_op list[] = {CLRED_OP_ARGMINMAX};
  const clred_problem problem = {
    .type = CLRED_TYPE_FLOAT, .list = list, .list_count = 1, .layout = CLRED_LAYOUT_COLUMNS, .host_calls = CL_TRUE};
  cl_float numbers[COUNT * COLUMNS];
  unsigned char ours[COLUMNS * 64] = {0}, theirs[COLUMNS * 64] = {0};
  for (int i = 0; i < COUNT * COLUMNS; i++)
    numbers[i] = (cl_float)(i * 7919 % 101);
  RUN_HOST(plan_with_host(&problem), .in = numbers, .count = COUNT, .stride = COLUMNS, .rows = 1, .columns = COLUMNS,
           .out = ours);
  RUN_HOST(fixture_plan(&problem), .in = numbers, .count = COUNT, .stride = COLUMNS, .rows = 1, .columns = COLUMNS,
           .out = theirs);
  ck_assert_mem_eq(ours, theirs, sizeof ours);
}
