// Wait lists, returned events, reading without blocking. Sums of small whole numbers are exact. So a wrong result shows
// that commands ran in the wrong order.

#include "support/fixture.h"

#include "support/problems.h"

#define NUMBERS PROBLEM_COUNT_MAX

static cl_int event_status(cl_event event) {
  cl_int status = -1;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  return status;
}

// ---------------------------------------------------------------- Wait lists and events

// Work on another queue and with other buffers. If a call wrongly does not wait, it completes in this time. The buffers
// are other ones because drivers may order commands that share a buffer.
static void pass_time(void) {
  cl_command_queue queue = fixture_queue(0);
  clred_plan *plan = fixture_plan(&problems[0]);
  cl_mem in = fixture_numbers(NUMBERS);
  float result = 0;
  for (int i = 0; i < 20; i++)
    RUN_ON(queue, plan, .in = in, .count = NUMBERS, .result = &result);
}

// Checks that the call of the event `done` waits until `gate` is set.
static void check_waits(cl_event gate, cl_event done) {
  OWN(done);
  assert_ok(clFlush(under_test.queue));
  pass_time();
  ck_assert_int_gt(event_status(done), CL_COMPLETE);
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(1, &done));
}

TEST_CASE("waits", fixture_open, fixture_close);

// The call waits for its wait list, so it sums elements that another queue wrote before. Only the result is written.
TEST_EACH(wait_list_orders_two_queues, 0, PROBLEMS) {
  if (!fixture_has_user_events())
    return;
  const float ones[4] = {1, 1, 1, 1}, twos[4] = {2, 2, 2, 2}, nothing[2] = {-1, -1};
  clred_plan *plan = fixture_plan(&problems[_i]);
  cl_mem in = fixture_buffer(ones, sizeof ones), out = fixture_buffer(nothing, sizeof nothing);
  cl_command_queue other = fixture_queue(0);
  cl_event gate = fixture_user_event(), written = NULL, done = NULL;
  assert_ok(clEnqueueWriteBuffer(other, in, CL_FALSE, 0, sizeof twos, twos, 1, &gate, &written));
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 1, 4, 1, &written, &done));
  assert_ok(clFlush(other));
  check_waits(gate, done);
  ck_assert_float_eq(fixture_read(out, 1), 8);
  ck_assert_float_eq(fixture_read(out, 0), -1);
  RELEASE(written);
}

// When the call's event is complete, another queue sees the result.
TEST_EACH(event_completes_with_the_result, 0, PROBLEMS) {
  clred_plan *plan = fixture_plan(&problems[_i]);
  cl_mem in = fixture_numbers(NUMBERS);
  for (size_t call = 0; call < 10; call++) {
    const float nothing = -1;
    const size_t count = NUMBERS - 7 * call;
    cl_mem out = fixture_buffer(&nothing, sizeof nothing);
    cl_event done = NULL;
    assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, call, 0, count, 0, NULL, &done));
    assert_ok(clFlush(under_test.queue));
    assert_ok(clWaitForEvents(1, &done));
    ck_assert_int_eq(event_status(done), CL_COMPLETE);
    ck_assert_float_eq(fixture_read(out, 0), fixture_sum(call, count));
    RELEASE(done);
  }
}

// A call without an event holds the plan's only slot, so a call on another queue waits for it.
TEST_EACH(call_without_event_is_waited_for, 0, PROBLEMS) {
  if (!fixture_has_user_events())
    return;
  const float nothing[2] = {-1, -1};
  clred_plan *plan = fixture_plan(&problems[_i]);
  cl_mem in = fixture_numbers(NUMBERS), out = fixture_buffer(nothing, sizeof nothing);
  cl_command_queue other = fixture_queue(0);
  cl_event gate = fixture_user_event(), done = NULL;
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, NUMBERS, 1, &gate, NULL));
  assert_ok(clred_enqueue_reduce(other, plan, in, out, 7, 1, NUMBERS - 7, 0, NULL, &done));
  assert_ok(clFlush(other));
  check_waits(gate, done);
  ck_assert_float_eq(fixture_read(out, 0), fixture_sum(0, NUMBERS));
  ck_assert_float_eq(fixture_read(out, 1), fixture_sum(7, NUMBERS - 7));
}

// A call over no elements has an event, too, and waits.
TEST_EACH(event_of_an_empty_range, 0, PROBLEMS) {
  if (!fixture_has_user_events())
    return;
  const float nothing = -1;
  clred_plan *plan = fixture_plan(&problems[_i]);
  cl_mem out = fixture_buffer(&nothing, sizeof nothing);
  cl_event gate = fixture_user_event(), done = NULL;
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, NULL, out, 0, 0, 0, 1, &gate, &done));
  check_waits(gate, done);
  ck_assert_float_eq(fixture_read(out, 0), 0);
}

// If an event in the wait list fails, the call fails or runs. The next call is right in either case. Half of the tests
// use an out-of-order queue. PoCL 3.1 aborts if an event fails after its last reference was released, so the test keeps
// references to both events.
TEST_EACH(failed_wait_does_not_spoil_the_plan, 0, 2 * PROBLEMS) {
  if (!fixture_has_user_events())
    return;
  const float nothing[2] = {-1, -1};
  clred_plan *plan = fixture_plan(&problems[_i / 2]);
  cl_mem in = fixture_numbers(1000), out = fixture_buffer(nothing, sizeof nothing);
  cl_event gate = fixture_user_event(), done = NULL;
  cl_command_queue queue =
    fixture_queue(_i % 2 && fixture_has_out_of_order() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  assert_ok(clred_enqueue_reduce(queue, plan, in, out, 0, 0, 1000, 1, &gate, &done));
  assert_ok(clSetUserEventStatus(gate, -5));
  clWaitForEvents(1, &done);
  clReleaseEvent(done);
  cl_command_queue other = fixture_queue(0);
  assert_ok(clred_enqueue_reduce(other, plan, in, out, 0, 1, 1000, 0, NULL, &done));
  clWaitForEvents(1, &done);
  ck_assert_float_eq(fixture_read(out, 1), fixture_sum(0, 1000));
  RELEASE(done);
}

// ---------------------------------------------------------------- Reading

TEST_EACH(read_without_blocking, 0, PROBLEMS) {
  if (!fixture_has_user_events())
    return;
  const float ones[4] = {1, 1, 1, 1};
  float result = -1;
  clred_plan *plan = fixture_plan(&problems[_i]);
  cl_mem in = fixture_buffer(ones, sizeof ones);
  cl_event gate = fixture_user_event();
  cl_event done = ENQUEUE_EVENT(under_test.queue, plan, gate, .in = in, .in_offset = 1, .count = 3, .result = &result);
  assert_ok(clFlush(under_test.queue));
  pass_time();
  ck_assert_int_gt(event_status(done), CL_COMPLETE);
  ck_assert_float_eq(result, -1);
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(1, &done));
  ck_assert_float_eq(result, 3);
}

// ---------------------------------------------------------------- Plans that block

// A call with work on the host blocks: it waits for its wait list, and its event is complete on return.
TEST_EACH(host_work_is_done_on_return, 0, 2) {
  static const clred_problem hosts[] = {
    {OP(SUM, FLOAT), .strategy = "host_serial"},
    {OP(SUM, FLOAT), .strategy = "wide", .finish = "host", .count_max = 20000},
  };
  const float zeros[20000] = {0}, nothing = -1;
  clred_plan *plan = fixture_plan(&hosts[_i]);
  cl_mem in = fixture_numbers(20000), source = fixture_numbers(20000), out = fixture_buffer(&nothing, 4);
  cl_event copied = NULL, done = NULL;
  // The input is zeros until a copy on another queue is done. The call waits for that copy.
  cl_command_queue other = fixture_queue(0);
  assert_ok(clEnqueueWriteBuffer(other, in, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
  assert_ok(clEnqueueCopyBuffer(other, source, in, 0, 0, sizeof zeros, 0, NULL, &copied));
  assert_ok(clFlush(other));
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, 5, 0, 19000, 1, &copied, &done));
  ck_assert_int_eq(event_status(done), CL_COMPLETE);
  ck_assert_float_eq(fixture_read(out, 0), fixture_sum(5, 19000));
  RELEASE(copied, done);
}

// ---------------------------------------------------------------- Device time

// With profiling, the time of a call is known when its event is complete. Calls without kernels have no time.
TEST_EACH(device_time_of_a_call, 0, PROBLEMS) {
  clred_problem problem = problems[_i];
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  float result = -1;
  double seconds = -1;
  problem.profile = CL_TRUE;
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(NUMBERS);
  assert_status(clred_plan_seconds(plan, &seconds), CL_PROFILING_INFO_NOT_AVAILABLE);
  for (size_t i = 0; i < 5; i++) {
    RUN_ON(queue, plan, .in = in, .in_offset = i, .count = NUMBERS - i, .result = &result);
    ck_assert_float_eq(result, fixture_sum(i, NUMBERS - i));
    assert_ok(clred_plan_seconds(plan, &seconds));
    ck_assert_msg(seconds > 0 && seconds < 300, "%g s", seconds);
  }
}
