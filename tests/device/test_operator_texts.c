// Texts of user-defined operators: an error names the piece, line and column, and nothing is held after the plan is
// released.

#include "support/fixture.h"
#include "support/operators.h"

#include <stddef.h>

// ---------------------------------------------------------------- Wrong texts

// A valid operator. Each test replaces one piece of it.
static const clred_operator probe =
  OPERATOR(.name = "probe", .preamble = "float twice(float v)\n{\n  return 2 * v;\n}\n", .element = "float",
           .state = "{ float sum; uint count; }", .result = "float", .identity = "{ 0, 0 }",
           .lift = "MAKE(twice(x), 1u)", .combine = "MAKE(a.sum + b.sum, a.count + b.count)",
           .lower = "s.sum / s.count", .commutative = CL_TRUE);

#define IN(piece) offsetof(clred_operator, piece)

static const struct wrong_text {
  size_t piece;
  const char *text;
  const char *words[4];  // the message must contain these and the operator's name
} wrong_texts[] = {
  // missing
  {IN(name), NULL, {"name"}},
  {IN(element), NULL, {"element"}},
  {IN(state), NULL, {"state"}},
  {IN(identity), NULL, {"identity"}},
  {IN(combine), NULL, {"combine"}},
  {IN(element), "", {"element"}},
  {IN(state), "", {"state"}},
  {IN(identity), "", {"identity"}},
  {IN(combine), "", {"combine"}},
  // types
  {IN(element), "quaternion", {"element", "quaternion"}},
  {IN(result), "quaternion", {"result", "quaternion"}},
  {IN(state), "{ float sum; quaternion count; }", {"state", "quaternion"}},
  {IN(state), "{ float sum; uint count }", {"state"}},
  {IN(state), "{ float sum; uint count;", {"state"}},
  {IN(state), "{ float sum; uint; }", {"state"}},
  {IN(state), "{ float sum; float sum; }", {"state", "sum"}},
  {IN(state), "{ }", {"state"}},
  {IN(state), "{ half sum; uint count; }", {"state", "half"}},
  {IN(state), "bfloat16", {"state", "bfloat16", "exists only in memory"}},
  {IN(state),
   "{ int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n; int o; "
   "int p; int q; }",
   {"state", "16"}},
  {IN(result), "{ float sum; quaternion count; }", {"result", "quaternion"}},
  // syntax: the piece, the line and the column in it
  {IN(identity), "{ nonsense, 0 }", {"identity", "line 1", "column"}},
  {IN(lift), "MAKE(twice(x) +, 1u)", {"lift", "line 1", "column"}},
  {IN(lift), "{\n  float v = twice(x)\n  return MAKE(v, 1u);\n}", {"lift", "line", "column"}},
  {IN(lift), "{\n  float v = twice(x);\n  return MAKE(w, 1u);\n}", {"lift", "line 3", "column"}},
  {IN(combine), "MAKE(a.sum + b.total, a.count)", {"combine", "line 1", "column"}},
  {IN(combine), "MAKE(a.sum, c.count)", {"combine", "line 1", "column"}},
  {IN(lower), "s.mean", {"lower", "line 1", "column"}},
  {IN(preamble), "float twice(float v)\n{\n  return 2 * w;\n}\n", {"preamble", "line 3", "column"}},
  ROW(IN(preamble), "#include \"exact/float_sum.clh\"\n\nfloat twice(float v)\n{\n  return 2 * w;\n}\n",
      {"preamble, line 5"}),
  {IN(lift), "MAKE(exact_float_of(x), 1u)", {"lift", "line 1", "column"}},
  // files that the library or the compiler lacks
  {IN(preamble), "\n#include \"exact/float.clh\"\n", {"preamble, line 2, column 11", "exact/float.clh"}},
  {IN(preamble), "#include \"exact/../common/words.clh\"\n", {"preamble", "exact/../common/words.clh"}},
  {IN(preamble), "#include \"../exact/float_sum.clh\"\n", {"preamble, line 1", "../exact/float_sum.clh"}},
  {IN(preamble), "#include \"common/words.clh\"\n", {"preamble, line 1", "common/words.clh"}},
  // pieces that do not end
  {IN(combine), "MAKE(a.sum + b.sum, a.count + b.count", {"combine"}},
  {IN(combine), "MAKE(a.sum + b.sum, a.count + b.count))", {"combine"}},
  {IN(combine), "a; } float mine(float v) { return v", {"combine"}},
  {IN(lift), "MAKE(x, 1u) /* no end", {"lift"}},
  {IN(lower), "s.sum; }", {"lower"}},
  {IN(preamble), "float twice(float v) { return 2 * v;", {"preamble"}},
  {IN(preamble), "/* no end", {"preamble"}},
  // bodies that return nothing
  {IN(combine), "{ int t = a.sum + b.sum; }", {"combine", "return"}},
  {IN(combine), "{ }", {"combine", "return"}},
  {IN(lift), " // return\n {\n  state v = MAKE(x, 1u); /* return v; */\n}", {"lift", "return"}},
  {IN(lower), "{\n  int returns = 1, return_ = 2; // \\\n  return s.sum;\n}", {"lower", "return"}},
  // the library's own names
  {IN(combine), "clred_combine(b, a)", {"combine", "clred_"}},
  {IN(lift), "MAKE(clred_twice(x), 1u)", {"lift", "clred_"}},
  {IN(preamble), "float clred_twice(float v)\n{\n  return 2 * v;\n}\n", {"preamble", "clred_"}},
  {IN(state), "{ float clred_sum; uint count; }", {"state", "clred_"}},
};

static clred_operator operator_with(const struct wrong_text *wrong) {
  clred_operator op = probe;
  memcpy((char *)&op + wrong->piece, &wrong->text, sizeof wrong->text);
  return op;
}

// The message names the operator and the piece.
#define OPERATOR_REFUSED(op, ...) check_operator_refused(op, (const char *const[4]){__VA_ARGS__})
static void check_operator_refused(const clred_operator *op, const char *const *words) {
  const clred_problem problem = {.custom = op};
  clred_plan *plan = NULL;
  const cl_int got = clred_plan_create(under_test.runtime, &problem, &plan);
  const char *message = clred_last_error(under_test.runtime);
  ck_assert_msg(got == CLRED_OPERATOR_TEXT, "%s: %s", clred_status_name(got), message);
  ck_assert_ptr_null(plan);
  for (int i = 0; i < 4 && words[i]; i++)
    check_message(message, words[i]);
  if (op->name)
    check_message(message, op->name);
}

TEST_CASE("texts", fixture_open, fixture_close);

TEST_ROWS(wrong_text, wrong_texts) {
  const clred_operator op = operator_with(&wrong_texts[_i]);
  check_operator_refused(&op, wrong_texts[_i].words);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
}

// Bodies with a return inside a block or inside a macro of the preamble.
TEST(right_bodies) {
  static const struct {
    const char *preamble, *combine;
  } bodies[] = {{NULL, "{ if (a.sum > b.sum) { return a; } else { return b; } }"},
                {NULL, "/* a body */ {\n  // and\n  return a;\n}"},
                {"#define GIVE_BACK(v) return v\n", "{ GIVE_BACK(a); }"}};
  for (size_t i = 0; i < COUNT_OF(bodies); i++) {
    clred_operator op = probe;
    op.preamble = bodies[i].preamble, op.combine = bodies[i].combine, op.lift = "MAKE(x, 1u)";
    const clred_problem problem = {.custom = &op};
    check_applies("chunked", &problem, CL_SUCCESS, "");
  }
}

// The probe itself is right, also after the wrong texts.
TEST(right_after_wrong) {
  const float numbers[4] = {1, 2, 3, 6};
  float result = 0;
  for (int i = 0; i < (int)COUNT_OF(wrong_texts); i += 5) {
    const clred_operator op = operator_with(&wrong_texts[i]);
    REFUSED_PLAN(CLRED_OPERATOR_TEXT, "", .custom = &op);
  }
  clred_plan *plan = PLAN(.custom = &probe);
  RUN_HOST(plan, .in = numbers, .count = 4, .out = &result);
  ck_assert_float_eq(result, 6);
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

// If the compiler's error is in no piece, the message has the operator's name and the compiler's words.
TEST(complaints_of_no_piece) {
  clred_runtime *runtime = NULL;
  clred_plan *plan = NULL;
  const clred_options options = {.build_options = "-D__kernel=nonsense"};
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &options, &runtime));
  assert_status(clred_plan_create(runtime, &(clred_problem){.custom = &probe}, &plan), CLRED_OPERATOR_TEXT);
  check_message(clred_last_error(runtime), "operator 'probe'");
  assert_status(clred_plan_create(runtime, &(clred_problem){OP(SUM, FLOAT)}, &plan), CL_BUILD_PROGRAM_FAILURE);
  clred_runtime_release(runtime);
}

TEST(unknown_state) {
  const clred_operator op = {
    .name = "unknown", .element = "float", .state = "quaternion", .identity = "0", .combine = "a + b"};
  OPERATOR_REFUSED(&op, "state", "quaternion");
}

static const struct wrong_operand {
  clred_operand operand;
  bool only_parameter;  // wrong as a parameter, but not as an input
  const char *words[4];
} wrong_operands[] = {
  {{NULL, "float", 0}, false, {"name"}},        {{"y", NULL, 0}, false, {"y", "type"}},
  {{"", "float", 0}, false, {"name"}},          {{"2y", "float", 0}, false, {"2y"}},
  {{"y z", "float", 0}, false, {"y z"}},        {{"x", "float", 0}, false, {"x"}},
  {{"index", "float", 0}, false, {"index"}},    {{"twin", "float", 0}, false, {"twin"}},
  {{"clred_y", "float", 0}, false, {"clred_"}}, {{"y", "quaternion", 0}, false, {"y", "quaternion"}},
  {{"ROWS", "float", 0}, false, {"ROWS"}},      {{"y", "float", 3}, false, {"y", "3", "4"}},
  {{"y", "half", 0}, true, {"y", "half"}},
};

TEST_EACH(wrong_operand, 0, 2 * (int)COUNT_OF(wrong_operands)) {
  const struct wrong_operand *wrong = &wrong_operands[_i / 2];
  const clred_operand operands[2] = {{"twin", "float", 4}, wrong->operand};
  clred_operator op = probe;
  op.inputs = op.parameters = operands;
  op.input_count = _i % 2 ? 2 : 0, op.parameter_count = _i % 2 ? 0 : 2;
  if (_i % 2 == 0 || !wrong->only_parameter)
    check_operator_refused(&op, wrong->words);
}

TEST(too_many_operands) {
  clred_operand operands[17];
  char names[17][8], lift[1000] = "";
  clred_operator op = probe;
  name_operands(operands, names, 17, 'y', lift, sizeof lift);
  op.inputs = op.parameters = operands, op.input_count = 9;
  OPERATOR_REFUSED(&op, "8");
  op.input_count = 0, op.parameter_count = 17;
  OPERATOR_REFUSED(&op, "16");
  op.inputs = NULL, op.input_count = 1, op.parameter_count = 0;
  OPERATOR_REFUSED(&op, "inputs");
}

// The sizes that the caller gives are compared with the device's.
TEST(sizes_that_disagree) {
  static const struct {
    const char *sample;  // NULL: the probe
    size_t field, size;
    const char *words[4];
  } rows[] = {{NULL, IN(element_size), 12, {"element", "4", "12"}},
              {NULL, IN(state_size), 12, {"state", "8", "12"}},
              {NULL, IN(result_size), 12, {"result", "4", "12"}},
              {"matrix", IN(state_size), 20, {"state", "16", "20"}},
              {"matrix", IN(element_size), 12, {"element", "16", "12"}}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_operator op = rows[i].sample ? sample_named(rows[i].sample)->op : probe;
    memcpy((char *)&op + rows[i].field, &rows[i].size, sizeof rows[i].size);
    check_operator_refused(&op, rows[i].words);
  }
}

TEST(state_that_is_too_large) {
  clred_operator op = OPERATOR(.name = "large", .preamble = "typedef struct { uint words[273]; } large;",
                               .element = "uint", .state = "large", .identity = "{ { 0 } }",
                               .lift = "{ large one = { { x } }; return one; }", .combine = "a");
  OPERATOR_REFUSED(&op, "state has 1092 bytes", "1088");
  op.preamble = "typedef struct { uint words[65]; } large;", op.state = "uint", op.result = "large";
  op.identity = "0", op.lift = "x", op.lower = "{ large one = { { s } }; return one; }";
  OPERATOR_REFUSED(&op, "result has 260 bytes", "256");
}

// Inputs have the limit of elements. Parameters have it, too.
TEST_EACH(operands_that_are_too_large, 0, 2) {
  static const clred_operand large = {"p", "large", 0};
  clred_operator op = probe;
  op.preamble = "typedef struct { float v[65]; } large;", op.lift = "MAKE(x + p.v[0], 1u)";
  op.inputs = op.parameters = &large;
  op.input_count = _i == 0, op.parameter_count = _i == 1;
  OPERATOR_REFUSED(&op, "p has 260 bytes", "256");
}

// `elementwise` needs texts and states that work for vectors.
TEST(not_elementwise) {
  clred_operator op = sample_named("matrix")->op;
  op.elementwise = CL_TRUE;
  OPERATOR_REFUSED(&op, "state", "elementwise");
  op = probe;  // twice() takes one float
  op.elementwise = CL_TRUE;
  REFUSED_PLAN(CLRED_OPERATOR_TEXT, "lift|line 1|column", .custom = &op, .strategy = "chunked");
}

TEST_CASE("life", fixture_open, fixture_close);

static cl_uint references(void) {
  cl_uint count = 0;
  assert_ok(clGetContextInfo(under_test.context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

// Programs, kernels and buffers hold references to the context. After all is released, the count is as before.
// Sanitizers check host memory.
TEST(nothing_leaks) {
  const clred_problem right = {.custom = &probe};
  const cl_uint before = references();
  clred_runtime *runtime;
  for (int i = 0; i < 100; i++) {
    const clred_operator op = operator_with(&wrong_texts[i % (int)COUNT_OF(wrong_texts)]);
    const clred_problem problem = {.custom = &op};
    clred_plan *plan = NULL;
    assert_ok(clred_runtime_create(under_test.context, under_test.id, NULL, &runtime));
    assert_status(clred_plan_create(runtime, &problem, &plan), CLRED_OPERATOR_TEXT);
    ck_assert_ptr_null(plan);
    if (i % 10 == 0) {
      assert_ok(clred_plan_create(runtime, &right, &plan));
      clred_plan_release(plan);
    }
    clred_runtime_release(runtime);
  }
  ck_assert_uint_eq(references(), before);
}
