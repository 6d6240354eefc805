// The numbers that plans take from tunings: they stay within the device, and the caller's come first. The devices are
// lists of facts (devices.h); no device is opened.
#include "support/suite.h"
#include "unit/shapes.h"

static struct clr_tuned any_numbers(unsigned *state) {
  struct clr_tuned tuned = {0};
  for (unsigned i = 0; i < CLR_TUNABLES; i++) {
    const struct clr_tunable_row *row = clr_tunable_row(i);
    *state = *state * 1664525u + 1013904223u;
    cl_ulong value = row->kind == CLR_TUNABLE_FLAG ? *state >> 31 : (cl_ulong)1 << (*state >> 16) % 21;
    if (*state >> 30 != 0 && clr_tunable_allows(i, value))
      clr_tuned_set(&tuned, i, value);
  }
  return tuned;
}

TEST_CASE("plans", NULL, NULL);

TEST_EACH(measured_numbers_stay_within_the_device, 0, DEVICES) {
  static const clred_type types[] = {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_UCHAR, CLRED_TYPE_CFLOAT};
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_PROD};
  struct clr_facts facts = facts_of((size_t)_i, 0);
  unsigned state = 7;
  facts.fp64 = 1;
  for (unsigned i = 0; i < 480; i++) {
    struct clr_problem problem = problem_of(&(clred_problem){.op = ops[i % 2], .type = types[i / 2 % 4]});
    const struct clr_strategy *strategy = clr_strategy_named(i / 8 % 2 ? "wide" : "chunked");
    struct clr_shape plain, tuned;
    struct clr_status status;
    cl_int expected = clr_strategy_fit(strategy, &facts, &problem, &plain, &status);
    problem.tuned = any_numbers(&state);
    ck_assert_int_eq(clr_strategy_fit(strategy, &facts, &problem, &tuned, &status), expected);
    if (expected)
      continue;
    ck_assert_uint_eq(tuned.lanes, plain.lanes);
    ck_assert_uint_eq(tuned.rows, plain.rows);
    assert_within(&devices[_i], &facts, strategy, &tuned);
    ck_assert(tuned.vector <= tuned.lanes && tuned.loads.rows_at_once <= tuned.rows);
    for (cl_ulong n = 1; n < (cl_ulong)1 << 40; n = n * 3 + 1) {
      struct clr_pass pass;
      ck_assert(strategy->pass(&tuned, LINE(n), 0, &pass));
      ck_assert_msg(pass.groups >= 1 && pass.groups <= tuned.groups_max &&
                      pass.groups * pass.span * 16 * tuned.lanes >= n,
                    "n = %llu", (unsigned long long)n);
    }
    for (unsigned j = 0; j < CLR_TUNABLES; j++)
      if (clr_tuned_has(&tuned.tuned, j))
        ck_assert_msg(clr_tunable_in_use(&tuned, j) == tuned.tuned.values[j], "%s, %s: %s is given and not used",
                      devices[_i].name, strategy->name, clr_tunable_row(j)->name);
  }
}

TEST(callers_numbers_come_first) {
  struct clr_facts facts = facts_of(GPU, 0);
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT)});
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUP_SIZE, 512);
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUPS, 77);
  struct clr_shape shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.group_size, 512);
  ck_assert_uint_eq(shape.groups_max, 77);
  problem.group_size = 32;
  problem.groups = 5;
  shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.group_size, 32);
  ck_assert_uint_eq(shape.groups_max, 5);
  ck_assert_uint_eq(shape.tuned.given, 0);
}

// Group sizes decide the tree of the textbook's strategies, so they are not tuned. Other layouts are not tuned either.
TEST(other_strategies_and_layouts_have_no_tunings) {
  struct clr_facts facts = facts_of(GPU, 0);
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT), .count_max = 1000});
  struct clr_shape shape;
  struct clr_status status;
  const struct clr_strategy *strategy;
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUP_SIZE, 32);
  for (size_t i = 0; (strategy = clr_strategy_at(i)) != NULL; i++) {
    ck_assert_msg(!strategy->reduce.tunables || strategy->fixed_order, "%s", strategy->name);
    if (!strategy->reduce.tunables && !clr_strategy_fit(strategy, &facts, &problem, &shape, &status))
      ck_assert_msg(shape.tuned.given == 0 && shape.group_size != 32, "%s", strategy->name);
  }
  problem.layout = CLRED_LAYOUT_STRIDED;
  shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.tuned.given, 0);
}

TEST(numbers_above_the_limits_are_dropped) {
  struct clr_facts facts = facts_of(GROUPS_OF_64, 0);
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT)});
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUP_SIZE, 128);
  struct clr_shape shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.group_size, 64);
  ck_assert_uint_eq(shape.tuned.given, 0);
  facts = facts_of(GPU, 0);
  clr_tuned_set(&problem.tuned, CLR_TUNE_PREFETCHES, 1);  // a GPU's compiler has no builtin for it
  problem.tuned.given = CLR_TUNE_BIT(PREFETCHES);
  shape = fitted("chunked", &facts, &problem);
  ck_assert(!shape.loads.prefetches);
}

TEST(few_elements_take_few_groups) {
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT)});
  struct clr_pass pass;
  clr_tuned_set(&problem.tuned, CLR_TUNE_TILES, 16);
  const struct clr_strategy *strategy = clr_strategy_named("chunked");
  struct clr_shape shape = fitted("chunked", ON(CPU, 0), &problem);
  ck_assert(strategy->pass(&shape, LINE(16 * 1024), 0, &pass));
  ck_assert_uint_eq(pass.groups, 1);
  ck_assert(strategy->pass(&shape, LINE(16 * 1024 + 1), 0, &pass));
  ck_assert_uint_eq(pass.groups, 2);
}
