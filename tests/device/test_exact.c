// The order exact, and operators of a caller that sum exactly (cl/exact/float_sum.clh, double_sum.clh): results worked
// out by hand, lists, complex numbers, and states. The program layouts has every layout and scan, parts has parts, and
// tests/exact compares random problems with MPFR.

#include "exact/own.h"
#include "support/fixture.h"

#include <math.h>

#define EXACT(...) .order = CLRED_ORDER_EXACT, __VA_ARGS__

TEST_CASE("by hand", fixture_open, fixture_close);

#define MOST_TERMS 4

// Elements and results as bits. Rows of pairs are for dot.
static const struct by_hand {
  clred_op op;
  size_t count;
  uint32_t x[MOST_TERMS], result;
} of_floats[] = {
  // Zeros: -0 only if there are elements, and all of them are -0.
  ROW(CLRED_OP_SUM, 0, {0}, 0),
  ROW(CLRED_OP_SUM, 1, {0x80000000}, 0x80000000),
  ROW(CLRED_OP_SUM, 2, {0x80000000, 0x80000000}, 0x80000000),
  ROW(CLRED_OP_SUM, 2, {0x80000000, 0}, 0),
  ROW(CLRED_OP_SUM, 2, {0x3f800000, 0xbf800000}, 0),
  ROW(CLRED_OP_MEAN, 2, {0x80000000, 0x80000000}, 0x80000000),
  ROW(CLRED_OP_NORM1, 2, {0x80000000, 0x80000000}, 0),
  // Infinities and NaNs.
  ROW(CLRED_OP_SUM, 2, {0x7f800000, 0x3f800000}, 0x7f800000),
  ROW(CLRED_OP_SUM, 2, {0x7f800000, 0xff800000}, 0x7fc00000),
  ROW(CLRED_OP_SUM, 2, {0xffc12345, 0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_SUM, 2, {0xff800000, 0x3f800000}, 0xff800000),
  ROW(CLRED_OP_MEAN, 2, {0xffc12345, 0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_NORM1, 1, {0xff800000}, 0x7f800000),
  ROW(CLRED_OP_VAR, 2, {0x7f800000, 0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_NORM2, 2, {0xff800000, 0x3f800000}, 0x7f800000),
  // The largest float and half of its last bit is the tie with 2^128, which is infinity. A little less is not.
  ROW(CLRED_OP_SUM, 2, {0x7f7fffff, 0x73000000}, 0x7f800000),
  ROW(CLRED_OP_SUM, 3, {0x7f7fffff, 0x73000000, 0x80000001}, 0x7f7fffff),
  ROW(CLRED_OP_SUM, 3, {0x7f7fffff, 0x7f7fffff, 0xff7fffff}, 0x7f7fffff),
  ROW(CLRED_OP_MEAN, 2, {0x7f7fffff, 0x7f7fffff}, 0x7f7fffff),
  // Ties go to even; the smallest number decides. 1 + 2^-24, and 1 + 2^-23 + 2^-24.
  ROW(CLRED_OP_SUM, 2, {0x3f800000, 0x33800000}, 0x3f800000),
  ROW(CLRED_OP_SUM, 3, {0x3f800000, 0x33800000, 0x00000001}, 0x3f800001),
  ROW(CLRED_OP_SUM, 2, {0x3f800001, 0x33800000}, 0x3f800002),
  ROW(CLRED_OP_SUM, 3, {0x3f800001, 0x33800000, 0x80000001}, 0x3f800001),
  // 1e30 + 1 - 1e30.
  ROW(CLRED_OP_SUM, 3, {0x7149f2ca, 0x3f800000, 0xf149f2ca}, 0x3f800000),
  // Subnormal numbers. The mean of 2^-149 and 0 is a tie with 0.
  ROW(CLRED_OP_SUM, 2, {0x007fffff, 0x00000001}, 0x00800000),
  ROW(CLRED_OP_MEAN, 2, {0x00000001, 0}, 0),
  ROW(CLRED_OP_MEAN, 2, {0x00000003, 0}, 0x00000002),
  ROW(CLRED_OP_SUMSQ, 1, {0x00000001}, 0),
  ROW(CLRED_OP_NORM2, 1, {0x00000001}, 0x00000001),
  // 3^2 + 4^2 far below and above the range of floats.
  ROW(CLRED_OP_NORM2, 2, {0x00000003, 0x00000004}, 0x00000005),
  ROW(CLRED_OP_NORM2, 2, {0x7e400000, 0x7e800000}, 0x7ea00000),
  ROW(CLRED_OP_SUMSQ, 2, {0x7e400000, 0x7e800000}, 0x7f800000),
  // Quotients: 1/3 of (1, 0, 0); variances of 1, 2 and 4: 14/9 and 7/3.
  ROW(CLRED_OP_MEAN, 3, {0x3f800000, 0, 0}, 0x3eaaaaab),
  ROW(CLRED_OP_VAR, 3, {0x3f800000, 0x40000000, 0x40800000}, 0x3fc71c72),
  ROW(CLRED_OP_VAR_SAMPLE, 3, {0x3f800000, 0x40000000, 0x40800000}, 0x40155555),
  ROW(CLRED_OP_VAR, 1, {0x3f800000}, 0),
  ROW(CLRED_OP_STD, 2, {0x3f800000, 0x3f800000}, 0),
  ROW(CLRED_OP_VAR_SAMPLE, 1, {0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_MEAN, 0, {0}, 0x7fc00000),
  ROW(CLRED_OP_VAR, 0, {0}, 0x7fc00000),
};

static void check_by_hand(clred_plan *plan, const struct by_hand *row) {
  uint32_t result = 0x5a5a5a5a;
  RUN_HOST(plan, .in = row->x, .count = row->count, .out = &result);
  ck_assert_msg(result == row->result, "row %td: 0x%x is not 0x%x", row - of_floats, result, row->result);
}

// Callers have operators for sums and means.
TEST(floats_by_hand) {
  clred_plan *sums = PLAN(.custom = exact_own(CLRED_OP_SUM, CLRED_TYPE_FLOAT)),
             *means = PLAN(.custom = exact_own(CLRED_OP_MEAN, CLRED_TYPE_FLOAT));
  for (size_t i = 0; i < COUNT_OF(of_floats); i++) {
    const clred_op op = of_floats[i].op;
    check_by_hand(PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .op = op, .strategy = "host_serial")), &of_floats[i]);
    if (op == CLRED_OP_SUM || op == CLRED_OP_MEAN)
      check_by_hand(op == CLRED_OP_SUM ? sums : means, &of_floats[i]);
  }
}

TEST(ignored_nans_are_zeros_and_not_counted) {
  const float elements[] = {NAN, -0.f, 3, NAN};
  float sum = 1, mean = 1;
  clred_plan *sums = PLAN(EXACT(OP(SUM, FLOAT), .nan = CLRED_NAN_IGNORE, .strategy = "host_serial"));
  clred_plan *means = PLAN(EXACT(OP(MEAN, FLOAT), .nan = CLRED_NAN_IGNORE, .strategy = "host_serial"));
  RUN_HOST(sums, .in = elements, .count = 2, .out = &sum);
  RUN_HOST(means, .in = elements, .count = 4, .out = &mean);
  ck_assert(sum == 0 && !signbit(sum));
  ck_assert_float_eq(mean, 1.5f);
}

// Products that overflow or underflow cancel, or decide a tie.
TEST(products_of_doubles_are_exact) {
  const double x[] = {1e300, 1e300, 0x1p-600, 1, 0x1p-27}, y[] = {1e300, -1e300, 0x1p-500, 1, 0x1p-26};
  const void *inputs[] = {y}, *from_third[] = {y + 2};
  double all = 7, tie = 7;
  if (fixture_lacks_double("dot of doubles"))
    return;
  clred_plan *plan = PLAN(EXACT(OP(DOT, DOUBLE), .strategy = "host_serial"));
  RUN_HOST(plan, .in = x, .inputs = inputs, .count = 2, .out = &all);
  RUN_HOST(plan, .in = x + 2, .inputs = from_third, .count = 3, .out = &tie);
  ck_assert(all == 0 && !signbit(all));
  ck_assert_double_eq(tie, 1 + 0x1p-52);
}

// ---------------------------------------------------------------- Complex numbers, lists, streams

#define ELEMENTS 5000

// Floats of both signs from 2^-17 to 2^54, multiples of 2^-40. So sums of them are exact in 128 bits.
static float element(cl_ulong i) {
  const cl_ulong word = (i + 1) * 0x9e3779b97f4a7c15u;
  const float value = ldexpf((float)((word >> 40) | 1u << 23), (int)(word >> 8 & 0xffff) % 70 - 40);
  return word & 1 ? -value : value;
}

__extension__ typedef __int128 sum;

static sum units(cl_ulong i) {
  return (sum)ldexp((double)element(i), 40);
}

static float rounded(sum units_of_sum) {
  return ldexpf((float)units_of_sum, -40);
}

TEST_CASE("others", fixture_open, fixture_close);

TEST(parts_of_complex_numbers_are_summed_apart) {
  static float elements[ELEMENTS];
  cl_float2 result = {{0, 0}};
  sum parts[2] = {0, 0};
  for (size_t i = 0; i < ELEMENTS; i++) {
    elements[i] = element(i);
    parts[i % 2] += units(i);
  }
  clred_plan *plan = PLAN(EXACT(OP(SUM, CFLOAT)));
  RUN_HOST(plan, .in = elements, .count = ELEMENTS / 2, .out = &result);
  ck_assert(result.s[0] == rounded(parts[0]) && result.s[1] == rounded(parts[1]));
}

#define LIST(...) \
  { {__VA_ARGS__}, sizeof((clred_op[]){__VA_ARGS__}) / sizeof(clred_op) }

// Programs of these lists are long, so most lists run on the host.
static const struct {
  clred_op ops[8];
  size_t count;
} lists[] = {
  LIST(CLRED_OP_MEAN, CLRED_OP_STATS, CLRED_OP_MAX),
  LIST(CLRED_OP_MEAN, CLRED_OP_SUM),
  LIST(CLRED_OP_SUM, CLRED_OP_STD, CLRED_OP_STD_SAMPLE, CLRED_OP_SUMSQ),
  LIST(CLRED_OP_SUM, CLRED_OP_MEAN, CLRED_OP_NORM2, CLRED_OP_SUMSQ, CLRED_OP_STATS, CLRED_OP_VAR_SAMPLE, CLRED_OP_STD,
       CLRED_OP_STD_SAMPLE),
};

static void check_alone(const clred_plan *plan, clred_op op, size_t *part, const float *elements, size_t count) {
  unsigned char all[128], alone[128];
  clred_plan *single = PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .op = op, .strategy = "host_serial"));
  RUN_HOST((clred_plan *)plan, .in = elements, .count = count, .out = all);
  RUN_HOST(single, .in = elements, .count = count, .out = alone);
  for (size_t j = 0; j < fixture_inspect(single, 1).parts; j++, (*part)++) {
    clred_part of_all, of_one;
    assert_ok(clred_plan_part(plan, *part, &of_all));
    assert_ok(clred_plan_part(single, j, &of_one));
    ck_assert_msg(memcmp(all + of_all.offset, alone + of_one.offset, oracle_size(of_one.type)) == 0, "%s of %zu",
                  of_all.name, count);
  }
}

// Each operator of a list has the bits that it has alone, also if it is lowered from the state of another one.
TEST_ROWS(operators_of_a_list_have_their_own_bits, lists) {
  static float elements[ELEMENTS];
  static const size_t counts[] = {ELEMENTS, 1, 0};
  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = element(i);
  clred_plan *plan = PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .list = lists[_i].ops, .list_count = lists[_i].count,
                                .strategy = (size_t)_i < COUNT_OF(lists) - 1 ? "host_serial" : NULL));
  for (size_t k = 0; k < COUNT_OF(counts); k++)
    for (size_t i = 0, part = 0; i < lists[_i].count; i++)
      check_alone(plan, lists[_i].ops[i], &part, elements, counts[k]);
}

// ---------------------------------------------------------------- States and descriptions

static cl_ulong state_of(const clred_problem *problem) {
  return fixture_inspect(fixture_plan(problem), 1).state_size;
}

// In the list, the mean, the sum and the squares are in the state of var, so the list has its size: 8 + 6 * 8 + 10 * 8
// bytes for floats, 8 + 34 * 8 + 67 * 8 for doubles.
TEST(states_have_the_sizes_of_the_docs) {
#define ON_HOST(...) EXACT(__VA_ARGS__), .strategy = "host_serial"
#define MOMENTS(of) .type = of, .list = moments, .list_count = COUNT_OF(moments)
  static const clred_op moments[] = {CLRED_OP_SUM, CLRED_OP_MEAN, CLRED_OP_VAR, CLRED_OP_STD, CLRED_OP_NORM2};
  static const struct {
    clred_problem problem;
    cl_ulong size;
  } rows[] = {{{ON_HOST(OP(SUM, FLOAT))}, 48},
              {{ON_HOST(OP(SUM, DOUBLE))}, 272},
              {{ON_HOST(OP(DOT, FLOAT))}, 80},
              {{ON_HOST(OP(NORM2, DOUBLE))}, 536},
              {{ON_HOST(OP(VAR, HALF))}, 136},
              {{ON_HOST(OP(VAR, DOUBLE))}, 816},
              {{ON_HOST(OP(SUM, INT))}, 8},
              {{ON_HOST(MOMENTS(CLRED_TYPE_FLOAT))}, 136},
              {{ON_HOST(MOMENTS(CLRED_TYPE_DOUBLE))}, 816}};
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    ck_assert_uint_eq(state_of(&rows[i].problem), rows[i].size);
  ck_assert_uint_eq(state_of(&(clred_problem){.custom = exact_own(CLRED_OP_SUM, CLRED_TYPE_FLOAT)}), 48);
  ck_assert_uint_eq(state_of(&(clred_problem){.custom = exact_own(CLRED_OP_MEAN, CLRED_TYPE_BFLOAT16)}), 56);
  if (fixture_lacks_double("exact sums of doubles"))
    return;
  ck_assert_uint_eq(state_of(&(clred_problem){.custom = exact_own(CLRED_OP_SUM, CLRED_TYPE_DOUBLE)}), 272);
  ck_assert_uint_eq(state_of(&(clred_problem){.custom = exact_own(CLRED_OP_MEAN, CLRED_TYPE_DOUBLE)}), 280);
}

TEST(plans_say_exact) {
  const clred_plan_info info = fixture_inspect(PLAN(ON_HOST(OP(SUM, FLOAT))), 1);
  ck_assert_str_eq(info.order, "exact");
  ck_assert(info.portable);
}

// Three sums of doubles and one of floats have 864 bytes.
TEST(some_sums_in_a_state) {
  clred_operator op = *exact_own(CLRED_OP_SUM, CLRED_TYPE_FLOAT);
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
