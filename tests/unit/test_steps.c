// Trees on the host, the steps and launches of plans, and their analysis, against numbers worked out by hand, most of
// them those of textbooks. tests/counts compares the analysis with what kernels do. No device is opened.

#include "host/trees.h"
#include "planning/strategy.h"
#include "support/suite.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- Trees

// Combining a and b as 10 a + b is not associative, so the digits of the result show the order of combination.
static void spell(void *a, const void *b, cl_ulong count) {
  for (cl_ulong i = 0; i < count; i++)
    ((cl_long *)a)[i] = 10 * ((cl_long *)a)[i] + ((const cl_long *)b)[i];
}

static cl_long values[8];

// The values 1 to 5.
static const struct clr_states *digits(void) {
  static struct clr_problem problem;
  static struct clr_host_form host;
  static struct clr_states states;
  problem = problem_of(&(clred_problem){OF(SUM, LONG)});
  host = *problem.operation.host;
  host.combine = spell;
  problem.operation.host = &host;
  for (cl_long i = 0; i < 5; i++)
    values[i] = i + 1;
  states = (struct clr_states){&problem.operation, (unsigned char *)values, 5};
  return &states;
}

TEST(trees_combine_in_the_documented_order) {
  cl_long root;
  clr_tree_of_group(digits(), 0, 1, 1, 5);
  ck_assert_int_eq(values[0], 12345);
  // combine(a, b) is 10 a + b. The tree is ((1,2),(3,4)),5: 12 and 34, then 10 x 12 + 34, then 5.
  clr_tree_doubling(digits(), 0, 5);
  ck_assert_int_eq(values[0], 10 * (10 * 12 + 34) + 5);
  // Width 8, 5 values: first 1 and 5 give 15; then 15 and 3 give 153, and 2 and 4 give 24; then these two.
  clr_tree_halving(digits(), 0, 8, 5, 1);
  ck_assert_int_eq(values[0], 10 * (10 * 15 + 3) + 24);
  clr_tree_halving(digits(), 0, 8, 5, 4);
  ck_assert_int_eq(values[0], 15);
  ck_assert_int_eq(values[1], 2);
  // 5 values, lower half 3: 1 and 4 give 14, 2 and 5 give 25. Then lower half 2: 14 and 3 give 143. Then 143 and 25.
  clr_tree_top_down(digits(), 5);
  ck_assert_int_eq(values[0], 10 * (10 * 14 + 3) + 25);
  clr_fold_partials(digits()->operation, values, 5, true, &root);
  ck_assert_int_eq(root, 10 * (10 * 12 + 34) + 5);
}

// ---------------------------------------------------------------- Steps

// Groups of 256 work-items in sub-groups of 32; sums of floats. The counts are the textbook's, worked out by hand.
#define ANY CL_ULONG_MAX
static const struct {
  const char *strategy;
  cl_ulong n;
  unsigned index;
  const char *name;  // NULL: not compared; ANY: likewise
  cl_ulong active_work_items, sub_groups, divergent_sub_groups, barriers, global_accesses;
} counts[] = {
  {"local_interleaved", 5120, 0, "load", 2560, ANY, 0, ANY, 5120},
  // Stride 2: every other work-item, so every sub-group is active and divergent.
  {"local_interleaved", 5120, 2, "stride 2", 1280, 80, 80, 1, ANY},
  // Halving: the second step keeps 128 work-items together, 4 full sub-groups of each of 10 groups.
  {"local_sequential", 5120, 2, "stride 128", 1280, 40, 0, ANY, ANY},
  // The input stays as it is, so the copy is a step of its own. Then all work-items are active in the first step, and
  // each reads two states and writes one.
  {"global_sequential", 5120, 0, "copy", 2560, 80, 0, 0, 2 * 5120},
  {"global_sequential", 5120, 1, "stride 256", 2560, 80, 0, 1, 3 * 2560},
  {"global_interleaved", 5120, 1, "stride 1", 2560, 80, 0, 1, 3 * 2560},
  {"global_interleaved", 5120, 2, "stride 2", 1280, 80, 80, 1, 3 * 1280},
  // Six values for each work-item are loaded first, and then folded by all of them.
  {"local_coarsened", 6144 * 264, 0, "load", 1024 * 264, 32 * 264, 0, 0, 6144 * 264},
  {"local_coarsened", 6144 * 264, 1, "6 to 1", 1024 * 264, 32 * 264, 0, 0, 0},
  {"local_coarsened", 6144 * 264, 2, "stride 512", 512 * 264, 16 * 264, 0, 1, 0},
  // A part of ten loads goes through local memory; all work-items fold it to 1024 values. The host folds the
  // partials.
  {"persistent", 2048 * 10 * 264, 0, "load", 1024 * 264, 32 * 264, 0, 0, 2048 * 10 * 264},
  {"persistent", 2048 * 10 * 264, 1, "20 to 1", 1024 * 264, 32 * 264, 0, 0, 0},
  {"persistent", 2048 * 10 * 264, 2, "stride 512", 512 * 264, 16 * 264, 0, 1, 0},
  {"persistent", 2048 * 10 * 264, 12, "partials", 264, ANY, ANY, 0, 264},
  // The last of 264 groups has one load of 5 values.
  {"persistent", 2048 * 263 + 5, 0, "load", 1024 * 263 + 5, 32 * 263 + 1, 1, 0, 2048 * 263 + 5},
  // The second round over 12 values: 6 states are left, three pairs among 256 work-items.
  {"bottom_up_mono", 12, 1, NULL, 3, ANY, ANY, ANY, 9},
};

TEST(steps_count_what_the_textbook_counts) {
  for (size_t i = 0; i < COUNT_OF(counts); i++) {
    const clred_problem given = {OF(SUM, FLOAT), .count_max = counts[i].n};
    const struct clr_shape shape = shape_of(counts[i].strategy, ON(GPU, 0), &given);
    struct clr_pass pass;
    struct clred_step step = {0};
    ck_assert(clr_strategy_pass(&shape, LINE(counts[i].n), 0, &pass));
    ck_assert(clr_strategy_step(&shape, LINE(counts[i].n), &pass, counts[i].index, &step));
    const cl_ulong expected[] = {counts[i].active_work_items, counts[i].sub_groups, counts[i].divergent_sub_groups,
                                 counts[i].barriers, counts[i].global_accesses};
    const cl_ulong got[] = {step.active_work_items, step.sub_groups, step.divergent_sub_groups, step.barriers,
                            step.global_accesses};
    for (size_t k = 0; k < COUNT_OF(got); k++)
      ck_assert_msg(expected[k] == ANY || got[k] == expected[k], "case %zu, number %zu: %llu", i, k,
                    (unsigned long long)got[k]);
    ck_assert_msg(!counts[i].name || strcmp(step.name, counts[i].name) == 0, "case %zu: %s", i, step.name);
  }
}

// The names of the first steps of all launches of a plan; each launch must have fewer than 100 steps.
static void list_launches(const struct clr_shape *shape, cl_ulong n, char *names) {
  struct clr_pass pass;
  struct clred_step step;
  for (unsigned launch = 0; clr_strategy_pass(shape, LINE(n), launch, &pass); launch++) {
    if (pass.kind != CLR_PASS_LAUNCH)
      continue;
    ck_assert(clr_strategy_step(shape, LINE(n), &pass, 0, &step));
    strcat(strcat(names, step.name), " ");
    unsigned count = 1;
    while (clr_strategy_step(shape, LINE(n), &pass, count, &step))
      ck_assert_uint_lt(++count, 100);
  }
}

TEST(plans_have_these_launches) {
#define SEGMENTS .layout = CLRED_LAYOUT_SEGMENTS, .segment_type = CLRED_TYPE_UINT
#define SCAN .scan = CLRED_SCAN_INCLUSIVE
  static const struct {
    const char *strategy;
    clred_problem given;  // over floats; its count_max is also the number of segments
    const char *launches;
  } cases[] = {
    {"wide", {.finish = "relaunch", .count_max = 1 << 24}, "elements partials "},
    {"chunked", {.finish = "relaunch", .count_max = 1 << 24}, "elements partials "},
    {"wide", {.finish = "last_group", .count_max = 1 << 24}, "elements "},
    // 196 groups leave 32 partials each. 13 groups fold these and leave 32 partials each. The last launch folds those.
    {"hand_off", {.finish = "relaunch", .count_max = 100000}, "load load load "},
    {"hand_off", {.finish = "last_group", .count_max = 100000}, "elements partials "},
    {"hand_off", {.finish = "atomic", .count_max = 100000}, "begin elements partials deliver "},
    {"hand_off", {.finish = "host", .count_max = 100000}, "load load "},
    {"hand_off", {.finish = "atomic", .count_max = 3}, "begin elements deliver "},
    {"rows_wide", {.layout = CLRED_LAYOUT_ROWS, .count_max = 1 << 24}, "units partials "},
    {"rows_wide", {.layout = CLRED_LAYOUT_ROWS, .count_max = 1000}, "units "},
    {"scan_reduce_then_scan", {SCAN, .count_max = 1 << 24}, "fold nodes scan "},
    {"scan_wide", {SCAN, .count_max = 1 << 24}, "scan "},
    {"segments_chunked", {SEGMENTS, .count_max = 1 << 24}, "cut segments pieces "},
    {"segments_chunked", {SEGMENTS, .count_max = 10}, "cut segments "},
    {"scan_segments_wide", {SEGMENTS, SCAN, .count_max = 1 << 24}, "cut segments pieces scan "},
    {"scan_segments_wide", {SEGMENTS, SCAN, .count_max = 10}, "cut scan "},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    clred_problem given = cases[i].given;
    char launches[256] = "";
    given.op = CLRED_OP_SUM, given.type = CLRED_TYPE_FLOAT;
    const struct clr_shape shape = shape_of(cases[i].strategy, ON(GPU, 0), &given);
    list_launches(&shape, given.count_max, launches);
    ck_assert_msg(strcmp(launches, cases[i].launches) == 0, "%s, n = %llu: %s, not %s", cases[i].strategy,
                  (unsigned long long)given.count_max, launches, cases[i].launches);
  }
}

// ---------------------------------------------------------------- Analysis

// The device has sub-groups of 32 work-items and memory lines of 128 bytes.
static struct clr_shape shape_with(const char *strategy, cl_ulong group_size, cl_ulong count_max) {
  struct clr_facts facts = facts_of(GPU, 0);
  facts.line_bytes = 128;
  const clred_problem given = {OF(SUM, FLOAT), .finish = NULL, .count_max = count_max, .group_size = group_size};
  return shape_of(strategy, &facts, &given);
}

static struct clr_shape scan_with(const char *strategy, clred_scan kind, cl_ulong group_size) {
  struct clr_facts facts = facts_of(GPU, 0);
  facts.line_bytes = 128;
  const clred_problem given = {OF(SUM, INT), .count_max = 1 << 20, .group_size = group_size, .scan = kind};
  return shape_of(strategy, &facts, &given);
}

// The step of this name; the first, if there are several.
static struct clred_step step_named(const struct clr_shape *shape, cl_ulong n, const char *name) {
  struct clred_step step;
  for (cl_ulong i = 0; clr_call_step(shape, n, i, &step); i++)
    if (strcmp(step.name, name) == 0)
      return step;
  ck_abort_msg("no step %s", name);
  return step;
}

// Returns the requests of all steps whose names start with `begin`.
static cl_ulong requests_of(const struct clr_shape *shape, cl_ulong n, const char *begin) {
  struct clred_step step;
  cl_ulong requests = 0;
  for (cl_ulong i = 0; clr_call_step(shape, n, i, &step); i++)
    requests += strncmp(step.name, begin, strlen(begin)) == 0 ? step.requests : 0;
  return requests;
}

// Hwu, Kirk and El Hajj, chapter 10: 256 elements, one group of 128. In global memory the tree makes (4 + 2 + 1 + 5)
// times 3 requests.
TEST(trees_in_global_memory_make_36_requests) {
  const struct clr_shape shape = shape_with("global_sequential", 128, 256);
  ck_assert_uint_eq(requests_of(&shape, 256, "stride"), 36);
  ck_assert_uint_eq(requests_of(&shape, 256, "copy"), 16);
  ck_assert_uint_eq(clr_call_analysis(&shape, 256, false).operations, 255);
}

// With local memory: 8 requests to read 256 elements, and one to write the result.
TEST(trees_in_local_memory_make_9_requests) {
  const struct clr_shape shape = shape_with("local_sequential", 128, 256);
  const clred_analysis analysis = clr_call_analysis(&shape, 256, false);
  ck_assert_uint_eq(analysis.requests, 9);
  ck_assert_uint_eq(analysis.lines, 9);
  ck_assert_uint_eq(analysis.global_accesses, 257);
  ck_assert_uint_eq(analysis.barriers, 7);
  ck_assert_uint_eq(analysis.bank_conflicts, 0);
}

// A tree over 10^6 values: 20 steps, 50000 operations in each on average, 500000 in the first.
TEST(parallelism_of_a_million_values) {
  static const char *const strategies[] = {"bottom_up", "top_down", "bottom_up_mono", "top_down_mono"};
  for (size_t i = 0; i < 4; i++) {
    const struct clr_shape shape = shape_with(strategies[i], 256, 1000000);
    const clred_analysis analysis = clr_call_analysis(&shape, 1000000, false);
    ck_assert_uint_eq(analysis.steps, 20);
    ck_assert_uint_eq(analysis.depth, 20);
    ck_assert_uint_eq(analysis.operations, 999999);
    ck_assert_uint_eq(analysis.peak_parallelism, 500000);
    ck_assert_double_eq_tol(analysis.mean_parallelism, 49999.95, 1e-9);
    ck_assert_double_eq_tol(analysis.work_ratio, 1, 1e-12);
  }
}

// Every reduction combines N values by N - 1 operations.
TEST(reductions_do_the_work_of_a_loop) {
  static const char *const strategies[] = {
    "device_serial",   "global_interleaved", "global_sequential", "local_interleaved",      "local_sequential",
    "local_coarsened", "hand_off",           "persistent",        "persistent_interleaved", "wide",
    "chunked",         "host_serial"};
  static const cl_ulong counts[] = {1, 2, 255, 256, 257, 100000};
  for (size_t i = 0; i < COUNT_OF(strategies); i++)
    for (size_t k = 0; k < COUNT_OF(counts); k++) {
      const struct clr_shape shape = shape_with(strategies[i], 0, 100000);
      ck_assert_msg(clr_call_analysis(&shape, counts[k], false).operations == counts[k] - 1, "%s", strategies[i]);
    }
}

// Only sub-groups make requests, so the host's part of a call makes none. The groups write four partials by one request
// each.
TEST(the_host_makes_no_requests) {
  const clred_problem given = {OF(SUM, FLOAT), .finish = "host", .group_size = 128, .count_max = 1024};
  const struct clr_shape shape = shape_of("local_sequential", ON(GPU, 0), &given);
  const struct clred_step host = step_named(&shape, 1024, "host");
  ck_assert_uint_eq(host.global_accesses, 5);
  ck_assert_uint_eq(host.requests + host.lines, 0);
  ck_assert_uint_eq(clr_call_analysis(&shape, 1024, false).requests, 1024 / 32 + 4);
}

// Groups of 1024 work-items over 2048 values. Interleaved: the second step is divergent. Sequential: sub-groups are
// whole in the first six steps (1024, 512, ..., 32 work-items), and divergent in the last five.
TEST(divergence_of_interleaved_and_sequential_trees) {
  struct clred_step step;
  const struct clr_shape interleaved = shape_with("local_interleaved", 1024, 2048);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 1").divergent_sub_groups, 0);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 2").divergent_sub_groups, 32);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 2").idle_work_items, 512);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 64").divergent_sub_groups, 16);
  const struct clr_shape sequential = shape_with("local_sequential", 1024, 2048);
  for (cl_ulong i = 1; i <= 11; i++) {
    ck_assert(clr_call_step(&sequential, 2048, i, &step));
    ck_assert_uint_eq(step.active_work_items, (cl_ulong)2048 >> i);
    ck_assert_uint_eq(step.divergent_sub_groups, i > 6);
  }
}

// Places that are 2, 4, ..., 32 apart share 16, 8, ..., 1 of 32 banks.
TEST(interleaved_trees_have_bank_conflicts) {
  const struct clr_shape shape = shape_with("local_interleaved", 128, 256);
  ck_assert_uint_eq(step_named(&shape, 256, "stride 1").bank_conflicts, 4 * 3 * 1);
  // In a sub-group 16 work-items are active. Their places are 4 apart, so they share 8 banks.
  ck_assert_uint_eq(step_named(&shape, 256, "stride 2").bank_conflicts, 4 * 3 * 1);
  ck_assert_uint_eq(step_named(&shape, 256, "stride 128").bank_conflicts, 0);
}

// One work-item that reads 4-byte elements one by one makes a request for each, and each request moves a memory line.
TEST(one_work_item_moves_a_line_for_each_element) {
  const struct clr_shape shape = shape_with("device_serial", 0, 1000);
  const clred_analysis analysis = clr_call_analysis(&shape, 1000, false);
  ck_assert_uint_eq(analysis.requests, 1001);
  ck_assert_uint_eq(analysis.lines, 1001);
  ck_assert_uint_eq(analysis.depth, 999);
  ck_assert(analysis.utilisation == 1);
}

// Blelloch's scan of N = 2G values takes 2 (N - 1) operations, less those with the identity, one for each of log2 N
// levels: N - 1 up, N - 1 - log2 N down. An inclusive scan adds one for each value but the first.
TEST(scans_of_blelloch_take_twice_the_operations) {
  const struct clr_shape exclusive = scan_with("scan_blelloch", CLRED_SCAN_EXCLUSIVE, 128);
  const struct clr_shape inclusive = scan_with("scan_blelloch", CLRED_SCAN_INCLUSIVE, 128);
  ck_assert_uint_eq(clr_call_analysis(&exclusive, 256, false).operations, 2 * 255 - 8);
  ck_assert_uint_eq(clr_call_analysis(&inclusive, 256, false).operations, 2 * 255 - 8 + 255);
  ck_assert_uint_eq(clr_call_analysis(&exclusive, 256, false).barriers, 20);
  ck_assert_uint_eq(clr_call_analysis(&exclusive, 256, false).global_accesses, 512);
}

// The prefix of place 255 = 11111111 has a node of 2^7 leaves and seven smaller ones; the value itself is one more.
TEST(depths_of_scans) {
  const struct clr_shape block = scan_with("scan_blelloch", CLRED_SCAN_INCLUSIVE, 128);
  const struct clr_shape blocks = scan_with("scan_blelloch_recursive", CLRED_SCAN_INCLUSIVE, 128);
  const struct clr_shape fixed = scan_with("scan_reduce_then_scan", CLRED_SCAN_INCLUSIVE, 128);
  ck_assert_uint_eq(clr_call_analysis(&block, 256, false).depth, 7 + 7 + 1);
  ck_assert_uint_eq(clr_call_analysis(&blocks, 1, false).depth, 0);
  ck_assert_uint_eq(clr_call_analysis(&blocks, 2, false).depth, 1);
  // 16 elements are a lane of 15 operations; the 17th is one more. 32 elements are a node of two lanes.
  ck_assert_uint_eq(clr_call_analysis(&fixed, 16, false).depth, 15);
  ck_assert_uint_eq(clr_call_analysis(&fixed, 17, false).depth, 16);
  ck_assert_uint_eq(clr_call_analysis(&fixed, 48, false).depth, 17);
}

// The tree is run on the host. A tile's lanes fold their rows side by side; then they are folded in adjacent pairs.
TEST(trees_in_the_fixed_order) {
  static const char *const strategies[] = {"wide", "chunked"};
  for (size_t i = 0; i < 2; i++) {
    const struct clr_shape shape = shape_with(strategies[i], 0, 100000);
    const cl_ulong tile = shape.lanes * shape.rows;
    const clred_analysis analysis = clr_call_analysis(&shape, tile, false);
    ck_assert_uint_eq(analysis.operations, tile - 1);
    ck_assert_uint_eq(analysis.depth, shape.rows - 1 + clr_levels(shape.lanes));
    ck_assert_uint_eq(analysis.peak_parallelism, shape.lanes);
    ck_assert_uint_eq(clr_call_analysis(&shape, 2 * tile, false).depth, analysis.depth + 1);
    ck_assert(analysis.requests == CLRED_NOT_STATED && analysis.utilisation < 0);
    ck_assert(clr_call_analysis(&shape, tile, true).operations == CLRED_NOT_STATED);
  }
}

// Numbers that depend on the order of arrival or on polling are not stated. Numbers that are computed from these are
// not stated either.
TEST(numbers_that_are_not_known_are_not_stated) {
  const struct clr_shape floats = shape_with("atomic", 128, 1000);
  const clred_analysis analysis = clr_call_analysis(&floats, 1000, false);
  ck_assert(analysis.operations == CLRED_NOT_STATED && analysis.depth == CLRED_NOT_STATED);
  ck_assert(analysis.mean_parallelism < 0 && analysis.work_ratio < 0);
  ck_assert(analysis.barriers == CLRED_NOT_STATED);
  ck_assert(clr_call_analysis(&floats, 0, false).launches == 0);
}
