// Several operators in one pass: names, states and overflow of the parts. The programs layouts and parts compare the
// results with the oracle.

#include "support/fixture.h"

TEST_CASE("calls", fixture_open, fixture_close);

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

// argmin keeps the least element, so min needs no state: 4 bytes each for sum, maximum and key, 8 for the index.
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
