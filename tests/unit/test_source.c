// Program texts, trees on the host and the analysis of steps. No device is opened.
#include <string.h>

#include "host/trees.h"
#include "planning/steps.h"
#include "source/source.h"
#include "unit/run.h"
#include "unit/shapes.h"

static void fit(const char *name, clred_op op, clred_type type, cl_ulong n, struct clr_problem *problem,
                struct clr_shape *shape) {
  struct clr_facts facts = devices[0].facts;
  struct clr_status status = {0};
  const clred_problem given = {.op = op, .type = type, .count_max = n};
  clr_facts_make_sane(&facts);
  ck_assert_int_eq(clr_problem_make(&given, problem, &status), CL_SUCCESS);
  ck_assert_msg(!clr_strategy_fit(clr_strategy_named(name), &facts, problem, shape, &status), "%s", status.sentence);
}

static const char *name_as_text(void *missing, const char *name) {
  return missing && strcmp(name, missing) == 0 ? NULL : name;
}

START_TEST(a_program_is_written_in_the_words_of_its_operation) {
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_status status = {0};
  struct clr_text text = {0};
  fit("wide", CLRED_OP_MIN, CLRED_TYPE_SHORT, 1000, &problem, &shape);
  ck_assert_int_eq(clr_source_write(clr_strategy_named("wide"), &problem.operation, &shape, CLR_FENCE_PTX, name_as_text,
                                    NULL, &text, &status),
                   CL_SUCCESS);
  static const char *const expected[] = {
    "#define ELEMENT_TYPE short\n",
    "#define STATE long\n",
    "LESSER(a, b));\n",
    "HIGHEST);\n",
    "#define HIGHEST LONG_MAX\n",
    "#define GROUP_SIZE 256\n",
    "#define VECTOR 8\n",
    "#define LANES_A_TILE 128\n",
    "#define FENCE 2\n",
    "#line 1 \"lanes.clh\"\n",
    "#define WIDTH 8\n",
    "#line 1 \"strategies/wide.cl\"\n",
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_msg(strstr(text.bytes, expected[i]) != NULL, "the text lacks %s", expected[i]);
  ck_assert(!strstr(text.bytes, "#define WIDTH 16\n"));
  clr_text_release(&text);
}
END_TEST

START_TEST(a_missing_part_is_named) {
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_status status = {0};
  struct clr_text text = {0};
  char missing[] = "pairs.clh";
  fit("wide", CLRED_OP_ADD, CLRED_TYPE_FLOAT, 1000, &problem, &shape);
  ck_assert_int_eq(clr_source_write(clr_strategy_named("wide"), &problem.operation, &shape, CLR_FENCE_NONE,
                                    name_as_text, missing, &text, &status),
                   CLRED_KERNEL_SOURCE);
  ck_assert(strstr(status.sentence, missing) != NULL);
  clr_text_release(&text);
}
END_TEST

// Combining a and b as 10 a + b is not associative, so the digits of the result spell the order that made it.
static void spell(void *a, const void *b) {
  *(cl_long *)a = 10 * *(cl_long *)a + *(const cl_long *)b;
}

static struct clr_states digits(cl_long *values, cl_ulong count, struct clr_operation *operation,
                                struct clr_host_form *host) {
  const struct clr_choice choice = {.op = CLRED_OP_ADD, .type = CLRED_TYPE_LONG};
  struct clr_status status;
  ck_assert_int_eq(clr_operation_make(&choice, operation, &status), CL_SUCCESS);
  *host = *operation->host;
  host->combine = spell;
  operation->host = host;
  for (cl_ulong i = 0; i < count; i++)
    values[i] = (cl_long)i + 1;
  return (struct clr_states){operation, (unsigned char *)values, count};
}

START_TEST(trees_combine_in_the_documented_order) {
  struct clr_operation operation;
  struct clr_host_form host;
  cl_long values[8], root;
  struct clr_states states = digits(values, 5, &operation, &host);
  clr_tree_in_order(&states, 0, 1, 5);
  ck_assert_int_eq(values[0], 12345);
  // ((1,2),(3,4)),5: 12 and 34, then 10 x 12 + 34, then 5.
  digits(values, 5, &operation, &host);
  clr_tree_doubling(&states, 0, 5);
  ck_assert_int_eq(values[0], 10 * (10 * 12 + 34) + 5);
  // Width 8, 5 present: 1 takes 5; then 15 takes 3 and 2 takes 4; then both.
  digits(values, 5, &operation, &host);
  clr_tree_halving(&states, 0, 8, 5, 1);
  ck_assert_int_eq(values[0], 10 * (10 * 15 + 3) + 24);
  digits(values, 5, &operation, &host);
  clr_tree_halving(&states, 0, 8, 5, 4);
  ck_assert_int_eq(values[0], 15);
  ck_assert_int_eq(values[1], 2);
  // 5 values: half 3, so 1 takes 4 and 2 takes 5; then half 2: 14 takes 3; then 25.
  digits(values, 5, &operation, &host);
  clr_tree_top_down(&states, 5);
  ck_assert_int_eq(values[0], 10 * (10 * 14 + 3) + 25);
  digits(values, 5, &operation, &host);
  clr_fold_partials(&operation, values, 5, true, &root);
  ck_assert_int_eq(root, 10 * (10 * 12 + 34) + 5);
}
END_TEST

static struct clred_step step_of(const char *name, cl_ulong n, unsigned index) {
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_pass pass;
  struct clred_step step = {0};
  const struct clr_strategy *strategy = clr_strategy_named(name);
  fit(name, CLRED_OP_ADD, CLRED_TYPE_FLOAT, n, &problem, &shape);
  ck_assert(clr_strategy_pass(&shape, LINE(n), 0, &pass));
  ck_assert(clr_strategy_step(&shape, LINE(n), &pass, index, &step));
  return step;
}

// Groups of 256 work-items in sub-groups of 32, over 512 x 10 elements: the textbook's counts, by hand.
START_TEST(steps_count_what_the_textbook_counts) {
  struct clred_step load = step_of("local_interleaved", 5120, 0), second = step_of("local_interleaved", 5120, 2);
  ck_assert_str_eq(load.name, "load");
  ck_assert_uint_eq(load.active_work_items, 2560);
  ck_assert_uint_eq(load.global_requests, 5120);
  ck_assert_uint_eq(load.divergent_sub_groups, 0);
  // Stride 2: every other work-item, so every sub-group is active and divergent.
  ck_assert_str_eq(second.name, "stride 2");
  ck_assert_uint_eq(second.active_work_items, 1280);
  ck_assert_uint_eq(second.sub_groups, 80);
  ck_assert_uint_eq(second.divergent_sub_groups, 80);
  ck_assert_uint_eq(second.barriers, 1);
  // Halving: the second step keeps 128 work-items together, 4 full sub-groups of each of 10 groups.
  second = step_of("local_sequential", 5120, 2);
  ck_assert_str_eq(second.name, "stride 128");
  ck_assert_uint_eq(second.active_work_items, 1280);
  ck_assert_uint_eq(second.sub_groups, 40);
  ck_assert_uint_eq(second.divergent_sub_groups, 0);
  // In global memory every active work-item reads two states and writes one.
  second = step_of("global_sequential", 2560, 1);
  ck_assert_uint_eq(second.global_requests, 3 * 1280);
  // The second round over 12 values: 6 states are left, three pairs among 256 work-items.
  second = step_of("bottom_up_mono", 12, 1);
  ck_assert_uint_eq(second.active_work_items, 3);
  ck_assert_uint_eq(second.global_requests, 9);
}
END_TEST

// The launches of a call over n floats, and in which steps each begins; of segments, so many as there are elements.
START_TEST(launches_are_told_by_their_steps) {
  static const struct {
    const char *strategy, *finish;
    clred_layout layout;
    clred_scan scan;
    cl_ulong n;
    const char *steps;
  } cases[] = {
    {"wide", "relaunch", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 1 << 24, "tiles nodes "},
    {"chunked", "relaunch", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 1 << 24, "tiles nodes "},
    {"wide", "last_group", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 1 << 24, "tiles "},
    // 196 groups hand on 32 partials each, 13 groups of these 32 each again.
    {"hand_off", "relaunch", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 100000, "load load load "},
    {"hand_off", "last_group", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 100000, "load load "},
    {"hand_off", "atomic", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 100000, "begin load load deliver "},
    {"hand_off", "host", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 100000, "load load "},
    {"hand_off", "atomic", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE, 3, "begin load deliver "},
    {"rows_wide", NULL, CLRED_LAYOUT_ROWS, CLRED_SCAN_NONE, 1 << 24, "units partials "},
    {"rows_wide", NULL, CLRED_LAYOUT_ROWS, CLRED_SCAN_NONE, 1000, "units "},
    {"scan_reduce_then_scan", NULL, CLRED_LAYOUT_LINE, CLRED_SCAN_INCLUSIVE, 1 << 24, "tiles tiles scan "},
    {"scan_look_back", NULL, CLRED_LAYOUT_LINE, CLRED_SCAN_INCLUSIVE, 1 << 24, "tiles "},
    {"segments_chunked", NULL, CLRED_LAYOUT_SEGMENTS, CLRED_SCAN_NONE, 1 << 24, "cut segments pieces "},
    {"segments_chunked", NULL, CLRED_LAYOUT_SEGMENTS, CLRED_SCAN_NONE, 10, "cut segments "},
    {"scan_segments", NULL, CLRED_LAYOUT_SEGMENTS, CLRED_SCAN_INCLUSIVE, 1 << 24, "cut segments pieces scan "},
    {"scan_segments", NULL, CLRED_LAYOUT_SEGMENTS, CLRED_SCAN_INCLUSIVE, 10, "cut scan "},
  };
  struct clr_facts facts = devices[0].facts;
  clr_facts_make_sane(&facts);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const clred_problem given = {.op = CLRED_OP_ADD,
                                 .type = CLRED_TYPE_FLOAT,
                                 .finish = cases[i].finish,
                                 .layout = cases[i].layout,
                                 .scan = cases[i].scan,
                                 .count_max = cases[i].n,
                                 .segment_type =
                                   cases[i].layout == CLRED_LAYOUT_SEGMENTS ? CLRED_TYPE_UINT : CLRED_TYPE_NONE};
    const struct clr_strategy *strategy = clr_strategy_named(cases[i].strategy);
    char steps[256] = "";
    struct clr_problem problem;
    struct clr_shape shape;
    struct clr_status status = {0};
    struct clr_pass pass;
    struct clred_step step;
    ck_assert_int_eq(clr_problem_make(&given, &problem, &status), CL_SUCCESS);
    ck_assert_msg(!clr_strategy_fit(strategy, &facts, &problem, &shape, &status), "%s", status.sentence);
    for (unsigned launch = 0; clr_strategy_pass(&shape, LINE(cases[i].n), launch, &pass); launch++) {
      if (pass.kind != CLR_PASS_LAUNCH)
        continue;
      ck_assert(clr_strategy_step(&shape, LINE(cases[i].n), &pass, 0, &step));
      strcat(strcat(steps, step.name), " ");
      unsigned count = 1;
      while (clr_strategy_step(&shape, LINE(cases[i].n), &pass, count, &step))
        ck_assert_uint_lt(++count, 100);
    }
    ck_assert_msg(strcmp(steps, cases[i].steps) == 0, "%s, n = %llu: %s, not %s", cases[i].strategy,
                  (unsigned long long)cases[i].n, steps, cases[i].steps);
    clr_problem_release(&problem);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("source");
  TCase *tests = tcase_create("texts, trees, steps");
  tcase_add_test(tests, a_program_is_written_in_the_words_of_its_operation);
  tcase_add_test(tests, a_missing_part_is_named);
  tcase_add_test(tests, trees_combine_in_the_documented_order);
  tcase_add_test(tests, steps_count_what_the_textbook_counts);
  tcase_add_test(tests, launches_are_told_by_their_steps);
  suite_add_tcase(suite, tests);
  return unit_run(suite);
}
