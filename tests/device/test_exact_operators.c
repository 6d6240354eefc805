// Operators of a caller that sum exactly (cl/exact/float_sum.clh, double_sum.clh) beside the built-in order exact,
// which tests/exact compares with MPFR: results worked out by hand, layouts and scans, strategies and sizes of groups,
// parts.

#include "exact/by_hand.h"
#include "exact/data.h"
#include "exact/own.h"
#include "support/lines.h"

#define ELEMENTS LINES_ELEMENTS

static float elements[ELEMENTS];
static double doubles[ELEMENTS], values[ELEMENTS];

static void open_with_elements(void) {
  random_state random = random_seed(7);
  exact_data_fill(CLRED_TYPE_FLOAT, DATA_ALL_EXPONENTS, ELEMENTS, &random, elements, values);
  exact_data_fill(CLRED_TYPE_DOUBLE, DATA_ALL_EXPONENTS, ELEMENTS, &random, doubles, values);
  fixture_open();
}

static clred_problem built_in(enum exact_kind kind, clred_type type) {
  return (clred_problem){
    .type = type, .op = kind == EXACT_MEAN ? CLRED_OP_MEAN : CLRED_OP_SUM, .order = CLRED_ORDER_EXACT};
}

static uint64_t bits_of(clred_plan *plan, const void *in, size_t count) {
  uint64_t result = 0;
  RUN_HOST(plan, .in = in, .count = count, .out = &result);
  return result;
}

TEST_CASE("by hand", fixture_open, fixture_close);

// The rows of the table that are sums and means.
TEST(floats_by_hand) {
  clred_plan *sums = PLAN(.custom = exact_own(EXACT_SUM, CLRED_TYPE_FLOAT));
  clred_plan *means = PLAN(.custom = exact_own(EXACT_MEAN, CLRED_TYPE_FLOAT));
  size_t rows = 0;
  for (size_t i = 0; i < COUNT_OF(of_floats); i++) {
    const struct by_hand *row = &of_floats[i];
    if (row->op != CLRED_OP_SUM && row->op != CLRED_OP_MEAN)
      continue;
    const uint64_t result = bits_of(row->op == CLRED_OP_MEAN ? means : sums, row->x, row->count);
    ck_assert_msg(result == row->result, "row %zu: 0x%x is not 0x%x", i, (unsigned)result, row->result);
    rows++;
  }
  ck_assert_uint_ge(rows, 16);
}

TEST(states_have_the_sizes_of_the_docs) {
  static const struct {
    enum exact_kind kind;
    clred_type type;
    size_t size;
  } rows[] = {{EXACT_SUM, CLRED_TYPE_FLOAT, 48},
              {EXACT_MEAN, CLRED_TYPE_BFLOAT16, 56},
              {EXACT_SUM, CLRED_TYPE_DOUBLE, 272},
              {EXACT_MEAN, CLRED_TYPE_DOUBLE, 280}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    if (rows[i].type == CLRED_TYPE_DOUBLE && fixture_lacks_double("exact sums of doubles"))
      return;
    clred_plan *plan = PLAN(.custom = exact_own(rows[i].kind, rows[i].type));
    ck_assert_uint_eq(fixture_inspect(plan, 1).state_size, rows[i].size);
  }
}

// Three sums of doubles and one of floats have 864 bytes. Four sums of doubles are too large.
TEST(some_sums_in_a_state) {
  clred_operator op = *exact_own(EXACT_SUM, CLRED_TYPE_FLOAT);
  static const float numbers[] = {0x1p60f, 7, 7, 3, -7, -7, -0x1p60f};
  double result = 0;
  if (fixture_lacks_double("exact sums of doubles"))
    return;
  op.preamble = "#include \"exact/double_sum.clh\"\n#include \"exact/float_sum.clh\"\n"
                "typedef struct { exact_double squares[3]; exact_float sum; } sums;\n"
                "sums none(void) { sums s; for (int i = 0; i < 3; i++) s.squares[i] = exact_double_empty();\n"
                "  s.sum = exact_float_empty(); return s; }\n";
  op.state = "sums", op.state_size = 864, op.result = "double", op.identity = "none()";
  op.lift = "{ sums s = none(); s.squares[index % 3] = exact_double_of((double)x * fabs(x)); s.sum = exact_float_of(x);"
            " return s; }";
  op.combine = "{ for (int i = 0; i < 3; i++) a.squares[i] = exact_double_add(a.squares[i], b.squares[i]);\n"
               " a.sum = exact_float_add(a.sum, b.sum); return a; }";
  op.lower = "exact_double_value(s.squares[0]) + exact_float_value(s.sum)";
  clred_plan *plan = PLAN(.custom = &op);
  RUN_HOST(plan, .in = numbers, .count = 7, .out = &result);
  ck_assert_double_eq(result, 9 + 3);
  op.preamble = "#include \"exact/double_sum.clh\"\ntypedef struct { exact_double sums[5]; } sums;\n";
  op.state_size = 0, op.identity = "{ { exact_double_empty() } }", op.lift = "{ sums s; return s; }";
  op.combine = "a", op.lower = "0";
  REFUSED_PLAN(CLRED_OPERATOR_TEXT, "state has 1360 bytes; 1 to 1088 can be served", .custom = &op);
}

TEST(double_where_there_is_none) {
  clred_operator op = *exact_own(EXACT_SUM, CLRED_TYPE_FLOAT);
  op.preamble = "#include \"exact/double_sum.clh\"\n#include \"exact/float_sum.clh\"\n";
  fixture_reopen("fp64=0");
  REFUSED_PLAN(CLRED_TYPE_NOT_SUPPORTED, "double", .custom = &op);
}

// ---------------------------------------------------------------- Strategies and orders of the elements

TEST_CASE("strategies", open_with_elements, fixture_close);

// Three launches: the size of groups, and their number. 0: the library chooses.
static const struct way {
  const char *strategy;
  cl_ulong group_sizes[3], groups[3];
} ways[] = {
  {"wide", {0, 4, 32}, {0, 0, 3}},
  {"chunked", {0, 0, 0}, {0, 1, 5}},
  {"local_sequential", {0, 16, 64}, {0, 0, 0}},
  {"hand_off", {0, 32, 8}, {0, 0, 0}},
};

static void reverse(float *of, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    const float kept = of[i];
    of[i] = of[count - 1 - i];
    of[count - 1 - i] = kept;
  }
}

static void check_counts(clred_plan *own, clred_plan *expected, const struct way *way, size_t launch) {
  static const size_t counts[] = {0, 1, 2, 1000, ELEMENTS};
  for (size_t i = 0; i < COUNT_OF(counts); i++)
    for (int turn = 0; turn < 2; turn++) {
      const uint64_t result = bits_of(own, elements, counts[i]), wanted = bits_of(expected, elements, counts[i]);
      ck_assert_msg(result == wanted, "%s, launch %zu, %zu elements, %s: 0x%x is not 0x%x", way->strategy, launch,
                    counts[i], turn ? "reversed" : "as they are", (unsigned)result, (unsigned)wanted);
      reverse(elements, counts[i]);
    }
}

TEST_ROWS(strategies_and_groups, ways) {
  const struct way *way = &ways[_i];
  const enum exact_kind kind = _i % 2 ? EXACT_SUM : EXACT_MEAN;
  clred_problem problem = built_in(kind, CLRED_TYPE_FLOAT);
  problem.strategy = "host_serial";
  clred_plan *expected = fixture_plan(&problem);
  for (size_t i = 0; i < COUNT_OF(way->group_sizes); i++) {
    clred_plan *own = PLAN(.custom = exact_own(kind, CLRED_TYPE_FLOAT), .strategy = way->strategy,
                           .group_size = way->group_sizes[i], .groups = way->groups[i], .count_max = ELEMENTS);
    check_counts(own, expected, way, i);
  }
}

TEST_CASE("layouts", open_with_elements, fixture_close);

static const struct layout {
  clred_layout layout;
  clred_scan scan;
} layouts[] = {
  {CLRED_LAYOUT_STRIDED, CLRED_SCAN_NONE},   {CLRED_LAYOUT_ROWS, CLRED_SCAN_NONE},
  {CLRED_LAYOUT_COLUMNS, CLRED_SCAN_NONE},   {CLRED_LAYOUT_SEGMENTS, CLRED_SCAN_NONE},
  {CLRED_LAYOUT_KEYS, CLRED_SCAN_NONE},      {CLRED_LAYOUT_LINE, CLRED_SCAN_INCLUSIVE},
  {CLRED_LAYOUT_LINE, CLRED_SCAN_EXCLUSIVE}, {CLRED_LAYOUT_SEGMENTS, CLRED_SCAN_INCLUSIVE},
};

// Runs the problem. `results` has room for a double for each element.
static void run_layout(const struct layout *of, clred_problem problem, const void *from, size_t size, void *results) {
  static struct lines lines;
  clred_call call = lines_lay_out(of->layout, &lines);
  problem = lines_problem(problem, of->layout);
  problem.scan = of->scan;
  memset(results, 0x5a, ELEMENTS * sizeof(double));
  call.in = fixture_buffer(from, ELEMENTS * size);
  call.out = fixture_buffer(results, ELEMENTS * sizeof(double));
  call.blocking = CL_TRUE;
  fixture_call(fixture_plan(&problem), &call, CL_SUCCESS, "");
  read_buffer(call.out, results, ELEMENTS * sizeof(double));
}

static void check_layout(const struct layout *of, enum exact_kind kind, clred_type type) {
  static double own[ELEMENTS], expected[ELEMENTS];
  const bool wide = type == CLRED_TYPE_DOUBLE;
  const void *from = wide ? (const void *)doubles : elements;
  const size_t size = oracle_size(type);
  run_layout(of, (clred_problem){.custom = exact_own(kind, type)}, from, size, own);
  run_layout(of, built_in(kind, type), from, size, expected);
  for (size_t i = 0; i < ELEMENTS; i++)
    ck_assert_msg(oracle_load(own, size, i) == oracle_load(expected, size, i), "layout %d: result %zu differs",
                  (int)of->layout, i);
}

TEST_ROWS(layouts_of_floats, layouts) {
  check_layout(&layouts[_i], _i % 2 ? EXACT_SUM : EXACT_MEAN, CLRED_TYPE_FLOAT);
}

TEST_STEPS(layouts_of_doubles, 1, (int)COUNT_OF(layouts), 2) {
  if (!fixture_lacks_double("exact sums of doubles"))
    check_layout(&layouts[_i], _i % 2 ? EXACT_MEAN : EXACT_SUM, CLRED_TYPE_DOUBLE);
}

// The same on devices that are treated as GPUs.
TEST_STEPS(layouts_on_gpus, 1, (int)COUNT_OF(layouts), 2) {
  fixture_reopen("cpu=0");
  check_layout(&layouts[_i], EXACT_SUM, CLRED_TYPE_FLOAT);
}

TEST_CASE("parts", open_with_elements, fixture_close);

// Seven parts, joined from the last to the first on the device, because the operator has no callbacks.
TEST_EACH(seven_parts, 0, 2) {
  const clred_type type = _i ? CLRED_TYPE_DOUBLE : CLRED_TYPE_FLOAT;
  const unsigned char *from = _i ? (const unsigned char *)doubles : (const unsigned char *)elements;
  const clred_problem whole = built_in(EXACT_MEAN, type);
  uint64_t result = 0;
  if (_i && fixture_lacks_double("exact sums of doubles"))
    return;
  clred_plan *own = PLAN(.custom = exact_own(EXACT_MEAN, type)), *expected = fixture_plan(&whole);
  clred_partial *parts[7];
  for (size_t i = 0; i < 7; i++) {
    const size_t first = ELEMENTS * i * i / 49, end = ELEMENTS * (i + 1) * (i + 1) / 49;
    parts[i] = fixture_partial(own, first);
    assert_ok(clred_partial_push(under_test.queue, parts[i],
                                 &(clred_host_call){.in = from + first * oracle_size(type), .count = end - first}));
  }
  for (size_t i = 6; i-- > 0;)
    assert_ok(clred_partial_join(parts[i], parts[i + 1]));
  assert_ok(clred_partial_result(parts[0], &result));
  ck_assert_uint_eq(result, bits_of(expected, from, ELEMENTS));
}
