// The library refuses some lists of operators, and reports which sum of a list overflows.

#include "support/fixture.h"

TEST_CASE("lists", fixture_open, fixture_close);

// Of two checked sums the second overflows: the sentence names it, and the result is written all the same.
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

static const clred_op sums[] = {CLRED_OP_SUM, CLRED_OP_MEAN, CLRED_OP_SUM, CLRED_OP_DOT, CLRED_OP_AND, (clred_op)99};
static const clred_op many[CLRED_LIST_MAX + 1] = {CLRED_OP_SUM};
static const clred_histogram bins = {.bins = 4, .high = 1};
static const clred_selection positive = {.name = "positive", .keep = "x > 0"};
static const clred_operator own = {
  .name = "own", .element = "float", .state = "float", .identity = "0", .combine = "a + b"};

#define LISTED(from, number) .list = sums + (from), .list_count = (number)
static const struct refused_plan refusals[] = {
  {{.type = CLRED_TYPE_FLOAT, LISTED(0, 0)}, CLRED_INVALID_PROBLEM, "list_count is 0; give 1 to 16"},
  {{.type = CLRED_TYPE_FLOAT, .list_count = 3}, CLRED_INVALID_PROBLEM, "list is NULL, but list_count is 3"},
  ROW({.type = CLRED_TYPE_FLOAT, .list = many, .list_count = CLRED_LIST_MAX + 1}, CLRED_INVALID_PROBLEM,
      "list_count: 17 is above 16"),
  {{.type = CLRED_TYPE_FLOAT, LISTED(0, 3)}, CLRED_INVALID_PROBLEM, "list[2]: sum is already list[0]"},
  {{.type = CLRED_TYPE_FLOAT, LISTED(1, 3)}, CLRED_INVALID_PROBLEM, "list[2]: dot reads a second input"},
  {{.type = CLRED_TYPE_FLOAT, LISTED(4, 1)}, CLRED_OPERATOR_TYPE, "and is defined for integers only"},
  {{.type = CLRED_TYPE_INT, LISTED(4, 2)}, CLRED_INVALID_PROBLEM, "list[1]: 99 is no operator"},
  {{LISTED(0, 2)}, CLRED_INVALID_PROBLEM, "type"},
  ROW({.type = CLRED_TYPE_INT, LISTED(0, 2), .overflow = CLRED_OVERFLOW_DETECT}, CLRED_OPERATOR_TYPE,
      "mean of int cannot detect it"),
  {{.type = CLRED_VECTOR(CLRED_TYPE_INT, 4), LISTED(0, 1)}, CLRED_OPERATOR_TYPE, "elements of int4 are vectors"},
  ROW({.type = CLRED_TYPE_FLOAT, LISTED(0, 2), .op = CLRED_OP_SUM}, CLRED_INVALID_PROBLEM,
      "op is given together with list"),
  {{LISTED(0, 2), .custom = &own}, CLRED_INVALID_PROBLEM, "list is given together with custom"},
  ROW({.type = CLRED_TYPE_FLOAT, LISTED(0, 2), .selection = &positive}, CLRED_INVALID_PROBLEM,
      "list is given together with selection"),
  ROW({.type = CLRED_TYPE_FLOAT, LISTED(0, 2), .histogram = &bins}, CLRED_INVALID_PROBLEM,
      "list is given together with histogram"),
  ROW({.type = CLRED_TYPE_FLOAT, LISTED(0, 2), .scan = CLRED_SCAN_INCLUSIVE}, CLRED_INVALID_PROBLEM,
      "a scan computes one operator"),
};

TEST_ROWS(a_list_is_refused, refusals) {
  fixture_refused_plan(&refusals[_i].problem, refusals[_i].status, refusals[_i].words);
}
