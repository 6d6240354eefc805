// Program texts, trees on the host and the analysis of steps. No device is opened.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
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

// The text of the embedded files, or of one that stands in place of one of them.
struct kernels {
  struct clr_kernel_reader reader;
  const char *name, *text, *options;
};

static const char *read_kernel(void *from, const char *name) {
  struct kernels *kernels = from;
  return kernels->name && strcmp(name, kernels->name) == 0 ? kernels->text : clr_kernel_read(&kernels->reader, name);
}

static cl_int write_by_name(const char *strategy, clred_op op, clred_type type, enum clr_fence fence,
                            struct kernels *kernels, struct clr_text *text, struct clr_status *status) {
  struct clr_problem problem;
  struct clr_shape shape;
  const struct clr_strategy *row = clr_strategy_named(strategy);
  const struct clr_source_from from = {read_kernel, kernels, kernels->options};
  fit(strategy, op, type, 1000, &problem, &shape);
  return clr_source_write(row, &problem.operation, &shape, clr_strategy_kernels_of(row, &shape), fence, &from, text,
                          status);
}

START_TEST(a_program_is_written_in_the_words_of_its_operation) {
  struct clr_status status = {0};
  struct clr_text text = {0};
  struct kernels kernels = {.name = NULL};
  ck_assert_msg(!write_by_name("wide", CLRED_OP_MIN, CLRED_TYPE_SHORT, CLR_FENCE_PTX, &kernels, &text, &status), "%s",
                status.sentence);
  static const char *const expected[] = {
    "#define ELEMENT_TYPE short\n",
    "#define STATE long\n",
    "  return (LESSER(a, b));\n",
    "  return (HIGHEST);\n",
    "#define HIGHEST LONG_MAX\n",
    "#define GROUP_SIZE 256\n",
    "#define VECTOR 8\n",
    "#define LANES_A_TILE 128\n",
    "__asm__",
    "\"words/lanes_of_width.clh\"\n",
    "#define WIDTH 8\n",
    "\"strategies/wide.cl\"\n",
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_msg(strstr(text.bytes, expected[i]) != NULL, "the text lacks %s", expected[i]);
  ck_assert(!strstr(text.bytes, "#define WIDTH 16\n"));
  ck_assert(!strstr(text.bytes, "#include"));
  ck_assert(!strstr(text.bytes, "#if"));
  clr_text_release(&text);
}
END_TEST

// Neither kernels that no call launches, nor functions and macros that no kernel needs.
START_TEST(a_program_holds_what_its_kernels_call) {
  static const char *const absent[] = {"clred_begin",  "clred_wide_states",     "clred_lesser", "clred_canonical_real",
                                       "LOAD_HALF",    "NORM_BIG_float",        "MERGED_MEAN",  "clred_spread",
                                       "clred_evens_", "OF_WIDTH(clred_evens)", "FINISH"};
  const size_t most_lines = 800;
  struct clr_status status = {0};
  struct clr_text text = {0};
  struct kernels kernels = {.name = NULL};
  size_t lines = 0;
  ck_assert_int_eq(write_by_name("wide", CLRED_OP_ADD, CLRED_TYPE_FLOAT, CLR_FENCE_PTX, &kernels, &text, &status),
                   CL_SUCCESS);
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
    ck_assert_msg(!strstr(text.bytes, absent[i]), "the text has %s", absent[i]);
  for (const char *at = text.bytes; *at; at++)
    lines += *at == '\n';
  ck_assert_uint_le(lines, most_lines);
  clr_text_release(&text);
}
END_TEST

// A problem that the strategy solves.
static clred_problem solved_by(const struct clr_strategy *strategy, clred_op op, clred_type type) {
  static const clred_histogram bins = {.bins = 8, .low = 0, .high = 8};
  clred_problem given = {.op = op, .type = type, .count_max = 1000};
  while (strategy->layouts && !(strategy->layouts & CLR_LAYOUT_BIT(given.layout)))
    given.layout++;
  if (strategy->task == CLR_TASK_COUNT) {
    given.histogram = &bins;
    given.op = CLRED_OP_NONE;
  }
  if (strategy->task == CLR_TASK_SCAN)
    given.scan = CLRED_SCAN_INCLUSIVE;
  if (given.layout == CLRED_LAYOUT_SEGMENTS)
    given.segment_type = CLRED_TYPE_ULONG;
  return given;
}

// Writes the program of a strategy for one operator to `file`. Returns false if the strategy refuses the operator.
static bool write_program(const struct clr_strategy *strategy, clred_op op, clred_type type, FILE *file) {
  const clred_problem given = solved_by(strategy, op, type);
  const struct clr_facts facts = facts_of(strategy->team == CLR_TEAM_SINGLES ? CPU : GPU, 0);
  struct kernels kernels = {.name = NULL};
  const struct clr_source_from from = {read_kernel, &kernels, NULL};
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_status status = {0};
  struct clr_text text = {0};
  ck_assert_msg(!clr_problem_make(&given, &problem, &status), "%s: %s", strategy->name, status.sentence);
  bool fits = !clr_strategy_fit(strategy, &facts, &problem, &shape, &status);
  if (fits) {
    ck_assert_msg(!clr_source_write(strategy, &problem.operation, &shape, clr_strategy_kernels_of(strategy, &shape),
                                    (enum clr_fence)facts.device_fence, &from, &text, &status),
                  "%s: %s", strategy->name, status.sentence);
    fputs(text.bytes, file);
  }
  clr_text_release(&text);
  clr_problem_release(&problem);
  return fits;
}

// Clang reads the texts of all strategies: as programs of NVIDIA's GPUs, with inline PTX, and of CPUs.
START_TEST(every_program_compiles) {
  static const struct {
    clred_op op;
    clred_type type;
  } operations[] = {
    {CLRED_OP_ADD, CLRED_TYPE_FLOAT}, {CLRED_OP_ARGMIN, CLRED_TYPE_INT}, {CLRED_OP_STATS, CLRED_TYPE_DOUBLE}};
  char folder[] = "/tmp/clreduce-source-XXXXXX", path[128], command[512];
  const struct clr_strategy *strategy;
  size_t written = 0;
  if (system("clang --version > /dev/null 2>&1") != 0)
    return;
  ck_assert_ptr_nonnull(mkdtemp(folder));
  for (size_t i = 0; (strategy = clr_strategy_at(i)) != NULL; i++)
    for (size_t j = 0; strategy->team != CLR_TEAM_HOST && j < sizeof operations / sizeof *operations; j++) {
      snprintf(path, sizeof path, "%s/%s_%zu_%s.cl", folder, strategy->name, j,
               strategy->team == CLR_TEAM_SINGLES ? "cpu" : "gpu");
      FILE *file = fopen(path, "w");
      ck_assert_ptr_nonnull(file);
      written += write_program(strategy, operations[j].op, operations[j].type, file);
      ck_assert_int_eq(fclose(file), 0);
    }
  ck_assert_uint_ge(written, 90);
  snprintf(command, sizeof command,
           "cd %s && for of in nvptx64:gpu x86_64:cpu; do clang -x cl -cl-std=CL1.2 -Xclang -cl-ext=+all "
           "-target ${of%%:*} -w -fsyntax-only *_${of#*:}.cl || exit 1; done",
           folder);
  const int failed = system(command);
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
  ck_assert_int_eq(failed, 0);
}
END_TEST

// A file in place of one of the kernels', and what the sentence says.
START_TEST(wrong_files_are_named) {
  static const struct {
    const char *name, *text, *sentence;
  } cases[] = {
    {"words/pairs.clh", NULL, "group/tiles.clh:7: #include words/pairs.clh could not be read"},
    {"words/pairs.clh", "// head\n#include \"words/no_such.clh\"\n",
     "words/pairs.clh:2: #include words/no_such.clh could not be read"},
    {"words/pairs.clh", "\n\n#include \"words/pairs.clh\"\n",
     "words/pairs.clh:3: #include words/pairs.clh includes itself"},
    {"words/pairs.clh", "#include \"../secret.clh\"\n", "words/pairs.clh:1: #include ../secret.clh leaves the folder"},
    {"words/pairs.clh", "#include \"words/../../secret.clh\"\n", "leaves the folder"},
    {"words/pairs.clh", "#include \"/etc/passwd\"\n", "#include /etc/passwd leaves the folder"},
    {"words/pairs.clh", "#include \"c:secret\"\n", "leaves the folder"},
    {"words/pairs.clh", "#include <secret>\n", "words/pairs.clh:1: no name in quotes"},
    {"words/pairs.clh", "#include\n", "words/pairs.clh:1: no name in quotes"},
    {"words/pairs.clh", "#if 1\nint a;\n", "an #if has no #endif in words/pairs.clh"},
    {"words/pairs.clh", "#endif\n", "words/pairs.clh:1: no #if is open at #endif"},
    {"words/pairs.clh", "#else\n", "no #if is open at #else"},
    {"words/pairs.clh", "#if 1 +\n#endif\n", "words/pairs.clh:1: no condition"},
    {"words/pairs.clh", "#if 1 / 0\n#endif\n", "words/pairs.clh:1: no condition"},
    {"words/pairs.clh", "#if JOIN(1, 2)\n#endif\n", "words/pairs.clh:1: no condition"},
    {"words/pairs.clh", "#define LOOP LOOP\n#if LOOP\n#endif\n", "words/pairs.clh:2: no condition"},
    {"words/pairs.clh", "#define\n", "words/pairs.clh:1: #define without a name"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct clr_status status = {0};
    struct clr_text text = {0};
    struct kernels kernels = {.name = cases[i].name, .text = cases[i].text};
    ck_assert_int_eq(write_by_name("wide", CLRED_OP_ADD, CLRED_TYPE_FLOAT, CLR_FENCE_NONE, &kernels, &text, &status),
                     CLRED_KERNEL_SOURCE);
    ck_assert_msg(strstr(status.sentence, cases[i].sentence), "case %zu: %s", i, status.sentence);
    clr_text_release(&text);
  }
}
END_TEST

// Each line is a condition; the ones that hold leave `int yes;` behind.
START_TEST(conditions_are_those_of_c) {
  static const struct {
    const char *condition;
    bool holds;
  } cases[] = {
    {"GROUP_SIZE == 256", true},
    {"GROUP_SIZE != 256", false},
    {"NO_SUCH_NAME", false},
    {"!NO_SUCH_NAME", true},
    {"defined(VECTOR)", true},
    {"defined VECTOR", true},
    {"defined(NOTHING)", false},
    {"1 + 2 * 3 == 7", true},
    {"(1 + 2) * 3 == 7", false},
    {"7 % 4 == 3 && 7 / 4 == 1", true},
    {"1 << 4 == 16", true},
    {"0x10 >> 2 == 4u", true},
    {"1 || 0 && 0", true},
    {"(1 || 0) && 0", false},
    {"-1 < 0", true},
    {"~0 == -1", true},
    {"6 & 3 ^ 1", true},
    {"(6 & 3 | 1) == 3", true},
    {"0 ? 1 : 2", true},
    {"1 ? 0 : 1", false},
    {"10 - 4 - 3 == 3", true},
    {"3 >= 3 && 2 <= 2 && 3 > 2", true},
    {"FAULT_DELAY == 7", true},
    {"TWICE_THREE == 6", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct clr_status status = {0};
    struct clr_text text = {0}, file = {0};
    clr_text_format(&file,
                    "#define THREE 3\n#define TWICE_THREE (2 * THREE)\n#if %s // why\nint yes;\n#elif 1\nint no;\n"
                    "#else\nint none;\n#endif\n",
                    cases[i].condition);
    struct kernels kernels = {.name = "strategies/wide.cl", .text = file.bytes, .options = "-w -DFAULT_DELAY=7"};
    ck_assert_msg(!write_by_name("wide", CLRED_OP_ADD, CLRED_TYPE_FLOAT, CLR_FENCE_PTX, &kernels, &text, &status),
                  "case %zu: %s", i, status.sentence);
    ck_assert_msg(!strstr(text.bytes, "int yes;") == !cases[i].holds, "%s", cases[i].condition);
    ck_assert_msg(!strstr(text.bytes, "int no;") == cases[i].holds, "%s", cases[i].condition);
    ck_assert(!strstr(text.bytes, "int none;"));
    clr_text_release(&text);
    clr_text_release(&file);
  }
}
END_TEST

// What only the compiler knows stays for it.
START_TEST(conditions_of_the_compiler_stay) {
  struct clr_status status = {0};
  struct clr_text text = {0};
  struct kernels kernels = {.name = "strategies/wide.cl",
                            .text = "#if __OPENCL_VERSION__ > 100\nint a;\n#else\nint b;\n#endif\n"};
  ck_assert_int_eq(write_by_name("wide", CLRED_OP_ADD, CLRED_TYPE_FLOAT, CLR_FENCE_PTX, &kernels, &text, &status),
                   CL_SUCCESS);
  ck_assert_ptr_nonnull(strstr(text.bytes, "#if __OPENCL_VERSION__ > 100\nint a;\n#else\nint b;\n#endif\n"));
  clr_text_release(&text);
}
END_TEST

// The line that each message of the compiler is about.
START_TEST(lines_keep_their_numbers) {
  struct clr_status status = {0};
  struct clr_text text = {0};
  struct kernels kernels = {.name = "strategies/wide.cl",
                            .text = "int a;\n#if 0\nint b;\n#endif\n\n\n\nint c;\n#define UNUSED 1\nint d;\n"
                                    "void clred_unused(void)\n{\n}\nint e;\n"};
  ck_assert_int_eq(write_by_name("wide", CLRED_OP_ADD, CLRED_TYPE_FLOAT, CLR_FENCE_PTX, &kernels, &text, &status),
                   CL_SUCCESS);
  ck_assert_msg(strstr(text.bytes,
                       "#line 1 \"strategies/wide.cl\"\nint a;\n\n#line 8 \"strategies/wide.cl\"\nint c;\n"
                       "#line 10 \"strategies/wide.cl\"\nint d;\n#line 14 \"strategies/wide.cl\"\nint e;\n"),
                "%s", text.bytes);
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
  TCase *tests = tcase_create("texts, trees, steps"), *programs = tcase_create("programs");
  tcase_add_test(tests, a_program_is_written_in_the_words_of_its_operation);
  tcase_add_test(tests, a_program_holds_what_its_kernels_call);
  tcase_add_test(tests, wrong_files_are_named);
  tcase_add_test(tests, conditions_are_those_of_c);
  tcase_add_test(tests, conditions_of_the_compiler_stay);
  tcase_add_test(tests, lines_keep_their_numbers);
  tcase_add_test(tests, trees_combine_in_the_documented_order);
  tcase_add_test(tests, steps_count_what_the_textbook_counts);
  tcase_add_test(tests, launches_are_told_by_their_steps);
  tcase_add_test(programs, every_program_compiles);
  tcase_set_timeout(programs, 120);
  suite_add_tcase(suite, tests);
  suite_add_tcase(suite, programs);
  return unit_run(suite);
}
