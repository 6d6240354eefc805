// Calls on partials: which ones can be joined, what is refused, and what a partial says of its plan.

#include "support/fixture.h"

TEST_CASE("calls", fixture_open, fixture_close);

static void fold_numbers(clred_partial *partial, cl_ulong count) {
  static const float numbers[5000] = {1, 2, 3};
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = numbers, .count = count}));
}

static void check_span(clred_partial *partial, cl_ulong first, cl_ulong end) {
  clred_partial_info info;
  assert_ok(clred_partial_inspect(partial, &info));
  ck_assert_uint_eq(info.first, first);
  ck_assert_uint_eq(info.first + info.count, end);
}

// A sum with an order, and one that is exact in any order. Parts that are no neighbours change nothing.
TEST_EACH(neighbours_only, 0, 2) {
  static const struct {
    cl_ulong first, count;
    const char *words;
  } rows[] = {
    {112, 3, "left has elements 100 to 109 and right 112 to 114: they are not neighbours; join parts in the order of"},
    {0, 99, "right 0 to 98: they are not neighbours"},
    {109, 3, "right 109 to 111: they overlap; each element must be in one part"},
    {98, 3, "right 98 to 100: they overlap"},
    {103, 2, "right 103 to 104: they overlap"},
    {0, 5000, "right 0 to 4999: they overlap"},
    {100, 10, "right 100 to 109: they overlap"},
  };
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .order = _i ? CLRED_ORDER_EXACT : CLRED_ORDER_FIXED);
  clred_partial *middle = fixture_partial(plan, 100), *before = fixture_partial(plan, 0),
                *behind = fixture_partial(plan, 110);
  float result = -1;
  fold_numbers(middle, 10);
  fold_numbers(before, 100);
  fold_numbers(behind, 3);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_partial *other = fixture_partial(plan, rows[i].first);
    fold_numbers(other, rows[i].count);
    assert_refused(clred_partial_join(middle, other), CLRED_PARTIAL_GAP, rows[i].words);
    assert_status(clred_partial_join(other, middle), CLRED_PARTIAL_GAP);
    check_span(other, rows[i].first, rows[i].first + rows[i].count);
  }
  assert_refused(clred_partial_join(middle, middle), CLRED_PARTIAL_GAP, "the same partial");
  assert_refused(clred_partial_result(middle, &result), CLRED_PARTIAL_GAP, "begins at element 100");
  ck_assert_msg(result == -1, "a refused result was written");
  check_span(middle, 100, 110);
  assert_ok(clred_partial_join(middle, before));
  assert_ok(clred_partial_join(middle, behind));
  fold_numbers(middle, 2);
  check_span(middle, 0, 115);
  assert_ok(clred_partial_result(middle, &result));
  ck_assert_msg(result == 6 + 6 + 6 + 3, "%g", result);
}

// They join with every other part, wherever they begin.
TEST_EACH(parts_without_elements, 0, 2) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .order = _i ? CLRED_ORDER_EXACT : CLRED_ORDER_FIXED);
  clred_partial *left = fixture_partial(plan, 7), *right = fixture_partial(plan, 3), *some = fixture_partial(plan, 4);
  float result = -1;
  fold_numbers(some, 2);
  assert_refused(clred_partial_result(left, &result), CLRED_PARTIAL_GAP, "begins at element 7");
  assert_ok(clred_partial_join(left, right));
  check_span(left, 7, 7);
  assert_ok(clred_partial_join(some, left));
  check_span(some, 4, 6);
  assert_ok(clred_partial_join(left, some));
  check_span(left, 4, 6);
  assert_ok(clred_partial_reset(left, 0));
  assert_ok(clred_partial_join(left, right));
  assert_ok(clred_partial_result(left, &result));
  ck_assert_msg(result == 0, "%g", result);
}

TEST(of_one_problem_only) {
  clred_plan *sum = PLAN(OP(SUM, FLOAT)), *max = PLAN(OP(MAX, FLOAT)), *ints = PLAN(OP(SUM, INT)),
             *quiet = PLAN(OP(SUM, FLOAT), .nan = CLRED_NAN_IGNORE);
  clred_plan *const others[] = {max, ints, quiet};
  clred_partial *left = fixture_partial(sum, 0), *unpacked = NULL;
  unsigned char bytes[512];
  for (size_t i = 0; i < COUNT_OF(others); i++) {
    clred_partial *right = fixture_partial(others[i], 0);
    assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
    const size_t size = partial_pack(right, bytes, sizeof bytes);
    assert_status(clred_partial_unpack(sum, bytes, size, &unpacked), CLRED_PARTIAL_MISMATCH);
    ck_assert_ptr_null(unpacked);
    check_said("sum of float");
  }
}

// The values of parameters are a part of the problem.
TEST(of_one_parameter_only) {
  static const cl_uint values[] = {3, 4};
  const void *const three = &values[0], *const four = &values[1];
  const clred_operand factor = {.type = "uint", .name = "factor"};
  const clred_operator op =
    OPERATOR(.name = "scaled", .element = "uint", .state = "uint", .identity = "0", .lift = "x * factor",
             .combine = "a + b", .parameters = &factor, .parameter_count = 1, .commutative = CL_TRUE);
  unsigned char bytes[512];
  clred_partial *left = NULL, *right = NULL, *unpacked = NULL;
  clred_plan *plan = PLAN(.custom = &op);
  refused_naming(clred_partial_create(plan, NULL, &left), "parameters[0] is NULL: scaled takes 'factor'");
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.parameters = &three}, &left));
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.parameters = &four}, &right));
  assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
  const size_t size = partial_pack(right, bytes, sizeof bytes);
  assert_ok(clred_partial_unpack(plan, bytes, size, &unpacked));
  assert_ok(clred_partial_join(right, unpacked));
  refused_naming(clred_partial_fold(under_test.queue, left, &(clred_call){.parameters = &four}, 0, NULL, NULL),
                 "parameters[0] differs from that of the partial");
  RELEASE(left, right, unpacked);
}

// The names of a state's members are a part of the problem.
TEST(of_one_state_only) {
  clred_operator op =
    OPERATOR(.name = "pair", .element = "float", .state = "{ float s; float m; }", .identity = "{ 0, 0 }",
             .lift = "MAKE(x, 2 * x)", .combine = "MAKE(a.s + b.s, a.m + b.m)");
  clred_plan *plan = PLAN(.custom = &op);
  op.state = "{ float m; float s; }";
  clred_plan *other = PLAN(.custom = &op);
  clred_partial *left = fixture_partial(plan, 0), *right = fixture_partial(other, 0);
  assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
}

// What libraries that carry partials ask for.
TEST(facts_of_a_plan) {
  char name[40], cut[4];
  clred_plan *sum = PLAN(OP(SUM, FLOAT)), *same = PLAN(OP(SUM, FLOAT), .groups = 3), *max = PLAN(OP(MAX, FLOAT)),
             *serial = PLAN(OP(SUM, FLOAT), .strategy = "host_serial");
  clred_partial *partial = fixture_partial(sum, 0);
  ck_assert_uint_ne(clred_partial_tile(sum), 0);
  ck_assert_uint_eq(clred_partial_tile(serial), 0);
  ck_assert_uint_eq(clred_partial_tile(NULL), 0);
  ck_assert_uint_eq(clred_partial_fingerprint(sum, name, sizeof name), clred_partial_fingerprint(same, NULL, 0));
  ck_assert_uint_ne(clred_partial_fingerprint(sum, cut, sizeof cut), clred_partial_fingerprint(max, NULL, 0));
  ck_assert_str_eq(name, "sum of float");
  ck_assert_str_eq(cut, "sum");
  ck_assert_ptr_eq(clred_partial_plan(partial), sum);
  ck_assert_ptr_eq(clred_plan_runtime(sum), under_test.runtime);
  ck_assert_ptr_null(clred_partial_plan(NULL));
  ck_assert_ptr_null(clred_plan_runtime(NULL));
  assert_refused(clred_runtime_fail(under_test.runtime, CLRED_MPI_FAILED, "the cable is out"), CLRED_MPI_FAILED,
                 "the cable is out");
  assert_ok(clred_runtime_fail(under_test.runtime, CL_SUCCESS, "nothing"));
  check_said("the cable is out");
  assert_status(clred_runtime_fail(NULL, -5, "nobody"), -5);
}

TEST(calls) {
  static const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float result;
  clred_plan *plan = PLAN(OP(SUM, FLOAT)), *serial = PLAN(OP(SUM, FLOAT), .strategy = "host_serial");
  clred_partial *partial = NULL, *last = fixture_partial(plan, CL_ULONG_MAX - 3);
  cl_mem buffer = fixture_buffer(numbers, sizeof numbers);
  refused_naming(clred_partial_create(serial, NULL, &partial),
                 "strategy host_serial makes no partials; wide and chunked do");
  ck_assert_uint_eq(clred_partial_bytes(serial), 0);
  partial = fixture_partial(plan, 0);
  const struct {
    clred_call call;
    cl_int status;
    const char *words;
  } rows[] = {
    {{.in = buffer, .count = 8, .out = buffer}, CLRED_INVALID_ARGUMENT, "out: the partial keeps what is folded"},
    {{.in = buffer, .count = 8, .result = &result}, CLRED_INVALID_ARGUMENT, "result: the partial keeps"},
    {{.in = buffer, .count = 9}, CLRED_OUT_OF_RANGE, "in"},
    {{.in = buffer, .in_offset = 1, .count = 8}, CLRED_OUT_OF_RANGE, "in"},
    {{.count = 8}, CLRED_INVALID_ARGUMENT, "in"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    assert_refused(clred_partial_fold(under_test.queue, partial, &rows[i].call, 0, NULL, NULL), rows[i].status,
                   rows[i].words);
  }
  assert_status(clred_partial_fold(under_test.queue, last, &(clred_call){.in = buffer, .count = 8}, 0, NULL, NULL),
                CLRED_COUNT_ABOVE_MAXIMUM);
  assert_ok(clred_partial_fold(under_test.queue, partial, &(clred_call){.in = buffer, .count = 8}, 0, NULL, NULL));
  assert_ok(clred_partial_result(partial, &result));
  ck_assert_msg(result == 36, "refused folds changed the partial");
}

// Strided elements: every third one, neighbours, and (stride 0) the same one each time.
TEST_EACH(strided, 0, 3) {
  enum { COUNT = 3000 };
  static cl_float numbers[3 * COUNT];
  const cl_ulong stride = (const cl_ulong[]){3, 1, 0}[_i];
  float sum, expected = 0;
  cl_event event = NULL;
  for (int i = 0; i < 3 * COUNT; i++)
    numbers[i] = (float)(i % 100);
  for (int j = 0; j < COUNT; j++)
    expected += numbers[1 + (cl_ulong)j * stride];
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .layout = CLRED_LAYOUT_STRIDED);
  cl_mem buffer = fixture_buffer(numbers, sizeof numbers);
  clred_partial *left = fixture_partial(plan, 0), *right = fixture_partial(plan, 777);
  const clred_call first = {.in = buffer, .in_offset = 1, .count = 777, .stride = stride};
  const clred_call rest = {.in = buffer, .in_offset = 1 + 777 * stride, .count = COUNT - 777, .stride = stride};
  assert_ok(clred_partial_fold(under_test.queue, left, &first, 0, NULL, &event));
  assert_ok(clred_partial_fold(under_test.queue, right, &rest, 1, &event, NULL));
  assert_ok(clred_partial_join(left, right));
  assert_ok(clred_partial_result(left, &sum));
  ck_assert_msg(sum == expected, "%g instead of %g", sum, expected);
  RELEASE(event);
}
