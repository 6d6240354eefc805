// Problems and assumptions that must be refused, each with its status and a sentence that names the culprit; and the
// tables of names.

#include "support/fixture.h"

// ---------------------------------------------------------------- Problems

static const struct refused_plan refusals[] = {
  {{.op = CLRED_OP_SUM}, CLRED_INVALID_PROBLEM, "type"},
  {{.type = CLRED_TYPE_FLOAT}, CLRED_INVALID_PROBLEM, "operator"},
  {{.type = (clred_type)99, .op = CLRED_OP_SUM}, CLRED_INVALID_PROBLEM, "99"},
  {{.type = CLRED_TYPE_FLOAT, .op = (clred_op)98}, CLRED_INVALID_PROBLEM, "98"},
  {{OP(SUM, FLOAT), .order = (clred_order)97}, CLRED_INVALID_PROBLEM, "97"},
  {{OP(SUM, FLOAT), .strategy = "sideways"}, CLRED_UNKNOWN_NAME, "sideways"},
  {{OP(SUM, FLOAT), .strategy = ""}, CLRED_UNKNOWN_NAME, "strategy"},
  {{OP(SUM, FLOAT), .strategy = "local_sequential", .finish = "photo", .count_max = 9}, CLRED_UNKNOWN_NAME, "photo"},
  {{OP(XOR, FLOAT)}, CLRED_OPERATOR_TYPE, "xor"},
  {{OP(AND, FLOAT)}, CLRED_OPERATOR_TYPE, "float"},
  {{OP(OR, DOUBLE)}, CLRED_OPERATOR_TYPE, "double"},
  {{OP(SUM, FLOAT), .strategy = "bottom_up", .finish = "host", .count_max = 9}, CLRED_STRATEGY_REFUSED, "finish"},
  {{OP(SUM, FLOAT), .strategy = "atomic", .finish = "relaunch", .count_max = 9}, CLRED_STRATEGY_REFUSED, "relaunch"},
  {{OP(SUM, FLOAT), .strategy = "wide", .finish = "atomic"}, CLRED_STRATEGY_REFUSED, "atomic"},
  ROW({OP(SUM, FLOAT), .strategy = "bottom_up", .order = CLRED_ORDER_FIXED, .count_max = 9}, CLRED_STRATEGY_REFUSED,
      "order"),
  {{OP(SUM, FLOAT), .strategy = "atomic", .order = CLRED_ORDER_FIXED, .count_max = 9}, CLRED_STRATEGY_REFUSED, "order"},
  {{OP(SUM, FLOAT), .strategy = "local_sequential", .group_size = 48, .count_max = 9}, CLRED_INVALID_PROBLEM, "48"},
  ROW({OP(SUM, FLOAT), .strategy = "local_sequential", .group_size = 1u << 30, .count_max = 9}, CLRED_STRATEGY_REFUSED,
      "1073741824"),
  {{OP(SUM, FLOAT), .strategy = "bottom_up"}, CLRED_INVALID_PROBLEM, "count_max"},
  {{OP(SUM, FLOAT), .group_size = 3}, CLRED_INVALID_PROBLEM, "group_size: 3"},
  {{OP(SUM, FLOAT), .groups = 1048577}, CLRED_INVALID_PROBLEM, "groups: 1048577"},
  {{OP(SUM, FLOAT), .strategy = "host_serial", .groups = 1048577}, CLRED_INVALID_PROBLEM, "groups: 1048577"},
  {{OP(SUM, FLOAT), .strategy = "host_serial", .groups = 2}, CLRED_STRATEGY_REFUSED, "groups"},
};

TEST_CASE("problems", fixture_open, fixture_close);

TEST_ROWS(problem_is_refused, refusals) {
  const struct refused_plan *refusal = &refusals[_i];
  if (refusal->problem.type == CLRED_TYPE_DOUBLE && !device_has_fp64(&under_test)) {
    fixture_skip(refusal->words, "the device has no double");
    return;
  }
  ck_assert_str_eq(clred_last_error(under_test.runtime), "");
  fixture_refused_plan(&refusal->problem, refusal->status, refusal->words);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
}

// clred_strategy_applies returns what clred_plan_create would return.
TEST_ROWS(applies_says_the_same, refusals) {
  const struct refused_plan *refusal = &refusals[_i];
  if (!refusal->problem.strategy || (refusal->problem.type == CLRED_TYPE_DOUBLE && !device_has_fp64(&under_test)))
    return;
  check_applies(refusal->problem.strategy, &refusal->problem, refusal->status, refusal->words);
}

// A strategy with `needs_bound` is refused without count_max, for at least one finish. With count_max it is accepted.
TEST(bound_is_needed_where_it_is_said) {
  clred_strategy_info info;
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++) {
    size_t refused = 0;
    if (!reduces_lines(&info))
      continue;
    for (size_t f = 0; f < finish_count(&info); f++) {
      clred_problem problem = {OP(SUM, FLOAT), .finish = info.finishes[f]};
      const cl_int without = clred_strategy_applies(under_test.runtime, info.name, &problem, NULL, 0);
      refused += without == CLRED_INVALID_PROBLEM;
      problem.count_max = 1000;
      check_applies(info.name, &problem, CL_SUCCESS, "");
    }
    ck_assert_msg((refused > 0) == (info.needs_bound != CL_FALSE), "%s is refused with %zu finishes", info.name,
                  refused);
  }
}

// ---------------------------------------------------------------- Runtimes

static const struct bad_assumption {
  const char *assume;
  cl_int status;
  const char *word;
} bad_assumptions[] = {
  {"shoe_size=43", CLRED_UNKNOWN_NAME, "shoe_size"},
  {"max_work_group_size=1,shoe_size=43", CLRED_UNKNOWN_NAME, "shoe_size"},
  {"max_work_group_size", CLRED_INVALID_ARGUMENT, "max_work_group_size"},
  {"max_work_group_size=", CLRED_INVALID_ARGUMENT, "max_work_group_size"},
  {"max_work_group_size=many", CLRED_INVALID_ARGUMENT, "many"},
  {"max_work_group_size=-1", CLRED_INVALID_ARGUMENT, "-1"},
  {"max_work_group_size=1073741824", CLRED_INVALID_ARGUMENT, "1073741824"},
  {"local_mem_size=99999999999999999999999", CLRED_INVALID_ARGUMENT, "local_mem_size"},
};

TEST_CASE("runtimes", fixture_open, fixture_close);

TEST_ROWS(assumption_is_refused, bad_assumptions) {
  char error[256] = "";
  clred_runtime *runtime = NULL;
  const clred_options options = {.assume = bad_assumptions[_i].assume, .error = error, .error_size = sizeof error};
  assert_status(clred_runtime_create(under_test.context, under_test.id, &options, &runtime),
                bad_assumptions[_i].status);
  ck_assert_ptr_null(runtime);
  check_sentence(error, bad_assumptions[_i].word);
}

TEST(short_room_for_the_sentence) {
  char error[16];
  clred_runtime *runtime = NULL;
  const clred_options options = {.assume = "shoe_size=43", .error = error, .error_size = 8};
  memset(error, '#', sizeof error);
  assert_status(clred_runtime_create(under_test.context, under_test.id, &options, &runtime), CLRED_UNKNOWN_NAME);
  ck_assert_uint_eq(strlen(error), 7);
  ck_assert_int_eq(error[8], '#');
}

// A device without double refuses the type and nothing else.
TEST(double_where_there_is_none) {
  fixture_reopen("fp64=0");
  REFUSED_PLAN(CLRED_TYPE_NOT_SUPPORTED, "double", OP(SUM, DOUBLE));
  PLAN(OP(SUM, FLOAT));
}

TEST_CASE("names", NULL, NULL);

// The result types of the documented table, and sizes of the types, for all operators and types.
TEST(result_types) {
  for (int op = CLRED_OP_SUM; op <= CLRED_OP_STD_SAMPLE; op++)
    for (int t = CLRED_TYPE_CHAR; t <= CLRED_TYPE_CDOUBLE; t++) {
      const clred_problem problem = {.op = (clred_op)op, .type = (clred_type)t};
      const clred_type expected = oracle_result_type(problem.op, problem.type);
      clred_type result = CLRED_TYPE_NONE;
      clred_type_info info;
      assert_status(clred_result_type(problem.op, problem.type, &result),
                    oracle_defined(&problem) ? CL_SUCCESS : CLRED_OPERATOR_TYPE);
      ck_assert_msg(result == expected, "operator %d, type %d: %d, not %d", op, t, (int)result, (int)expected);
      assert_ok(clred_type_inspect(problem.type, &info));
      ck_assert_uint_eq(info.size, oracle_size(problem.type));
      ck_assert_int_eq(info.component, oracle_component(problem.type));
      ck_assert_uint_eq(info.components, oracle_components(problem.type));
    }
}

// NumPy's names of scalars come first: int8 is a char, though OpenCL has a vector type of that name.
static clred_type named_as_in_numpy(const char *name, clred_type otherwise) {
  clred_type_info info;
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &info) == CL_SUCCESS; i++)
    if (strcmp(info.numpy_name, name) == 0)
      return info.type;
  return otherwise;
}

// Vectors, found by value and by name.
TEST(vector_types) {
  static const cl_uint widths[] = {2, 3, 4, 8, 16};
  for (int t = CLRED_TYPE_CHAR; t <= CLRED_TYPE_DOUBLE; t++)
    for (int w = 0; w < 5; w++) {
      const clred_type vector = CLRED_VECTOR((clred_type)t, (int)widths[w]);
      clred_type_info scalar, info;
      clred_type sum = CLRED_TYPE_NONE;
      char name[32];
      assert_ok(clred_type_inspect((clred_type)t, &scalar));
      assert_ok(clred_type_inspect(vector, &info));
      snprintf(name, sizeof name, "%s%u", scalar.name, (unsigned)widths[w]);
      ck_assert_str_eq(info.name, name);
      ck_assert_int_eq(clred_type_from_name(name), named_as_in_numpy(name, vector));
      ck_assert_uint_eq(info.size, oracle_size(vector));
      ck_assert_uint_eq(info.components, widths[w]);
      ck_assert_int_eq(info.component, t);
      assert_ok(clred_result_type(CLRED_OP_SUM, vector, &sum));
      ck_assert_int_eq(sum, oracle_result_type(CLRED_OP_SUM, vector));
      ck_assert_int_eq(clred_result_type(CLRED_OP_STATS, vector, &sum), CLRED_OPERATOR_TYPE);
    }
  ck_assert_int_eq(clred_type_from_name("float5"), CLRED_TYPE_NONE);
  ck_assert_int_eq(clred_type_from_name("half4"), CLRED_TYPE_NONE);
  ck_assert_int_eq(clred_type_from_name("cfloat2"), CLRED_TYPE_NONE);
}
