// User-defined operators: their states and elements, the order in which states are combined, and the reference.
// Operands and callbacks are in test_operands.c.

#include "support/material.h"

#include "support/ways.h"

#define LENGTH WAYS_COUNT_MAX

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

// The host, one work-item and twenty launches are too slow for a million elements.
static bool is_quick(const struct way *way) {
  return strncmp(way->name, "wide", 4) == 0 || strncmp(way->name, "chunked", 7) == 0 ||
         is_way(way, "local_interleaved+relaunch");
}

static const uint64_t sizes[] = {0, 1, 2, 3, 16, 17, 255, 256, 257, 1000, 65537};

static void check_sizes(const struct material *material, const clred_operator *op, const struct way *way) {
  const clred_problem problem = problem_for(op, way);
  clred_plan *plan = fixture_plan(&problem);
  for (size_t i = 0; i < COUNT_OF(sizes); i++)
    material_check(material, plan, i % 4, sizes[i], way->name);
  if (is_quick(way))
    material_check(material, plan, 0, LENGTH, way->name);
}

TEST_CASE("order", fixture_open, fixture_close);

// Runs operators that do not commute by strategies that keep the order. Elementwise operators also run one element at a
// time.
TEST_STEPS(in_order, 0, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  clred_operator one_by_one = of->op;
  struct way way;
  struct material material = material_create(of, LENGTH + 8);
  one_by_one.elementwise = CL_FALSE;
  for (int w = 0; way_at(w, &way); w++) {
    const bool is_main = is_way(&way, "wide+last_group") || is_way(&way, "chunked+last_group");
    // Every operator by the strategies that devices choose, and by two fifths of the others.
    if (keeps_order(&way) && (is_main || w % 5 == _i || (w + 2) % 5 == _i))
      check_sizes(&material, &of->op, &way);
    if (of->op.elementwise && is_main)
      check_sizes(&material, &one_by_one, &way);
  }
}

// Another order gives another result. Otherwise the test above would show nothing.
TEST_STEPS(order_shows, 1, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  struct material material = material_create(of, 1000);
  unsigned char forwards[256], swapped[256];
  const struct row row = {.stride = 1, .count = 1000};
  unsigned differing = 0;
  material_fold(&material, &row, forwards);
  for (size_t at = 0; at < 10; at++) {
    for (size_t i = 0; i < of->element; i++) {
      unsigned char *p = material.elements + at * of->element + i, *q = p + 500 * of->element, kept = *p;
      *p = *q;
      *q = kept;
    }
    material_fold(&material, &row, swapped);
    differing += memcmp(forwards, swapped, of->result) != 0;
  }
  ck_assert_msg(differing > 0, "%s: elements that changed places do not show", of->op.name);
}

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

// The strategy that the library chooses keeps the order.
TEST_STEPS(auto_keeps_order, 1, (int)ordered_sample_count, 2) {
  struct material material = material_create(&ordered_samples[_i], LENGTH + 8);
  clred_plan *plan = PLAN(.custom = &ordered_samples[_i].op);
  material_check(&material, plan, 1, 1000, "auto");
  material_check(&material, plan, 3, LENGTH, "auto");
}

// ---------------------------------------------------------------- States and elements

// Checks the sample with all strategies, or only with the strategies that use atomics, which need a state of one word.
static void check_everything(const struct sample *of, size_t state, bool atomics_only) {
  struct way way;
  struct material material = material_create(of, LENGTH + 8);
  for (int w = 0; way_at(w, &way); w++)
    if (is_atomic(&way) ? has_atomics_of(state) : !atomics_only)
      check_sizes(&material, &of->op, &way);
}

TEST_CASE("states", fixture_open, fixture_close);

TEST(state_of_24_bytes) {
  check_everything(sample_named("moments"), 24, false);
}

TEST(state_of_200_bytes) {
  check_everything(sample_named("histogram"), 200, false);
}

TEST(state_of_4_bytes) {
  check_everything(sample_named("uint_product"), 4, true);
}

TEST(state_of_8_bytes) {
  check_everything(sample_named("ends"), 8, true);
}

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

// Elements of every kind, by strategies that read them in different ways.
TEST_STEPS(elements_of_any_kind, 0, (int)free_sample_count, 2) {
  const struct sample *of = &free_samples[_i];
  struct material material = material_create(of, 65537 + 8);
  static const char *names[] = {"wide+last_group", "chunked+last_group", "local_sequential+relaunch", "device_serial+",
                                "hand_off+relaunch"};
  struct way way;
  for (int w = 0; way_at(w, &way); w++)
    for (size_t n = 0; n < COUNT_OF(names); n++)
      if (is_way(&way, names[n]) && (n < 2 || n % 3 == (size_t)_i % 3)) {
        const clred_problem problem = problem_for(&of->op, &way);
        clred_plan *plan = fixture_plan(&problem);
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
          material_check(&material, plan, i % 4, sizes[i], way.name);
      }
}

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

// The reference uses the callbacks, with the same tree as the device.
TEST_STEPS(reference_of_an_operator, 1, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  unsigned char reference[256], expected[256];
  const struct row row = {.stride = 1, .count = 3000};
  struct material material = material_create(of, 3000);
  clred_plan *plan = PLAN(.custom = &of->op);
  const void *input = material.input;
  REFERENCE(plan, .in = material.elements, .inputs = &input, .parameters = &of->parameter, .count = 3000,
            .out = reference);
  material_fold(&material, &row, expected);
  ck_assert_mem_eq(reference, expected, of->result);
}

TEST(reference_without_callbacks) {
  clred_operator op = sample_named("matrix")->op;
  unsigned char bytes[64] = {0};
  op.host = NULL;
  clred_plan *plan = PLAN(.custom = &op);
  assert_status(clred_plan_reference(plan, &(clred_host_call){.in = bytes, .count = 1, .out = bytes}),
                CLRED_NO_HOST_OPERATOR);
}
