// Devices that end a loop after some iterations. The library computes an upper bound for the iterations of a launch,
// and plans keep it below the device's limit. Also tests arithmetic that saturates. No device is opened.
#include "support/suite.h"
#include "unit/shapes.h"

#define TURNS 65535

TEST(powers_and_sums_stop_at_their_ends) {
  const cl_ulong top = (cl_ulong)1 << 63;
  ck_assert_uint_eq(clr_pow2_ceil(0), 1);
  ck_assert_uint_eq(clr_pow2_ceil(1), 1);
  ck_assert_uint_eq(clr_pow2_ceil(5), 8);
  ck_assert_uint_eq(clr_pow2_ceil(top / 2), top / 2);
  ck_assert_uint_eq(clr_pow2_ceil(top / 2 + 1), top);
  ck_assert_uint_eq(clr_pow2_ceil(top), top);
  ck_assert_uint_eq(clr_pow2_ceil(CL_ULONG_MAX), top);
  ck_assert_uint_eq(clr_pow2_floor(CL_ULONG_MAX), top);
  ck_assert_uint_eq(clr_add(CL_ULONG_MAX, 1), CL_ULONG_MAX);
  ck_assert_uint_eq(clr_multiply(top, 2), CL_ULONG_MAX);
  ck_assert_uint_eq(clr_multiply(top, 0), 0);
  ck_assert_uint_eq(clr_ceil_divide(CL_ULONG_MAX, 2), top);
}

// One work-item folds the partials of all groups: eight iterations for each group.
TEST(more_groups_are_used_if_loops_end) {
  static const struct {
    cl_ulong loop_trips, otherwise, groups;
  } cases[] = {{0, 100, 100}, {64, 100, 100}, {1024, 100, 128}, {TURNS, 100, 4096}, {TURNS, 5000, 5000}};
  for (size_t i = 0; i < COUNT_OF(cases); i++)
    ck_assert_uint_eq(clr_trips_groups(&(struct clr_facts){.loop_trips = cases[i].loop_trips}, cases[i].otherwise),
                      cases[i].groups);
}

// ---------------------------------------------------------------- Strategies

static const clred_operator own = {
  .name = "own", .element = "double", .state = "double", .identity = "0", .combine = "a + b", .commutative = CL_TRUE};

// The shape for sums of doubles, by the library's operator or by one of the caller's.
static struct clr_shape bounded(const char *strategy, size_t device, bool built_in, clred_problem given) {
  struct clr_facts facts = facts_of(device, 0);
  facts.loop_trips = TURNS;
  if (built_in)
    given.op = CLRED_OP_SUM, given.type = CLRED_TYPE_DOUBLE;
  else
    given.custom = &own;
  return shape_of(strategy, &facts, &given);
}

// A call of count_most elements stays below the bound, and a call of one element more does not.
static void assert_longest(const struct clr_strategy *strategy, const struct clr_shape *shape) {
  ck_assert_msg(shape->count_most > 1000 && shape->count_most < CL_ULONG_MAX, "%s: %llu", strategy->name,
                (unsigned long long)shape->count_most);
  ck_assert(clr_trips_hold(shape, LINE(shape->count_most)));
  ck_assert(!clr_trips_hold(shape, LINE(shape->count_most + 1)));
}

// The smallest number of iterations of a work-item: one for each vector that it reads, or for each element if it loops
// over lanes.
static cl_ulong least_turns(const struct clr_shape *shape, const struct clr_pass *pass) {
  cl_ulong elements = pass->span * shape->rows * shape->lanes / shape->group_size;
  return pass->kernel == CLR_KERNEL_ELEMENTS ? elements / (shape->loops_over_lanes ? 1 : shape->vector)
                                             : pass->count / shape->group_size;
}

TEST(fixed_orders_bound_their_turns) {
  static const struct {
    const char *strategy;
    size_t device;
    const char *finish;
    bool built_in;
  } cases[] = {
    {"chunked", CPU, "relaunch", true},    {"chunked", CPU, "last_group", true}, {"chunked", CPU, "relaunch", false},
    {"chunked", CPU, "last_group", false}, {"wide", GPU, "relaunch", true},      {"wide", GPU, "last_group", true},
    {"wide", GPU, "relaunch", false},      {"wide", GPU, "last_group", false},   {"chunked", CPU, "host", true},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const struct clr_strategy *strategy = clr_strategy_named(cases[i].strategy);
    struct clr_shape shape =
      bounded(cases[i].strategy, cases[i].device, cases[i].built_in, (clred_problem){.finish = cases[i].finish});
    struct clr_pass pass;
    ck_assert_int_eq(shape.loops_over_lanes, !cases[i].built_in);
    assert_longest(strategy, &shape);
    for (cl_ulong n = 1; n <= shape.count_most; n = n * 3 + 1)
      for (unsigned index = 0; clr_strategy_pass(&shape, LINE(n), index, &pass); index++)
        if (pass.kind == CLR_PASS_LAUNCH) {
          cl_ulong turns = clr_trips(&shape, LINE(n), &pass);
          ck_assert_msg(turns <= TURNS && turns >= least_turns(&shape, &pass),
                        "case %zu, n = %llu, launch %u: %llu turns", i, (unsigned long long)n, index,
                        (unsigned long long)turns);
        }
  }
}

static cl_ulong turns_of_first(const struct clr_shape *shape, cl_ulong n) {
  struct clr_pass pass;
  ck_assert(clr_strategy_pass(shape, LINE(n), 0, &pass));
  return clr_trips(shape, LINE(n), &pass);
}

// The last group folds its own elements and the partials of all groups.
TEST(the_last_group_takes_more_turns) {
  static const char *const names[] = {"chunked", "wide"};
  const cl_ulong n = 1 << 24;
  for (size_t i = 0; i < 2; i++) {
    struct clr_shape last = bounded(names[i], GPU, true, (clred_problem){.finish = "last_group"}), again = last;
    again.finish = CLR_FINISH_RELAUNCH;
    ck_assert_uint_gt(turns_of_first(&last, n), turns_of_first(&again, n));
  }
}

// A loop over the elements of a lane has an iteration for each element. So the longest call has fewer elements.
TEST(arrays_of_lanes_take_more_turns) {
  static const struct {
    const char *strategy;
    size_t device;
    clred_problem given;
  } cases[] = {
    {"chunked", CPU, {.finish = NULL}},
    {"wide", GPU, {.finish = NULL}},
    {"persistent", GPU, {.finish = "relaunch"}},
    {"persistent", GPU, {.finish = "last_group"}},
    {"persistent_interleaved", GPU, {.finish = "relaunch"}},
    {"persistent_interleaved", GPU, {.finish = "last_group"}},
    {"rows_chunked", CPU, {.layout = CLRED_LAYOUT_ROWS}},
    {"scan_items", CPU, {.layout = CLRED_LAYOUT_ROWS, .scan = CLRED_SCAN_INCLUSIVE}},
    {"scan_reduce_then_scan", GPU, {.scan = CLRED_SCAN_INCLUSIVE}},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    cl_ulong most[2];
    for (int built_in = 0; built_in < 2; built_in++) {
      struct clr_shape shape = bounded(cases[i].strategy, cases[i].device, built_in, cases[i].given);
      assert_longest(clr_strategy_named(cases[i].strategy), &shape);
      most[built_in] = shape.count_most;
    }
    ck_assert_msg(most[0] < most[1], "%s: %llu and %llu", cases[i].strategy, (unsigned long long)most[0],
                  (unsigned long long)most[1]);
  }
}

// With finish atomic all groups update one word. A group may have to retry once for each other group.
TEST(finish_atomic_takes_a_turn_for_each_group) {
  const clred_problem given = {OF(SUM, FLOAT), .finish = "atomic"};
  struct clr_facts facts = facts_of(GPU, 0);
  ck_assert_uint_eq(shape_of("local_sequential", &facts, &given).count_most, CL_ULONG_MAX);
  facts.loop_trips = TURNS;
  struct clr_shape shape = shape_of("local_sequential", &facts, &given);
  assert_longest(clr_strategy_named("local_sequential"), &shape);
  // Groups of 256 work-items take 512 elements.
  ck_assert_uint_le(shape.count_most, (cl_ulong)TURNS * 512);
}

// A call without rows launches nothing, so it has no iterations.
TEST(calls_without_rows_stay_below_the_bound) {
  struct clr_shape shape = bounded("rows_wide", GPU, true, (clred_problem){.layout = CLRED_LAYOUT_ROWS});
  const cl_ulong n = (cl_ulong)1 << 40;
  // With so many groups, the iterations over their partials alone exceed the limit.
  shape.groups_max = 1 << 20;
  ck_assert(!clr_trips_hold(&shape, LINE(n)));
  ck_assert(clr_trips_hold(&shape, EXTENT(n, 0, 1)));
}

// A problem whose count_max exceeds the bound is refused, and the message names the fact.
TEST(long_calls_are_refused_by_name) {
  clred_problem given = {.custom = &own, .finish = "relaunch"};
  struct clr_facts facts = facts_of(GPU, 0);
  facts.loop_trips = TURNS;
  given.count_max = shape_of("wide", &facts, &given).count_most;
  ck_assert_uint_eq(shape_of("wide", &facts, &given).count_most, given.count_max);
  given.count_max++;
  assert_refused("wide", &facts, &given, "fact loop_trips");
  assert_refused("wide", &facts, &given, "65535");
}
