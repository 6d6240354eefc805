// Trees on the host, and the analysis of the steps and launches of a plan. No device is opened.

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
  // Four times as many groups, which are smaller. Each takes a ticket, and the last one reads all partials.
  {"persistent_interleaved", 2048 * 10 * 264, 0, "load", 1024 * 264, 32 * 264, 0, 0, 2048 * 10 * 264},
  {"persistent_interleaved", 2048 * 10 * 264, 9, "partials", 1056, ANY, ANY, 0, 1056},
  {"persistent_interleaved", 2048 * 10 * 264, 10, "ticket", 1056, ANY, ANY, 1, 1056},
  {"persistent_interleaved", 2048 * 10 * 264, 12, "fold", 256, 8, 0, 0, 1056},
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
    {"hand_off", {.finish = "last_group", .count_max = 100000}, "load load "},
    {"hand_off", {.finish = "atomic", .count_max = 100000}, "begin load load deliver "},
    {"hand_off", {.finish = "host", .count_max = 100000}, "load load "},
    {"hand_off", {.finish = "atomic", .count_max = 3}, "begin load deliver "},
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
