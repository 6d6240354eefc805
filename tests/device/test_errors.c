// Calls that must fail: ranges, counts, contexts, missing arguments. Each gives its own status and a sentence, enqueues
// nothing and leaves the output as it was.

#include "support/fixture.h"

#define NUMBERS 1000
#define RESULTS 4
#define UNTOUCHED (-77.0f)

static clred_plan *plan;
static cl_mem in, out;
static cl_context foreign_context;
static cl_command_queue foreign_queue;
static cl_mem foreign_buffer;

// fixture_read has its own queue, which does not wait for the queue of the tests. So that queue is finished first.
static float read_when_done(cl_mem buffer, size_t index) {
  assert_ok(clFinish(under_test.queue));
  return fixture_read(buffer, index);
}

static void open_all(void) {
  const float untouched[RESULTS] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
  cl_int err;
  fixture_open();
  plan = PLAN(OP(SUM, FLOAT));
  in = fixture_numbers(NUMBERS);
  out = fixture_buffer(untouched, sizeof untouched);
  foreign_context = clCreateContext(NULL, 1, &under_test.id, NULL, NULL, &err);
  assert_ok(err);
  foreign_queue = clCreateCommandQueue(foreign_context, under_test.id, 0, &err);
  assert_ok(err);
  foreign_buffer = clCreateBuffer(foreign_context, CL_MEM_READ_WRITE, NUMBERS * sizeof(float), NULL, &err);
  assert_ok(err);
}

static void close_all(void) {
  RELEASE(foreign_buffer, foreign_queue, foreign_context);
  fixture_close();
}

static void check_untouched(void) {
  assert_ok(clFinish(under_test.queue));
  for (size_t i = 0; i < RESULTS; i++)
    ck_assert_float_eq(read_when_done(out, i), UNTOUCHED);
}

// ---------------------------------------------------------------- Ranges

static const uint64_t most = UINT64_MAX;

static const struct range {
  uint64_t in_offset;
  uint64_t out_offset;
  uint64_t count;
} ranges[] = {
  {0, 0, NUMBERS + 1},
  {1, 0, NUMBERS},
  {NUMBERS, 0, 1},
  {NUMBERS + 1, 0, 1},
  {(uint64_t)1 << 32, 0, 1},
  {UINT64_MAX, 0, 1},
  {UINT64_MAX, 0, 2},         // the sum wraps to 1
  {2, 0, UINT64_MAX},         // the same
  {0, 0, (uint64_t)1 << 62},  // the bytes wrap to 0
  {(uint64_t)1 << 62, 0, 1},  // the same
  {(uint64_t)1 << 63, 0, (uint64_t)1 << 63},
  {0, RESULTS, NUMBERS},
  {0, (uint64_t)1 << 62, NUMBERS},
  {0, UINT64_MAX, NUMBERS},
  {0, RESULTS, 0},
};

TEST_CASE("ranges", open_all, close_all);

TEST_ROWS(range_past_the_end, ranges) {
  const struct range *range = &ranges[_i];
  cl_event event = NULL;
  assert_status(clred_enqueue_reduce(under_test.queue, plan, in, out, range->in_offset, range->out_offset, range->count,
                                     0, NULL, &event),
                CLRED_OUT_OF_RANGE);
  ck_assert_ptr_null(event);
  ck_assert_str_ne(clred_last_error(under_test.runtime), "");
  check_untouched();
}

TEST(range_past_the_end_of_a_reading_call) {
  float result = UNTOUCHED;
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "", .in = in, .in_offset = 1, .count = NUMBERS, .result = &result,
               .blocking = CL_TRUE);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "1000", .in = in, .in_offset = most, .count = 2, .result = &result,
               .blocking = CL_TRUE);
  ck_assert_float_eq(result, UNTOUCHED);
}

// A range that ends exactly at the buffer's end is valid.
TEST(range_up_to_the_end) {
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, 1, RESULTS - 1, NUMBERS - 1, 0, NULL, NULL));
  ck_assert_float_eq(read_when_done(out, RESULTS - 1), fixture_sum(1, NUMBERS - 1));
}

// A range is checked against the end of the sub-buffer, not against the end of its parent.
TEST(range_of_a_sub_buffer) {
  cl_mem part = fixture_sub_buffer(in, 0, 100);
  assert_status(clred_enqueue_reduce(under_test.queue, plan, part, out, 0, 0, 101, 0, NULL, NULL), CLRED_OUT_OF_RANGE);
  check_untouched();
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, part, out, 3, 0, 97, 0, NULL, NULL));
  ck_assert_float_eq(read_when_done(out, 0), fixture_sum(3, 97));
}

TEST(count_above_maximum) {
  clred_plan *bounded = PLAN(OP(SUM, FLOAT), .strategy = "bottom_up", .count_max = 50);
  clred_plan_info info;
  float result = UNTOUCHED;
  assert_refused(clred_enqueue_reduce(under_test.queue, bounded, in, out, 0, 0, 51, 0, NULL, NULL),
                 CLRED_COUNT_ABOVE_MAXIMUM, "51");
  check_untouched();
  REFUSED_CALL(bounded, CLRED_COUNT_ABOVE_MAXIMUM, "", .in = in, .count = 51, .result = &result, .blocking = CL_TRUE);
  ck_assert_float_eq(result, UNTOUCHED);
  assert_status(clred_plan_inspect(bounded, 51, &info), CLRED_COUNT_ABOVE_MAXIMUM);
  assert_ok(clred_enqueue_reduce(under_test.queue, bounded, in, out, 0, 0, 50, 0, NULL, NULL));
  ck_assert_float_eq(read_when_done(out, 0), fixture_sum(0, 50));
}

TEST_CASE("contexts", open_all, close_all);

TEST(queue_of_another_context) {
  assert_refused(clred_enqueue_reduce(foreign_queue, plan, in, out, 0, 0, NUMBERS, 0, NULL, NULL),
                 CLRED_CONTEXT_MISMATCH, "queue");
  check_untouched();
}

TEST(input_of_another_context) {
  assert_status(clred_enqueue_reduce(under_test.queue, plan, foreign_buffer, out, 0, 0, NUMBERS, 0, NULL, NULL),
                CLRED_CONTEXT_MISMATCH);
  ck_assert_str_ne(clred_last_error(under_test.runtime), "");
  check_untouched();
}

TEST(output_of_another_context) {
  assert_status(clred_enqueue_reduce(under_test.queue, plan, in, foreign_buffer, 0, 0, NUMBERS, 0, NULL, NULL),
                CLRED_CONTEXT_MISMATCH);
  ck_assert_str_ne(clred_last_error(under_test.runtime), "");
}

TEST(event_of_another_context) {
  cl_int err;
  cl_event event = clCreateUserEvent(foreign_context, &err);
  assert_ok(err);
  assert_ok(clSetUserEventStatus(event, CL_COMPLETE));
  assert_refused(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, NUMBERS, 1, &event, NULL),
                 CLRED_CONTEXT_MISMATCH, "event");
  check_untouched();
  clReleaseEvent(event);
}

TEST(foreign_objects_in_reading_and_host_calls) {
  float result = UNTOUCHED;
  assert_status(clred_enqueue(foreign_queue, plan,
                              &(clred_call){.in = in, .count = 9, .result = &result, .blocking = CL_TRUE}, 0, NULL,
                              NULL),
                CLRED_CONTEXT_MISMATCH);
  REFUSED_CALL(plan, CLRED_CONTEXT_MISMATCH, "", .in = foreign_buffer, .count = 9, .result = &result,
               .blocking = CL_TRUE);
  assert_status(clred_plan_run_host(foreign_queue, plan, &(clred_host_call){.in = &result, .count = 1, .out = &result}),
                CLRED_CONTEXT_MISMATCH);
  ck_assert_float_eq(result, UNTOUCHED);
}

TEST_CASE("missing", open_all, close_all);

TEST(enqueue_without) {
  cl_event event = NULL;
  assert_invalid(clred_enqueue_reduce(NULL, plan, in, out, 0, 0, 1, 0, NULL, NULL));
  assert_invalid(clred_enqueue_reduce(under_test.queue, plan, NULL, out, 0, 0, 1, 0, NULL, NULL));
  assert_invalid(clred_enqueue_reduce(under_test.queue, plan, in, NULL, 0, 0, 1, 0, NULL, NULL));
  assert_invalid(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, 1, 1, NULL, NULL));
  assert_invalid(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, 1, 1, &event, NULL));
  check_untouched();
}

// The number of a reduction's results is known before the call, so an outcome is refused.
TEST(outcome_of_a_reduction) {
  clred_outcome outcome = {7, 8};
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "outcome: ", .in = in, .count = 9, .out = out, .outcome = &outcome,
               .blocking = CL_TRUE);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "outcome_buffer: ", .in = in, .count = 9, .out = out,
               .outcome_buffer = foreign_buffer);
  ck_assert_msg(outcome.count == 7 && outcome.fault == 8, "a refused call wrote its outcome");
  check_untouched();
}

TEST(reading_without) {
  float result = UNTOUCHED;
  assert_invalid(clred_enqueue(NULL, plan, &(clred_call){.in = in, .count = 1, .result = &result, .blocking = CL_TRUE},
                               0, NULL, NULL));
  REFUSED_CALL(NULL, CLRED_INVALID_ARGUMENT, "", .in = in, .count = 1, .result = &result, .blocking = CL_TRUE);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "", .count = 1, .result = &result, .blocking = CL_TRUE);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "", .in = in, .count = 1, .blocking = CL_TRUE);
  ck_assert_float_eq(result, UNTOUCHED);
}

TEST(host_calls_without) {
  float x = 1, result = UNTOUCHED;
  assert_invalid(clred_plan_run_host(NULL, plan, &(clred_host_call){.in = &x, .count = 1, .out = &result}));
  assert_invalid(clred_plan_run_host(under_test.queue, plan, &(clred_host_call){.count = 1, .out = &result}));
  assert_invalid(clred_plan_run_host(under_test.queue, plan, &(clred_host_call){.in = &x, .count = 1}));
  ck_assert_float_eq(result, UNTOUCHED);
}
