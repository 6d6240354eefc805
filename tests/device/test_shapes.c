// The textbook's numbers set by hand: group size, groups, elements a work-item, partials at which a tree stops.
// Whatever the numbers are, a sum of floats has the bits of the strategy's own tree with these numbers, and the plan
// reports them.

#include "support/fixture.h"

#include "support/random.h"

#define LENGTH 5000

static float elements[LENGTH];
static cl_mem in;

static void open_with_elements(void) {
  fixture_open();
  random_addends(elements, LENGTH, 5000);
  in = fixture_buffer(elements, sizeof elements);
}

static void check_count(clred_plan *plan, const clred_problem *problem, uint64_t offset, uint64_t count) {
  uint64_t word = 0;
  oracle_tree tree;
  ck_assert_ptr_null(device_tree(&under_test, plan, count, &tree));
  if (problem->stop_at)
    tree.hand_over = problem->stop_at;
  RUN(plan, .in = in, .in_offset = offset, .count = count, .result = &word);
  const oracle_answer answer = oracle_reduce(CLRED_OP_SUM, CLRED_TYPE_FLOAT, elements + offset, count, &tree);
  const uint64_t got = oracle_load(&word, sizeof(float), 0);
  ck_assert_msg(oracle_accepts(&answer, got),
                "%s+%s, group size %" PRIu64 ", groups %" PRIu64 ", elements %" PRIu64 ", count %" PRIu64 ": 0x%" PRIx64
                ", not 0x%" PRIx64,
                tree.strategy, tree.finish ? tree.finish : "", tree.group_size, tree.groups, tree.elements, count, got,
                answer.bits);
  if (problem->group_size)
    ck_assert_uint_eq(tree.group_size, problem->group_size);
  if (problem->groups)
    ck_assert_uint_le(tree.groups, problem->groups);
  if (problem->elements)
    ck_assert_uint_eq(tree.elements, problem->elements);
  if (problem->stop_at)
    ck_assert_uint_eq(fixture_inspect(plan, count).stop_at, problem->stop_at);
}

static void check_problem(const clred_problem *problem) {
  const uint64_t G = problem->group_size;
  clred_plan *plan = fixture_plan(problem);
  check_count(plan, problem, 3, LENGTH - 3);
  check_count(plan, problem, 0, 1);
  check_count(plan, problem, 1, G);
  check_count(plan, problem, 7, G + 1);
  check_count(plan, problem, 1, 2 * G + 1);
}

// Every finish of the strategy.
static void check_finishes(const clred_strategy_info *info, clred_problem problem) {
  problem.type = CLRED_TYPE_FLOAT;
  problem.op = CLRED_OP_SUM;
  problem.count_max = LENGTH;
  problem.strategy = info->name;
  for (size_t f = 0; info->finishes[f]; f++) {
    problem.finish = info->finishes[f];
    check_problem(&problem);
  }
}

static bool has_own_tree(int index, clred_strategy_info *info) {
  return clred_strategy_at((size_t)index, info) == CL_SUCCESS && !info->fixed_order;
}

TEST_CASE("by_hand", open_with_elements, fixture_close);

TEST_EACH(group_sizes, 0, 20) {
  static const cl_ulong chosen[] = {1, 16, 512};
  const uint64_t limit = device_fact(&under_test, "max_work_group_size", 512);
  clred_strategy_info info;
  for (size_t i = 0; has_own_tree(_i, &info) && i < COUNT_OF(chosen); i++) {
    if (chosen[i] > limit)
      fixture_skip("a group size of 512", "the device has smaller groups");
    else
      check_finishes(&info, (clred_problem){.group_size = chosen[i]});
  }
}

TEST_EACH(groups_of_persistent, 0, 4) {
  clred_strategy_info info = {.name = _i < 2 ? "persistent" : "persistent_interleaved",
                              .finishes = {"host", "relaunch", "last_group", NULL}};
  check_finishes(&info, (clred_problem){.group_size = 16, .groups = _i % 2 ? 7 : 1});
}

// The oracle's tree stops at the caller's number, and the plan must report this number.
TEST_EACH(stops_of_hand_off, 0, 4) {
  static const cl_ulong stops[] = {1, 4, 32, 64};
  clred_strategy_info info = {.name = "hand_off", .finishes = {"host", "relaunch", "last_group", NULL}};
  check_finishes(&info, (clred_problem){.group_size = 64, .stop_at = stops[_i]});
}

TEST_EACH(elements_of_local_coarsened, 0, 3) {
  static const cl_ulong counts[] = {1, 3, 8};
  clred_strategy_info info = {.name = "local_coarsened", .finishes = {"host", "relaunch", "last_group", NULL}};
  check_finishes(&info, (clred_problem){.group_size = 16, .elements = counts[_i]});
  check_finishes(&info, (clred_problem){.group_size = 16, .elements = counts[_i], .stage = CLRED_STAGE_REGISTERS});
}
