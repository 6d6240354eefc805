// Calls of selections: outcomes in host memory and in buffers, strides, further inputs.
// The program layouts compares what is kept.

#include "support/fixture.h"
#include "support/random.h"

#define LENGTH 5000

static const clred_selection fifth = {.name = "fifth", .keep = "index % 5 == 0"};

static clred_plan *fifths(clred_layout layout) {
  return PLAN(.type = CLRED_TYPE_UINT, .selection = &fifth, .layout = layout, .in_flight = 2);
}

// A buffer that holds the pattern of image_pattern.
static cl_mem empty_out(size_t size) {
  unsigned char *bytes = claim(size);
  image_pattern(bytes, size);
  return fixture_buffer(bytes, size);
}

// ---------------------------------------------------------------- Outcomes

static void check_outcome(const clred_outcome *outcome, cl_ulong kept) {
  ck_assert_msg(outcome->count == kept && outcome->fault == 0, "the outcome is %llu, %llu, not %llu, 0",
                (unsigned long long)outcome->count, (unsigned long long)outcome->fault, (unsigned long long)kept);
}

// This row of a table of outcomes must hold the pattern.
static void check_untouched(const clred_outcome *there, size_t at) {
  clred_outcome before[8];
  image_pattern(before, sizeof before);
  ck_assert_msg(memcmp(&there[at], &before[at], sizeof *before) == 0, "place %zu was written", at);
}

// Outcomes in host memory and in a buffer, of calls that do not wait.
static void outcomes(cl_command_queue_properties properties) {
  clred_plan *plan = fifths(CLRED_LAYOUT_LINE);
  cl_command_queue queue = fixture_queue(properties);
  cl_mem in = fixture_numbers(LENGTH), table = empty_out(8 * sizeof(clred_outcome));
  clred_outcome here[4], there[8];
  cl_event events[4];
  for (size_t i = 0; i < 4; i++)
    events[i] = ENQUEUE_EVENT(queue, plan, NULL, .in = in, .count = i * 1000, .out = empty_out(LENGTH * 4),
                              .outcome = i == 1 ? NULL : &here[i], .outcome_buffer = i == 3 ? NULL : table,
                              .outcome_offset = 2 * i);
  assert_ok(clWaitForEvents(4, events));
  assert_ok(clEnqueueReadBuffer(queue, table, CL_TRUE, 0, sizeof there, there, 0, NULL, NULL));
  for (size_t i = 0; i < 4; i++) {
    if (i != 1)
      check_outcome(&here[i], i * 200);
    if (i != 3)
      check_outcome(&there[2 * i], i * 200);
    check_untouched(there, 2 * i + 1);
  }
}

TEST_CASE("calls", fixture_open, fixture_close);

TEST_EACH(outcomes_in_either_queue, 0, 2) {
  if (!_i || fixture_has_out_of_order())
    outcomes(_i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  else
    fixture_skip("outcomes out of order", "the device has no such queues");
}

static cl_uint keep_all(const void *element, cl_ulong index, const void *const *inputs, const void *const *values,
                        void *user_data) {
  (void)element, (void)index, (void)inputs, (void)values;
  ++*(int *)user_data;
  return 7;
}

// A selection on the host writes its outcome to a buffer, and calls the callback once for each element.
// clred_strategy_applies accepts it, too.
TEST(outcome_of_the_host) {
  int calls = 0;
  const clred_selection selection = {.name = "all", .keep = "1", .host = keep_all, .user_data = &calls};
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .selection = &selection, .strategy = "scan_host_serial"};
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(500), out = empty_out(2000), table = empty_out(3 * sizeof(clred_outcome));
  clred_outcome found[3];
  cl_event event = ENQUEUE_EVENT(under_test.queue, plan, NULL, .in = in, .count = 500, .out = out,
                                 .outcome_buffer = table, .outcome_offset = 1);
  assert_ok(clEnqueueReadBuffer(under_test.queue, table, CL_TRUE, 0, sizeof found, found, 1, &event, NULL));
  check_outcome(&found[1], 500);
  ck_assert_int_eq(calls, 500);
  check_untouched(found, 0);
  check_untouched(found, 2);
  check_applies("scan_host_serial", &problem, CL_SUCCESS, "");
}

// The last call is in place: results overwrite the elements.
TEST(host_memory) {
  cl_uint in[1001], out[1001], *const outs[] = {out, in};
  cl_ulong kept = 99;
  for (cl_uint i = 0; i < 1001; i++)
    in[i] = 7 * i;
  for (int i = 0; i < 2; i++) {
    image_pattern(out, sizeof out);
    assert_ok(clred_select_host(under_test.runtime, CLRED_TYPE_UINT, &fifth, in, 1001, outs[i], &kept));
    ck_assert_uint_eq(kept, 201);
    for (cl_uint k = 0; k < 201; k++)
      ck_assert_uint_eq(outs[i][k], 35 * k);
  }
  assert_ok(clred_select_host(under_test.runtime, CLRED_TYPE_UINT, &fifth, NULL, 0, NULL, &kept));
  ck_assert_uint_eq(kept, 0);
}

// ---------------------------------------------------------------- Inputs

TEST(strided_elements) {
  clred_plan *plan = fifths(CLRED_LAYOUT_STRIDED);
  cl_uint numbers[300], got[100];
  clred_outcome outcome;
  for (cl_uint i = 0; i < 300; i++)
    numbers[i] = i;
  cl_mem in = fixture_buffer(numbers, sizeof numbers), out = empty_out(sizeof got);
  RUN(plan, .in = in, .in_offset = 1, .count = 99, .stride = 3, .out = out, .outcome = &outcome);
  ck_assert_uint_eq(outcome.count, 20);
  read_buffer(out, got, sizeof got);
  for (cl_uint i = 0; i < 20; i++)
    ck_assert_uint_eq(got[i], 1 + 15 * i);
}

// A further input of flags, with another offset than the elements.
TEST(further_inputs) {
  static const clred_operand flag = {"flag", "uchar", 1};
  static const clred_selection marked = {.name = "marked", .keep = "flag", .inputs = &flag, .input_count = 1};
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .selection = &marked);
  unsigned char flags[1004];
  clred_outcome outcome;
  float got[1000];
  size_t kept = 0;
  for (size_t i = 0; i < sizeof flags; i++)
    flags[i] = random_at(3, i) % 4 == 0 ? 128 : 0;
  const cl_mem in = fixture_numbers(1000), mask = fixture_buffer(flags, sizeof flags), out = empty_out(sizeof got);
  const cl_ulong offset = 4;
  RUN(plan, .in = in, .inputs = &mask, .input_offsets = &offset, .count = 1000, .out = out, .outcome = &outcome);
  read_buffer(out, got, sizeof got);
  for (size_t i = 0; i < 1000; i++)
    if (flags[4 + i])
      ck_assert_float_eq(got[kept++], fixture_sum(i, 1));
  ck_assert_uint_eq(outcome.count, kept);
}
