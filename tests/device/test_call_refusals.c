// Calls that contradict themselves: `out` overlaps memory that the call reads or writes, or results go to two places.
// Every such call is refused before anything is enqueued.

#include "support/fixture.h"

#define COUNT 64

static struct {
  cl_mem whole, part, in, out, marks, flags;  // `part` is the second half of `whole`
} of;

static void make_buffers(void) {
  cl_uint keys[COUNT];
  cl_uchar flags[COUNT];
  fixture_open();
  for (cl_uint i = 0; i < COUNT; i++)
    keys[i] = i / 2, flags[i] = i % 2 == 0;
  of.whole = fixture_numbers(2048);
  of.part = fixture_sub_buffer(of.whole, 1024, 1024);
  of.in = fixture_numbers(COUNT), of.out = fixture_numbers(COUNT);
  of.marks = fixture_buffer(keys, sizeof keys), of.flags = fixture_buffer(flags, sizeof flags);
}

static clred_plan *plan_for(clred_op op, clred_layout layout, clred_type marks) {
  return PLAN(.type = CLRED_TYPE_FLOAT, .op = op, .layout = layout, .segment_type = marks, .count_max = 2048);
}

static void refused(clred_plan *plan, const clred_call *call, const char *word) {
  fixture_call(plan, call, CLRED_INVALID_ARGUMENT, word);
}

static void taken(clred_plan *plan, const clred_call *call, size_t result, float expected) {
  fixture_call(plan, call, CL_SUCCESS, "");
  assert_ok(clFinish(under_test.queue));
  ck_assert_float_eq(fixture_read(call->out, result), expected);
}

TEST_CASE("contradictions", make_buffers, fixture_close);

TEST(rows_into_their_elements) {
  clred_plan *plan = plan_for(CLRED_OP_SUM, CLRED_LAYOUT_ROWS, CLRED_TYPE_NONE);
  refused(plan, &(clred_call){.in = of.in, .count = 8, .rows = 4, .out = of.in}, "out overlaps in");
  refused(plan, &(clred_call){.in = of.in, .count = 8, .rows = 4, .out = of.in, .out_offset = 31}, "out overlaps in");
  // The first row begins before `part` begins, and the last result is inside the part.
  refused(plan, &(clred_call){.in = of.whole, .in_offset = 1020, .count = 8, .rows = 2, .out = of.part},
          "out overlaps in");
  refused(plan, &(clred_call){.in = of.part, .count = 8, .rows = 2, .out = of.whole, .out_offset = 1023},
          "out overlaps in");
  ck_assert_float_eq(fixture_read(of.in, 0), 1);
  taken(plan, &(clred_call){.in = of.in, .count = 8, .rows = 4, .out = of.in, .out_offset = 32}, 32, fixture_sum(0, 8));
  taken(plan, &(clred_call){.in = of.part, .count = 8, .rows = 2, .out = of.whole, .out_offset = 1022}, 1023,
        fixture_sum(1032, 8));
  // One result is written after everything was read.
  taken(plan, &(clred_call){.in = of.part, .count = 8, .rows = 1, .out = of.part}, 0, fixture_sum(1024, 8));
}

TEST(columns_into_an_input) {
  clred_plan *plan = plan_for(CLRED_OP_DOT, CLRED_LAYOUT_COLUMNS, CLRED_TYPE_NONE);
  const cl_ulong offset = 3;
  clred_call call = CALL(.in = of.in, .inputs = &of.out, .input_offsets = &offset, .count = 4, .stride = 8,
                         .columns = 8, .rows = 1, .out = of.out);
  refused(plan, &call, "out overlaps inputs[0]");
  call.out = of.in;
  refused(plan, &call, "out overlaps in,");
  call.out = of.out, call.out_offset = 35;
  taken(plan, &call, 35, 4 + 9 * 12 + 17 * 20 + 25 * 28);
}

TEST(segments_into_their_offsets) {
  clred_plan *plan = plan_for(CLRED_OP_SUM, CLRED_LAYOUT_SEGMENTS, CLRED_TYPE_UINT);
  clred_call call = {.in = of.in, .count = COUNT, .segments = of.marks, .rows = 8, .out = of.marks};
  refused(plan, &call, "out overlaps segments");
  call.out_offset = 8;
  refused(plan, &call, "out overlaps segments");
  call.rows = 1, call.out_offset = 0;
  refused(plan, &call, "out overlaps segments");
  call.rows = 8, call.out = of.in;
  refused(plan, &call, "out overlaps in,");
  call.out = of.marks, call.out_offset = 20;
  taken(plan, &call, 21, 1);
}

TEST(runs_by_flags) {
  clred_plan *plan = plan_for(CLRED_OP_SUM, CLRED_LAYOUT_HEADS, CLRED_TYPE_NONE);
  clred_call call = {.in = of.in, .count = 16, .segments = of.flags, .out = of.flags};
  refused(plan, &call, "out overlaps segments (heads)");
  call.out = of.in;
  refused(plan, &call, "out overlaps in,");
  call.out = of.out;
  taken(plan, &call, 1, 3 + 4);
}

TEST(runs_by_keys) {
  clred_plan *plan = plan_for(CLRED_OP_DOT, CLRED_LAYOUT_KEYS, CLRED_TYPE_UINT);
  clred_call call = {.in = of.in, .inputs = &of.part, .count = 16, .segments = of.marks, .out = of.marks, .rows = 8};
  refused(plan, &call, "out overlaps segments (keys)");
  call.out = of.in;
  refused(plan, &call, "out overlaps in,");
  call.out = of.whole, call.out_offset = 1024 + 15;
  refused(plan, &call, "out overlaps inputs[0]");
  call.out = of.out, call.out_offset = 0, call.keys_out = of.out;
  refused(plan, &call, "out overlaps keys_out");
  call.keys_out = of.in;
  refused(plan, &call, "keys_out overlaps in,");
  call.keys_out = of.whole, call.keys_out_offset = 1024 + 15;
  refused(plan, &call, "keys_out overlaps inputs[0]");
  call.keys_out = of.marks, call.keys_out_offset = 15;
  refused(plan, &call, "keys_out overlaps segments (keys)");
  call.keys_out = of.out, call.keys_out_offset = 8;
  taken(plan, &call, 0, fixture_sum(1024, 1) + 2 * fixture_sum(1025, 1));
}

TEST(results_in_two_places) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .strategy = "host_serial");
  float result = -7;
  clred_call call = {.in = of.in, .count = 10, .out = of.out, .result = &result, .blocking = CL_TRUE};
  refused(plan, &call, "result and out are both given");
  ck_assert_float_eq(result, -7);
  call.count = 0;
  refused(plan, &call, "result and out are both given");
  call.count = 10, call.out = NULL;
  fixture_call(plan, &call, CL_SUCCESS, "");
  ck_assert_float_eq(result, fixture_sum(0, 10));
}
