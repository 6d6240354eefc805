// Results of lists of operators, and of integers with the bits of an element or 32: names, types, states, overflow. The
// programs layouts, algebra, scans and parts compare the results with the oracle.

#include "support/fixture.h"

TEST_CASE("lists", fixture_open, fixture_close);

static const clred_op four[] = {CLRED_OP_SUM, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_ARGMIN};

// Of two checked sums the second overflows: the message names it, and the result is written all the same.
TEST(overflow_names_its_operator) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_PROD};
  const cl_long x[] = {CL_LONG_MAX, -3, 3};
  clred_plan *plan = PLAN(.type = CLRED_TYPE_LONG, .list = ops, .list_count = 2, .overflow = CLRED_OVERFLOW_DETECT);
  cl_mem in = fixture_buffer(x, sizeof x);
  struct {
    cl_long sum;
    cl_uint sum_overflows;
    cl_long product;
    cl_uint product_overflows;
  } result;
  REFUSED_CALL(plan, CLRED_OVERFLOW, "prod of 3 elements of long", .in = in, .count = 3, .result = &result,
               .blocking = CL_TRUE);
  ck_assert_int_eq(result.sum, CL_LONG_MAX);
  ck_assert_uint_eq(result.sum_overflows, 0);
  ck_assert_uint_eq(result.product_overflows, 1);
}

// argmin keeps the smallest element, so min needs no state: 4 bytes each for sum, maximum and key, 8 for the index.
TEST(equal_states_are_kept_once) {
  static const clred_op moments[] = {CLRED_OP_MEAN, CLRED_OP_STD,        CLRED_OP_STD_SAMPLE,
                                     CLRED_OP_VAR,  CLRED_OP_VAR_SAMPLE, CLRED_OP_COUNT};
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .list = four, .list_count = COUNT_OF(four));
  clred_plan *merged = PLAN(.type = CLRED_TYPE_FLOAT, .list = moments, .list_count = COUNT_OF(moments));
  const clred_plan_info info = fixture_inspect(plan, 1);
  ck_assert_uint_eq(info.state_size, 24);
  ck_assert_uint_eq(info.parts, 5);
  ck_assert_int_eq(info.result_type, CLRED_TYPE_NONE);
  ck_assert_int_eq(info.state_type, CLRED_TYPE_NONE);
  ck_assert_uint_eq(fixture_inspect(merged, 1).state_size, 24);
}

TEST(names_say_the_operator_and_its_part) {
  static const char *const names[] = {"sum", "min", "max", "argmin_index", "argmin_value"};
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .list = four, .list_count = COUNT_OF(four));
  clred_part part;
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    assert_ok(clred_plan_part(plan, i, &part));
    ck_assert_str_eq(part.name, names[i]);
  }
  assert_invalid(clred_plan_part(plan, COUNT_OF(names), &part));
}

// ---------------------------------------------------------------- Integers of other widths

TEST_CASE("bits", fixture_open, fixture_close);

TEST(types_of_results_and_states) {
  static const struct {
    clred_op op;
    clred_type type, own, narrow, wide;
  } rows[] = {{CLRED_OP_SUM, CLRED_TYPE_CHAR, CLRED_TYPE_CHAR, CLRED_TYPE_INT, CLRED_TYPE_LONG},
              {CLRED_OP_SUMSQ, CLRED_TYPE_SHORT, CLRED_TYPE_USHORT, CLRED_TYPE_UINT, CLRED_TYPE_ULONG},
              {CLRED_OP_COUNT, CLRED_TYPE_UCHAR, CLRED_TYPE_UCHAR, CLRED_TYPE_UINT, CLRED_TYPE_ULONG}};
  for (size_t i = 0; i < 3 * COUNT_OF(rows); i++) {
    const clred_type types[] = {rows[i / 3].own, rows[i / 3].narrow, rows[i / 3].wide};
    clred_plan *plan = PLAN(.op = rows[i / 3].op, .type = rows[i / 3].type, .strategy = "host_serial",
                            .result_bits = (clred_result_bits)(CLRED_RESULT_OWN + i % 3));
    const clred_plan_info info = fixture_inspect(plan, 1);
    ck_assert_int_eq(info.result_type, types[i % 3]);
    ck_assert_int_eq(info.state_type, types[i % 3]);
    ck_assert_uint_eq(info.result_size, oracle_size(types[i % 3]));
  }
}

TEST(extremes_of_no_elements_are_the_ends_of_the_type) {
  clred_plan *plan = PLAN(OP(MIN, SHORT), .result_bits = CLRED_RESULT_OWN, .strategy = "chunked");
  cl_short results[2] = {0, 0};
  RUN_HOST(plan, .out = &results[0]);
  REFERENCE(plan, .out = &results[1]);
  ck_assert_int_eq(results[0], CL_SHRT_MAX);
  ck_assert_int_eq(results[1], CL_SHRT_MAX);
}

// The sum is 300. It fits uint, but not uchar.
TEST(overflow_is_that_of_the_narrow_type) {
  const cl_uchar in[] = {200, 100, 0};
  struct {
    cl_uchar value;
    cl_uint overflow;
  } own = {0, 0};
  cl_uint wide[] = {0, 0};
  clred_plan *narrow = PLAN(OP(SUM, UCHAR), .overflow = CLRED_OVERFLOW_DETECT, .result_bits = CLRED_RESULT_OWN);
  clred_plan *other = PLAN(OP(SUM, UCHAR), .overflow = CLRED_OVERFLOW_DETECT, .result_bits = CLRED_RESULT_32);
  cl_int err = clred_plan_run_host(under_test.queue, narrow, &(clred_host_call){.in = in, .count = 3, .out = &own});
  assert_refused(err, CLRED_OVERFLOW, "does not fit the type of its result");
  ck_assert_uint_eq(own.value, 44);
  ck_assert_uint_eq(own.overflow, 1);
  RUN_HOST(other, .in = in, .count = 3, .out = wide);
  ck_assert_uint_eq(wide[0], 300);
  ck_assert_uint_eq(wide[1], 0);
}

TEST(a_list_has_narrow_parts) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_MIN, CLRED_OP_SUMSQ, CLRED_OP_COUNT};
  const cl_short in[] = {-300, 20000, 20000};
  cl_ushort got[] = {0, 0, 0, 0};  // the first two are cl_short
  clred_plan *plan = PLAN(.type = CLRED_TYPE_SHORT, .list = ops, .list_count = 4, .result_bits = CLRED_RESULT_OWN);
  RUN_HOST(plan, .in = in, .count = 3, .out = got);
  ck_assert_int_eq((cl_short)got[0], 39700 - 65536);
  ck_assert_int_eq((cl_short)got[1], -300);
  ck_assert_uint_eq(got[2], (90000 + 2 * 400000000u) % 65536);
  ck_assert_uint_eq(got[3], 3);
}
