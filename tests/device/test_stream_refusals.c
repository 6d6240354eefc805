// Streams that are refused, and sums that overflow in a stream.

#include "support/fixture.h"

TEST_CASE("opened", fixture_open, fixture_close);

// A sum that overflows between chunks.
TEST(overflow_is_reported) {
  static cl_ulong numbers[5000];
  struct {
    cl_ulong value;
    cl_uint overflow;
  } result;
  clred_plan *plan = PLAN(OP(SUM, ULONG), .overflow = CLRED_OVERFLOW_DETECT);
  numbers[0] = numbers[4999] = (cl_ulong)1 << 63;
  clred_stream *stream = STREAM(plan, .chunk = 512);
  assert_ok(clred_stream_push(stream, numbers, NULL, 5000));
  assert_status(clred_stream_finish(stream, &result), CLRED_OVERFLOW);
  ck_assert_uint_eq(result.overflow, 1);
  assert_ok(clred_stream_push(stream, numbers, NULL, 4999));
  assert_ok(clred_stream_finish(stream, &result));
  ck_assert_uint_eq(result.value, (cl_ulong)1 << 63);
}

TEST(plans_that_stream_not) {
  static const struct {
    clred_problem problem;
    const char *word;
  } rows[] = {
    {{OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 9}, "local_sequential"},
    {{OP(SUM, FLOAT), .strategy = "host_serial"}, "host_serial"},
    {{OP(SUM, FLOAT), SCAN(INCLUSIVE)}, "takes no streams"},
    {{OP(SUM, FLOAT), LAYOUT(STRIDED)}, "layout"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_stream *stream = NULL;
    refused_naming(clred_stream_create(under_test.queue, fixture_plan(&rows[i].problem), NULL, &stream), rows[i].word);
    ck_assert_ptr_null(stream);
  }
}

TEST(wrong_arguments) {
  float numbers[4] = {1, 2, 3, 4}, result = 0;
  const void *inputs[] = {numbers};
  void *in, *further;
  cl_ulong room = 0;
  clred_plan *plan = PLAN(OP(DOT, FLOAT), .count_max = 3000);
  clred_stream *stream = STREAM(plan, .chunk = 1);
  refused_naming(clred_stream_push(stream, numbers, NULL, 4), "inputs");
  assert_invalid(clred_stream_acquire(stream, &in, NULL, &room));
  assert_ok(clred_stream_acquire(stream, &in, &further, &room));
  assert_invalid(clred_stream_commit(stream, room + 1));
  assert_status(clred_stream_push(stream, numbers, inputs, 3001), CLRED_COUNT_ABOVE_MAXIMUM);
  // The refused calls changed nothing.
  assert_ok(clred_stream_push(stream, numbers, inputs, 4));
  assert_ok(clred_stream_finish(stream, &result));
  ck_assert_float_eq(result, 30);
}

TEST(streams_with_a_bound) {
  static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};
  clred_plan *plan = PLAN(OP(SUM, INT), .count_max = 10);
  cl_long result = -1;
  void *room = NULL;
  cl_ulong count = 0;
  clred_stream *stream = fixture_stream(plan, NULL);
  assert_ok(clred_stream_push(stream, numbers, NULL, 6));
  assert_status(clred_stream_push(stream, numbers, NULL, 6), CLRED_COUNT_ABOVE_MAXIMUM);
  assert_ok(clred_stream_finish(stream, &result));
  ck_assert_int_eq(result, 7);
  assert_ok(clred_stream_acquire(stream, &room, NULL, &count));
  assert_status(clred_stream_commit(stream, 11), CLRED_COUNT_ABOVE_MAXIMUM);
}

// A strategy without streams refuses more elements than a buffer holds. A stream on the host needs callbacks. A tile
// must fit into a buffer.
TEST(what_cannot_be) {
  static float numbers[20000];
  const float scale = 2;
  const void *parameters[] = {&scale}, *none[] = {NULL};
  const clred_operand parameter = {.name = "scale", .type = "float"};
  const clred_operator own =
    OPERATOR(.name = "scaled", .element = "float", .state = "float", .identity = "0", .lift = "x * scale",
             .combine = "a + b", .parameters = &parameter, .parameter_count = 1);
  const clred_problem scaled = {.custom = &own}, small = {OP(SUM, FLOAT), .groups = 1};
  clred_stream *stream = NULL;
  float result;
  fixture_reopen("max_alloc=65536");
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 20000);
  assert_status(
    clred_plan_run_host(under_test.queue, plan, &(clred_host_call){.in = numbers, .count = 20000, .out = &result}),
    CL_INVALID_BUFFER_SIZE);
  plan = fixture_plan(&scaled);
  assert_status(clred_stream_create(under_test.queue, plan,
                                    &(clred_stream_options){.parameters = parameters, .on_host = CL_TRUE}, &stream),
                CLRED_NO_HOST_OPERATOR);
  refused_naming(clred_stream_create(under_test.queue, plan, NULL, &stream), "scale");
  refused_naming(clred_stream_create(under_test.queue, plan, &(clred_stream_options){.parameters = none}, &stream),
                 "parameters[0] is NULL");
  fixture_reopen("max_alloc=4095");
  plan = fixture_plan(&small);
  assert_status(clred_stream_create(under_test.queue, plan, NULL, &stream), CL_INVALID_BUFFER_SIZE);
}
