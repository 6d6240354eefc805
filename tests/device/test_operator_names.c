// User-defined operators that are right: their texts may use names of the kernels, and PICK. Plans copy the texts and
// share programs.

#include "support/fixture.h"

TEST_CASE("names", fixture_open, fixture_close);

static void check_numbers(const clred_operator *op, const char *strategy, cl_uint expected) {
  cl_uint numbers[3000], values[2] = {7, 5}, result[2] = {0, 0};
  const void *pointers[2] = {&values[0], &values[1]};
  for (cl_uint i = 0; i < 3000; i++)
    numbers[i] = i;
  cl_mem in = fixture_buffer(numbers, sizeof numbers);
  const cl_mem further[2] = {in, in};
  clred_plan *plan = PLAN(.custom = op, .strategy = strategy);
  RUN(plan, .in = in, .inputs = further, .parameters = pointers, .count = 3000, .result = result);
  ck_assert_msg(result[0] == expected, "%s by %s: %u, not %u", op->preamble ? op->preamble : op->name, strategy,
                result[0], expected);
}

// Operators may use names that the kernels use.
TEST_EACH(names_that_kernels_use_too, 0, 2) {
  static const clred_operand further[2] = {{"in", "uint", 4}, {"held", "uint", 4}};
  static const clred_operand values[2] = {{"at", "uint", 4}, {"origin", "uint", 4}};
  const clred_operator op = OPERATOR(.name = "names",
                                     .preamble = "typedef struct { uint state, source; } lane;\n"
                                                 "uint stride(uint span) { return span + 1; }\n",
                                     .element = "uint", .state = "{ uint count; uint first; }", .identity = "{ 0, 0 }",
                                     .lift = _i ? "MAKE(x + in * at + held, UNIT(uint, origin))"
                                                : "{ lane out = { x, in * at }; return MAKE(out.state + out.source + "
                                                  "stride(held) - 1, origin); }",
                                     .combine = "MAKE(a.count + b.count, a.first + b.first)", .inputs = further,
                                     .input_count = 2, .parameters = values, .parameter_count = 2,
                                     .commutative = CL_TRUE, .elementwise = _i ? CL_TRUE : CL_FALSE);
  check_numbers(&op, "chunked", 9 * (2999 * 3000 / 2));
  check_numbers(&op, "wide", 9 * (2999 * 3000 / 2));
}

static const char *const taken[] = {"ROWS",    "TILE",     "VECTOR",     "NODES",      "STACK",        "WIDTH",
                                    "HALF",    "STATE",    "STATE_SIZE", "ELEMENT",    "ELEMENT_SIZE", "LANES",
                                    "FINISH",  "IN_ORDER", "GROUP_SIZE", "STRIDED",    "PLACES",       "LOAD",
                                    "COLUMNS", "RADIX",    "HELD",       "LANES_FORM", "ARGUMENTS",    "SOURCE"};

// If a macro of the preamble has a name of the library's sources, the result is right or the operator is refused.
TEST_ROWS(macros_that_kernels_use_too, taken) {
  static const char *const strategies[2] = {"chunked", "wide"};
  char preamble[80];
  snprintf(preamble, sizeof preamble, "#define %s 3u\n", taken[_i]);
  const clred_operator op =
    OPERATOR(.name = "macros", .preamble = preamble, .element = "uint", .state = "uint", .identity = "0",
             .combine = "a + b", .commutative = CL_TRUE, .elementwise = CL_TRUE);
  for (int i = 0; i < 2; i++) {
    const clred_problem problem = {.custom = &op, .strategy = strategies[i], .count_max = 3};
    clred_plan *plan = NULL;
    const cl_int err = clred_plan_create(under_test.runtime, &problem, &plan);
    ck_assert_msg(err == CL_SUCCESS || err == CLRED_OPERATOR_TEXT, "%s: %s: %s", taken[_i], clred_status_name(err),
                  clred_last_error(under_test.runtime));
    clred_plan_release(plan);
    if (err == CL_SUCCESS)
      check_numbers(&op, strategies[i], 2999 * 3000 / 2);
    else
      check_said(taken[_i]);
  }
}

// PICK evaluates only the chosen state, and its condition may have any width.
TEST_EACH(picking, 0, 2) {
  static const struct {
    clred_operator op;
    cl_ulong elements[3], result;
  } cases[] = {
    ROW(OPERATOR(.name = "guarded", .preamble = "__constant ulong table[4] = {10, 20, 30, 40};", .element = "ulong",
                 .state = "{ ulong place; ulong sum; }", .result = "ulong", .identity = "{ 1ul << 41, 0 }",
                 .lift = "MAKE(x, x < 4 ? table[x] : 0)",
                 .combine = "PICK(b.place < 4, MAKE(b.place, a.sum + table[b.place]), a)", .lower = "s.sum"),
        {1, (cl_ulong)1 << 40, 3}, 60),
    ROW(OPERATOR(.name = "masked", .element = "ulong", .state = "{ ulong mask; ulong n; }", .result = "ulong",
                 .identity = "{ 0, 0 }", .lift = "MAKE(x, 1ul)", .combine = "PICK(b.mask & 0x800000000ul, b, a)",
                 .lower = "s.mask"),
        {1, (cl_ulong)0x800000000, 2}, (cl_ulong)0x800000000),
  };
  static const char *const strategies[] = {"wide", "chunked", "local_sequential", "device_serial"};
  for (size_t i = 0; i < COUNT_OF(strategies); i++) {
    clred_operator op = cases[_i].op;
    op.commutative = i == 2;
    clred_plan *plan = PLAN(.custom = &op, .strategy = strategies[i], .count_max = 3);
    cl_ulong result = 0;
    RUN_HOST(plan, .in = cases[_i].elements, .count = 3, .out = &result);
    ck_assert_msg(result == cases[_i].result, "%s by %s: %llu", op.name, strategies[i], (unsigned long long)result);
  }
}

static const clred_operator commented[] = {
  {.name = "own", .element = "int", .state = "int", .identity = "0", .combine = "/* sum */ { return a + b; }"},
  OPERATOR(.name = "own", .element = "int", .state = "int", .identity = "0",
           .combine = "// sum\n  /* of both */\n{ return a + b; }"),
};

TEST_ROWS(pieces_behind_comments, commented) {
  static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};
  cl_int sum = -1;
  clred_plan *plan = PLAN(.custom = &commented[_i], .strategy = "chunked");
  RUN_HOST(plan, .in = numbers, .count = 6, .out = &sum);
  ck_assert_int_eq(sum, 7);
}

// ---------------------------------------------------------------- Copies and programs

// The plan copies the problem, so the caller may change all texts afterwards.
TEST(operator_is_copied) {
  char combine[] = "a + b", name[] = "copied", type[] = "float", parameter_name[] = "scale", lift[] = "x * scale";
  char *const texts[] = {combine, name, type, parameter_name, lift};
  clred_operand parameter = {parameter_name, type, 4};
  clred_operator op =
    OPERATOR(.name = name, .element = type, .state = type, .identity = "0", .lift = lift, .combine = combine,
             .parameters = &parameter, .parameter_count = 1, .commutative = CL_TRUE);
  clred_problem problem = {.custom = &op};
  const float scale = 3;
  const void *values[1] = {&scale};
  float result = 0;
  cl_mem in = fixture_numbers(1000);
  clred_plan *plan = fixture_plan(&problem);
  for (size_t i = 0; i < COUNT_OF(texts); i++)
    memset(texts[i], '!', strlen(texts[i]));
  memset(&parameter, 0, sizeof parameter);
  memset(&op, 0, sizeof op);
  problem.custom = NULL;
  clred_call call = {.in = in, .count = 1000, .parameters = values, .result = &result, .blocking = CL_TRUE};
  fixture_call(plan, &call, CL_SUCCESS, "");
  ck_assert_float_eq(result, 3 * fixture_sum(0, 1000));
  call.parameters = NULL;
  fixture_call(plan, &call, CLRED_INVALID_ARGUMENT, "scale");
}

// Plans with the same text share their programs. Another text needs other programs.
TEST(one_build_for_one_text) {
  clred_operator op = {.name = "sum", .element = "float", .state = "float", .identity = "0", .combine = "a + b"};
  const clred_problem problem = {.custom = &op};
  fixture_plan(&problem);
  const size_t builds = runtime_info(under_test.runtime).builds;
  ck_assert_uint_gt(builds, 0);
  fixture_plan(&problem);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, builds);
  op.combine = "b + a";
  fixture_plan(&problem);
  ck_assert_uint_gt(runtime_info(under_test.runtime).builds, builds);
}
