// Wait lists, returned events, and many calls at once on one plan: on two queues of both kinds, with one slot and with
// several. Sums of small whole numbers are exact. So a wrong result shows that commands ran in the wrong order. The
// program `threads` runs more threads.

#include "support/fixture.h"

#include <pthread.h>

#include "threads/stress.h"

// ---------------------------------------------------------------- Wait lists and events

#define COUNT_MAX 100000

// By strategies with one, a few and many launches. None of them blocks the host.
#define BOUND .count_max = COUNT_MAX

static const clred_problem problems[] = {
  {OP(SUM, FLOAT), .strategy = "wide", .finish = "last_group"},
  {OP(SUM, FLOAT), .strategy = "wide", .finish = "relaunch", BOUND},
  {OP(SUM, FLOAT), .strategy = "chunked", .finish = "last_group"},
  {OP(SUM, FLOAT), .strategy = "bottom_up", BOUND},
  {OP(SUM, FLOAT), .strategy = "top_down", BOUND},
  {OP(SUM, FLOAT), .strategy = "hand_off", .finish = "relaunch", BOUND},
  {OP(SUM, FLOAT), .strategy = "local_sequential", .finish = "relaunch", BOUND},
  {OP(SUM, FLOAT), .strategy = "atomic", BOUND},
};

#define PROBLEMS ((int)COUNT_OF(problems))

static cl_int event_status(cl_event event) {
  cl_int status = -1;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  return status;
}

// Work on another queue and with other buffers. If a call wrongly does not wait, it completes in this time. The buffers
// are other ones because drivers may order commands that share a buffer.
static void pass_time(void) {
  cl_command_queue queue = fixture_queue(0);
  clred_plan *plan = fixture_plan(&problems[0]);
  cl_mem in = fixture_numbers(COUNT_MAX);
  float result = 0;
  for (int i = 0; i < 20; i++)
    RUN_ON(queue, plan, .in = in, .count = COUNT_MAX, .result = &result);
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

// A call without an event holds the plan's only slot, so a call on another queue waits for it.
TEST_EACH(call_without_event_is_waited_for, 0, PROBLEMS) {
  if (!fixture_has_user_events())
    return;
  const float nothing[2] = {-1, -1};
  clred_plan *plan = fixture_plan(&problems[_i]);
  cl_mem in = fixture_numbers(COUNT_MAX), out = fixture_buffer(nothing, sizeof nothing);
  cl_command_queue other = fixture_queue(0);
  cl_event gate = fixture_user_event(), done = NULL;
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, COUNT_MAX, 1, &gate, NULL));
  assert_ok(clred_enqueue_reduce(other, plan, in, out, 7, 1, COUNT_MAX - 7, 0, NULL, &done));
  assert_ok(clFlush(other));
  check_waits(gate, done);
  ck_assert_float_eq(fixture_read(out, 0), fixture_sum(0, COUNT_MAX));
  ck_assert_float_eq(fixture_read(out, 1), fixture_sum(7, COUNT_MAX - 7));
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
  cl_mem in = fixture_numbers(COUNT_MAX);
  assert_status(clred_plan_seconds(plan, &seconds), CL_PROFILING_INFO_NOT_AVAILABLE);
  for (size_t i = 0; i < 5; i++) {
    RUN_ON(queue, plan, .in = in, .in_offset = i, .count = COUNT_MAX - i, .result = &result);
    ck_assert_float_eq(result, fixture_sum(i, COUNT_MAX - i));
    assert_ok(clred_plan_seconds(plan, &seconds));
    ck_assert_msg(seconds > 0 && seconds < 300, "%g s", seconds);
  }
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

// ---------------------------------------------------------------- Calls of every kind at once

#define CALLS 8
#define BYTES (NUMBERS * sizeof(cl_ulong))

// All inputs hold other numbers until a user event is set, when all calls are enqueued. So each call, and the search
// for runs before it, must wait for the event of its wait list.
static struct numbers numbers;

struct input {
  cl_mem buffer;
  const void *bytes;
  size_t size;
};

#define INPUT(name) \
  { numbers.name##_buffer, numbers.name, sizeof numbers.name }

// Overwrites all inputs with zeros. Then enqueues, behind the gate, commands that write the numbers. Returns the event
// of the last of them.
static cl_event overwrite_until(cl_event gate) {
  const struct input inputs[] = {INPUT(keys), INPUT(flags), INPUT(offsets), INPUT(values)};
  cl_command_queue queue = fixture_queue(0);
  cl_event written = NULL;
  const void *zeros = claim(sizeof numbers.values);
  for (size_t i = 0; i < COUNT_OF(inputs); i++)
    write_buffer(inputs[i].buffer, zeros, inputs[i].size);
  for (size_t i = 0; i < COUNT_OF(inputs); i++)
    assert_ok(clEnqueueWriteBuffer(queue, inputs[i].buffer, CL_FALSE, 0, inputs[i].size, inputs[i].bytes,
                                   gate && !i ? 1 : 0, gate && !i ? &gate : NULL,
                                   i + 1 == COUNT_OF(inputs) ? &written : NULL));
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
  cl_event gate = on_host ? NULL : fixture_user_event(), written = overwrite_until(gate);
  for (size_t i = 0; i < CALLS; i++) {
    outs[i] = fixture_buffer(claim(BYTES), BYTES);
    keys[i] = fixture_buffer(claim(BYTES), BYTES);
    clred_call call = call_draw(&subject->problem, &numbers, (struct call_limits){.elements = 9000, .rows = 20},
                                outs[i], keys[i], &asked[i], &random);
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
    ck_assert_msg(call_is_right(&subject->problem, &numbers, &asked[i], results, found), "call %zu of %s, %u at once",
                  i, subject->name, (unsigned)in_flight);
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

// More than the subjects of threads. The runs of the first one are found before, by another plan.
static const struct subject others[] = {
  {"runs, then their sums", PROBLEM(OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT,
                                    .strategy = "segments_chunked", .count_max = NUMBERS)},
  {"wide, relaunched", {OP(SUM, FLOAT), .strategy = "wide", .finish = "relaunch"}},
  {"top_down", {OP(SUM, FLOAT), .strategy = "top_down", .count_max = NUMBERS}},
  ROW("hand_off, relaunched", {OP(SUM, FLOAT), .strategy = "hand_off", .finish = "relaunch", .count_max = NUMBERS}),
};

TEST_EACH(calls_at_once, 0, SUBJECTS_MAX) {
  const size_t i = (size_t)_i, count = subject_count;
  if (i >= count + COUNT_OF(others) || !fixture_has_user_events())
    return;
  const struct subject *subject = i < count ? &subjects[i] : &others[i - count];
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
  cl_mem in = fixture_numbers(COUNT_MAX), out = fixture_buffer(&nothing, sizeof nothing);
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, COUNT_MAX, 0, NULL, NULL));
  RELEASE(plan);
  assert_ok(clFinish(under_test.queue));
  ck_assert_float_eq(fixture_read(out, 0), fixture_sum(0, COUNT_MAX));
}
