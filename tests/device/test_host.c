// Calls on host memory. The programs over lists of problems (tests/grid) compare those of plans, and the reference.

#include "support/fixture.h"

#include "support/random.h"

static const uint64_t sizes[] = {0, 1, 2, 3, 31, 33, 1000, 5000};

#define MEMORY 8  // bytes around a result that must not change

// The runtime's own call: the result has the oracle's bits, and no other byte changes.
static void check_memory(clred_op op, clred_type type) {
  static const oracle_tree tree = {.strategy = "wide"};
  const void *elements = OWN(random_elements(type, 5000, (uint64_t)op, 8, 20));
  for (size_t i = 0; i < COUNT_OF(sizes); i++) {
    unsigned char result[MEMORY + 8 + MEMORY], fresh[sizeof result];
    const oracle_answer answer = oracle_reduce(op, type, elements, sizes[i], &tree);
    const size_t size = oracle_size(answer.result_type);
    image_pattern(fresh, sizeof fresh);
    memcpy(result, fresh, sizeof result);
    assert_ok(clred_reduce_host(under_test.runtime, type, op, sizes[i] ? elements : NULL, sizes[i], result + MEMORY));
    const uint64_t got = oracle_load(result + MEMORY, size, 0);
    ck_assert_msg(oracle_accepts(&answer, got), "%s of %" PRIu64 " elements of %s: 0x%" PRIx64 ", not 0x%" PRIx64,
                  op_name(op), sizes[i], type_name(type), got, answer.bits);
    memcpy(result + MEMORY, fresh + MEMORY, size);
    ck_assert_msg(memcmp(result, fresh, sizeof fresh) == 0, "bytes beside the result were changed");
  }
}

static bool is_computable(clred_op op, clred_type type) {
  return oracle_result_type(op, type) != CLRED_TYPE_NONE && (type != CLRED_TYPE_DOUBLE || device_has_fp64(&under_test));
}

// ---------------------------------------------------------------- Tests: each takes every third operator, over some of
// the types

static clred_op op_at(int index) {
  clred_op_info info = {0};
  assert_ok(clred_op_inspect((clred_op)((size_t)index + 1), &info));
  return info.op;
}

TEST_CASE("memory", fixture_open, fixture_close);

TEST_STEPS(runtime_on_host_memory, 0, 9, 3) {
  for (int type = CLRED_TYPE_CHAR + _i % 5; type <= CLRED_TYPE_DOUBLE; type += 5)
    if (is_computable(op_at(_i), (clred_type)type))
      check_memory(op_at(_i), (clred_type)type);
}

// The result of no elements is the identity.
TEST_STEPS(empty_range_gives_the_identity, 0, 9, 3) {
  static const oracle_tree tree = {.strategy = "wide"};
  clred_op_info op = {0};
  assert_ok(clred_op_inspect((clred_op)((size_t)_i + 1), &op));
  for (int t = CLRED_TYPE_CHAR + _i % 5; t <= CLRED_TYPE_DOUBLE; t += 5) {
    const clred_type type = (clred_type)t;
    uint64_t word = 0;
    if (oracle_result_type(op.op, type) == CLRED_TYPE_NONE || (t == CLRED_TYPE_DOUBLE && !device_has_fp64(&under_test)))
      continue;
    const oracle_answer answer = oracle_reduce(op.op, type, NULL, 0, &tree);
    clred_plan *empty = PLAN(.type = type, .op = op.op);
    RUN(empty, .result = &word);
    const uint64_t got = oracle_load(&word, oracle_size(answer.result_type), 0);
    ck_assert_msg(got == answer.bits, "%s of type %d: 0x%" PRIx64 ", not 0x%" PRIx64, op.name, t, got, answer.bits);
  }
}

// The first call of a kind builds the program, and later ones build nothing.
TEST(one_build_a_kind) {
  const cl_int values[3] = {1, 2, 4};
  cl_long result = 0;
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
  for (int i = 0; i < 3; i++)
    assert_ok(clred_reduce_host(under_test.runtime, CLRED_TYPE_INT, CLRED_OP_SUM, values, 3, &result));
  ck_assert_int_eq(result, 7);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 1);
}

// Host memory may have any address, even if it is read in place.
TEST(any_alignment_of_host_memory) {
  enum { COUNT = 3000 };
  char *memory = claim(COUNT * sizeof(cl_float) + 64);
  cl_float result, expected = 0;
  for (size_t shift = 0; shift < 64; shift += 4) {
    cl_float *in = (cl_float *)(void *)(memory + shift);
    expected = 0;
    for (int i = 0; i < COUNT; i++)
      expected += in[i] = (cl_float)(i % 13);
    assert_ok(clred_reduce_host(under_test.runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, in, COUNT, &result));
    ck_assert_float_eq(result, expected);
  }
}

// Elements and results at unaligned addresses, as in a mapped file with a header.
TEST(memory_that_begins_anywhere) {
  enum { GUARD = 0x5a };
  static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};
  static const cl_long sums[6] = {7, 5, 10, 15, 6, 7};
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

// Host memory goes through a stream if it has more elements than loops may run, or if copying all of it first would
// take long.
static const struct {
  const char *assume;
  size_t count;
  cl_int inspected;
} lengths[] = {{"loop_trips=20000", (size_t)1 << 24, CLRED_COUNT_ABOVE_MAXIMUM},
               {"unified_memory=0", (size_t)33 << 20, CL_SUCCESS}};

TEST_ROWS(more_than_a_call_takes, lengths) {
  cl_ulong result = 0;
  const size_t count = lengths[_i].count;
  fixture_reopen(lengths[_i].assume);
  cl_uchar *ones = memset(claim(count), 1, count);
  clred_plan *plan = PLAN(OP(SUM, UCHAR), .strategy = "chunked", .groups = 64);
  clred_plan_info info;
  fixture_inspect(plan, 4096);
  assert_status(clred_plan_inspect(plan, count, &info), lengths[_i].inspected);
  RUN_HOST(plan, .in = ones, .count = count, .out = &result);
  ck_assert_uint_eq(result, count);
}
