// Many calls at once on one plan: on two queues of both kinds, from two threads, with one slot and with several. Sums
// of small whole numbers are exact, so a wrong result shows that commands ran in the wrong order.

#include "support/fixture.h"

#include <pthread.h>

#include "support/problems.h"

#define CALLS 64

TEST_CASE("queues", fixture_open, fixture_close);

// Many calls in flight write their results to different places in host memory.
TEST_EACH(reads_do_not_mix, 0, PROBLEMS) {
  clred_problem problem = problems[_i];
  float results[CALLS];
  problem.in_flight = 3;
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(10000);
  for (size_t i = 0; i < CALLS; i++)
    ENQUEUE(plan, .in = in, .in_offset = i, .count = 9000 - 100 * i, .result = &results[i]);
  assert_ok(clFinish(under_test.queue));
  for (size_t i = 0; i < CALLS; i++)
    ck_assert_float_eq(results[i], fixture_sum(i, 9000 - 100 * i));
}

// ---------------------------------------------------------------- Blocking calls

struct blocked {
  clred_plan *plan;
  cl_mem in;
  cl_event gate;
  float result;
  cl_int status;
};

static void *read_behind_gate(void *of) {
  struct blocked *call = of;
  call->status = clred_enqueue(
    under_test.queue, call->plan,
    &(clred_call){.in = call->in, .count = 500, .result = &call->result, .blocking = CL_TRUE}, 1, &call->gate, NULL);
  return NULL;
}

TEST_CASE("threads", fixture_open, fixture_close);

// A thread that blocks on an event must not lock the plan. Otherwise the thread that sets the event could wait for it.
TEST(blocking_call_does_not_lock_the_plan) {
  if (!fixture_has_user_events())
    return;
  pthread_t thread;
  float result = 0;
  cl_command_queue queue = fixture_queue(0);
  struct blocked call = {
    .plan = PLAN(OP(SUM, FLOAT), .in_flight = 1), .in = fixture_numbers(1000), .status = CL_INVALID_VALUE};
  call.gate = fixture_user_event();
  ck_assert_int_eq(pthread_create(&thread, NULL, read_behind_gate, &call), 0);
  cl_event read = ENQUEUE_EVENT(queue, call.plan, NULL, .in = call.in, .count = 700, .result = &result);
  assert_ok(clSetUserEventStatus(call.gate, CL_COMPLETE));
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  assert_ok(clWaitForEvents(1, &read));
  assert_ok(call.status);
  ck_assert_float_eq(call.result, fixture_sum(0, 500));
  ck_assert_float_eq(result, fixture_sum(0, 700));
}

// ---------------------------------------------------------------- Many calls at once

// Calls with different ranges, alternating between two queues that only the plan orders.
static void overlap(const clred_problem *problem, cl_command_queue_properties properties) {
  clred_plan *plan = fixture_plan(problem);
  cl_command_queue queues[2] = {fixture_queue(properties), fixture_queue(properties)};
  float results[CALLS] = {0};
  cl_mem in = fixture_numbers(20000), out = fixture_buffer(results, sizeof results);
  for (size_t i = 0; i < CALLS; i++)
    assert_ok(clred_enqueue_reduce(queues[i % 2], plan, in, out, i, i, 19000 - 250 * i, 0, NULL, NULL));
  assert_ok(clFinish(queues[0]));
  assert_ok(clFinish(queues[1]));
  for (size_t i = 0; i < CALLS; i++)
    ck_assert_msg(fixture_read(out, i) == fixture_sum(i, 19000 - 250 * i), "call %zu of %s", i, problem->strategy);
}

TEST_CASE("queues", fixture_open, fixture_close);

TEST_EACH(overlap_with_one_slot, 0, PROBLEMS) {
  clred_problem problem = problems[_i];
  problem.in_flight = 1;
  overlap(&problem, 0);
}

TEST_EACH(overlap_with_four_slots, 0, PROBLEMS) {
  clred_problem problem = problems[_i];
  problem.in_flight = 4;
  overlap(&problem, 0);
}

TEST_EACH(overlap_out_of_order, 0, PROBLEMS) {
  clred_problem problem = problems[_i];
  if (!fixture_has_out_of_order()) {
    fixture_skip("out-of-order queues", "the device has none");
    return;
  }
  problem.in_flight = 1;
  overlap(&problem, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  problem.in_flight = 4;
  overlap(&problem, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

// A plan may be released while its calls run. The results are written.
TEST_EACH(release_leaves_the_work_alone, 0, PROBLEMS) {
  const float nothing = -1;
  clred_plan *plan = fixture_plan(&problems[_i]);
  cl_mem in = fixture_numbers(PROBLEM_COUNT_MAX), out = fixture_buffer(&nothing, sizeof nothing);
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, PROBLEM_COUNT_MAX, 0, NULL, NULL));
  RELEASE(plan);
  assert_ok(clFinish(under_test.queue));
  ck_assert_float_eq(fixture_read(out, 0), fixture_sum(0, PROBLEM_COUNT_MAX));
}

// ---------------------------------------------------------------- Threads

struct worker {
  clred_plan *plan;
  cl_mem in;
  size_t first;
  unsigned wrong;
};

// No assertions here: Check allows them in the main thread only.
static void *work(void *argument) {
  struct worker *worker = argument;
  cl_int err;
  cl_command_queue queue = clCreateCommandQueue(under_test.context, under_test.id, 0, &err);
  for (size_t i = worker->first; err == CL_SUCCESS && i < worker->first + 200; i++) {
    float result = -1;
    err = clred_enqueue(
      queue, worker->plan,
      &(clred_call){.in = worker->in, .in_offset = i, .count = 5000 + i, .result = &result, .blocking = CL_TRUE}, 0,
      NULL, NULL);
    worker->wrong += result != fixture_sum(i, 5000 + i);
  }
  worker->wrong += err != CL_SUCCESS;
  clReleaseCommandQueue(queue);
  return NULL;
}

TEST_CASE("threads", fixture_open, fixture_close);

TEST_EACH(two_threads_on_one_plan, 0, PROBLEMS) {
  clred_problem problem = problems[_i];
  pthread_t threads[2];
  problem.in_flight = 2;
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(20000);
  struct worker workers[2] = {{plan, in, 0, 0}, {plan, in, 1000, 0}};
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  ck_assert_uint_eq(workers[0].wrong, 0);
  ck_assert_uint_eq(workers[1].wrong, 0);
}
