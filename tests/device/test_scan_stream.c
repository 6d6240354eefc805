// Streams of scans: for every chunk size the results of one scan over all elements, bit for bit, as the oracle computes
// them.

#include "support/material.h"

// Which shape, and whether elements are copied to the device.
static const char *const devices[] = {
  "cpu=1,unified_memory=1",
  "cpu=0,unified_memory=1",
  "cpu=1,unified_memory=0",
  "cpu=0,unified_memory=0",
};
#define DEVICES 4

enum { COUNT = 9 * 4096 + 777, FENCE = 16 };

// Sums of floats, means and products depend on the order of combination.
static const clred_problem problems[] = {
  {OP(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(SUM, FLOAT), .scan = CLRED_SCAN_EXCLUSIVE},
  {OP(MEAN, DOUBLE), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(DOT, FLOAT), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(SUM, UCHAR), .scan = CLRED_SCAN_EXCLUSIVE},
  {OP(SUM, HALF), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(PROD, CFLOAT), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(MAX, INT), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(SUM, SHORT), .scan = CLRED_SCAN_EXCLUSIVE, .result_bits = CLRED_RESULT_OWN},
  {OP(SUM, UCHAR), .scan = CLRED_SCAN_EXCLUSIVE, .result_bits = CLRED_RESULT_32},
};

struct trial {
  clred_plan *plan;
  struct material of;
  size_t result;  // bytes
  const void *initial;
};

static clred_scan_stream *create_stream(cl_command_queue queue, clred_plan *plan, cl_ulong *chunk,
                                        const void *initial) {
  clred_scan_stream *stream = NULL;
  assert_ok(clred_scan_stream_create(queue, plan, chunk, initial, &stream));
  return OWN(stream);
}

static void stream_all(const struct trial *trial, cl_ulong chunk, uint64_t count, unsigned char *out) {
  cl_ulong taken = chunk;
  clred_scan_stream *stream = create_stream(under_test.queue, trial->plan, &taken, trial->initial);
  ck_assert_uint_gt(taken, 0);
  ck_assert_msg(taken <= chunk || chunk < 4096, "a chunk of %u became %u", (unsigned)chunk, (unsigned)taken);
  for (uint64_t at = 0; at < count; at += taken) {
    const void *input;
    const clred_host_call from = material_host_call(&trial->of, at, 0, &input);
    assert_ok(clred_scan_stream_next(stream, from.in, from.inputs, count - at < taken ? count - at : taken,
                                     out + at * trial->result));
  }
}

static void check_count(const struct trial *trial, cl_ulong chunk, uint64_t count) {
  const oracle_scan scan = {trial->of.problem.scan == CLRED_SCAN_INCLUSIVE, false, trial->initial};
  const size_t bytes = count * trial->result;
  const unsigned char *expected = material_scan_all(&trial->of, &scan, count, trial->result);
  unsigned char *got = memset(claim(bytes + FENCE), 0x5a, bytes + FENCE);
  stream_all(trial, chunk, count, got);
  for (uint64_t i = 0; i < count; i++)
    ck_assert_msg(memcmp(got + i * trial->result, expected + i * trial->result, trial->result) == 0,
                  "%s, chunk %u, %u elements: result %u is wrong", trial->of.name, (unsigned)chunk, (unsigned)count,
                  (unsigned)i);
  for (size_t i = 0; i < FENCE; i++)
    ck_assert_msg(got[bytes + i] == 0x5a, "byte %u behind the results was written", (unsigned)i);
}

static void check_problem(const clred_problem *problem) {
  static const float start = 0.1f;
  struct trial trial = {.plan = fixture_plan(problem), .of = material_of_problem(problem, COUNT, 4, 51)};
  trial.result = fixture_inspect(trial.plan, 1).result_size;
  check_count(&trial, 4096, COUNT);
  check_count(&trial, 8192, 8 * 4096);
  check_count(&trial, 4096, 1);
  check_count(&trial, 0, COUNT);
  trial.initial = problem->type == CLRED_TYPE_FLOAT ? &start : NULL;
  check_count(&trial, 4096, COUNT);
}

TEST_CASE("bits", NULL, fixture_close);

TEST_EACH(every_chunk_gives_the_bits_of_one_scan, 0, (int)COUNT_OF(problems) * 2) {
  fixture_open_assuming(devices[(_i / 2 + 3 * (_i % 2)) % DEVICES]);
  if (!oracle_needs_fp64(&problems[_i / 2]) || device_has_fp64(&under_test))
    check_problem(&problems[_i / 2]);
}

// Elements and results at any address.
TEST_EACH(any_alignment, 0, DEVICES) {
  fixture_open_assuming(devices[_i]);
  clred_plan *plan = fixture_plan(&problems[0]);
  cl_ulong chunk = 1;
  clred_scan_stream *stream = create_stream(under_test.queue, plan, &chunk, NULL);
  unsigned char *in = claim(2 * chunk * sizeof(float) + 1), *out = claim(2 * chunk * sizeof(float) + 1);
  for (cl_ulong i = 0; i < 2 * chunk; i++)
    memcpy(in + 1 + i * sizeof(float), &(float){1}, sizeof(float));
  for (cl_ulong at = 0; at < 2 * chunk; at += chunk)
    assert_ok(clred_scan_stream_next(stream, in + 1 + at * sizeof(float), NULL, chunk, out + 1 + at * sizeof(float)));
  for (cl_ulong i = 0; i < 2 * chunk; i++) {
    float result;
    memcpy(&result, out + 1 + i * sizeof(float), sizeof result);
    ck_assert_float_eq(result, (float)(i + 1));
  }
}

// The times of all chunks. The last one is scanned and not folded.
TEST(times) {
  static float numbers[4096], results[4096];
  double seconds[2] = {-1, -1};
  fixture_open_assuming(devices[0]);
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, .profile = CL_TRUE);
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  cl_ulong chunk = 4096;
  clred_scan_stream *stream = create_stream(queue, plan, &chunk, NULL);
  for (size_t i = 0; i < 2; i++) {
    assert_ok(clred_scan_stream_next(stream, numbers, NULL, chunk - i, results));
    assert_ok(clred_scan_stream_seconds(stream, &seconds[i]));
  }
  ck_assert_double_gt(seconds[0], 0);
  ck_assert_double_gt(seconds[1], seconds[0]);
}
