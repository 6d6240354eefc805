// The cases worked out by hand, through the oracle and through five strategies.

#include "support/fixture.h"

#include "data/hand_written.h"

#define CASES COUNT_OF(hand_cases)

static void check_case(const char *strategy, const struct hand_case *one) {
  clred_plan *plan = PLAN(.type = one->type, .op = one->op, .strategy = strategy, .count_max = 10000);
  static const char nothing[8];
  cl_mem in = fixture_buffer(one->count ? one->elements : nothing,
                             one->count ? one->count * oracle_size(one->type) : sizeof nothing);
  const size_t size = oracle_size(oracle_result_type(one->op, one->type));
  uint64_t word = 0;
  RUN(plan, .in = in, .count = one->count, .result = &word);
  ck_assert_msg(oracle_load(&word, size, 0) == one->bits, "%s, \"%s\": 0x%" PRIx64 ", not 0x%" PRIx64, strategy,
                one->what, oracle_load(&word, size, 0), one->bits);
}

// Checks the cases whose results the strategy's order determines. Without `integers` it checks only floating types,
// because each operator and type needs a build.
static void check_all(const char *strategy, bool fixed_order, bool integers) {
  for (size_t i = 0; i < CASES; i++) {
    const struct hand_case *one = &hand_cases[i];
    if (one->type == CLRED_TYPE_DOUBLE && fixture_lacks_double(one->what))
      continue;
    if ((fixed_order || !one->fixed) && (integers || oracle_is_floating(one->type)))
      check_case(strategy, one);
  }
}

TEST_CASE("oracle", NULL, NULL);

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
  const struct hand_case *one = &hand_cases[_i];
  for (size_t t = 0; t < (one->fixed ? 1 : COUNT_OF(trees)); t++) {
    const uint64_t bits = oracle_reduce(one->op, one->type, one->elements, one->count, &trees[t]).bits;
    ck_assert_msg(bits == one->bits, "%s by %s: 0x%" PRIx64 ", not 0x%" PRIx64, one->what, trees[t].strategy, bits,
                  one->bits);
  }
}

// A case for the order fixed/1 must give another result in at least one other order. Otherwise it would show nothing.
TEST_EACH(fixed_cases_tell_orders_apart, 0, (int)CASES) {
  static const char *const others[] = {"host_serial", "bottom_up", "top_down"};
  const struct hand_case *one = &hand_cases[_i];
  unsigned differing = 0;
  for (size_t t = 0; t < 3; t++) {
    const oracle_tree tree = {.strategy = others[t]};
    differing += oracle_reduce(one->op, one->type, one->elements, one->count, &tree).bits != one->bits;
  }
  ck_assert_msg(!one->fixed || differing > 0, "%s has the same bits in all orders", one->what);
}

TEST_CASE("device", fixture_open, fixture_close);

TEST(auto_choice) {
  check_all("auto", true, true);
}

TEST(device_serial) {
  check_all("device_serial", false, false);
}

TEST(host_serial) {
  check_all("host_serial", false, true);
}

TEST(local_sequential) {
  check_all("local_sequential", false, false);
}

// This suite builds with the driver's optimizer. Optimized by PoCL 3.1, the kernel of these groups once crashed.
TEST(hand_off_in_groups_of_two) {
  static const int32_t elements[] = {1, 2, 3, 4, 5};
  clred_plan *plan =
    PLAN(.type = CLRED_TYPE_INT, .op = CLRED_OP_SUM, .strategy = "hand_off", .group_size = 2, .count_max = 5);
  cl_mem in = fixture_buffer(elements, sizeof elements);
  int64_t sum = 0;
  RUN(plan, .in = in, .count = 5, .result = &sum);
  ck_assert_int_eq(sum, 15);
}
