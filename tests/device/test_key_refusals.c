// Runs by keys and flags that are refused: wrong problems, wrong calls, and more runs than `out` has room for.

#include "support/fixture.h"

#include <clreduce_device.h>
#include <string.h>

#define MOST 100

static clred_problem problem_of(clred_layout layout, clred_type keys) {
  return (clred_problem){OP(ADD, FLOAT), .layout = layout, .segment_type = keys, .count_max = MOST};
}

// ---------------------------------------------------------------- Problems

static void check_problem(clred_problem problem, cl_int status, const char *word, const char *other) {
  fixture_refused_plan(&problem, status, word);
  check_said(other);
}

TEST_CASE("refusals", fixture_open, fixture_close);

TEST(problems) {
  static const struct {
    clred_type keys;
    const char *name;
  } none[] = {{CLRED_TYPE_NONE, "not none"},         {CLRED_TYPE_CFLOAT, "not cfloat"},
              {CLRED_TYPE_CDOUBLE, "not cdouble"},   {CLRED_TYPE_HALF, "not half"},
              {CLRED_TYPE_BFLOAT16, "not bfloat16"}, {CLRED_VECTOR(CLRED_TYPE_INT, 4), "not int4"},
              {(clred_type)77, "not none"}};
  for (size_t i = 0; i < COUNT_OF(none); i++)
    check_problem(problem_of(CLRED_LAYOUT_KEYS, none[i].keys), CLRED_INVALID_PROBLEM,
                  "keys are integers, float or double", none[i].name);
  check_problem(problem_of(CLRED_LAYOUT_HEADS, CLRED_TYPE_UCHAR), CLRED_INVALID_PROBLEM, "segment_type",
                "CLRED_LAYOUT_KEYS");
  for (clred_layout layout = CLRED_LAYOUT_HEADS; layout <= CLRED_LAYOUT_KEYS; layout++) {
    clred_problem problem = problem_of(layout, layout == CLRED_LAYOUT_KEYS ? CLRED_TYPE_INT : CLRED_TYPE_NONE);
    char reason[256];
    assert_ok(clred_strategy_applies(under_test.runtime, "segments_wide", &problem, reason, sizeof reason));
    problem.count_max = 0;
    check_problem(problem, CLRED_INVALID_PROBLEM, "layout", "count_max");
    assert_status(clred_strategy_applies(under_test.runtime, "segments_wide", &problem, reason, sizeof reason),
                  CLRED_INVALID_PROBLEM);
    ck_assert_str_eq(reason, clred_last_error(under_test.runtime));
    problem.count_max = (cl_ulong)1 << 60;
    check_problem(problem, CLRED_STRATEGY_REFUSED, "count_max", "max_alloc");
  }
}

// ---------------------------------------------------------------- Calls

static void check_call(clred_plan *plan, clred_call call, cl_int status, const char *word, const char *other) {
  fixture_call(plan, &call, status, word);
  check_said(other);
}

static void run(clred_plan *plan, clred_call call) {
  fixture_call(plan, &call, CL_SUCCESS, "");
  assert_ok(clFinish(under_test.queue));
}

struct buffers {
  cl_mem in, keys, out, keys_out;
};

static struct buffers make_buffers(void) {
  cl_int keys[MOST];
  for (int i = 0; i < MOST; i++)
    keys[i] = i / 5;
  return (struct buffers){fixture_numbers(MOST), fixture_buffer(keys, sizeof keys), fixture_numbers(MOST),
                          fixture_numbers(MOST)};
}

static void release_buffers(struct buffers *of) {
  RELEASE(of->in, of->keys, of->out, of->keys_out);
}

#define KEY_CALL(n, to, ...) \
  (clred_call) { \
    .in = of.in, .count = n, .segments = of.keys, .out = to, __VA_ARGS__ \
  }

TEST(calls_by_key) {
  struct buffers of = make_buffers();
  const clred_problem problem = problem_of(CLRED_LAYOUT_KEYS, CLRED_TYPE_INT);
  clred_plan *plan = fixture_plan(&problem);
  check_call(plan, (clred_call){.in = of.in, .count = MOST, .out = of.out}, CLRED_INVALID_ARGUMENT, "segments (keys)",
             "NULL");
  check_call(plan, KEY_CALL(MOST, of.out, .segments_offset = 1), CLRED_OUT_OF_RANGE, "segments (keys)",
             "needs 100 elements from offset 1");
  check_call(plan, KEY_CALL(MOST, of.out, .segments_offset = CL_ULONG_MAX), CLRED_OUT_OF_RANGE, "segments (keys)",
             "offset 18446744073709551615");
  check_call(plan, KEY_CALL(MOST, of.out, .keys_out = of.keys_out, .keys_out_offset = 1), CLRED_OUT_OF_RANGE,
             "keys_out", "100");
  check_call(plan, KEY_CALL(MOST, of.out, .rows = 20, .keys_out = of.keys_out, .keys_out_offset = 81),
             CLRED_OUT_OF_RANGE, "keys_out", "20");
  check_call(plan, KEY_CALL(MOST, of.out, .keys_out = of.keys), CLRED_INVALID_ARGUMENT, "keys_out overlaps",
             "segments (keys)");
  check_call(plan, KEY_CALL(50, of.out, .rows = 50, .keys_out = of.keys, .keys_out_offset = 49), CLRED_INVALID_ARGUMENT,
             "keys_out overlaps", "segments (keys)");
  check_call(plan, KEY_CALL(MOST, of.out, .out_offset = 1), CLRED_OUT_OF_RANGE, "out:", "100");
  check_call(plan, KEY_CALL(MOST + 1, of.out, .rows = 0), CLRED_COUNT_ABOVE_MAXIMUM, "101", "count_max 100");
  ck_assert_float_eq(fixture_read(of.out, 0), 1);
  // Adjacent ranges of one buffer do not overlap.
  run(plan, KEY_CALL(50, of.out, .rows = 50, .keys_out = of.keys, .keys_out_offset = 50));
  ck_assert_float_eq(fixture_read(of.out, 9), fixture_sum(45, 5));
  ck_assert_float_eq(fixture_read(of.out, 10), 11);
  clred_plan_release(plan);
  release_buffers(&of);
}

TEST(calls_by_heads) {
  struct buffers of = make_buffers();
  const clred_problem problem = problem_of(CLRED_LAYOUT_HEADS, CLRED_TYPE_NONE);
  clred_problem line = problem_of(CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
  line.strategy = "host_serial";
  clred_plan *plan = fixture_plan(&problem), *other = fixture_plan(&line);
  check_call(plan, KEY_CALL(MOST, of.out, .segments_offset = 4 * MOST - MOST + 1), CLRED_OUT_OF_RANGE,
             "segments (heads)", "100");
  check_call(plan, (clred_call){.in = of.in, .count = MOST, .out = of.out}, CLRED_INVALID_ARGUMENT, "segments (heads)",
             "NULL");
  check_call(plan, KEY_CALL(MOST, of.out, .keys_out = of.keys_out), CLRED_INVALID_ARGUMENT, "keys_out",
             "CLRED_LAYOUT_KEYS");
  check_call(other, (clred_call){.in = of.in, .count = MOST, .out = of.out, .keys_out = of.keys_out},
             CLRED_INVALID_ARGUMENT, "keys_out", "another layout");
  RELEASE(plan, other);
  release_buffers(&of);
}

TEST(scans_by_key) {
  struct buffers of = make_buffers();
  clred_problem problem = problem_of(CLRED_LAYOUT_KEYS, CLRED_TYPE_INT);
  problem.scan = CLRED_SCAN_INCLUSIVE;
  clred_plan *plan = fixture_plan(&problem);
  check_call(plan, KEY_CALL(MOST, of.out, .keys_out = of.keys_out), CLRED_INVALID_ARGUMENT, "keys_out",
             "reductions by key");
  check_call(plan, KEY_CALL(MOST, of.keys, .rows = 0), CLRED_INVALID_ARGUMENT, "out overlaps", "segments (keys)");
  check_call(plan, KEY_CALL(MOST, of.in, .rows = 0), CLRED_INVALID_ARGUMENT, "in_place", "out");
  clred_plan_release(plan);
  release_buffers(&of);
}

// ---------------------------------------------------------------- Room

// A blocking call returns the error. Another call reports it in the outcome. The plan works afterwards.
TEST(room_for_fewer) {
  struct buffers of = make_buffers();
  const clred_problem problem = problem_of(CLRED_LAYOUT_KEYS, CLRED_TYPE_INT);
  clred_plan *plan = fixture_plan(&problem);
  clred_outcome outcome = {99, 99};
  check_call(plan, KEY_CALL(MOST, of.out, .rows = 7, .outcome = &outcome, .blocking = CL_TRUE), CLRED_INVALID_SEGMENTS,
             "rows: ", "room for 7 runs, but 20");
  ck_assert(outcome.count == 20 && outcome.fault == 8);
  outcome = (clred_outcome){99, 99};
  run(plan, KEY_CALL(MOST, of.out, .rows = 19, .outcome = &outcome));
  ck_assert(outcome.count == 20 && outcome.fault == 20);
  run(plan, KEY_CALL(MOST, of.out, .rows = 20, .outcome = &outcome, .blocking = CL_TRUE));
  ck_assert(outcome.count == 20 && outcome.fault == 0);
  ck_assert_float_eq(fixture_read(of.out, 19), fixture_sum(95, 5));
  clred_plan_release(plan);
  release_buffers(&of);
}
