// Operators that keep the laws of monoids, and operators that break them, with the expected counterexamples.

#include "support/laws.h"

// ---------------------------------------------------------------- Built-in operators

static void check_built_in(const clred_problem *problem) {
  clred_op_info op;
  assert_ok(clred_op_inspect(problem->op, &op));
  if (clred_check_laws(under_test.runtime, problem, SEED, laws) == CLRED_OPERATOR_TYPE)
    return;
  ask(problem);
  for (int i = 0; i < CLRED_LAWS; i++) {
    check_holds(i);
    ck_assert_msg(laws[i].error < 1e-5, "%s of %s: %s: error %g", op.name, type_name(problem->type), laws[i].name,
                  laws[i].error);
  }
  ck_assert(laws[COMMUTATIVITY].claimed == op.commutative);
}

static bool needs_missing_double(const clred_problem *problem) {
  clred_type_info info;
  const bool is_known = clred_type_inspect(problem->type, &info) == CL_SUCCESS;
  // The library computes means of integers in double.
  return !device_has_fp64(&under_test) && (!is_known || !info.floating || info.needs_fp64 || problem->state);
}

TEST_CASE("lawful", fixture_open, fixture_close);

TEST_STEPS(built_in_operators_hold, 0, 24, 3) {
  static const clred_type types[] = {CLRED_TYPE_INT, CLRED_TYPE_FLOAT};
  clred_op_info op;
  if (clred_op_inspect((clred_op)((size_t)_i + 1), &op) != CL_SUCCESS)
    return;
  for (size_t i = 0; i < COUNT_OF(types); i++) {
    const clred_problem problem = {.op = op.op, .type = types[i]};
    // Every third operator for integers, because each one is a build.
    const bool is_left_out = types[i] == CLRED_TYPE_INT && _i % 3;
    if (!is_left_out && !needs_missing_double(&problem))
      check_built_in(&problem);
  }
}

static const clred_problem others[] = {
  {OP(SUM, UCHAR)},
  {OP(PROD, ULONG)},
  {OP(MIN, HALF)},
  {OP(SUM, BFLOAT16)},
  {OP(SUM, CFLOAT)},
  {OP(PROD, CFLOAT)},
  {OP(NORM2, CFLOAT)},
  {OP(STATS, DOUBLE)},
  {.op = CLRED_OP_MAX, .type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 4)},
  {.op = CLRED_OP_SUM, .type = CLRED_VECTOR(CLRED_TYPE_INT, 3)},
  {OP(ARGMAX, FLOAT), .nan = CLRED_NAN_IGNORE},
  {OP(VAR, FLOAT), .state = CLRED_TYPE_DOUBLE},
  {OP(DOT, LONG), .overflow = CLRED_OVERFLOW_DETECT},
};

TEST_STEPS(other_types_and_choices_hold, 0, (int)COUNT_OF(others), 2) {
  if (!needs_missing_double(&others[_i]))
    check_built_in(&others[_i]);
}

TEST(rounding_is_no_failure_but_is_reported) {
  const clred_problem of_floats = {OP(SUM, FLOAT)};
  const clred_problem of_integers = {OP(SUM, INT)};
  ask(&of_floats);
  check_holds(ASSOCIATIVITY);
  ck_assert_double_gt(laws[ASSOCIATIVITY].error, 0);
  ck_assert_double_lt(laws[ASSOCIATIVITY].error, 1e-5);
  ck_assert_double_eq(laws[COMMUTATIVITY].error, 0);
  ask(&of_integers);
  ck_assert_double_eq(laws[ASSOCIATIVITY].error, 0);
}

// `lower` enlarges a small difference. The states show that it is rounding.
TEST(lower_may_magnify) {
  ASK(.name = "digits", .element = "float", .state = "float", .result = "int", .identity = "0", .combine = "a + b",
      .lower = "convert_int_rtz(fmod(s, 1.0f) * 1e7f)", .commutative = CL_TRUE);
  check_holds(ASSOCIATIVITY);
  ck_assert_double_gt(laws[ASSOCIATIVITY].error, 0);
  ck_assert_double_lt(laws[ASSOCIATIVITY].error, 1e-5);
}

// Rotations by an eighth of a turn: after six of them the terms of the real part cancel.
TEST(what_cancels_within_combine_is_rounding) {
  ASK(.name = "turn", .element = "float", .state = "{ float re; float im; }", .result = "float", .identity = "{ 1, 0 }",
      .lift = "MAKE(x * 1000, x * 1000 + 0.001f)",
      .combine = "MAKE(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)", .lower = "s.re", .commutative = CL_TRUE);
  check_holds(ASSOCIATIVITY);
}

// ---------------------------------------------------------------- Operators that break a law

TEST_CASE("non_reductions", fixture_open, fixture_close);

TEST(difference_fails) {
  static const char *const types[] = {"int", "float"};
  for (size_t i = 0; i < COUNT_OF(types); i++) {
    ASK(.name = "sub", .element = types[i], .state = types[i], .identity = "0", .combine = "a - b");
    check_fails(IDENTITY, "combine(identity, 1) gives -1, 1 alone gives 1");
    check_fails(ASSOCIATIVITY, "combine(combine(1, 1), 1) gives -1, combine(1, combine(1, 1)) gives 1");
    check_fails(COMMUTATIVITY, "combine(1, 2) gives -1, combine(2, 1) gives 1");
    ck_assert(!laws[COMMUTATIVITY].claimed);
    ck_assert_double_gt(laws[ASSOCIATIVITY].error, 0.1);
  }
}

TEST(quotient_fails) {
  ASK(.name = "div", .element = "float", .state = "float", .identity = "1", .combine = "a / b");
  check_fails(IDENTITY, "combine(identity, 2) gives 0.5, 2 alone gives 2");
  check_fails(ASSOCIATIVITY, "combine(combine(1, 1), 2) gives 0.5, combine(1, combine(1, 2)) gives 2");
  ASK(.name = "div", .element = "int", .state = "int", .identity = "1", .combine = "b == 0 ? a : b == -1 ? -a : a / b");
  check_fails(ASSOCIATIVITY, "combine(combine(1, 1), 2) gives 0, combine(1, combine(1, 2)) gives 1");
}

TEST(wrong_identity_is_found) {
  static const struct {
    const char *combine, *identity, *counterexample;
  } wrong[] = {
    {"a + b", "1", "combine(identity, 1) gives 2, 1 alone gives 1"},
    {"a * b", "0", "combine(identity, 1) gives 0, 1 alone gives 1"},
    {"fmax(a, b)", "0", "combine(identity, -1) gives 0, -1 alone gives -1"},
    {"fmin(a, b)", "1e6f", "combine(identity, inf) gives 1000000, inf alone gives inf"},
    {"b", "0", "combine(1, identity) gives 0, 1 alone gives 1"},
  };
  for (size_t i = 0; i < COUNT_OF(wrong); i++) {
    ASK(.name = "wrong", .element = "float", .state = "float", .identity = wrong[i].identity,
        .combine = wrong[i].combine);
    check_fails(IDENTITY, wrong[i].counterexample);
    check_holds(ASSOCIATIVITY);
  }
}

#define MATRIX \
  "typedef struct { float a, b, c, d; } matrix;\n" \
  "matrix times(matrix p, matrix q)\n" \
  "{\n" \
  "  matrix r = {p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d};\n" \
  "  return r;\n" \
  "}\n"

// Products of matrices associate, up to rounding, and do not commute, even if the operator claims it.
TEST(false_claim_to_commute_is_found) {
  clred_operator op = OPERATOR(.name = "chain", .preamble = MATRIX, .element = "matrix", .state = "matrix",
                               .identity = "{ 1, 0, 0, 1 }", .combine = "times(a, b)");
  for (int claim = 0; claim < 2; claim++) {
    op.commutative = (cl_bool)claim;
    ask_own(&op);
    check_holds(IDENTITY);
    check_holds(ASSOCIATIVITY);
    ck_assert_double_gt(laws[ASSOCIATIVITY].error, 0);
    ck_assert_int_eq(laws[COMMUTATIVITY].claimed, (cl_bool)claim);
    check_fails(COMMUTATIVITY, "a = {1, 1, 1, 1}; b = {1, 2, 3, 4}: combine(a, b) gives {a 4, b 6, c 4, d 6}, "
                               "combine(b, a) gives {a 3, b 3, c 7, d 7}");
  }
}

TEST_CASE("structs", fixture_open, fixture_close);

TEST(struct_that_does_not_associate) {
  const clred_operator op =
    OPERATOR(.name = "halves", .preamble = "typedef struct { int sum; uint count[2]; } tally; // two counts\n",
             .element = "int", .state = "tally", .identity = "{0, {0, 0}}",
             .lift = "{ tally t = {x, {1, 1}}; return t; }",
             .combine = "{ a.sum += b.sum; a.count[0] += b.count[0]; a.count[1] += b.count[1] + 1;"
                        "  return a; }");
  ask_own(&op);
  check_fails(IDENTITY, "combine(identity, 1) gives {sum 1, count (1, 2)}, 1 alone gives {sum 1, count (1, 1)}");
  check_holds(ASSOCIATIVITY);
  clred_operator worse = op;
  worse.combine = "{ a.sum += b.sum; a.count[1] = a.count[1] * 2 + b.count[1]; return a; }";
  ask_own(&worse);
  check_fails(ASSOCIATIVITY, "combine(combine(1, 1), 1) gives {sum 3, count (1, 7)}, "
                             "combine(1, combine(1, 1)) gives {sum 3, count (1, 5)}");
}

// Types that the library cannot parse are compared and shown as bytes.
TEST(union_is_bytes) {
  clred_operator op = OPERATOR(.name = "words", .preamble = "typedef union { uint words[2]; ulong whole; } pair;",
                               .element = "pair", .state = "pair", .identity = "{{0, 0}}",
                               .combine = "{ a.whole += b.whole; return a; }", .commutative = CL_TRUE);
  ask_own(&op);
  check_all_hold();
  op.combine = "{ a.words[1] -= b.words[1]; return a; }";
  ask_own(&op);
  ck_assert(!laws[ASSOCIATIVITY].holds && !laws[COMMUTATIVITY].holds && !laws[IDENTITY].holds);
  ck_assert_ptr_nonnull(strstr(laws[ASSOCIATIVITY].counterexample, "a = bytes 01"));
}

// Only states of several elements show the fault. The count of a single element is always 1.
TEST(combined_states_are_tried) {
  ASK(.name = "merge", .element = "float", .state = "{ float mean; uint count; }", .result = "float",
      .identity = "{ 0, 0 }", .lift = "MAKE(x, 1u)",
      .combine = "{ if (!a.count) return b; if (!b.count) return a;"
                 "  return MAKE((a.mean + b.mean) / 2, a.count + b.count); }",
      .lower = "s.mean", .commutative = CL_TRUE);
  check_holds(IDENTITY);
  check_holds(COMMUTATIVITY);
  check_fails(ASSOCIATIVITY, "combine(combine(1, 1), 2) gives 1.5, combine(1, combine(1, 2)) gives 1.25");
}

// The fault needs four elements. A NaN breaks the law with fewer elements, but a counterexample without a NaN is
// preferred.
TEST(smallest_counterexample_without_a_nan_is_shown) {
  ASK(.name = "thirds", .element = "float", .state = "{ float value; uint count; }", .result = "float",
      .identity = "{ -INFINITY, 0 }", .lift = "MAKE(x, 1u)",
      .combine = "MAKE(a.value > b.value ? a.value : b.value + (b.count == 3), a.count + b.count)", .lower = "s.value");
  check_fails(ASSOCIATIVITY, "combine(combine(1, combine(1, 1)), 1) gives 1, "
                             "combine(1, combine(combine(1, 1), 1)) gives 2");
}

TEST_CASE("operands", fixture_open, fixture_close);

TEST(inputs_are_tried) {
  const clred_operand weight = {.name = "weight", .type = "float"};
  clred_operator op =
    OPERATOR(.name = "weighted_mean", .element = "float", .inputs = &weight, .input_count = 1,
             .state = "{ float sum; float weight; }", .result = "float", .identity = "{ 0, 0 }",
             .lift = "MAKE(x * weight, weight)", .combine = "MAKE(a.sum + b.sum, a.weight + b.weight)",
             .lower = "s.sum / s.weight", .commutative = CL_TRUE);
  ask_own(&op);
  check_all_hold();
  op.lift = "MAKE(weight, 1.0f)";
  op.combine = "MAKE(a.sum - b.sum, 1.0f)";
  ask_own(&op);
  check_fails(COMMUTATIVITY, "a = 1 with weight = 2; b = 2 with weight = 0: combine(a, b) gives 2, "
                             "combine(b, a) gives -2");
}

TEST(parameters_have_several_values) {
  const clred_operand base = {.name = "base", .type = "ulong"};
  clred_operator op =
    OPERATOR(.name = "hash", .element = "uchar", .parameters = &base, .parameter_count = 1,
             .state = "{ ulong value; ulong power; }", .result = "ulong", .identity = "{ 0, 1 }",
             .lift = "MAKE((ulong)x, base)", .combine = "MAKE(a.value * b.power + b.value, a.power * b.power)",
             .lower = "s.value", .commutative = CL_TRUE);
  ask_own(&op);
  check_holds(IDENTITY);
  check_holds(ASSOCIATIVITY);
  // With 1 as the parameter the operator would commute.
  check_fails(COMMUTATIVITY, "combine(1, 2) gives 4, combine(2, 1) gives 5; parameters are 2, 3, ...");
}

// Equal values have different indices. The operator commutes only if it picks the lesser index, not the first argument.
TEST(indices_are_those_of_neighbours) {
  clred_operator op = OPERATOR(.name = "argmax", .element = "int", .state = "{ int value; ulong index; }",
                               .result = "ulong", .identity = "{ INT_MIN, ULONG_MAX }", .lift = "MAKE(x, index)",
                               .combine = "PICK(b.value > a.value || (b.value == a.value && b.index < a.index), b, a)",
                               .lower = "s.index", .commutative = CL_TRUE);
  ask_own(&op);
  check_all_hold();
  op.combine = "PICK(b.value > a.value, b, a)";
  ask_own(&op);
  check_holds(ASSOCIATIVITY);
  check_fails(COMMUTATIVITY, "combine(1, 1) gives 0, combine(1, 1) gives 1");
}

TEST(nan_alone_breaks_no_law_but_is_shown) {
  ASK(.name = "greater", .element = "float", .state = "float", .identity = "-INFINITY", .combine = "a > b ? a : b",
      .commutative = CL_TRUE);
  ck_assert(laws[IDENTITY].holds && laws[ASSOCIATIVITY].holds && laws[COMMUTATIVITY].holds);
  ck_assert_str_eq(laws[ASSOCIATIVITY].counterexample,
                   "with a NaN: combine(combine(1, NaN), 0) gives 0, combine(1, combine(NaN, 0)) gives 1");
}

TEST_CASE("question", fixture_open, fixture_close);

TEST(same_seed_same_answer) {
  const clred_problem problem = {OP(MEAN, FLOAT)};
  clred_law first[CLRED_LAWS];
  ask(&problem);
  memcpy(first, laws, sizeof first);
  const size_t builds = runtime_info(under_test.runtime).builds;
  ask(&problem);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, builds);
  for (int i = 0; i < CLRED_LAWS; i++) {
    ck_assert_double_eq(first[i].error, laws[i].error);
    ck_assert_uint_eq(first[i].trials, laws[i].trials);
  }
  assert_ok(clred_check_laws(under_test.runtime, &problem, SEED + 1, laws));
  ck_assert_double_ne(first[ASSOCIATIVITY].error, laws[ASSOCIATIVITY].error);
}
