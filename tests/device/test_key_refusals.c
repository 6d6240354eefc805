// Runs by keys and flags that are refused: wrong problems, wrong calls, and more runs than `out` has room for.

#include "support/fixture.h"

#define MOST 100

static clred_problem problem_of(clred_layout layout, clred_type keys) {
  return (clred_problem){OP(SUM, FLOAT), .layout = layout, .segment_type = keys, .count_max = MOST};
}

static struct { cl_mem in, keys, out, keys_out; } of;

static void make_buffers(void) {
  cl_int keys[MOST];
  fixture_open();
  for (int i = 0; i < MOST; i++)
    keys[i] = i / 5;
  of.in = fixture_numbers(MOST), of.out = fixture_numbers(MOST), of.keys_out = fixture_numbers(MOST);
  of.keys = fixture_buffer(keys, sizeof keys);
}

#define KEYED(n, to) .in = of.in, .count = n, .segments = of.keys, .out = to

TEST_CASE("refusals", make_buffers, fixture_close);

TEST(problems) {
  static const struct {
    clred_type keys;
    const char *words;
  } none[] = {{CLRED_TYPE_NONE, "keys are integers, float or double|not none"},
              {CLRED_TYPE_CFLOAT, "keys are integers, float or double|not cfloat"},
              {CLRED_TYPE_CDOUBLE, "keys are integers, float or double|not cdouble"},
              {CLRED_TYPE_HALF, "keys are integers, float or double|not half"},
              {CLRED_TYPE_BFLOAT16, "keys are integers, float or double|not bfloat16"},
              {CLRED_VECTOR(CLRED_TYPE_INT, 4), "keys are integers, float or double|not int4"},
              {(clred_type)77, "keys are integers, float or double|not none"}};
  for (size_t i = 0; i < COUNT_OF(none); i++)
    REFUSED_PLAN(CLRED_INVALID_PROBLEM, none[i].words, OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = none[i].keys,
                 .count_max = MOST);
  REFUSED_PLAN(CLRED_INVALID_PROBLEM, "segment_type|CLRED_LAYOUT_KEYS", OP(SUM, FLOAT), LAYOUT(HEADS),
               .segment_type = CLRED_TYPE_UCHAR, .count_max = MOST);
  for (clred_layout layout = CLRED_LAYOUT_HEADS; layout <= CLRED_LAYOUT_KEYS; layout++) {
    clred_problem problem = problem_of(layout, layout == CLRED_LAYOUT_KEYS ? CLRED_TYPE_INT : CLRED_TYPE_NONE);
    check_applies("segments_wide", &problem, CL_SUCCESS, "");
    problem.count_max = 0;
    check_applies("runs_wide", &problem, CL_SUCCESS, "");
    problem.strategy = "segments_wide";
    fixture_refused_plan(&problem, CLRED_INVALID_PROBLEM, "layout|segments_wide|count_max");
    check_applies("segments_wide", &problem, CLRED_INVALID_PROBLEM, clred_last_error(under_test.runtime));
    problem.count_max = (cl_ulong)1 << 60;
    fixture_refused_plan(&problem, CLRED_STRATEGY_REFUSED, "count_max|max_alloc");
    problem.strategy = "runs_wide";
    problem.groups = 31;
    fixture_refused_plan(&problem, CLRED_STRATEGY_REFUSED, "runs_wide: groups: 31 is below 32");
  }
}

TEST(calls_by_key) {
  const clred_problem problem = problem_of(CLRED_LAYOUT_KEYS, CLRED_TYPE_INT);
  clred_plan *plan = fixture_plan(&problem);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "segments (keys)|NULL", .in = of.in, .count = MOST, .out = of.out);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "segments (keys)|needs 100 elements from offset 1", KEYED(MOST, of.out),
               .segments_offset = 1);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "segments (keys)|offset 18446744073709551615", KEYED(MOST, of.out),
               .segments_offset = CL_ULONG_MAX);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "keys_out|100", KEYED(MOST, of.out), .keys_out = of.keys_out,
               .keys_out_offset = 1);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "keys_out|20", KEYED(MOST, of.out), .rows = 20, .keys_out = of.keys_out,
               .keys_out_offset = 81);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "keys_out overlaps|segments (keys)", KEYED(MOST, of.out),
               .keys_out = of.keys);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "keys_out overlaps|segments (keys)", KEYED(50, of.out), .rows = 50,
               .keys_out = of.keys, .keys_out_offset = 49);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "outcome_buffer overlaps in", KEYED(MOST, of.out),
               .outcome_buffer = of.in);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "outcome_buffer overlaps out", KEYED(MOST, of.out),
               .outcome_buffer = of.out, .outcome_offset = 24);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "outcome_buffer overlaps segments", KEYED(MOST, of.out),
               .outcome_buffer = of.keys);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "outcome_buffer overlaps keys_out", KEYED(MOST, of.out),
               .keys_out = of.keys_out, .outcome_buffer = of.keys_out);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "out:|100", KEYED(MOST, of.out), .out_offset = 1);
  REFUSED_CALL(plan, CLRED_COUNT_ABOVE_MAXIMUM, "101|count_max 100", KEYED(MOST + 1, of.out));
  ck_assert_float_eq(fixture_read(of.out, 0), 1);
  // Adjacent ranges of one buffer do not overlap.
  ENQUEUE(plan, KEYED(50, of.out), .rows = 50, .keys_out = of.keys, .keys_out_offset = 50);
  assert_ok(clFinish(under_test.queue));
  ck_assert_float_eq(fixture_read(of.out, 9), fixture_sum(45, 5));
  ck_assert_float_eq(fixture_read(of.out, 10), 11);
}

TEST(calls_by_heads) {
  const clred_problem problem = problem_of(CLRED_LAYOUT_HEADS, CLRED_TYPE_NONE);
  clred_problem line = problem_of(CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
  line.strategy = "host_serial";
  clred_plan *plan = fixture_plan(&problem), *other = fixture_plan(&line);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "segments (heads)|100", KEYED(MOST, of.out),
               .segments_offset = 4 * MOST - MOST + 1);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "segments (heads)|NULL", .in = of.in, .count = MOST, .out = of.out);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "keys_out|CLRED_LAYOUT_KEYS", KEYED(MOST, of.out),
               .keys_out = of.keys_out);
  REFUSED_CALL(other, CLRED_INVALID_ARGUMENT, "keys_out|another layout", .in = of.in, .count = MOST, .out = of.out,
               .keys_out = of.keys_out);
}

TEST(scans_by_key) {
  clred_problem problem = problem_of(CLRED_LAYOUT_KEYS, CLRED_TYPE_INT);
  problem.scan = CLRED_SCAN_INCLUSIVE;
  clred_plan *plan = fixture_plan(&problem);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "keys_out|reductions by key", KEYED(MOST, of.out),
               .keys_out = of.keys_out);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "out overlaps|segments (keys)", KEYED(MOST, of.keys));
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "in_place|out", KEYED(MOST, of.in));
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "outcome_buffer overlaps out", KEYED(MOST, of.out),
               .outcome_buffer = of.out);
}

// A blocking call returns the error. A call that does not block reports it in the outcome. The plan works afterwards.
TEST(room_for_fewer) {
  const clred_problem problem = problem_of(CLRED_LAYOUT_KEYS, CLRED_TYPE_INT);
  clred_plan *plan = fixture_plan(&problem);
  clred_outcome outcome = {99, 99};
  REFUSED_CALL(plan, CLRED_INVALID_SEGMENTS, "rows: |room for 7 runs, but 20", KEYED(MOST, of.out), .rows = 7,
               .outcome = &outcome, .blocking = CL_TRUE);
  ck_assert(outcome.count == 20 && outcome.fault == 8);
  outcome = (clred_outcome){99, 99};
  ENQUEUE(plan, KEYED(MOST, of.out), .rows = 19, .outcome = &outcome);
  assert_ok(clFinish(under_test.queue));
  ck_assert(outcome.count == 20 && outcome.fault == 20);
  RUN(plan, KEYED(MOST, of.out), .rows = 20, .outcome = &outcome);
  ck_assert(outcome.count == 20 && outcome.fault == 0);
  ck_assert_float_eq(fixture_read(of.out, 19), fixture_sum(95, 5));
}
