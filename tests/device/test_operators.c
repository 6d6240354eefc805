// User-defined operators: strategies that keep the order, the largest states, parts of results. Operands and callbacks
// are in test_operands.c; the program layouts compares the results.

#include "support/operators.h"
#include "support/ways.h"

// True if the strategy combines only neighbours, for any operator.
static bool keeps_order(const struct way *way) {
  static const char *const names[] = {"host_serial+",
                                      "device_serial+",
                                      "bottom_up+",
                                      "bottom_up_mono+",
                                      "local_interleaved+host",
                                      "local_interleaved+relaunch",
                                      "wide+host",
                                      "wide+relaunch",
                                      "wide+last_group",
                                      "chunked+host",
                                      "chunked+relaunch",
                                      "chunked+last_group",
                                      "global_interleaved+host",
                                      "global_interleaved+relaunch"};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(way->name, names[i]) == 0)
      return true;
  return false;
}

TEST_CASE("order", fixture_open, fixture_close);

// All other strategies are refused with a reason, by clred_strategy_applies and by clred_plan_create.
TEST_STEPS(permuting_is_refused, 0, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  struct way way;
  for (int w = 0; way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&of->op, &way);
    if (keeps_order(&way)) {
      check_applies(way.strategy, &problem, CL_SUCCESS, "");
      continue;
    }
    check_applies(way.strategy, &problem, CLRED_STRATEGY_REFUSED, "commute");
    check_applies(way.strategy, &problem, CLRED_STRATEGY_REFUSED, of->op.name);
    ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
  }
  for (int w = 0; way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&of->op, &way);
    if (keeps_order(&way))
      continue;
    fixture_refused_plan(&problem, CLRED_STRATEGY_REFUSED, "commute");
  }
}

// ---------------------------------------------------------------- States and elements

TEST_CASE("states", fixture_open, fixture_close);

// The largest states. `auto` chooses wide or chunked. The groups of local_sequential hold a state for each work-item.
TEST_EACH(state_of_1024_bytes, 0, 3) {
  static const char *const strategies[] = {"wide", "chunked", "local_sequential"};
  const clred_operator op =
    OPERATOR(.name = "largest", .preamble = "typedef struct { uint words[256]; } largest;", .element = "uint",
             .state = "largest", .result = "uint", .state_size = 1024, .identity = "{ { 0 } }",
             .lift = "{ largest one = { { 0 } }; one.words[x % 256] = x; return one; }",
             .combine = "{ for (int i = 0; i < 256; i++) a.words[i] += b.words[i]; return a; }",
             .lower = "{ uint sum = 0; for (int i = 0; i < 256; i++) sum += (i + 1) * s.words[i]; return sum; }",
             .commutative = CL_TRUE);
  cl_uint numbers[5000], expected = 0, result = 0;
  for (cl_uint i = 0; i < 5000; i++) {
    numbers[i] = i * 2654435761u;
    expected += (numbers[i] % 256 + 1) * numbers[i];
  }
  clred_plan *plan = PLAN(.custom = &op, .strategy = strategies[_i], .count_max = 5000);
  RUN_HOST(plan, .in = numbers, .count = 5000, .out = &result);
  ck_assert_uint_eq(result, expected);
}

static void check_atomic(const char *name, size_t state) {
  const struct sample *of = sample_named(name);
  struct way way;
  char bytes[24];
  snprintf(bytes, sizeof bytes, "%zu", state);
  for (int w = 0; way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&of->op, &way);
    const bool served = !is_atomic(&way) || has_atomics_of(state);
    const cl_int status = served ? CL_SUCCESS : CLRED_STRATEGY_REFUSED;
    check_applies(way.strategy, &problem, status, served ? "" : bytes);
    check_applies(way.strategy, &problem, status, served ? "" : "atomic");
  }
}

// Atomics need a state of 4 or 8 bytes. Other strategies take any size.
TEST(atomics_and_the_size_of_states) {
  check_atomic("moments", 24);
  check_atomic("histogram", 200);
  check_atomic("float3", 16);
  check_atomic("uint_product", 4);
  check_atomic("ends", 8);
}

TEST_CASE("elements", fixture_open, fixture_close);

// A plan reports the parts of a list, and only the size of a struct.
TEST(parts_of_results) {
  const clred_operator *ends = &sample_named("ends")->op, *moments = &sample_named("moments")->op;
  const clred_problem list = {.custom = ends}, structs = {.custom = moments};
  clred_plan_info info;
  clred_part part;
  clred_plan *plan = fixture_plan(&list);
  assert_ok(clred_plan_inspect(plan, 10, &info));
  ck_assert_uint_eq(info.parts, 2);
  ck_assert_uint_eq(info.result_size, 8);
  ck_assert_uint_eq(info.state_size, 8);
  ck_assert_uint_eq(info.element_size, 4);
  ck_assert_int_eq(info.result_type, CLRED_TYPE_NONE);
  assert_ok(clred_plan_part(plan, 1, &part));
  ck_assert_str_eq(part.name, "high");
  ck_assert_int_eq(part.type, CLRED_TYPE_UINT);
  ck_assert_uint_eq(part.offset, 4);
  assert_invalid(clred_plan_part(plan, 2, &part));
  plan = fixture_plan(&structs);
  assert_ok(clred_plan_inspect(plan, 10, &info));
  ck_assert_uint_eq(info.parts, 0);
  ck_assert_uint_eq(info.result_size, 24);
  ck_assert_uint_eq(info.state_size, 24);
  assert_invalid(clred_plan_part(plan, 0, &part));
}

// The named structs of clreduce.h have the layout of results.
TEST(structs_of_results) {
#define PLACED(name, member) \
  { #member, offsetof(name, member) }
#define ROWS_OF(kind, of) \
  {CLRED_OP_ARGMAX, kind, sizeof(clred_place_##of), 0, {PLACED(clred_place_##of, value)}}, \
    {CLRED_OP_MINMAX, kind, sizeof(clred_minmax_##of), 0, {PLACED(clred_minmax_##of, max)}}, \
    {CLRED_OP_ARGMINMAX, \
     kind, \
     sizeof(clred_argminmax_##of), \
     0, \
     {PLACED(clred_argminmax_##of, min_index), PLACED(clred_argminmax_##of, max_index)}}, \
  { \
    CLRED_OP_STATS, kind, sizeof(clred_stats_##of), 0, { \
      PLACED(clred_stats_##of, max_index), PLACED(clred_stats_##of, mean), PLACED(clred_stats_##of, sum) \
    } \
  }
  static const struct {
    clred_op op;
    clred_type type;
    size_t size;
    clred_overflow overflow;
    struct {
      const char *name;
      size_t offset;
    } parts[3];
  } rows[] = {
    ROWS_OF(CLRED_TYPE_CHAR, long),
    ROWS_OF(CLRED_TYPE_ULONG, ulong),
    ROWS_OF(CLRED_TYPE_HALF, float),
    ROWS_OF(CLRED_TYPE_DOUBLE, double),
    {CLRED_OP_SUM,
     CLRED_TYPE_INT,
     sizeof(clred_checked_long),
     CLRED_OVERFLOW_DETECT,
     {PLACED(clred_checked_long, overflow)}},
    {CLRED_OP_SUMSQ,
     CLRED_TYPE_INT,
     sizeof(clred_checked_ulong),
     CLRED_OVERFLOW_DETECT,
     {PLACED(clred_checked_ulong, overflow)}},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const clred_problem problem = {
      .op = rows[i].op, .type = rows[i].type, .overflow = rows[i].overflow, .strategy = "host_serial"};
    clred_plan *plan = fixture_plan(&problem);
    clred_plan_info info;
    clred_part part = {.name = ""};
    assert_ok(clred_plan_inspect(plan, 1, &info));
    ck_assert_uint_eq(info.result_size, rows[i].size);
    for (size_t j = 0, at = 0; j < COUNT_OF(rows[i].parts) && rows[i].parts[j].name; j++, at = 0) {
      do
        assert_ok(clred_plan_part(plan, at++, &part));
      while (strcmp(part.name, rows[i].parts[j].name) != 0);
      ck_assert_uint_eq(part.offset, rows[i].parts[j].offset);
    }
  }
}

// ---------------------------------------------------------------- The reference

TEST_CASE("reference", fixture_open, fixture_close);

TEST(reference_without_callbacks) {
  clred_operator op = sample_named("matrix")->op;
  unsigned char bytes[64] = {0};
  op.host = NULL;
  clred_plan *plan = PLAN(.custom = &op);
  assert_status(clred_plan_reference(plan, &(clred_host_call){.in = bytes, .count = 1, .out = bytes}),
                CLRED_NO_HOST_OPERATOR);
}
