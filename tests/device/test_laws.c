// Operators that keep the laws of monoids, and operators that break them, with the expected counterexamples: digits,
// bytes, further inputs, states of several elements, NaNs and infinities. Every expected text is worked out by hand.

#include "support/fixture.h"

enum { IDENTITY, ASSOCIATIVITY, COMMUTATIVITY };

#define SEED 7

// The laws that the latest check reported.
static clred_law laws[CLRED_LAWS];

// Checks the laws. The check itself must succeed.
static void ask(const clred_problem *problem) {
  static const char *const names[] = {"identity", "associativity", "commutativity"};
  memset(laws, 0x55, sizeof laws);
  assert_ok(clred_check_laws(under_test.runtime, problem, SEED, laws));
  ck_assert(laws[IDENTITY].claimed && laws[ASSOCIATIVITY].claimed);
  for (int i = 0; i < CLRED_LAWS; i++) {
    ck_assert_str_eq(laws[i].name, names[i]);
    ck_assert_uint_gt(laws[i].trials, 4000);
    ck_assert_msg(laws[i].holds || laws[i].counterexample[0], "%s fails without a counterexample", names[i]);
  }
}

static void check_holds(int law) {
  ck_assert_msg(laws[law].holds && !laws[law].counterexample[0], "%s: %s", laws[law].name, laws[law].counterexample);
}

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
  const clred_problem of_floats = {OP(SUM, FLOAT)}, of_integers = {OP(SUM, INT)};
  ask(&of_floats);
  check_holds(ASSOCIATIVITY);
  ck_assert_double_gt(laws[ASSOCIATIVITY].error, 0);
  ck_assert_double_lt(laws[ASSOCIATIVITY].error, 1e-5);
  ck_assert_double_eq(laws[COMMUTATIVITY].error, 0);
  ask(&of_integers);
  ck_assert_double_eq(laws[ASSOCIATIVITY].error, 0);
}

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

// ---------------------------------------------------------------- Operators of callers

#define HOLDS ""
#define FAILS "..."  // and the counterexample contains the words behind
#define ANY_ANSWER NULL

static const clred_operand weight = {.name = "weight", .type = "float"},
                           whole_weight = {.name = "weight", .type = "uint"}, base = {.name = "base", .type = "ulong"},
                           key = {.name = "key", .type = "pair"},
                           digits[] = {{.name = "y", .type = "uint"}, {.name = "z", .type = "uint"}};

// The counterexamples of the three laws. A law that only a NaN breaks holds, and the NaN is reported.
static const struct asked {
  clred_operator op;
  const char *expected[CLRED_LAWS];
} rows[] = {
#define LAWS(identity, associativity, commutativity, ...) {{__VA_ARGS__}, {identity, associativity, commutativity}},
#include "laws.def"
};

static void check_law(const clred_law *law, const char *expected, const char *name) {
  const bool holds = !*expected || strncmp(expected, "with a NaN", 10) == 0;
  const bool contains = strncmp(expected, FAILS, sizeof FAILS - 1) == 0;
  const bool said = contains ? strstr(law->counterexample, expected + sizeof FAILS - 1) != NULL
                             : strcmp(law->counterexample, expected) == 0;
  ck_assert_msg(!law->holds == !holds && said, "%s: %s %s: %s", name, law->name, law->holds ? "holds" : "fails",
                law->counterexample);
}

TEST_CASE("of callers", fixture_open, fixture_close);

TEST_ROWS(laws_of_an_operator, rows) {
  const struct asked *row = &rows[_i];
  if (strcmp(row->op.element, "double") == 0 && fixture_lacks_double(row->op.name))
    return;
  ask(&(clred_problem){.custom = &row->op});
  for (int i = 0; i < CLRED_LAWS; i++)
    if (row->expected[i])
      check_law(&laws[i], row->expected[i], row->op.name);
  ck_assert_int_eq(laws[COMMUTATIVITY].claimed, row->op.commutative);
  ck_assert(!row->expected[ASSOCIATIVITY] || laws[ASSOCIATIVITY].holds || laws[ASSOCIATIVITY].error > 0);
}

// Each of the two states has 32 numbers of ten digits, which is more than fits.
TEST(long_message_is_cut) {
  static const char begins[] = "a = (1, 1, 1, ";
  const clred_operator op =
    OPERATOR(.name = "differences", .preamble = "typedef struct { uint v[32]; } row;", .element = "row", .state = "row",
             .identity = "{{0}}", .combine = "{ for (int i = 0; i < 32; i++) a.v[i] -= b.v[i]; return a; }");
  const char *said = laws[ASSOCIATIVITY].counterexample;
  ask(&(clred_problem){.custom = &op});
  ck_assert(!laws[ASSOCIATIVITY].holds);
  ck_assert_uint_eq(strlen(said), sizeof laws[ASSOCIATIVITY].counterexample - 1);
  ck_assert_str_eq(said + strlen(said) - 3, "...");
  ck_assert_msg(strncmp(said, begins, sizeof begins - 1) == 0, "%s", said);
  ck_assert_ptr_nonnull(strstr(said, "combine(combine(a, b), c) gives (4294967295, 4294967295, "));
}
