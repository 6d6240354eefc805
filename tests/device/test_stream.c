// Streams, and calls on host memory that is larger than a buffer. They give the bits of one call over all elements, for
// every chunk size, every size of the pieces, and every way in which elements arrive. For built-in operators the oracle
// gives the expected bits. For the suite's own operators, which are exact, a loop gives them.

#include "support/material.h"

// ---------------------------------------------------------------- Devices: which shape, and whether elements are
// copied there

static const char *const devices[] = {
  "cpu=1,unified_memory=1,max_alloc=65536", "cpu=0,unified_memory=1,max_alloc=65536",
  "cpu=1,unified_memory=0,max_alloc=65536", "cpu=0,unified_memory=0,max_alloc=65536"};
#define DEVICES ((int)COUNT_OF(devices))

// ---------------------------------------------------------------- Ways through a stream

enum way { PUSHED, FILLED, BY_THE_HOST, IN_ONE_CALL, WAYS };
static const char *const way_names[WAYS] = {"pushed", "filled", "by the host", "in one call"};

// What is folded, and how.
struct trial {
  clred_plan *plan;
  struct material of;
  uint64_t count;
  cl_ulong chunk;  // 0: the library chooses
  uint64_t piece;  // elements that arrive at a time
  enum way way;
};

static void push(const struct trial *trial, clred_stream *stream) {
  for (uint64_t at = 0; at < trial->count; at += trial->piece) {
    const void *input;
    const clred_host_call from = material_host_call(&trial->of, at, 0, &input);
    const uint64_t left = trial->count - at;
    assert_ok(clred_stream_push(stream, from.in, from.inputs, left < trial->piece ? left : trial->piece));
  }
}

static void fill(const struct trial *trial, clred_stream *stream) {
  for (uint64_t at = 0, taken; at < trial->count; at += taken) {
    const void *from;
    void *in = NULL, *input = NULL;
    cl_ulong room = 0;
    const clred_host_call call = material_host_call(&trial->of, at, 0, &from);
    assert_ok(clred_stream_acquire(stream, &in, from ? &input : NULL, &room));
    ck_assert_uint_gt(room, 0);
    taken = trial->count - at < trial->piece ? trial->count - at : trial->piece;
    taken = taken < room ? taken : room;
    memcpy(in, call.in, taken * trial->of.size);
    if (from)
      memcpy(input, from, taken * trial->of.input_size);
    assert_ok(clred_stream_commit(stream, taken));
  }
}

static void stream_all(const struct trial *trial, void *result) {
  const clred_stream_options options = {
    .chunk = trial->chunk, .parameters = trial->of.parameters, .on_host = trial->way == BY_THE_HOST};
  clred_stream_info info;
  clred_stream *stream = fixture_stream(trial->plan, &options);
  if (trial->way == FILLED)
    fill(trial, stream);
  else
    push(trial, stream);
  assert_ok(clred_stream_inspect(stream, &info));
  ck_assert_uint_eq(info.count, trial->count);
  assert_ok(clred_stream_finish(stream, result));
  RELEASE(stream);
}

static void call_all(const struct trial *trial, void *result) {
  const void *input;
  clred_host_call call = material_host_call(&trial->of, 0, trial->count, &input);
  call.parameters = trial->of.parameters, call.out = result;
  assert_ok(clred_plan_run_host(under_test.queue, trial->plan, &call));
}

static void run(const struct trial *trial, const struct answer *expected) {
  const size_t size = trial->of.of ? trial->of.of->result : oracle_offset(&expected->parts, expected->parts.count);
  _Alignas(128) unsigned char result[512];
  char what[100];
  memset(result, 0x5a, sizeof result);
  (trial->way == IN_ONE_CALL ? call_all : stream_all)(trial, result);
  snprintf(what, sizeof what, "%s, chunk %" PRIu64 ", pieces of %" PRIu64, way_names[trial->way],
           (uint64_t)trial->chunk, trial->piece);
  material_check_answer(&trial->of, expected, result, what);
  for (size_t i = (size + 15) / 16 * 16; i < sizeof result; i++)
    ck_assert_msg(result[i] == 0x5a, "%s: byte %zu beside the result was written", trial->of.name, i);
}

// The number of elements in a tile. The library makes a chunk of 1 this large.
static cl_ulong tile_of(clred_plan *plan, const void *const *parameters) {
  clred_stream_info info;
  assert_ok(clred_stream_inspect(STREAM(plan, .chunk = 1, .parameters = parameters), &info));
  return info.chunk;
}

// ---------------------------------------------------------------- Built-in operators

static const clred_problem problems[] = {
  {OP(SUM, FLOAT)},
  {OP(SUM, DOUBLE)},
  {OP(MEAN, FLOAT)},
  {OP(VAR, DOUBLE)},
  {OP(NORM2, FLOAT)},
  {OP(DOT, FLOAT)},
  {OP(DOT, DOUBLE)},
  {OP(ARGMIN, FLOAT)},
  {OP(SUM, UCHAR)},
  {OP(SUM, HALF)},
  {OP(SUM, CFLOAT)},
  {.type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 3), .op = CLRED_OP_SUM},
  {OP(SUM, SHORT), .result_bits = CLRED_RESULT_OWN},
  {OP(SUM, UCHAR), .result_bits = CLRED_RESULT_32},
};

// Tries each size of pieces with one size of chunks, in every way.
static void check_count(struct trial *trial, cl_ulong tile) {
  const cl_ulong chunks[] = {tile, 4 * tile, 0};
  const uint64_t pieces[] = {trial->count + 1, 7, 333, 3 * tile + 1};
  const struct answer expected = material_answer(&trial->of, trial->count);
  for (int i = 0; i < 4; i++) {
    trial->piece = i == 1 && trial->count > 9000 ? 1001 : pieces[i];
    trial->chunk = chunks[i % 3];
    for (trial->way = PUSHED; trial->way < WAYS; trial->way++)
      if (trial->way < IN_ONE_CALL || i == 0)
        run(trial, &expected);
  }
}

static void check_problem(const clred_problem *problem) {
  struct trial trial = {.plan = fixture_plan(problem)};
  const cl_ulong tile = tile_of(trial.plan, NULL);
  const uint64_t counts[] = {0, 1, tile - 1, 4 * tile - 1, 4 * tile, 4 * tile + 1, 21 * tile + 17};
  trial.of = material_of_problem(problem, counts[6], 12, 51);
  for (size_t i = problem->op == CLRED_OP_ARGMIN ? 1 : 0; i < COUNT_OF(counts); i++) {
    trial.count = counts[i];
    check_count(&trial, tile);
  }
}

TEST_CASE("bits", NULL, fixture_close);

// Each problem on a device of either kind.
TEST_EACH(builtin_operators, 0, (int)COUNT_OF(problems) * 2) {
  const int problem = _i / 2;
  fixture_open_assuming(devices[problem % 2 ? 1 + _i % 2 : 3 * (_i % 2)]);
  if (!oracle_needs_fp64(&problems[problem]) || device_has_fp64(&under_test))
    check_problem(&problems[problem]);
}

// Unaligned elements are copied.
TEST_EACH(any_alignment, 0, DEVICES) {
  enum { COUNT = 40000 };
  fixture_open_assuming(devices[_i]);
  struct trial trial = ROW(.plan = fixture_plan(&problems[0]), .of = material_of_problem(&problems[0], COUNT, 12, 51),
                           .count = COUNT, .piece = COUNT);
  const struct answer expected = material_answer(&trial.of, COUNT);
  unsigned char *apart = claim(COUNT * sizeof(float) + 1);
  trial.of.elements = memcpy(apart + 1, trial.of.elements, COUNT * sizeof(float));
  for (trial.way = PUSHED; trial.way < WAYS; trial.way++)
    if (trial.way != BY_THE_HOST)
      run(&trial, &expected);
}

// So many chunks that lists of states are folded into lists of nodes, and so large chunks that several groups fold one.
TEST_EACH(many_chunks, 0, 4) {
  const uint64_t count = 2200 * 1024 + 700;
  fixture_open_assuming(_i % 2 ? "cpu=0,max_alloc=1048576" : "cpu=1,max_alloc=1048576,unified_memory=0");
  struct trial trial = ROW(.plan = fixture_plan(&problems[0]), .of = material_of_problem(&problems[0], count, 12, 51),
                           .count = count, .chunk = _i < 2 ? 1024 : 65536, .piece = 100001, .way = PUSHED);
  const struct answer expected = material_answer(&trial.of, count);
  run(&trial, &expected);
}

// ---------------------------------------------------------------- The suite's own operators

static void check_sample(const struct sample *of) {
  struct trial trial = {.of = material_create(of, 9001), .plan = PLAN(.custom = &of->op)};
  const cl_ulong tile = tile_of(trial.plan, trial.of.parameters);
  const uint64_t counts[] = {1, tile, 5 * tile + 3, 9001}, pieces[] = {13, tile + 1, 9001};
  const cl_ulong chunks[] = {tile, 2 * tile, 0};
  for (int i = 0; i < 36; i++) {
    trial.count = counts[i / 9] < 9001 ? counts[i / 9] : 9001;
    trial.chunk = chunks[i / 3 % 3];
    trial.piece = pieces[i % 3];
    trial.way = (enum way)(i % WAYS);
    const struct answer expected = material_answer(&trial.of, trial.count);
    run(&trial, &expected);
  }
}

// Operators that do not commute, that use the index, inputs and parameters, or whose states are structs.
TEST_EACH(own_operators, 0, 2) {
  static const char *const names[] = {"affine", "hash", "matrix", "blob256", "float3", "packed", "moments", "padded"};
  fixture_open_assuming(devices[3 * _i]);
  for (size_t i = 0; i < COUNT_OF(names); i++)
    check_sample(sample_named(names[i]));
}

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
