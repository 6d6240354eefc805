// Operators of a caller that sum exactly (cl/exact/float_sum.clh, double_sum.clh) beside the built-in order exact,
// which tests/exact compares with MPFR: results worked out by hand, states, parts. The program layouts has strategies,
// layouts and scans.

#include "exact/by_hand.h"
#include "exact/data.h"
#include "exact/own.h"
#include "support/fixture.h"

#define ELEMENTS 5000

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

// Three sums of doubles and one of floats have 864 bytes.
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
}
