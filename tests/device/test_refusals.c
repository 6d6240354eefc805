// Problems that must be refused, in one table: the status, and words of the message, which names the culprit.
// clred_plan_create and clred_strategy_applies must answer alike, and what is refused is not built.
// test_refused_calls.c has the calls.

#include "support/fixture.h"

#include <math.h>

#include "support/callbacks.h"

struct row {
  int line;
  const char *assume;  // facts of the device; NULL: none
  cl_int status;
  const char *words;
  clred_problem problem;
};

#define REFUSED(code, said, ...) REFUSED_ON(NULL, code, said, __VA_ARGS__)
#define REFUSED_ON(facts, code, said, ...) {__LINE__, facts, CLRED_##code, said, {__VA_ARGS__}},
#define ACCEPTED(...) ACCEPTED_ON(NULL, __VA_ARGS__)
#define ACCEPTED_ON(facts, ...) {__LINE__, facts, CL_SUCCESS, "", {__VA_ARGS__}},

// ---------------------------------------------------------------- Operators, lists, selections and bins of the rows

#define OF(of_type) .type = CLRED_TYPE_##of_type
#define INT4 CLRED_VECTOR(CLRED_TYPE_INT, 4)
#define SCANS OP(SUM, FLOAT), SCAN(INCLUSIVE)
#define KEYED OP(SUM, FLOAT), LAYOUT(KEYS)
#define FLAGGED OP(SUM, FLOAT), LAYOUT(HEADS)
#define NO_KEYS "keys are integers, float or double|not "
#define MARKS(of_type) .segment_type = CLRED_TYPE_##of_type
#define BY(name) .strategy = (name)
#define ORDER(of) .order = CLRED_ORDER_##of
#define BITS(of) .result_bits = CLRED_RESULT_##of
#define DETECT .overflow = CLRED_OVERFLOW_DETECT

static const clred_op sums[] = {CLRED_OP_SUM, CLRED_OP_MEAN, CLRED_OP_SUM, CLRED_OP_DOT, CLRED_OP_AND, (clred_op)99};
static const clred_op many_sums[CLRED_LIST_MAX + 1] = {CLRED_OP_SUM};
static const clred_op large_sums[] = {CLRED_OP_STATS, CLRED_OP_NORM1};
#define LISTED(from, number) .list = sums + (from), .list_count = (number)

static const clred_operator plus = {
  .name = "plus", .element = "float", .state = "float", .identity = "0", .combine = "a + b"};

// A right operator. The rows of its texts replace some of its fields.
#define PROBE \
  .name = "probe", .preamble = "float twice(float v)\n{\n  return 2 * v;\n}\n", .element = "float", \
  .state = "{ float sum; uint count; }", .result = "float", .identity = "{ 0, 0 }", .lift = "MAKE(twice(x), 1u)", \
  .combine = "MAKE(a.sum + b.sum, a.count + b.count)", .lower = "s.sum / s.count", .commutative = CL_TRUE
static const clred_operator probe = OPERATOR(PROBE);
#define WITH(...) \
  .custom = &(const clred_operator) { \
    PROBE, __VA_ARGS__ \
  }
#define TEXT(said, ...) REFUSED(OPERATOR_TEXT, "probe|" said, WITH(__VA_ARGS__))

#define TWINS(...) \
  (const clred_operand[]) { \
    {"twin", "float", 4}, { \
      __VA_ARGS__ \
    } \
  }
#define INPUTS(...) .inputs = TWINS(__VA_ARGS__), .input_count = 2
#define PARAMETERS(...) .parameters = TWINS(__VA_ARGS__), .parameter_count = 2
#define OPERAND(said, ...) TEXT(said, INPUTS(__VA_ARGS__)) TEXT(said, PARAMETERS(__VA_ARGS__))

#define MATRIX \
  .preamble = "typedef struct { float w[4]; } matrix;", .element = "matrix", .state = "matrix", .result = NULL, \
  .identity = "{ { 1, 0, 0, 1 } }", .lift = NULL, .combine = "a", .lower = NULL
#define WORDS(count) .preamble = "typedef struct { uint w[" count "]; } words;"
#define SIXTY "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"

IDENTITY(sum, cl_float, 0)
LIFT(sum, cl_float, cl_float, x)
COMBINE(sum, cl_float, a + b)
HOST(sum, cl_float);
#define CALLBACKS(...) \
  .host = &(const clred_host_operator) { \
    __VA_ARGS__, NULL \
  }

#define SELECTS(...) \
  .selection = &(const clred_selection) { \
    __VA_ARGS__ \
  }
static const clred_selection odd = {.name = "odd", .keep = "(int)x & 1"};
#define ODD OF(FLOAT), .selection = &odd

#define BINS(n, a, b) \
  .histogram = &(const clred_histogram) { \
    .bins = (n), .low = (a), .high = (b) \
  }
#define EDGES(of) \
  .histogram = &(const clred_histogram) { \
    .bins = 2, .edges = (of) \
  }
#define TWO_BINS(...) \
  .histogram = &(const clred_histogram) { \
    .bins = 2, __VA_ARGS__ \
  }
static const clred_histogram axis = {.bins = 2, .high = 1}, no_bins = {.bins = 0, .high = 1},
                             empty_axis = {.bins = 2, .high = 1, .next = &no_bins},
                             long_axis = {.bins = (cl_ulong)1 << 31, .high = 1}, axis_of_501 = {.bins = 501, .high = 1},
                             weighted_axis = {.bins = 2, .high = 1, .weight_type = CLRED_TYPE_INT},
                             endless_axes = {.bins = 2, .high = 1, .next = &endless_axes};
static const double falling[] = {0, 2, 1}, equal[] = {0, 1, 1}, with_nan[] = {0, NAN, 1}, endless[] = {0, 1, INFINITY};
static const double near[] = {1, 1 + 0x1p-40, 2}, large[] = {0, 1, 1e5}, three[] = {0, 1, 2};
static const float low_float = 0, endless_float = INFINITY;
static const cl_long longs[] = {5, 5, 6}, low_long = 7, high_long = 7;

static const char long_name[] = "a strategy whose name is longer than any name that a strategy has";

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct row rows[] = {
#include "refusals.def"
};
#pragma GCC diagnostic pop

TEST_CASE("problems", fixture_open, fixture_close);

// False if the device lacks what the row needs: the fact that it assumes, or double.
static bool can_be_tested(const struct row *row) {
  if (row->assume) {
    device_close(&under_test);
    const char *trouble = device_open_assuming(&under_test, row->assume);
    const bool above = trouble && strstr(trouble, "is above the device's");
    if (above)
      fixture_skip(row->assume, trouble);
    ck_assert_msg(above || !trouble, "%s", trouble);
    return !above;
  }
  clred_plan *plan = NULL;
  const bool served = device_has_fp64(&under_test) || row->status == CL_SUCCESS ||
                      clred_plan_create(under_test.runtime, &row->problem, &plan) != CLRED_TYPE_NOT_SUPPORTED;
  if (!served)
    fixture_skip(row->words, "the device has no double");
  return served;
}

TEST_ROWS(problem_is_answered, rows) {
  const struct row *row = &rows[_i];
  if (!can_be_tested(row))
    return;
  char message[512] = "";
  if (row->status) {
    fixture_refused_plan_at("refusals.def", row->line, &row->problem, row->status, row->words);
    clred_copy_error(under_test.runtime, message, sizeof message);
  }
  if (row->problem.strategy)
    check_applies_at("refusals.def", row->line, row->problem.strategy, &row->problem, row->status, message);
  // Only a program can tell the sizes of a caller's types.
  const size_t most = row->problem.custom || row->problem.selection ? 1 : 0;
  ck_assert_msg(runtime_info(under_test.runtime).builds <= most, "line %d: a program was built", row->line);
}

// After wrong texts, the next operator is right, and when all is released, nothing holds the context. Sanitizers check
// host memory.
TEST(nothing_is_left_of_wrong_texts) {
  const float numbers[4] = {1, 2, 3, 6};
  const cl_uint before = fixture_references();
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_runtime *runtime;
    clred_plan *plan = NULL;
    float result = 0;
    if (!rows[i].problem.custom || rows[i].status != CLRED_OPERATOR_TEXT)
      continue;
    assert_ok(clred_runtime_create(under_test.context, under_test.id, NULL, &runtime));
    assert_status(clred_plan_create(runtime, &rows[i].problem, &plan), CLRED_OPERATOR_TEXT);
    if (i % 10 == 0) {
      assert_ok(clred_plan_create(runtime, &(clred_problem){.custom = &probe}, &plan));
      RUN_HOST(plan, .in = numbers, .count = 4, .out = &result);
      ck_assert_float_eq(result, 6);
      clred_plan_release(plan);
    }
    clred_runtime_release(runtime);
  }
  check_references(before);
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

// A plan finds the size of a struct by a build. clred_strategy_applies builds nothing, so it needs the size.
TEST(applies_needs_sizes) {
  static const clred_operator unsized =
    OPERATOR(.name = "own", .preamble = "typedef struct { int value, other; } both;", .element = "both", .state = "int",
             .identity = "0", .lift = "x.value", .combine = "a + b");
  check_applies("wide", &(const clred_problem){.custom = &unsized}, CLRED_INVALID_PROBLEM, "element_size");
}

// Where a fence is missing, the library chooses a strategy that needs none.
TEST(in_place_without_a_fence) {
  fixture_reopen("device_fence=0");
  clred_plan *plan = PLAN(SCANS, .in_place = CL_TRUE);
  ck_assert_str_eq(fixture_inspect(plan, 1000).strategy, "scan_reduce_then_scan");
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

// The strategy that the library chooses depends on the device. Every choice keeps the bound on groups.
TEST_EACH(auto_takes_groups_everywhere, 0, 2) {
  static const clred_problem problems[] = {
    {OP(SUM, FLOAT), LAYOUT(ROWS), SCAN(INCLUSIVE), .groups = 5},
    {OP(SUM, FLOAT), LAYOUT(COLUMNS), SCAN(INCLUSIVE), .groups = 5},
    {OP(SUM, FLOAT), LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT, .groups = 5},
    {OP(SUM, FLOAT), SCAN(INCLUSIVE), .groups = 5},
    {OP(SUM, FLOAT), .groups = 5}};
  fixture_reopen(_i ? "cpu=1" : "cpu=0");
  for (size_t i = 0; i < COUNT_OF(problems); i++) {
    char reason[512];
    clred_plan *plan = fixture_plan(&problems[i]);
    const clred_plan_info info = fixture_inspect(plan, 1000000);
    // A strategy that refuses `groups` when it is named may ignore `groups` when the library chooses it.
    const cl_int by_name =
      clred_strategy_applies(under_test.runtime, info.strategy, &problems[i], reason, sizeof reason);
    ck_assert_msg(by_name == CL_SUCCESS ? info.groups <= 5 : strstr(reason, "groups") != NULL, "%s: %llu groups: %s",
                  info.strategy, (unsigned long long)info.groups, reason);
  }
}

// ---------------------------------------------------------------- Runtimes

TEST_CASE("runtimes", fixture_open, fixture_close);

// The unit suite model has the table of refused assumptions.
TEST(short_room_for_the_message) {
  char error[16];
  clred_runtime *runtime = NULL;
  const clred_options options = {.assume = "shoe_size=43", .error = error, .error_size = 8};
  memset(error, '#', sizeof error);
  assert_status(clred_runtime_create(under_test.context, under_test.id, &options, &runtime), CLRED_UNKNOWN_NAME);
  ck_assert_ptr_null(runtime);
  ck_assert_uint_eq(strlen(error), 7);
  ck_assert_int_eq(error[8], '#');
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
