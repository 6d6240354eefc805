// Runs of equal keys: times, memory, descriptions. The program layouts compares the results, the suite events has
// calls at once.

#include "support/fixture.h"

#include "plan/plan.h"

#define LENGTH 20000

static clred_problem sum_by_int(void) {
  return (clred_problem)PROBLEM(OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT, .count_max = LENGTH);
}

TEST_CASE("calls", fixture_open, fixture_close);

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
