// Many calls at once on one plan: on two queues of both kinds, with one slot and with several. Sums of small whole
// numbers are exact, so a wrong result shows that commands ran in the wrong order. The program threads has more
// threads.

#include "support/fixture.h"

#include <pthread.h>

#include "support/problems.h"
#include "threads/stress.h"

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

// ---------------------------------------------------------------- Calls of every kind at once

#define CALLS 8
#define BYTES (NUMBERS * sizeof(cl_ulong))

// All inputs hold other numbers until a user event is set, when all calls are enqueued. So each call, and the search
// for runs before it, must wait for the event of its wait list.
static struct numbers numbers;

static void overwrite(void) {
  const struct {
    cl_mem buffer;
    size_t size;
  } inputs[] = {{numbers.values_buffer, sizeof numbers.values},
                {numbers.keys_buffer, sizeof numbers.keys},
                {numbers.flags_buffer, sizeof numbers.flags},
                {numbers.offsets_buffer, sizeof numbers.offsets}};
  void *zeros = claim(sizeof numbers.values);
  for (size_t i = 0; i < COUNT_OF(inputs); i++)
    write_buffer(inputs[i].buffer, zeros, inputs[i].size);
}

static cl_event write_behind(cl_event gate) {
  cl_command_queue queue = fixture_queue(0);
  cl_event written = NULL;
  const cl_uint waits = gate ? 1 : 0;
  const cl_event *list = gate ? &gate : NULL;
  assert_ok(clEnqueueWriteBuffer(queue, numbers.keys_buffer, CL_FALSE, 0, sizeof numbers.keys, numbers.keys, waits,
                                 list, NULL));
  assert_ok(
    clEnqueueWriteBuffer(queue, numbers.flags_buffer, CL_FALSE, 0, sizeof numbers.flags, numbers.flags, 0, NULL, NULL));
  assert_ok(clEnqueueWriteBuffer(queue, numbers.offsets_buffer, CL_FALSE, 0, sizeof numbers.offsets, numbers.offsets, 0,
                                 NULL, NULL));
  assert_ok(clEnqueueWriteBuffer(queue, numbers.values_buffer, CL_FALSE, 0, sizeof numbers.values, numbers.values, 0,
                                 NULL, &written));
  assert_ok(clFlush(queue));
  return OWN(written);
}

// On two queues that only the plan and events order. Plans that work on the host wait for their elements.
static void overlap(const struct subject *subject, cl_uint in_flight, cl_command_queue_properties properties) {
  clred_problem problem = subject->problem;
  const cl_command_queue_properties all = properties | (problem.profile ? CL_QUEUE_PROFILING_ENABLE : 0);
  cl_command_queue queues[2] = {fixture_queue(all), fixture_queue(all)};
  random_state random = random_seed(in_flight);
  struct asked asked[CALLS];
  cl_event events[CALLS];
  cl_mem outs[CALLS], keys[CALLS];
  problem.in_flight = in_flight;
  clred_plan *plan = fixture_plan(&problem);
  const clred_plan_info info = fixture_inspect(plan, 1000);
  const bool on_host = info.group_size == 0 || (info.finish && strcmp(info.finish, "host") == 0);
  overwrite();
  cl_event gate = on_host ? NULL : fixture_user_event(), written = write_behind(gate);
  for (size_t i = 0; i < CALLS; i++) {
    outs[i] = fixture_buffer(claim(BYTES), BYTES);
    keys[i] = fixture_buffer(claim(BYTES), BYTES);
    clred_call call = call_draw(subject->kind, &numbers, (struct call_limits){.elements = 9000, .rows = 20}, outs[i],
                                keys[i], &asked[i], &random);
    call.blocking = CL_FALSE;
    events[i] = fixture_enqueue_event(queues[i % 2], plan, written, &call);
  }
  assert_ok(clFlush(queues[0]));
  assert_ok(clFlush(queues[1]));
  if (gate)
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(CALLS, events));
  for (size_t i = 0; i < CALLS; i++) {
    cl_ulong results[NUMBERS];
    cl_int found[NUMBERS];
    read_buffer(outs[i], results, sizeof results);
    read_buffer(keys[i], found, sizeof found);
    if (asked[i].in_memory)
      memcpy(results, &asked[i].result, sizeof asked[i].result);
    ck_assert_msg(call_is_right(subject->kind, &numbers, &asked[i], results, found), "call %zu of %s, %u at once", i,
                  subject->name, (unsigned)in_flight);
  }
}

static void open_numbers(void) {
  fixture_open();
  numbers_create(&numbers, &under_test, 5);
}

static void close_numbers(void) {
  numbers_release(&numbers);
  fixture_close();
}

TEST_CASE("queues", open_numbers, close_numbers);

// Finds the runs first, by another plan.
static const struct subject in_two = {"runs, then their sums", CALL_KEYS,
                                      PROBLEM(OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT,
                                              .strategy = "segments_chunked", .count_max = NUMBERS)};

TEST_EACH(calls_at_once, 0, SUBJECTS_MAX) {
  const struct subject *subject = (size_t)_i < subject_count ? &subjects[_i] : &in_two;
  if ((size_t)_i > subject_count || !fixture_has_user_events())
    return;
  overlap(subject, 1, 0);
  overlap(subject, 4, 0);
  if (fixture_has_out_of_order())
    overlap(subject, 1 + 2 * ((cl_uint)_i % 2), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  else
    fixture_skip("out-of-order queues", "the device has none");
}

TEST_CASE("release", fixture_open, fixture_close);

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
