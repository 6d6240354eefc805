// Streams of scans: for every chunk size the results of one scan over all elements, bit for bit, as the oracle computes
// them; and what they refuse.

#include "support/fixture.h"

#include <clreduce_scan_stream.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

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
  {OP(ADD, FLOAT), .scan = CLRED_SCAN_INCLUSIVE},   {OP(ADD, FLOAT), .scan = CLRED_SCAN_EXCLUSIVE},
  {OP(MEAN, DOUBLE), .scan = CLRED_SCAN_INCLUSIVE}, {OP(DOT, FLOAT), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(ADD, UCHAR), .scan = CLRED_SCAN_EXCLUSIVE},   {OP(ADD, HALF), .scan = CLRED_SCAN_INCLUSIVE},
  {OP(MUL, CFLOAT), .scan = CLRED_SCAN_INCLUSIVE},  {OP(MAX, INT), .scan = CLRED_SCAN_INCLUSIVE},
};
#define PROBLEMS ((int)COUNT_OF(problems))

struct trial {
  clred_problem problem;
  clred_plan *plan;
  unsigned char *in, *input;  // input NULL: there is none
  size_t size, result;        // bytes
  const void *initial;
};

static void stream_all(const struct trial *trial, cl_ulong chunk, uint64_t count, unsigned char *out) {
  clred_scan_stream *stream = NULL;
  cl_ulong taken = chunk;
  assert_ok(clred_scan_stream_create(under_test.queue, trial->plan, &taken, trial->initial, &stream));
  ck_assert_uint_gt(taken, 0);
  ck_assert_msg(taken <= chunk || chunk < 4096, "a chunk of %u became %u", (unsigned)chunk, (unsigned)taken);
  for (uint64_t at = 0; at < count; at += taken) {
    const void *input = trial->input ? trial->input + at * trial->size : NULL;
    assert_ok(clred_scan_stream_next(stream, trial->in + at * trial->size, trial->input ? &input : NULL,
                                     count - at < taken ? count - at : taken, out + at * trial->result));
  }
  clred_scan_stream_release(stream);
}

static void check_count(const struct trial *trial, cl_ulong chunk, uint64_t count) {
  const oracle_tree tree = {.strategy = "scan_chunked"};
  const oracle_scan scan = {trial->problem.scan == CLRED_SCAN_INCLUSIVE, false, trial->initial};
  const size_t bytes = count * trial->result;
  unsigned char *expected = claim(bytes + 1), *got = claim(bytes + FENCE);
  memset(got, 0x5a, bytes + FENCE);
  oracle_solve_scan(&trial->problem, &scan, trial->in, trial->input, count, &tree, expected);
  stream_all(trial, chunk, count, got);
  for (uint64_t i = 0; i < count; i++)
    ck_assert_msg(memcmp(got + i * trial->result, expected + i * trial->result, trial->result) == 0,
                  "operator %d over type %d, chunk %u, %u elements: result %u is wrong", (int)trial->problem.op,
                  (int)trial->problem.type, (unsigned)chunk, (unsigned)count, (unsigned)i);
  for (size_t i = 0; i < FENCE; i++)
    ck_assert_msg(got[bytes + i] == 0x5a, "byte %u behind the results was written", (unsigned)i);
  RELEASE(expected, got);
}

static void check_problem(const clred_problem *problem) {
  static const float start = 0.1f;
  struct trial trial = {.problem = *problem, .plan = fixture_plan(problem), .size = oracle_size(problem->type)};
  trial.result = fixture_inspect(trial.plan, 1).result_size;
  trial.in = random_elements(problem->type, COUNT, 1, 4, 51);
  trial.input = problem->op == CLRED_OP_DOT ? random_elements(problem->type, COUNT, 2, 4, 51) : NULL;
  check_count(&trial, 4096, COUNT);
  check_count(&trial, 8192, 8 * 4096);
  check_count(&trial, 4096, 1);
  check_count(&trial, 0, COUNT);
  trial.initial = problem->type == CLRED_TYPE_FLOAT ? &start : NULL;
  check_count(&trial, 4096, COUNT);
  RELEASE(trial.plan, trial.in);
  free(trial.input);
}

TEST_CASE("bits", NULL, NULL);

TEST_EACH(every_chunk_gives_the_bits_of_one_scan, 0, PROBLEMS * 2) {
  fixture_open_assuming(devices[(_i / 2 + 3 * (_i % 2)) % DEVICES]);
  if (!oracle_needs_fp64(&problems[_i / 2]) || device_has_fp64(&under_test))
    check_problem(&problems[_i / 2]);
  fixture_close();
}

// Elements and results at any address.
TEST_EACH(any_alignment, 0, DEVICES) {
  fixture_open_assuming(devices[_i]);
  clred_plan *plan = fixture_plan(&problems[0]);
  clred_scan_stream *stream = NULL;
  cl_ulong chunk = 1;
  assert_ok(clred_scan_stream_create(under_test.queue, plan, &chunk, NULL, &stream));
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
  RELEASE(in, out);
  clred_scan_stream_release(stream);
  clred_plan_release(plan);
  fixture_close();
}

// The times of all chunks. The last one is scanned and not folded.
TEST(times) {
  static float numbers[4096], results[4096];
  double seconds[2] = {-1, -1};
  fixture_open_assuming(devices[0]);
  clred_plan *plan = PLAN(OP(ADD, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, .profile = CL_TRUE);
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  clred_scan_stream *stream = NULL;
  cl_ulong chunk = 4096;
  assert_ok(clred_scan_stream_create(queue, plan, &chunk, NULL, &stream));
  for (size_t i = 0; i < 2; i++) {
    assert_ok(clred_scan_stream_next(stream, numbers, NULL, chunk - i, results));
    assert_ok(clred_scan_stream_seconds(stream, &seconds[i]));
  }
  ck_assert_double_gt(seconds[0], 0);
  ck_assert_double_gt(seconds[1], seconds[0]);
  clred_scan_stream_release(stream);
  RELEASE(queue, plan);
  fixture_close();
}

TEST_CASE("refusals", NULL, NULL);

static void refuse_plan(const clred_problem *problem, const char *said) {
  clred_scan_stream *stream = NULL;
  clred_plan *plan = fixture_plan(problem);
  assert_invalid(clred_scan_stream_create(under_test.queue, plan, NULL, NULL, &stream));
  check_said(said);
  ck_assert_ptr_null(stream);
  clred_plan_release(plan);
}

TEST(plans_that_give_no_stream) {
  const clred_selection all = {.name = "all", .keep = "1"};
  fixture_open_assuming(devices[0]);
  refuse_plan(&(clred_problem){OP(ADD, FLOAT)}, "problem.scan");
  refuse_plan(&(clred_problem){.type = CLRED_TYPE_INT, .selection = &all}, "problem.scan");
  refuse_plan(&(clred_problem){OP(ADD, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, .reversed = CL_TRUE}, "reversed");
  refuse_plan(&(clred_problem){OP(ADD, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, .layout = CLRED_LAYOUT_ROWS}, "layout");
  refuse_plan(&(clred_problem){OP(ARGMIN, FLOAT), .scan = CLRED_SCAN_INCLUSIVE}, "indices");
  refuse_plan(&(clred_problem){OP(ADD, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, .strategy = "scan_blelloch"}, "fixed/1");
  fixture_close();
}

TEST(chunks_out_of_order) {
  static float numbers[1 << 16], results[1 << 16];
  fixture_open_assuming(devices[0]);
  clred_plan *plan = fixture_plan(&problems[0]);
  clred_scan_stream *stream = NULL;
  cl_ulong chunk = 1;
  assert_ok(clred_scan_stream_create(under_test.queue, plan, &chunk, NULL, &stream));
  assert_invalid(clred_scan_stream_next(stream, numbers, NULL, chunk + 1, results));
  assert_ok(clred_scan_stream_next(stream, numbers, NULL, 1, results));
  assert_invalid(clred_scan_stream_next(stream, numbers, NULL, 1, results));
  check_said("last chunk");
  assert_ok(clred_scan_stream_next(stream, NULL, NULL, 0, NULL));
  clred_scan_stream_release(stream);
  clred_plan_release(plan);
  fixture_close();
}
