// Runs of equal keys: calls that overlap, times, memory, descriptions. The program layouts compares the results.

#include "support/fixture.h"

#include "plan/plan.h"

// ---------------------------------------------------------------- Several calls

#define CALLS 6
#define LENGTH 20000

// Call number c has runs of c + 2 elements. Keys are written after a user event that is set when all calls are
// enqueued, so the search for runs must wait for the keys.
static cl_event call_behind_gate(cl_command_queue queue, clred_plan *plan, cl_mem in, const cl_int *keys, cl_event gate,
                                 cl_mem outs[2], clred_outcome *outcome) {
  cl_event written;
  cl_mem marks = fixture_buffer(keys + 1, LENGTH * sizeof *keys);
  assert_ok(clEnqueueWriteBuffer(queue, marks, CL_FALSE, 0, LENGTH * sizeof *keys, keys, 1, &gate, &written));
  return ENQUEUE_EVENT(queue, plan, OWN(written), .in = in, .count = LENGTH, .segments = marks, .out = outs[0],
                       .keys_out = outs[1], .outcome = outcome);
}

static void check_results(size_t length, cl_mem outs[2], const clred_outcome *outcome) {
  static float sums[LENGTH];
  static cl_int keys[LENGTH];
  const size_t runs = (LENGTH + length - 1) / length;
  ck_assert_uint_eq(outcome->count, runs);
  ck_assert_uint_eq(outcome->fault, 0);
  read_buffer(outs[0], sums, sizeof sums);
  read_buffer(outs[1], keys, sizeof keys);
  for (size_t r = 0; r < runs; r++) {
    ck_assert_int_eq(keys[r], (cl_int)r);
    ck_assert_float_eq(sums[r], fixture_sum(r * length, r + 1 < runs ? length : LENGTH - r * length));
  }
}

static void call_at_once(cl_command_queue queue, clred_plan *plan) {
  static cl_int keys[CALLS][LENGTH + 1];
  cl_mem in = fixture_numbers(LENGTH), outs[CALLS][2];
  clred_outcome outcomes[CALLS];
  cl_event events[CALLS];
  cl_event gate = fixture_user_event();
  for (size_t c = 0; c < CALLS; c++) {
    for (size_t i = 0; i <= LENGTH; i++)
      keys[c][i] = (cl_int)(i / (c + 2));
    outs[c][0] = fixture_numbers(LENGTH);
    outs[c][1] = fixture_numbers(LENGTH);
    events[c] = call_behind_gate(queue, plan, in, keys[c], gate, outs[c], &outcomes[c]);
  }
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(CALLS, events));
  for (size_t c = 0; c < CALLS; c++)
    check_results(c + 2, outs[c], &outcomes[c]);
}

static clred_problem sum_by_int(void) {
  return (clred_problem)PROBLEM(OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT, .count_max = LENGTH);
}

TEST_CASE("calls", fixture_open, fixture_close);

TEST(calls_at_once) {
  if (!fixture_has_user_events())
    return;
  clred_problem problem = sum_by_int();
  problem.in_flight = 2;
  clred_plan *plan = fixture_plan(&problem);
  call_at_once(under_test.queue, plan);
  if (fixture_has_out_of_order()) {
    cl_command_queue queue = fixture_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    call_at_once(queue, plan);
  } else {
    fixture_skip("calls by key at once", "the device has no out-of-order queues");
  }
}

// ---------------------------------------------------------------- Times

static cl_ulong time_of(cl_event event, cl_profiling_info which) {
  cl_ulong time = 0;
  assert_ok(clGetEventProfilingInfo(event, which, sizeof time, &time, NULL));
  return time;
}

// The time from the start of the search for runs to the end of the last kernel.
TEST(seconds_have_the_search_in_them) {
  clred_problem problem = sum_by_int();
  problem.strategy = "segments_chunked";
  problem.profile = CL_TRUE;
  clred_plan *plan = fixture_plan(&problem);
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  static cl_int keys[LENGTH];
  cl_mem in = fixture_numbers(LENGTH), marks = fixture_buffer(keys, sizeof keys), out = fixture_numbers(LENGTH);
  clred_outcome outcome;
  double seconds = -1;
  for (int i = 0; i < 2; i++) {
    RUN_ON(queue, plan, .in = in, .count = LENGTH, .segments = marks, .out = out, .outcome = &outcome);
    assert_ok(clred_plan_seconds(plan, &seconds));
    const cl_ulong begin = time_of(plan->runs->latest->first, CL_PROFILING_COMMAND_START),
                   end = time_of(plan->latest->last, CL_PROFILING_COMMAND_END);
    ck_assert(begin < end && plan->latest->last != plan->runs->latest->last);
    ck_assert_double_eq(seconds, (double)(end - begin) / 1e9);
  }
}

// ---------------------------------------------------------------- Memory

// A plan that finds the runs itself needs as much memory for any count_max, also for none.
TEST(memory_is_the_same_for_any_bound) {
  static const char *const names[] = {"runs_chunked", "runs_wide", "scan_runs_chunked", "scan_runs_wide"};
  static const cl_ulong bounds[] = {0, LENGTH, (cl_ulong)1 << 40};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    cl_ulong bytes[COUNT_OF(bounds)];
    for (size_t b = 0; b < COUNT_OF(bounds); b++) {
      clred_problem problem = sum_by_int();
      problem.strategy = names[i];
      problem.scan = i >= 2 ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
      problem.count_max = bounds[b];
      clred_plan *plan = fixture_plan(&problem);
      ck_assert_ptr_null(plan->runs);
      bytes[b] = fixture_inspect(plan, LENGTH).scratch_bytes;
    }
    ck_assert_uint_eq(bytes[0], bytes[1]);
    ck_assert_uint_eq(bytes[0], bytes[2]);
  }
}

// ---------------------------------------------------------------- Descriptions of plans

TEST(the_search_is_described) {
  clred_problem problem = sum_by_int();
  problem.strategy = "segments_chunked";
  clred_plan *plan = fixture_plan(&problem);
  clred_plan_info whole, search;
  char text[8192], line[128];
  assert_ok(clred_plan_inspect(plan, LENGTH, &whole));
  assert_ok(clred_plan_inspect(plan->runs, LENGTH, &search));
  ck_assert_uint_ge(whole.passes, search.passes + 2);
  ck_assert_uint_gt(whole.scratch_bytes, search.scratch_bytes + (LENGTH + 1) * sizeof(cl_ulong));
  ck_assert_uint_lt(clred_plan_describe(plan, LENGTH, text, sizeof text), sizeof text);
  snprintf(line, sizeof line, "by %s in %llu of the launches", search.strategy, (unsigned long long)search.passes);
  check_message(text, line);
}
