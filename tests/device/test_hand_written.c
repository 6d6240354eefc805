// Cases worked out by hand for all operators, types of elements and policies. The oracle in every order, the device and
// the library's reference must give their results.

#include <math.h>

#include "support/fixture.h"

#include "data/hand_written.h"

#define CASES COUNT_OF(algebra_cases)
#define RESULT_BYTES 256

static uint64_t count_of(const struct algebra_case *one) {
  return one->elements.count / oracle_components(one->problem.type);
}

// The expected bits as an oracle's result.
static oracle_result result_of(const struct algebra_case *one) {
  oracle_result result;
  size_t next = 0;
  oracle_parts(&one->problem, &result);
  for (size_t i = 0; i < result.count; i++)
    for (unsigned c = 0; c < result.parts[i].components; c++)
      result.parts[i].bits[c] = one->bits[next++];
  ck_assert_msg(next == one->bit_count, "%s: %zu bits are given, not %zu", one->what, one->bit_count, next);
  oracle_part *part = &result.parts[0];
  if (one->ulps) {
    part->open = true;
    part->value[0] = oracle_float_value(part->type, part->bits[0]);
    part->bound[0] = one->ulps * fabs(part->value[0]) * (part->type == CLRED_TYPE_FLOAT ? 0x1p-23 : 0x1p-52);
  }
  return result;
}

// Writes the oracle's result as it is laid out in memory.
static void write_result(const oracle_result *result, unsigned char *bytes) {
  for (size_t i = 0; i < result->count; i++) {
    const size_t size = oracle_size(oracle_component(result->parts[i].type));
    for (unsigned c = 0; c < result->parts[i].components; c++) {
      uint64_t word = 0;
      oracle_store(&word, size, 0, result->parts[i].bits[c]);
      memcpy(bytes + oracle_offset(result, i) + c * size, &word, size);
    }
  }
}

// Prints the difference and goes on, because one test has many cases.
static bool passes(const struct algebra_case *one, const char *by, const void *bytes) {
  const oracle_result expected = result_of(one);
  char text[300];
  if (oracle_same(&expected, bytes, text, sizeof text))
    return true;
  printf("FAILED %s, %s of %s, \"%s\": %s\n", by, op_name(one->problem.op), type_name(one->problem.type), one->what,
         text);
  fflush(stdout);
  return false;
}

TEST_CASE("oracle", NULL, NULL);

// The results of more than two elements are those of the order fixed/1.
static bool is_for(const struct algebra_case *one, bool fixed_order) {
  return fixed_order || one->order == ANY_ORDER || !oracle_order_matters(&one->problem) || count_of(one) <= 2;
}

static bool solve(const struct algebra_case *one, const oracle_tree *tree) {
  oracle_result result;
  unsigned char bytes[RESULT_BYTES] = {0};
  oracle_solve(&one->problem, one->elements.scalars, one->others.scalars, count_of(one), tree, &result);
  write_result(&result, bytes);
  const oracle_result expected = result_of(one);
  char text[300];
  return oracle_same(&expected, bytes, text, sizeof text);
}

// A case of TELLS_ORDERS must have other bits in at least one other order. Otherwise it would test nothing.
TEST_EACH(oracle_agrees, 0, (int)CASES) {
  static const oracle_tree trees[] = {
    {.strategy = "wide"},
    {.strategy = "host_serial"},
    {.strategy = "bottom_up"},
    {.strategy = "top_down"},
    {.strategy = "local_sequential", .finish = "relaunch", .group_size = 8},
    {.strategy = "persistent", .finish = "last_group", .group_size = 4, .groups = 3},
    {.strategy = "persistent_interleaved", .finish = "host", .group_size = 4, .groups = 3},
    {.strategy = "hand_off", .finish = "host", .group_size = 64, .hand_over = 32}};
  const struct algebra_case *one = &algebra_cases[_i];
  unsigned right = 0;
  ck_assert(oracle_defined(&one->problem));
  for (size_t t = 0; t < COUNT_OF(trees); t++) {
    const bool same = solve(one, &trees[t]);
    ck_assert_msg(same || !is_for(one, t == 0), "%s by %s", one->what, trees[t].strategy);
    right += same;
  }
  ck_assert_msg(one->order != TELLS_ORDERS || right < COUNT_OF(trees), "%s has the same bits in all orders", one->what);
}

// ---------------------------------------------------------------- The device

static bool same_problem(const clred_problem *a, const clred_problem *b) {
  return a->op == b->op && a->type == b->type && a->state == b->state && a->nan == b->nan && a->overflow == b->overflow;
}

// Cases of one problem are adjacent, so each program is built once.
static clred_plan *plan_for(const char *strategy, size_t index, clred_plan *before) {
  clred_problem problem = algebra_cases[index].problem;
  if (before && index && same_problem(&problem, &algebra_cases[index - 1].problem))
    return before;
  problem.strategy = strategy;
  problem.count_max = 10000;
  return fixture_plan(&problem);
}

static cl_mem buffer_of(const struct hand_elements *elements, clred_type type) {
  static const char nothing[16];
  const size_t size = elements->count * oracle_size(oracle_component(type));
  return fixture_buffer(size ? elements->scalars : nothing, size ? size : sizeof nothing);
}

static bool overflows(const struct algebra_case *one) {
  return one->problem.overflow == CLRED_OVERFLOW_DETECT && one->bits[1] == 1;
}

static bool call_device(const struct algebra_case *one, clred_plan *plan, const char *strategy) {
  unsigned char bytes[RESULT_BYTES] = {0};
  cl_mem in = buffer_of(&one->elements, one->problem.type), other = buffer_of(&one->others, one->problem.type);
  const cl_int err = clred_enqueue(under_test.queue, plan,
                                   &(clred_call)CALL(.in = in, .inputs = oracle_is_dot(one->problem.op) ? &other : NULL,
                                                     .count = count_of(one), .result = bytes, .blocking = CL_TRUE),
                                   0, NULL, NULL);
  const bool right = err == (overflows(one) ? CLRED_OVERFLOW : CL_SUCCESS);
  if (!right)
    printf("FAILED %s, \"%s\": %s: %s\n", strategy, one->what, clred_status_name(err),
           clred_last_error(under_test.runtime));
  return passes(one, strategy, bytes) && right;
}

static bool call_reference(const struct algebra_case *one, clred_plan *plan) {
  unsigned char bytes[RESULT_BYTES] = {0};
  if (oracle_is_dot(one->problem.op))
    return true;
  REFERENCE(plan, .in = one->elements.scalars, .count = count_of(one), .out = bytes);
  return passes(one, "reference", bytes);
}

// Numbers of floating types only, if `few`, because each operator and type needs a build.
static void check_all(const char *strategy, bool fixed_order, bool few, size_t begin, size_t end) {
  clred_plan *plan = NULL;
  unsigned failures = 0;
  for (size_t i = begin; i < end; i++) {
    const struct algebra_case *one = &algebra_cases[i];
    if (few && (one->problem.op > CLRED_OP_ANY || !oracle_is_floating(one->problem.type)))
      continue;
    if (oracle_needs_fp64(&one->problem) && !device_has_fp64(&under_test)) {
      fixture_skip(one->what, "the device has no double");
      plan = NULL;
      continue;
    }
    plan = plan_for(strategy, i, plan);
    if (is_for(one, fixed_order)) {
      failures += !call_device(one, plan, strategy);
      failures += !call_reference(one, plan);
    }
  }
  ck_assert_msg(failures == 0, "%u cases failed by %s", failures, strategy);
}

TEST_CASE("device", fixture_open, fixture_close);

// Four parts, so that no test takes too long. The strategy is the device's choice, because this suite tests operators.
TEST_EACH(kernels, 0, 4) {
  check_all("auto", true, false, CASES * (size_t)_i / 4, CASES * (size_t)(_i + 1) / 4);
}

TEST_EACH(other_orders, 0, 3) {
  check_all((const char *const[]){"host_serial", "device_serial", "local_sequential"}[_i], false, _i > 0, 0, CASES);
}

static void open_with_optimizer(void) {
  ck_assert_int_eq(unsetenv("CLREDUCE_TEST_BUILD_OPTIONS"), 0);
  fixture_open();
}

TEST_CASE("optimizer", open_with_optimizer, fixture_close);

// Optimized by PoCL 3.1, the kernel of these groups once crashed.
TEST(hand_off_in_groups_of_two) {
  static const cl_int elements[] = {1, 2, 3, 4, 5};
  clred_plan *plan = PLAN(OP(SUM, INT), .strategy = "hand_off", .group_size = 2, .count_max = 5);
  cl_mem in = fixture_buffer(elements, sizeof elements);
  cl_long sum = 0;
  RUN(plan, .in = in, .count = 5, .result = &sum);
  ck_assert_int_eq(sum, 15);
}
