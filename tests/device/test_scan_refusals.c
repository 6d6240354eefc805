// Scans that must be refused: problems, and calls with contradicting results, elements and initial states. Each has its
// status and a sentence that names the culprit, and nothing is written.

#include "support/fixture.h"

// ---------------------------------------------------------------- Problems

#define SCANS OP(SUM, FLOAT), SCAN(INCLUSIVE)

static const clred_operator without_host = {
  .name = "plus", .element = "float", .state = "float", .identity = "0", .combine = "a + b"};

static const struct refused_plan refusals[] = {
  {{OP(SUM, FLOAT), .scan = (clred_scan)7}, CLRED_INVALID_PROBLEM, "scan: 7"},
  {{OP(SUM, FLOAT), .scan = (clred_scan)-1}, CLRED_INVALID_PROBLEM, "scan: -1"},
  {{OP(SUM, FLOAT), .reversed = CL_TRUE}, CLRED_INVALID_PROBLEM, "reversed is for scans"},
  {{OP(SUM, FLOAT), .in_place = CL_TRUE}, CLRED_INVALID_PROBLEM, "in_place is for scans"},
  ROW({OP(SUM, INT), SCAN(EXCLUSIVE), .in_place = CL_TRUE}, CLRED_INVALID_PROBLEM,
      "results of 8 bytes do not fit elements of 4"),
  {{SCANS, .strategy = "wide"}, CLRED_STRATEGY_REFUSED, "wide reduces"},
  {{SCANS, .strategy = "host_serial"}, CLRED_STRATEGY_REFUSED, "host_serial reduces"},
  {{OP(SUM, FLOAT), .strategy = "scan_chunked"}, CLRED_STRATEGY_REFUSED, "scan_chunked scans"},
  {{OP(SUM, FLOAT), .strategy = "scan_host_serial"}, CLRED_STRATEGY_REFUSED, "scan_host_serial scans"},
  {{SCANS, .strategy = "scan_sideways"}, CLRED_UNKNOWN_NAME, "scan_sideways"},
  {{SCANS, LAYOUT(ROWS), .strategy = "scan_chunked"}, CLRED_STRATEGY_REFUSED, "layout"},
  {{SCANS, LAYOUT(COLUMNS), .strategy = "scan_blelloch"}, CLRED_STRATEGY_REFUSED, "layout"},
  {{SCANS, .strategy = "scan_look_back", .groups = 31}, CLRED_STRATEGY_REFUSED, "groups: 31 is below 32"},
  {{SCANS, .strategy = "scan_chunked", .groups = 1}, CLRED_STRATEGY_REFUSED, "groups: 1 is below 32"},
  {{SCANS, .strategy = "scan_reduce_then_scan", .groups = (1 << 20) + 1}, CLRED_INVALID_PROBLEM, "1048577"},
  {{SCANS, .strategy = "scan_blelloch", .order = CLRED_ORDER_FIXED}, CLRED_STRATEGY_REFUSED, "order"},
  {{SCANS, .strategy = "scan_blelloch", .group_size = 48}, CLRED_INVALID_PROBLEM, "48"},
  {{SCANS, .strategy = "scan_blelloch_recursive"}, CLRED_INVALID_PROBLEM, "count_max"},
  {{SCANS, .strategy = "scan_look_back", .finish = "host"}, CLRED_STRATEGY_REFUSED, "finish"},
  ROW({.custom = &without_host, SCAN(INCLUSIVE), .strategy = "scan_host_serial"}, CLRED_NO_HOST_OPERATOR,
      "plus has no host callbacks"),
};

TEST_CASE("problems", fixture_open, fixture_close);

TEST(refused_problems) {
  check_refused_plans(refusals);
}

// Without a fence between groups, look-back could read what is already overwritten.
TEST(in_place_without_a_fence) {
  const clred_problem by_name[] = {{SCANS, .in_place = CL_TRUE, .strategy = "scan_look_back"},
                                   {SCANS, .in_place = CL_TRUE, .strategy = "scan_chunked"}};
  fixture_reopen("device_fence=0");
  for (int i = 0; i < 2; i++)
    fixture_refused_plan(&by_name[i], CLRED_STRATEGY_REFUSED, "device_fence");
  clred_plan *plan = PLAN(SCANS, .in_place = CL_TRUE);
  ck_assert_str_eq(fixture_inspect(plan, 1000).strategy, "scan_reduce_then_scan");
}

// ---------------------------------------------------------------- Calls

enum plan { APART, IN_PLACE, STRIDED, ON_HOST, DOT, BOUNDED, REDUCTION, PLANS };

static const clred_problem problems[PLANS] = {
  {SCANS, .strategy = "scan_chunked"},
  {SCANS, .strategy = "scan_chunked", .in_place = CL_TRUE},
  {SCANS, .strategy = "scan_host_serial", .in_place = CL_TRUE, LAYOUT(STRIDED)},
  {SCANS, .strategy = "scan_host_serial"},
  {OP(DOT, FLOAT), SCAN(INCLUSIVE), .strategy = "scan_host_serial"},
  {SCANS, .strategy = "scan_blelloch_recursive", .count_max = 100},
  {OP(SUM, FLOAT), .strategy = "host_serial"},
};

// WHOLE has PART, its floats 0 to 1023, and SHIFTED, its floats 512 to 1535. OTHER is 1000 floats elsewhere.
enum buffer { NONE, WHOLE, PART, SHIFTED, OTHER, READ_ONLY, BUFFERS };

static struct image whole, other;
static cl_mem buffers[BUFFERS];
static clred_plan *plan;
static enum plan planned = PLANS;

static void open_all(void) {
  fixture_open();
  const char *trouble = image_create_whole(&whole, &under_test, 4096 * sizeof(float));
  ck_assert_msg(!trouble, "%s", trouble);
  other = fixture_image(1000 * sizeof(float));
  buffers[WHOLE] = whole.mem;
  buffers[PART] = fixture_sub_buffer(whole.mem, 0, 1024);
  buffers[SHIFTED] = fixture_sub_buffer(whole.mem, 512, 1024);
  buffers[OTHER] = other.mem;
  buffers[READ_ONLY] = OWN(clCreateBuffer(under_test.context, CL_MEM_READ_ONLY, 4096 * sizeof(float), NULL, NULL));
}

static void close_all(void) {
  planned = PLANS;
  image_release(&whole);
  image_release(&other);
  fixture_close();
}

static void plan_for(enum plan which) {
  if (which == planned)
    return;
  plan = fixture_plan(&problems[which]);
  planned = which;
}

static float some_result;
static const float some_state = 1;

static const struct call {
  enum plan plan;
  cl_int status;
  const char *word;
  enum buffer in, out, initial_buffer, input;
  cl_ulong in_offset, out_offset, initial_offset, input_offset, count, stride, out_stride;
  const void *initial;
  void *result;
} calls[] = {
  {APART, CLRED_INVALID_ARGUMENT, "result holds one value", WHOLE, OTHER, .count = 9, .result = &some_result},
  {APART, CLRED_INVALID_ARGUMENT, "result holds one value", WHOLE, NONE, .count = 1, .result = &some_result},
  {APART, CLRED_INVALID_ARGUMENT, "result holds one value", WHOLE, OTHER, .count = 0, .result = &some_result},
  {APART, CLRED_INVALID_ARGUMENT, "both", WHOLE, OTHER, PART, .count = 9, .initial = &some_state},
  {APART, CLRED_INVALID_ARGUMENT, "out is NULL", WHOLE, NONE, .count = 9},
  {APART, CLRED_INVALID_ARGUMENT, "in is NULL", NONE, OTHER, .count = 9},
  {APART, CLRED_INVALID_ARGUMENT, "out was created with flags", WHOLE, READ_ONLY, .count = 9},
  {APART, CLRED_OUT_OF_RANGE, "out: needs 1001", WHOLE, OTHER, .count = 1001},
  {APART, CLRED_OUT_OF_RANGE, "out: needs 999", WHOLE, OTHER, .out_offset = 2, .count = 999},
  {APART, CLRED_OUT_OF_RANGE, "out: needs 1 ", WHOLE, OTHER, .out_offset = (cl_ulong)1 << 62, .count = 1},
  {APART, CLRED_OUT_OF_RANGE, "in: needs 100", WHOLE, OTHER, .in_offset = 3997, .count = 100},
  {APART, CLRED_OUT_OF_RANGE, "initial_buffer: needs 1 ", WHOLE, OTHER, PART, .initial_offset = 1024, .count = 9},
  {APART, CLRED_INVALID_ARGUMENT, "without in_place", WHOLE, WHOLE, .count = 9},
  {APART, CLRED_INVALID_ARGUMENT, "without in_place", WHOLE, WHOLE, .out_offset = 8, .count = 9},
  {APART, CLRED_INVALID_ARGUMENT, "without in_place", PART, SHIFTED, .count = 513},
  {APART, CLRED_INVALID_ARGUMENT, "without in_place", WHOLE, PART, .in_offset = 1000, .out_offset = 1000, .count = 20},
  {APART, CLRED_INVALID_ARGUMENT, "out overlaps initial_buffer", OTHER, WHOLE, WHOLE, .initial_offset = 8, .count = 9},
  {APART, CLRED_INVALID_ARGUMENT, "out overlaps initial_buffer", OTHER, SHIFTED, PART, .initial_offset = 512,
   .count = 9},
  {IN_PLACE, CLRED_INVALID_ARGUMENT, "overwrite another element", WHOLE, WHOLE, .out_offset = 1, .count = 9},
  {IN_PLACE, CLRED_INVALID_ARGUMENT, "overwrite another element", WHOLE, WHOLE, .in_offset = 8, .count = 9},
  {IN_PLACE, CLRED_INVALID_ARGUMENT, "overwrite another element", PART, SHIFTED, .count = 513},
  {IN_PLACE, CLRED_INVALID_ARGUMENT, "overwrite another element", WHOLE, PART, .count = 9},
  {IN_PLACE, CLRED_INVALID_ARGUMENT, "overlaps initial_buffer", WHOLE, WHOLE, WHOLE, .count = 9},
  {STRIDED, CLRED_INVALID_ARGUMENT, "overwrite another element", WHOLE, WHOLE, .count = 9, .stride = 2,
   .out_stride = 3},
  {STRIDED, CLRED_INVALID_ARGUMENT, "overwrite another element", WHOLE, WHOLE, .count = 9, .stride = 0},
  {STRIDED, CLRED_OUT_OF_RANGE, "out: needs 1001", WHOLE, OTHER, .count = 1001, .stride = 2, .out_stride = 1},
  {STRIDED, CLRED_OUT_OF_RANGE, "out: needs 1001", WHOLE, OTHER, .count = 3, .stride = 2, .out_stride = 500},
  {STRIDED, CLRED_OUT_OF_RANGE, "out: needs", WHOLE, OTHER, .count = 3, .stride = 1, .out_stride = (cl_ulong)1 << 63},
  {ON_HOST, CLRED_INVALID_ARGUMENT, "runs on the host", WHOLE, OTHER, PART, .count = 9},
  {DOT, CLRED_INVALID_ARGUMENT, "out overlaps inputs[0]", OTHER, WHOLE, .input = PART, .input_offset = 8, .count = 9},
  {BOUNDED, CLRED_COUNT_ABOVE_MAXIMUM, "101", WHOLE, OTHER, .count = 101},
  {REDUCTION, CLRED_INVALID_ARGUMENT, "initial is for scans", WHOLE, OTHER, .count = 9, .initial = &some_state},
  {REDUCTION, CLRED_INVALID_ARGUMENT, "initial_buffer is for scans", WHOLE, OTHER, PART, .count = 9},
  {REDUCTION, CLRED_INVALID_ARGUMENT, "out_stride is for scans", WHOLE, OTHER, .count = 9, .out_stride = 1},
  // Similar calls that are valid.
  {APART, CL_SUCCESS, "", WHOLE, WHOLE, .in_offset = 9, .count = 0},
  {APART, CL_SUCCESS, "", NONE, NONE, .count = 0},
  {IN_PLACE, CL_SUCCESS, "", WHOLE, WHOLE, .out_offset = 5, .count = 0},
};

static clred_call call_of(const struct call *call) {
  return (clred_call)CALL(.in = buffers[call->in], .in_offset = call->in_offset,
                          .inputs = call->input ? &buffers[call->input] : NULL, .input_offsets = &call->input_offset,
                          .count = call->count, .stride = call->stride, .out = buffers[call->out],
                          .out_offset = call->out_offset, .out_stride = call->out_stride, .result = call->result,
                          .initial = call->initial, .initial_buffer = buffers[call->initial_buffer],
                          .initial_offset = call->initial_offset);
}

static void check_untouched(size_t i) {
  assert_ok(clFinish(under_test.queue));
  const char *trouble = image_check(&whole, &under_test);
  ck_assert_msg(!trouble, "call %zu: %s", i, trouble);
  trouble = image_check(&other, &under_test);
  ck_assert_msg(!trouble, "call %zu: %s", i, trouble);
  ck_assert_float_eq(some_result, 0);
}

TEST_CASE("calls", open_all, close_all);

TEST(calls_that_write_nothing) {
  for (size_t i = 0; i < COUNT_OF(calls); i++) {
    cl_event event = NULL;
    plan_for(calls[i].plan);
    const clred_call call = call_of(&calls[i]);
    const cl_int err = clred_enqueue(under_test.queue, plan, &call, 0, NULL, &event);
    ck_assert_msg(err == calls[i].status, "call %zu gave %s, not %s (%s)", i, clred_status_name(err),
                  clred_status_name(calls[i].status), clred_last_error(under_test.runtime));
    if (err) {
      check_said(calls[i].word);
      ck_assert_ptr_null(event);
    } else {
      assert_ok(clWaitForEvents(1, &event));
      clReleaseEvent(event);
    }
    check_untouched(i);
  }
}

// Adjacent ranges and other parts of the same buffer are allowed.
TEST(neighbours_are_served) {
  static const struct call served[] = {
    {APART, CL_SUCCESS, "", WHOLE, WHOLE, .out_offset = 9, .count = 9},
    {APART, CL_SUCCESS, "", WHOLE, WHOLE, .in_offset = 9, .count = 9},
    {APART, CL_SUCCESS, "", PART, SHIFTED, .count = 512},
    {APART, CL_SUCCESS, "", OTHER, WHOLE, WHOLE, .initial_offset = 9, .count = 9},
    {IN_PLACE, CL_SUCCESS, "", PART, PART, .in_offset = 3, .out_offset = 3, .count = 1021},
    {IN_PLACE, CL_SUCCESS, "", WHOLE, OTHER, .count = 1000},
    {STRIDED, CL_SUCCESS, "", WHOLE, WHOLE, .count = 100, .stride = 3, .out_stride = 3},
    {STRIDED, CL_SUCCESS, "", WHOLE, WHOLE, .count = 100, .stride = 3},
  };
  for (size_t i = 0; i < COUNT_OF(served); i++) {
    plan_for(served[i].plan);
    const clred_call call = call_of(&served[i]);
    fixture_call(plan, &call, CL_SUCCESS, "");
  }
  assert_ok(clFinish(under_test.queue));
}
