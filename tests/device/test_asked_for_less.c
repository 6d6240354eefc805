// Calls with little to do: no room for a text, no elements, a plan of the wrong kind, a stream with a bound, a selftest
// that is stopped. Each returns its status and writes nothing that it must not write.

#include "support/fixture.h"

#define GUARD 0x5a

TEST_CASE("calls", fixture_open, fixture_close);

TEST(descriptions_without_room) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .count_max = 50, .strategy = "local_sequential");
  char text[4] = {GUARD, GUARD, GUARD, GUARD};
  ck_assert_uint_gt(clred_plan_describe(plan, 1, text, 0), 10);
  ck_assert_int_eq(text[0], GUARD);
  ck_assert_uint_eq(clred_plan_describe(plan, 51, text, sizeof text), 0);
  ck_assert_str_eq(text, "");
}

TEST(steps_that_are_not_there) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .count_max = 50, .strategy = "local_sequential");
  clred_step step;
  assert_invalid(clred_plan_step(plan, 51, 0, &step));
  assert_invalid(clred_plan_step(plan, 0, 0, &step));
}

TEST(sentences_without_room) {
  const clred_problem unknown = {OP(SUM, FLOAT), .strategy = "none such"};
  char text[16];
  memset(text, GUARD, sizeof text);
  fixture_refused_plan(&unknown, CLRED_UNKNOWN_NAME, "");
  const size_t length = clred_copy_error(under_test.runtime, NULL, 0);
  ck_assert_uint_eq(length, strlen(clred_last_error(under_test.runtime)));
  ck_assert_uint_eq(clred_copy_error(under_test.runtime, text, 0), length);
  ck_assert_int_eq(text[0], GUARD);
  assert_status(clred_strategy_applies(under_test.runtime, "none such", &unknown, text, 8), CLRED_UNKNOWN_NAME);
  ck_assert_uint_eq(strlen(text), 7);
  ck_assert_int_eq(text[8], GUARD);
  ck_assert_uint_eq(clred_copy_error(NULL, text, sizeof text), 0);
  ck_assert_str_eq(text, "");
}

// ---------------------------------------------------------------- Memory of the host

static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};
static const cl_long sums[6] = {7, 5, 10, 15, 6, 7};

// Elements and results at unaligned addresses, as in a mapped file with a header.
TEST(memory_that_begins_anywhere) {
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

TEST(plans_of_another_kind) {
  clred_plan *plan = PLAN(OP(SUM, INT));
  cl_long out[6] = {-1}, result = -1;
  cl_ulong kept = 9;
  refused_naming(clred_enqueue_scan(under_test.queue, plan, NULL, NULL, 0, 0, 4, 0, NULL, NULL), "reduces");
  ck_assert_int_eq(out[0], -1);
  assert_invalid(clred_plan_run_host(under_test.queue, plan,
                                     &(clred_host_call){.in = numbers, .count = 4, .out = out, .kept = &kept}));
  ck_assert_uint_eq(kept, 0);
  ck_assert_int_eq(out[0], -1);
  refused_naming(
    clred_plan_run_host(under_test.queue, plan,
                        &(clred_host_call){.in = numbers, .count = 4, .initial = &numbers[0], .out = &result}),
    "initial");
  ck_assert_int_eq(result, -1);
}

// ---------------------------------------------------------------- Streams with a bound

TEST(streams_with_a_bound) {
  clred_plan *plan = PLAN(OP(SUM, INT), .count_max = 10);
  cl_long result = -1;
  void *room = NULL;
  cl_ulong count = 0;
  clred_stream *stream = fixture_stream(plan, NULL);
  assert_ok(clred_stream_push(stream, numbers, NULL, 6));
  assert_status(clred_stream_push(stream, numbers, NULL, 6), CLRED_COUNT_ABOVE_MAXIMUM);
  assert_ok(clred_stream_finish(stream, &result));
  ck_assert_int_eq(result, 7);
  assert_ok(clred_stream_room(stream, &room, NULL, &count));
  assert_status(clred_stream_commit(stream, 11), CLRED_COUNT_ABOVE_MAXIMUM);
}

// A plan is refused on a device that ends loops before one element is reduced.
TEST(plans_whose_loops_end) {
  fixture_reopen("loop_trips=300");
  REFUSED_PLAN(CLRED_STRATEGY_REFUSED, "loop", OP(SUM, FLOAT), .strategy = "chunked");
}

// ---------------------------------------------------------------- Probes and what they find

static size_t begun;

static cl_bool stop(const char *name, double done, void *user_data) {
  (void)name, (void)done, (void)user_data;
  begun++;
  return CL_TRUE;
}

static cl_ulong probes_in(const clred_probe_result *result) {
  return result->holds + result->avoided + result->wrong + result->lacking;
}

TEST(probing_that_is_stopped) {
  clred_probe_result result = {.holds = 9, .assume = "x"};
  begun = 0;
  assert_ok(clred_probe_device(under_test.runtime, &(clred_probe_options){.begins = stop}, &result));
  ck_assert_uint_eq(begun, 1);
  ck_assert_uint_eq(probes_in(&result), 0);
  ck_assert_str_eq(result.assume, "");
}

TEST(probing_of_nothing) {
  clred_probe_result result = {.holds = 9};
  const clred_probe_options none = {.only = "xmemory,memoryx"}, memory = {.only = "memory"};
  assert_ok(clred_probe_device(under_test.runtime, &none, &result));
  ck_assert_uint_eq(probes_in(&result), 0);
  assert_ok(clred_probe_device(under_test.runtime, &memory, NULL));
  assert_invalid(clred_probe_device(NULL, NULL, NULL));
}

// ---------------------------------------------------------------- Tuning that ends before it begins

static cl_bool no_more(double done, void *calls) {
  (void)done;
  ++*(int *)calls;
  return CL_TRUE;
}

TEST(tuning_of_nothing) {
  int calls = 0;
  size_t count = 9;
  clred_tuned tuned[CLRED_TUNED_MAX];
  const clred_problem sum = {OP(SUM, FLOAT)}, scan = {OP(SUM, FLOAT), SCAN(INCLUSIVE), .reversed = CL_TRUE};
  const clred_tune_options options = {.progress = no_more, .user_data = &calls};
  assert_status(clred_tune(under_test.runtime, &scan, NULL, NULL, NULL), CLRED_STRATEGY_REFUSED);
  assert_ok(clred_tune(under_test.runtime, &sum, &options, tuned, &count));
  ck_assert_int_eq(calls, 1);
}
