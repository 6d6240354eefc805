// The order exact: results worked out by hand, lists, complex numbers, and descriptions. The program layouts has every
// layout and scan, tests/exact compares random problems with MPFR.

#include "exact/by_hand.h"
#include "support/fixture.h"

#include <math.h>

#define EXACT(...) .order = CLRED_ORDER_EXACT, __VA_ARGS__

TEST_CASE("by hand", fixture_open, fixture_close);

TEST(floats_by_hand) {
  for (size_t i = 0; i < COUNT_OF(of_floats); i++) {
    const struct by_hand *row = &of_floats[i];
    uint32_t result = 0x5a5a5a5a;
    clred_plan *plan = PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .op = row->op, .strategy = "host_serial"));
    RUN_HOST(plan, .in = row->x, .count = row->count, .out = &result);
    ck_assert_msg(result == row->result, "row %zu: 0x%x is not 0x%x", i, result, row->result);
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

// The mean, the sum and the squares are in the state of var, so the list has its size: 8 + 6 * 8 + 10 * 8 bytes for
// floats, 8 + 34 * 8 + 67 * 8 for doubles.
TEST(a_list_keeps_one_state_of_moments) {
  static const clred_op list[] = {CLRED_OP_SUM, CLRED_OP_MEAN, CLRED_OP_VAR, CLRED_OP_STD, CLRED_OP_NORM2};
  clred_plan *floats =
    PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .list = list, .list_count = COUNT_OF(list), .strategy = "host_serial"));
  clred_plan *doubles =
    PLAN(EXACT(.type = CLRED_TYPE_DOUBLE, .list = list, .list_count = COUNT_OF(list), .strategy = "host_serial"));
  ck_assert_uint_eq(fixture_inspect(floats, 1).state_size, 136);
  ck_assert_uint_eq(fixture_inspect(doubles, 1).state_size, 816);
}

// ---------------------------------------------------------------- Descriptions and refusals

TEST(plans_say_exact) {
  clred_plan *plan = PLAN(EXACT(OP(SUM, FLOAT), .strategy = "host_serial"));
  const clred_plan_info info = fixture_inspect(plan, 1);
  ck_assert_str_eq(info.order, "exact");
  ck_assert(info.portable);
  ck_assert_uint_eq(info.state_size, 48);
}

TEST(states_have_the_sizes_of_the_docs) {
  static const struct {
    clred_op op;
    clred_type type;
    size_t size;
  } rows[] = {{CLRED_OP_SUM, CLRED_TYPE_DOUBLE, 272},   {CLRED_OP_DOT, CLRED_TYPE_FLOAT, 80},
              {CLRED_OP_NORM2, CLRED_TYPE_DOUBLE, 536}, {CLRED_OP_VAR, CLRED_TYPE_HALF, 136},
              {CLRED_OP_VAR, CLRED_TYPE_DOUBLE, 816},   {CLRED_OP_SUM, CLRED_TYPE_INT, 8}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_plan *plan = PLAN(EXACT(.op = rows[i].op, .type = rows[i].type, .strategy = "host_serial"));
    ck_assert_uint_eq(fixture_inspect(plan, 1).state_size, rows[i].size);
  }
}
