// Streams and scans of parts that are used again, on queues of both kinds, and released at any time. The program parts
// compares their results.

#include "support/fixture.h"
#include "support/random.h"

// Which shape, and whether elements are copied to the device.
static const char *const devices[] = {
  "cpu=1,unified_memory=1,max_alloc=65536", "cpu=0,unified_memory=1,max_alloc=65536",
  "cpu=1,unified_memory=0,max_alloc=65536", "cpu=0,unified_memory=0,max_alloc=65536"};
#define DEVICES ((int)COUNT_OF(devices))

TEST_CASE("course", NULL, fixture_close);

// After clred_stream_finish a stream can be used again. The queue may be out of order.
TEST_EACH(again_and_out_of_order, 0, DEVICES) {
  enum { COUNT = 70001 };
  clred_stream *stream = NULL;
  clred_stream_info info;
  static cl_int numbers[COUNT];
  fixture_open_assuming(devices[_i]);
  clred_plan *plan = PLAN(OP(SUM, INT), .profile = true);
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE |
                                         (fixture_has_out_of_order() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
  assert_ok(clred_stream_create(queue, plan, &(clred_stream_options){.chunk = 4096}, &stream));
  for (cl_int turn = 1; turn < 4; turn++) {
    cl_long result = 0;
    for (int i = 0; i < COUNT; i++)
      numbers[i] = i % 1000 * turn;
    for (size_t at = 0; at < COUNT; at += 10007)
      assert_ok(clred_stream_push(stream, numbers + at, NULL, COUNT - at < 10007 ? COUNT - at : 10007));
    assert_ok(clred_stream_finish(stream, &result));
    ck_assert_int_eq(result, 34965000 * (cl_long)turn);
    assert_ok(clred_stream_inspect(stream, &info));
    ck_assert_uint_eq(info.count, 0);
  }
  ck_assert_uint_gt(info.launches, 3 * 17);
  ck_assert_msg(info.seconds > 0, "no device time");
  RELEASE(stream);
}

// A stream has memory for chunks only once it copies elements, and on the host for one chunk.
TEST(memory_for_chunks) {
  static cl_int numbers[1 << 16];
  fixture_open();
  clred_plan *plan = PLAN(OP(SUM, INT));
  for (int on_host = 0; on_host < 2; on_host++) {
    clred_stream_info info;
    clred_stream *stream = STREAM(plan, .chunk = 1, .on_host = on_host ? CL_TRUE : CL_FALSE);
    assert_ok(clred_stream_inspect(stream, &info));
    ck_assert_uint_eq(info.host_bytes, 0);
    for (int i = 0; i < (on_host ? 3 : 1); i++)
      assert_ok(clred_stream_push(stream, numbers, NULL, info.chunk - 1));
    assert_ok(clred_stream_inspect(stream, &info));
    ck_assert_uint_eq(info.host_bytes, info.chunk * sizeof(cl_int));
  }
}

// A sum that overflows between chunks.
TEST(overflow_is_reported) {
  static cl_ulong numbers[5000];
  struct {
    cl_ulong value;
    cl_uint overflow;
  } result;
  fixture_open();
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

// A stream may be released at any time and leaves no references to the context and the queue.
TEST_EACH(nothing_is_left, 0, DEVICES) {
  static float numbers[50000];
  fixture_open_assuming(devices[_i]);
  clred_plan *plan = PLAN(OP(SUM, FLOAT));
  float result;
  // The plan retains the queue of its latest call. The runtime keeps the program that the first stream builds.
  clred_stream *first = NULL;
  RUN(plan, .result = &result);
  assert_ok(clred_stream_create(under_test.queue, plan, NULL, &first));
  clred_stream_release(first);
  const cl_uint before = fixture_references();
  for (cl_ulong count = 0; count <= 50000; count += 10000) {
    clred_stream *stream = STREAM(plan, .chunk = 1024);
    assert_ok(clred_stream_push(stream, numbers, NULL, count));
    if (count % 20000 == 0)
      assert_ok(clred_stream_finish(stream, &result));
    RELEASE(stream);
  }
  clred_stream_release(NULL);
  check_references(before);
}

// The times of all chunks. The last one is scanned and not folded.
TEST(times_of_a_scan_stream) {
  static float numbers[4096], results[4096];
  double seconds[2] = {-1, -1};
  fixture_open();
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, .profile = CL_TRUE);
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  cl_ulong chunk = 4096;
  clred_scan_stream *stream = NULL;
  assert_ok(clred_scan_stream_create(queue, plan, &chunk, NULL, &stream));
  OWN(stream);
  for (size_t i = 0; i < 2; i++) {
    assert_ok(clred_scan_stream_next(stream, numbers, NULL, chunk - i, results));
    assert_ok(clred_scan_stream_seconds(stream, &seconds[i]));
  }
  ck_assert_double_gt(seconds[0], 0);
  ck_assert_double_gt(seconds[1], seconds[0]);
}

// Results replace the elements, on a queue that may run commands in any order, if the device has one.
TEST(parts_of_a_scan_in_place) {
  enum { COUNT = 5000, FIRST = 1234 };
  static cl_float numbers[COUNT], got[COUNT], expected[COUNT];
  const cl_ulong cuts[] = {0, FIRST, COUNT};
  clred_plan *folds = NULL;
  fixture_open();
  random_addends(numbers, COUNT, 1);
  cl_command_queue queue = fixture_queue(fixture_has_out_of_order() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  clred_plan *scan = PLAN(OP(SUM, FLOAT), SCAN(INCLUSIVE), .in_place = CL_TRUE);
  assert_ok(clred_plan_create_scan_partials(scan, &folds));
  OWN(folds);
  RUN_HOST(scan, .in = numbers, .count = COUNT, .out = expected);
  cl_mem memory = fixture_buffer(numbers, sizeof numbers);
  clred_partial *before = fixture_partial(folds, 0),
                *parts[] = {fixture_partial(folds, 0), fixture_partial(folds, FIRST)};
  clred_call calls[2];
  for (int i = 0; i < 2; i++) {
    calls[i] = (clred_call)CALL(.in = memory, .in_offset = cuts[i], .count = cuts[i + 1] - cuts[i]);
    assert_ok(clred_partial_fold(under_test.queue, parts[i], &calls[i], 0, NULL, NULL));
  }
  clFinish(under_test.queue);
  for (int i = 0; i < 2; i++) {
    calls[i].out = memory, calls[i].out_offset = cuts[i];
    assert_ok(clred_partial_scan(queue, scan, before, parts[i], &calls[i], 0, NULL, NULL));
  }
  clFinish(queue);
  read_buffer(memory, got, sizeof got);
  ck_assert_msg(memcmp(got, expected, sizeof got) == 0, "other bits");
}
