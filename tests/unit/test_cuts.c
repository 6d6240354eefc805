// Tests how work is divided among work-items and groups, and which finish folds their partials. The devices are lists
// of facts (devices.h); no device is opened.
#include "source/generated.h"
#include "support/suite.h"
#include "unit/shapes.h"

#define SUMS OF(SUM, FLOAT)
#define COLUMNS .layout = CLRED_LAYOUT_COLUMNS

// ---------------------------------------------------------------- Segments, rows and columns

TEST(short_segments_are_staged_if_they_fit) {
  const clred_operator large = sized(32, 4, 4);
  const clred_operator halves = {
    .name = "own", .element = "half", .state = "float", .identity = "0", .combine = "a + b"};
  const struct {
    clred_problem given;
    size_t device;
    cl_ulong local_mem_size;
    bool staged;
  } cases[] = {
    {{OF(SUM, FLOAT)}, GPU, 0, true},        {{OF(SUM, BFLOAT16)}, GPU, 0, true}, {{OF(SUM, FLOAT)}, CPU, 0, false},
    {{OF(SUM, FLOAT)}, GPU, 2 * KIB, false}, {{OF(SUM, HALF)}, GPU, 0, false},    {{OF(DOT, FLOAT)}, GPU, 0, false},
    {{.custom = &halves}, GPU, 0, false},    {{.custom = &large}, GPU, 0, false},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    clred_problem given = cases[i].given;
    given.layout = CLRED_LAYOUT_SEGMENTS;
    given.segment_type = CLRED_TYPE_UINT;
    struct clr_shape shape = shape_of("segments_wide", ON(cases[i].device, cases[i].local_mem_size), &given);
    ck_assert_msg((shape.segments.staged > 0) == cases[i].staged, "case %zu: %llu", i,
                  (unsigned long long)shape.segments.staged);
    ck_assert(shape.segments.staged * shape.element_size <= shape.local_bytes);
  }
}

// Local memory must hold the states of a tile's columns. Vectors become narrower if local memory is small or states are
// large.
TEST(columns_side_by_side_fit) {
  const clred_operator large = sized(4, 64, 4), few = sized(128, 4, 4);
  ck_assert_uint_eq(SHAPE("columns_wide", ON(GPU, 0), SUMS, COLUMNS).vector, 4);
  ck_assert_uint_eq(SHAPE("columns_wide", ON(GPU, 2048), SUMS, COLUMNS).vector, 1);
  ck_assert_uint_eq(SHAPE("columns_wide", ON(GPU, 0), .custom = &large, COLUMNS).vector, 1);
  // With elements of 128 bytes, a tile row of 256 bytes has two lanes.
  ck_assert_uint_eq(SHAPE("columns_wide", ON(GPU, 0), .custom = &few, COLUMNS).columns.lane_batch, 2);
}

// With fewer groups than blocks of columns no column is cut, and every column has a group.
TEST(many_columns_are_not_cut) {
  const clred_problem given = {OF(SUM, FLOAT), .layout = CLRED_LAYOUT_COLUMNS, .groups = 1};
  struct clr_facts facts = facts_of(GPU, 0);
  struct clr_pass pass;
  struct clr_shape shape = shape_of("columns_wide", &facts, &given);
  ck_assert(clr_strategy_pass(&shape, EXTENT(20, 1, 5000), 0, &pass));
  // The 20 elements of a column are 20 lanes, so short that one work-item folds all of them, in 4 columns.
  ck_assert_uint_eq(pass.work, 256);
  ck_assert_uint_eq(pass.groups, 5);
  ck_assert_uint_ge(pass.span, 20);
  // Longer columns have 32 work-items side by side.
  ck_assert(clr_strategy_pass(&shape, EXTENT(2048, 1, 5000), 0, &pass));
  ck_assert_uint_eq(pass.groups, 40);
  ck_assert(!clr_strategy_pass(&shape, EXTENT(20, 1, 5000), 1, &pass));
  ck_assert_uint_ge(clr_strategy_named("columns_wide")->elements(&shape, EXTENT(20, 1, 5000)), 1);
  ck_assert(!clr_strategy_pass(&shape, EXTENT(20, 0, 5000), 0, &pass));
  shape = shape_of("columns_chunked", &facts, &given);
  ck_assert(clr_strategy_pass(&shape, EXTENT(20, 1, 5000), 0, &pass));
  ck_assert_uint_ge(pass.groups * pass.work * shape.vector * shape.columns.vectors_per_block, 5000);
  ck_assert(!clr_strategy_pass(&shape, EXTENT(20, 1, 5000), 1, &pass));
}

// Few columns without gaps between them are read as neighbours, and then a part has the lanes of a whole group.
TEST(few_columns_are_dense) {
  clred_problem given = {OF(SUM, FLOAT), .layout = CLRED_LAYOUT_COLUMNS};
  struct clr_shape shape = shape_of("columns_wide", ON(GPU, 0), &given);
  const struct {
    cl_ulong columns, stride;
    bool dense;
  } cases[] = {{3, 3, true}, {3, 4, false}, {16, 16, true}, {33, 33, true}, {128, 128, true}, {129, 129, false}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const cl_ulong lanes = 1 << 16;
    struct clr_extent extent = *EXTENT(lanes * 16, 1, cases[i].columns);
    struct clr_pass pass;
    extent.stride = cases[i].stride;
    ck_assert(clr_strategy_pass(&shape, &extent, 0, &pass));
    ck_assert_msg((pass.work == 0) == cases[i].dense, "case %zu", i);
    ck_assert_uint_le(pass.groups * cases[i].columns, shape.scratch);
    if (cases[i].dense)
      ck_assert_uint_eq(pass.groups * pass.span, lanes);
    ck_assert(clr_strategy_pass(&shape, &extent, 1, &pass));
    ck_assert_uint_le(pass.work, shape.group_size);
  }
  ck_assert_uint_ge(shape.local_bytes, shape.fold.nodes * shape.state_size);
  ck_assert_uint_eq(shape.loads.rows_at_once, 16);
  // Short columns that fill blocks of vectors are taken in blocks.
  struct clr_extent extent = *EXTENT(64, 5, 64);
  struct clr_pass pass;
  extent.stride = 64;
  ck_assert(clr_strategy_pass(&shape, &extent, 0, &pass));
  ck_assert_uint_eq(pass.work, 16);
}

// A group of 256 work-items folds 2048 nodes at once, so that many short rows share one group.
TEST(short_rows_share_a_group) {
  static const struct {
    cl_ulong n, rows, group_size, groups, rows_per_group;
  } cases[] = {{1, 5000, 0, 3, 2048},       {64, 5000, 0, 40, 128}, {1024, 5000, 0, 40, 128},
               {1 << 24, 2000, 0, 2000, 1}, {1000, 7, 1, 7, 1},     {1024, 7, 1, 7, 1}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const clred_problem given = {OF(SUM, FLOAT), .layout = CLRED_LAYOUT_ROWS, .group_size = cases[i].group_size};
    struct clr_shape shape = shape_of("rows_wide", ON(GPU, 0), &given);
    struct clr_pass pass;
    ck_assert(clr_strategy_pass(&shape, EXTENT(cases[i].n, cases[i].rows, 1), 0, &pass));
    ck_assert_msg(pass.groups == cases[i].groups && pass.work == cases[i].rows_per_group,
                  "case %zu: %llu groups, %llu rows each", i, (unsigned long long)pass.groups,
                  (unsigned long long)pass.work);
  }
}

// ---------------------------------------------------------------- Lines

// A compute unit runs 2048 work-items at once.
TEST(persistent_groups_fill_the_device) {
  struct clr_facts facts = facts_of(GPU, 0);
  facts.max_work_group_size = facts.max_work_item_size = 4096;
  ck_assert_uint_eq(SHAPE("persistent_interleaved", &facts, SUMS).groups_max, 8 * 132);
  ck_assert_uint_eq(SHAPE("persistent_interleaved", &facts, SUMS, .group_size = 1024).groups_max, 2 * 132);
  ck_assert_uint_eq(SHAPE("persistent_interleaved", &facts, SUMS, .group_size = 2048).groups_max, 132);
  ck_assert_uint_eq(SHAPE("persistent_interleaved", &facts, SUMS, .group_size = 4096).groups_max, 132);
}

// If no number is set by hand, a tree stops when the partials of one sub-group are left: at least 32 and at most 128.
TEST(trees_of_hand_off_stop_at_a_sub_group) {
  static const struct {
    cl_ulong preferred_multiple, group_size, asked, stop;
  } cases[] = {{8, 256, 0, 32},   {32, 256, 0, 32},   {64, 256, 0, 64},    {256, 256, 0, 128},
               {96, 256, 0, 64},  {64, 32, 0, 32},    {64, 1, 0, 1},       {32, 256, 128, 128},
               {64, 256, 32, 32}, {8, 256, 256, 256}, {32, 1024, 512, 512}};
  struct clr_facts facts = facts_of(GPU, 0);
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    facts.preferred_multiple = cases[i].preferred_multiple;
    const struct clr_shape shape =
      SHAPE("hand_off", &facts, SUMS, .group_size = cases[i].group_size, .stop_at = cases[i].asked, .count_max = 1000);
    ck_assert_uint_eq(shape.hand_off.partials, cases[i].stop);
  }
  facts.preferred_multiple = 1;
  ck_assert_uint_eq(SHAPE("hand_off", &facts, SUMS, .stop_at = 128, .count_max = 1000).group_size, 128);
  ck_assert_uint_eq(SHAPE("hand_off", &facts, SUMS, .count_max = 1000).group_size, 64);
}

// Each work-item has its own row of counts. The number of groups is limited so that all rows fit into
// one buffer. A row of 2^20 bins has 4 MiB.
TEST(rows_of_counts_fit_a_buffer) {
  const clred_histogram bins = {.bins = 1 << 20, .low = 0, .high = 1};
  const clred_problem given = {.type = CLRED_TYPE_FLOAT, .histogram = &bins};
  struct clr_facts facts = facts_of(GPU, 0);
  facts.max_alloc = 4096 * 3 * KIB;
  ck_assert_uint_eq(shape_of("histogram_chunked", &facts, &given).groups_max, 3);
  facts.max_alloc = 4096;
  assert_refused("histogram_chunked", &facts, &given, "max_alloc 4096");
}

// ---------------------------------------------------------------- Finishes

#define FINISH(strategy, facts, ...) SHAPE(strategy, facts, __VA_ARGS__).finish

// Without a fence, states are passed between groups as words of 4 bytes.
TEST(odd_states_are_not_handed_to_the_last_group) {
  const clred_operator one = sized(1, 1, 1), four = sized(4, 4, 4);
  const char *const strategies[] = {"persistent_interleaved", "chunked"};
  const struct clr_facts without = facts_of(GPU_WITHOUT_FENCE, 0), with = facts_of(GPU, 0);
#define LAST_GROUP .finish = "last_group"
  for (size_t i = 0; i < 2; i++) {
    ck_assert_int_eq(FINISH(strategies[i], &without, .custom = &one), CLR_FINISH_RELAUNCH);
    ck_assert_int_eq(FINISH(strategies[i], &with, .custom = &one), CLR_FINISH_LAST_GROUP);
    ck_assert_int_eq(FINISH(strategies[i], &with, .custom = &one, LAST_GROUP), CLR_FINISH_LAST_GROUP);
    ASSERT_REFUSED(strategies[i], &without, "4-byte words", .custom = &one, LAST_GROUP);
    ck_assert_int_eq(FINISH(strategies[i], &without, .custom = &four, LAST_GROUP), CLR_FINISH_LAST_GROUP);
  }
}

// The host folds the partials of persistent, as in textbooks, if it can compute the operator.
TEST(persistent_ends_on_the_host_if_it_can) {
  const clred_operator kernel_only = {
    .name = "own", .element = "int", .state = "int", .identity = "0", .combine = "a + b", .commutative = CL_TRUE};
  ck_assert_int_eq(FINISH("persistent", ON(GPU, 0), SUMS), CLR_FINISH_HOST);
  ck_assert_int_eq(FINISH("persistent", ON(GPU, 0), .custom = &kernel_only), CLR_FINISH_LAST_GROUP);
  ck_assert_int_eq(FINISH("persistent", ON(GPU_WITHOUT_FENCE, 0), .custom = &kernel_only), CLR_FINISH_RELAUNCH);
}

// Groups of one value leave as many partials as values: relaunching would never end.
TEST(groups_of_one_value_are_not_relaunched) {
  static const char *const strategies[] = {"global_sequential", "global_interleaved", "local_sequential"};
  const struct clr_facts facts = facts_of(GROUPS_OF_ONE, 0);
  struct clr_facts without = facts;
  without.device_fence = CLR_FENCE_NONE;
#define ONES SUMS, .count_max = 1000, .elements = 1
  ck_assert_int_eq(FINISH("local_coarsened", &facts, ONES), CLR_FINISH_LAST_GROUP);
  ck_assert_int_eq(FINISH("local_coarsened", &without, ONES), CLR_FINISH_HOST);
  ASSERT_REFUSED("local_coarsened", &facts, "at least 2 values", ONES, .finish = "relaunch");
  // A work-item that takes two values makes a group of two values.
  for (size_t i = 0; i < 3; i++)
    ck_assert_int_eq(FINISH(strategies[i], &without, SUMS, .count_max = 1000, .finish = "relaunch"),
                     CLR_FINISH_RELAUNCH);
}

// ---------------------------------------------------------------- Choices

// With almost no local memory the strategies for CPUs are chosen. Only histograms keep histogram_local, which can count
// in global memory, too.
TEST(little_local_memory_chooses_chunked) {
  const clred_histogram bins = {.bins = 8, .low = 0, .high = 8};
  const clred_problem counts = {.type = CLRED_TYPE_FLOAT, .histogram = &bins}, sum = {OF(SUM, FLOAT)};
  const clred_problem *const given[] = {&counts, &sum};
  static const char *const names[] = {"histogram_local", "chunked"};
  struct clr_facts facts = facts_of(GPU, 512);
  for (size_t i = 0; i < 2; i++) {
    struct clr_problem problem = problem_of(given[i]);
    ck_assert_str_eq(clr_strategy_auto(&facts, &problem)->name, names[i]);
    clr_problem_release(&problem);
    ck_assert_uint_le(shape_of(names[i], &facts, given[i]).local_bytes, 512);
  }
}

// Vectors are lowered as a whole only if the result is the state itself.
TEST(only_plain_results_are_lowered_by_lanes) {
  const clred_operator same = {
    .name = "own", .element = "float", .state = "float", .identity = "0", .combine = "a + b", .elementwise = CL_TRUE};
  clred_operator with_text = same, other = same, list = same;
  with_text.lower = "-s";
  other.result = "double";
  list.result = "{ float value; }";
  const struct {
    clred_problem given;
    bool lowers;
  } cases[] = {
    {{.custom = &same}, true},   {{.custom = &with_text}, false},
    {{.custom = &other}, false}, {{.custom = &list}, false},
    {{OF(XOR, INT)}, true},      {{OF(NORM1, INT)}, true},
    {{OF(MEAN, FLOAT)}, false},  {{.op = CLRED_OP_SUM, .type = CLRED_VECTOR(CLRED_TYPE_INT, 4)}, false},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_problem problem = problem_of(&cases[i].given);
    struct clr_text text = {0};
    clr_operation_defines(&problem.operation, &text);
    ck_assert_msg(strstr(text.bytes, cases[i].lowers ? "#define LOWERS_LANES 1\n" : "#define LOWERS_LANES 0\n") != NULL,
                  "case %zu", i);
    clr_text_release(&text);
    clr_problem_release(&problem);
  }
}

// ---------------------------------------------------------------- Launches

static cl_ulong launches(const char *name, cl_ulong n) {
  struct clr_shape shape = shape_of(name, ON(GPU, 0), &(clred_problem){OF(SUM, FLOAT), .count_max = n});
  struct clr_pass pass;
  unsigned count = 0;
  while (clr_strategy_pass(&shape, LINE(n), count, &pass))
    count++;
  return count;
}

TEST(launches_follow_the_formulas) {
  static const struct {
    cl_ulong n, logarithm;
  } cases[] = {{1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {1024, 10}, {1025, 11}, {8000, 13}, {1000003, 20}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    ck_assert_uint_eq(launches("bottom_up", cases[i].n), cases[i].logarithm);
    ck_assert_uint_eq(launches("top_down", cases[i].n), cases[i].logarithm);
    ck_assert_uint_eq(launches("bottom_up_mono", cases[i].n), 1);
    ck_assert_uint_eq(launches("wide", cases[i].n), 1);
  }
  // 1000003 values, 512 a group: 1954 partials, then 4, then 1.
  ck_assert_uint_eq(launches("local_sequential", 1000003), 3);
  // Groups take 512 values here, too: all work-items are active in the first step.
  ck_assert_uint_eq(launches("global_sequential", 1000003), 3);
  ck_assert_uint_eq(launches("atomic", 1000003), 3);
}
