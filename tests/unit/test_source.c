// Program texts, trees on the host and the analysis of steps. No device is opened.
#define _POSIX_C_SOURCE 200809L

#include "host/trees.h"
#include "planning/strategy.h"
#include "source/source.h"
#include "support/suite.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- Program texts

// The embedded kernel files; if `name` is set, `text` replaces the file of that name.
struct kernels {
  struct clr_kernel_reader reader;
  const char *name, *text, *options;
};

static const char *read_kernel(void *from, const char *name) {
  struct kernels *kernels = from;
  return kernels->name && strcmp(name, kernels->name) == 0 ? kernels->text : clr_kernel_read(&kernels->reader, name);
}

static cl_int write_wide(const clred_problem *given, struct kernels kernels, struct clr_text *text,
                         struct clr_status *status) {
  const struct clr_strategy *wide = clr_strategy_named("wide");
  const struct clr_source_from from = {read_kernel, &kernels, kernels.options};
  struct clr_problem problem = problem_of(given);
  const struct clr_shape shape = fitted("wide", ON(GPU, 0), &problem);
  *status = (struct clr_status){0};
  const cl_int err = clr_source_write(wide, &problem.operation, &shape, clr_strategy_kernels_of(wide, &shape),
                                      CLR_FENCE_PTX, &from, text, status);
  clr_problem_release(&problem);
  return err;
}

static const clred_problem float_sum = {OF(ADD, FLOAT), .count_max = 1000};

static struct clr_text text_of(const clred_problem *given, struct kernels kernels) {
  struct clr_status status;
  struct clr_text text = {0};
  ck_assert_msg(!write_wide(given, kernels, &text, &status), "%s", status.sentence);
  return text;
}

TEST(a_program_is_written_in_the_words_of_its_operation) {
  static const char *const expected[] = {"#define ELEMENT_TYPE short\n",
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
                                         "\"strategies/wide.cl\"\n"};
  struct clr_text text = text_of(&(clred_problem){OF(MIN, SHORT), .count_max = 1000}, (struct kernels){.name = NULL});
  for (size_t i = 0; i < COUNT_OF(expected); i++)
    ck_assert_msg(strstr(text.bytes, expected[i]) != NULL, "the text lacks %s", expected[i]);
  ck_assert(!strstr(text.bytes, "#define WIDTH 16\n"));
  ck_assert(!strstr(text.bytes, "#include"));
  ck_assert(!strstr(text.bytes, "#if"));
  clr_text_release(&text);
}

// A program has no kernels that no call launches, and no functions or macros that no kernel needs.
TEST(a_program_holds_what_its_kernels_call) {
  static const char *const absent[] = {"clred_begin",  "clred_wide_states",     "clred_lesser", "clred_canonical_real",
                                       "LOAD_HALF",    "NORM_BIG_float",        "MERGED_MEAN",  "clred_spread",
                                       "clred_evens_", "OF_WIDTH(clred_evens)", "FINISH"};
  const size_t most_lines = 800;
  struct clr_text text = text_of(&float_sum, (struct kernels){.name = NULL});
  size_t lines = 0;
  for (size_t i = 0; i < COUNT_OF(absent); i++)
    ck_assert_msg(!strstr(text.bytes, absent[i]), "the text has %s", absent[i]);
  for (const char *at = text.bytes; *at; at++)
    lines += *at == '\n';
  ck_assert_uint_le(lines, most_lines);
  clr_text_release(&text);
}

static const clred_operator exact_sum =
  OPERATOR(.name = "exact_sum", .preamble = "int before;\n#include \"exact/float_sum.clh\"\nint after;\n",
           .element = "float", .element_size = 4, .state = "exact_float", .state_size = 48, .result = "float",
           .identity = "exact_float_empty()", .lift = "exact_float_of(x)", .combine = "exact_float_add(a, b)",
           .lower = "exact_float_value(s)", .commutative = CL_TRUE);

// The program has the text of the file in place of the #include, and the lines of the preamble keep their numbers.
TEST(a_preamble_includes_files) {
  static const char *const expected[] = {"#line 1 \"preamble\"\nint before;\n", "#line 2 \"preamble\"\n\nint after;\n",
                                         "exact_float_add(exact_float p,"};
  static const char *const absent[] = {"include", "exact_double", "clred_product_of", "clred_window_root",
                                       "pragma once"};
  struct clr_text text =
    text_of(&(clred_problem){.custom = &exact_sum, .count_max = 1000}, (struct kernels){.name = NULL});
  for (size_t i = 0; i < COUNT_OF(expected); i++)
    ck_assert_msg(strstr(text.bytes, expected[i]) != NULL, "the text lacks %s", expected[i]);
  for (size_t i = 0; i < COUNT_OF(absent); i++)
    ck_assert_msg(!strstr(text.bytes, absent[i]), "the text has %s", absent[i]);
  clr_text_release(&text);
}

// The folder CLREDUCE_CL_DIR may lack the file.
TEST(a_preamble_includes_a_file_that_is_missing) {
  struct clr_status status;
  struct clr_text text = {0};
  const clred_problem problem = {.custom = &exact_sum, .count_max = 1000};
  const struct kernels kernels = {.name = "exact/float_sum.clh"};
  ck_assert_int_eq(write_wide(&problem, kernels, &text, &status), CLRED_KERNEL_SOURCE);
  ck_assert_msg(strstr(status.sentence, "#include exact/float_sum.clh could not be read"), "%s", status.sentence);
  clr_text_release(&text);
}

// The cache keeps no program that has one of these words, because compilers may read other files there.
static void assert_kept(const char *text, const char *strategy) {
  static const char *const words[] = {"include", "import", "embed"};
  for (size_t i = 0; i < COUNT_OF(words); i++)
    ck_assert_msg(!strstr(text, words[i]), "a program of %s has the word %s", strategy, words[i]);
}

// A problem that the strategy solves.
static clred_problem solved_by(const struct clr_strategy *strategy, const clred_problem *operation) {
  static const clred_histogram bins = {.bins = 8, .low = 0, .high = 8};
  const bool counts = strategy->task == CLR_TASK_COUNT;
  clred_problem given = {.op = counts ? CLRED_OP_NONE : operation->op, .type = operation->type, .count_max = 1000};
  given.order = counts ? CLRED_ORDER_DEFAULT : operation->order;
  given.histogram = counts ? &bins : NULL;
  given.scan = strategy->task == CLR_TASK_SCAN ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
  while (strategy->layouts && !(strategy->layouts & CLR_LAYOUT_BIT(given.layout)))
    given.layout++;
  if (given.layout == CLRED_LAYOUT_SEGMENTS)
    given.segment_type = CLRED_TYPE_ULONG;
  return given;
}

// Writes the program of a strategy to `file`. Returns false if the strategy refuses the problem.
static bool write_program(const struct clr_strategy *strategy, const clred_problem *given, FILE *file) {
  const struct clr_facts facts = facts_of(strategy->team == CLR_TEAM_SINGLES ? CPU : GPU, 0);
  struct kernels kernels = {.name = NULL};
  const struct clr_source_from from = {read_kernel, &kernels, NULL};
  struct clr_problem problem = problem_of(given);
  struct clr_shape shape;
  struct clr_status status = {0};
  struct clr_text text = {0};
  const bool fits = !clr_strategy_fit(strategy, &facts, &problem, &shape, &status);
  if (fits) {
    ck_assert_msg(!clr_source_write(strategy, &problem.operation, &shape, clr_strategy_kernels_of(strategy, &shape),
                                    (enum clr_fence)facts.device_fence, &from, &text, &status),
                  "%s: %s", strategy->name, status.sentence);
    assert_kept(text.bytes, strategy->name);
    fputs(text.bytes, file);
  }
  clr_text_release(&text);
  clr_problem_release(&problem);
  return fits;
}

// Clang reads the programs of all strategies over some operators: for NVIDIA's GPUs, with inline PTX, or for CPUs.
TEST(every_program_compiles) {
  static const clred_problem operations[] = {
    {OF(ADD, FLOAT)}, {OF(ARGMIN, INT)}, {OF(STATS, DOUBLE)}, {OF(VAR, FLOAT), .order = CLRED_ORDER_EXACT}};
  char folder[] = "/tmp/clreduce-source-XXXXXX", path[128], command[512];
  const struct clr_strategy *strategy;
  size_t written = 0;
  ck_assert_msg(system("clang --version > /dev/null 2>&1") == 0, "needs clang: tools/install-packages.sh test");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  for (size_t i = 0; (strategy = clr_strategy_at(i)) != NULL; i++)
    for (size_t j = 0; strategy->team != CLR_TEAM_HOST && j < COUNT_OF(operations); j++) {
      const clred_problem given = solved_by(strategy, &operations[j]);
      const char *device = strategy->team == CLR_TEAM_SINGLES ? "cpu" : "gpu";
      snprintf(path, sizeof path, "%s/%s_%zu_%s.cl", folder, strategy->name, j, device);
      FILE *file = fopen(path, "w");
      ck_assert_ptr_nonnull(file);
      written += write_program(strategy, &given, file);
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

// Each text replaces words/pairs.clh, and the sentence names the file and the line.
TEST(wrong_files_are_named) {
#define PAIRS "words/pairs.clh"
  static const struct {
    const char *text, *sentence;
  } cases[] = {
    {NULL, "group/tiles.clh:7: #include " PAIRS " could not be read"},
    {"// head\n#include \"words/no_such.clh\"\n", PAIRS ":2: #include words/no_such.clh could not be read"},
    {"\n\n#include \"" PAIRS "\"\n", PAIRS ":3: #include " PAIRS " includes itself"},
    {"#include \"../secret.clh\"\n", PAIRS ":1: #include ../secret.clh leaves the folder"},
    {"#include \"words/../../secret.clh\"\n", "leaves the folder"},
    {"#include \"/etc/passwd\"\n", "#include /etc/passwd leaves the folder"},
    {"#include \"c:secret\"\n", "leaves the folder"},
    {"#include <secret>\n", PAIRS ":1: no name in quotes"},
    {"#include\n", PAIRS ":1: no name in quotes"},
    {"#if 1\nint a;\n", "an #if has no #endif in " PAIRS},
    {"#endif\n", PAIRS ":1: no #if is open at #endif"},
    {"#else\n", "no #if is open at #else"},
    {"#if 1 +\n#endif\n", PAIRS ":1: no condition"},
    {"#if 1 / 0\n#endif\n", PAIRS ":1: no condition"},
    {"#if JOIN(1, 2)\n#endif\n", PAIRS ":1: no condition"},
    {"#define LOOP LOOP\n#if LOOP\n#endif\n", PAIRS ":2: no condition"},
    {"#define\n", PAIRS ":1: #define without a name"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_status status;
    struct clr_text text = {0};
    const struct kernels kernels = {.name = PAIRS, .text = cases[i].text};
    ck_assert_int_eq(write_wide(&float_sum, kernels, &text, &status), CLRED_KERNEL_SOURCE);
    ck_assert_msg(strstr(status.sentence, cases[i].sentence), "case %zu: %s", i, status.sentence);
    clr_text_release(&text);
  }
}

static const struct {
  const char *condition;
  bool holds;
} conditions[] = {
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

TEST(conditions_are_those_of_c) {
  for (size_t i = 0; i < COUNT_OF(conditions); i++) {
    struct clr_text file = {0};
    clr_text_format(&file,
                    "#define THREE 3\n#define TWICE_THREE (2 * THREE)\n#if %s // why\nint yes;\n#elif 1\nint no;\n"
                    "#else\nint none;\n#endif\n",
                    conditions[i].condition);
    struct clr_text text = text_of(
      &float_sum, (struct kernels){.name = "strategies/wide.cl", .text = file.bytes, .options = "-w -DFAULT_DELAY=7"});
    ck_assert_msg(!strstr(text.bytes, "int yes;") == !conditions[i].holds, "%s", conditions[i].condition);
    ck_assert_msg(!strstr(text.bytes, "int no;") == conditions[i].holds, "%s", conditions[i].condition);
    ck_assert(!strstr(text.bytes, "int none;"));
    clr_text_release(&text);
    clr_text_release(&file);
  }
}

// `file` replaces strategies/wide.cl.
static void assert_written(const char *file, const char *expected) {
  struct clr_text text = text_of(&float_sum, (struct kernels){.name = "strategies/wide.cl", .text = file});
  ck_assert_msg(strstr(text.bytes, expected) != NULL, "%s", text.bytes);
  clr_text_release(&text);
}

TEST(conditions_that_only_the_compiler_can_evaluate_stay) {
  static const char text[] = "#if __OPENCL_VERSION__ > 100\nint a;\n#else\nint b;\n#endif\n";
  assert_written(text, text);
}

// Compilers report lines of the kernel file, not of the program.
TEST(lines_keep_their_numbers) {
  assert_written("int a;\n#if 0\nint b;\n#endif\n\n\n\nint c;\n#define UNUSED 1\nint d;\n"
                 "void clred_unused(void)\n{\n}\nint e;\n",
                 "#line 1 \"strategies/wide.cl\"\nint a;\n\n#line 8 \"strategies/wide.cl\"\nint c;\n"
                 "#line 10 \"strategies/wide.cl\"\nint d;\n#line 14 \"strategies/wide.cl\"\nint e;\n");
}

// ---------------------------------------------------------------- Trees

// Combining a and b as 10 a + b is not associative, so the digits of the result show the order of combination.
static void spell(void *a, const void *b) {
  *(cl_long *)a = 10 * *(cl_long *)a + *(const cl_long *)b;
}

static cl_long values[8];

// The values 1 to 5.
static const struct clr_states *digits(void) {
  static struct clr_problem problem;
  static struct clr_host_form host;
  static struct clr_states states;
  problem = problem_of(&(clred_problem){OF(ADD, LONG)});
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
    const clred_problem given = {OF(ADD, FLOAT), .count_max = counts[i].n};
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
    {"wide", {.finish = "relaunch", .count_max = 1 << 24}, "columns states "},
    {"chunked", {.finish = "relaunch", .count_max = 1 << 24}, "tiles nodes "},
    {"wide", {.finish = "last_group", .count_max = 1 << 24}, "columns "},
    // 196 groups leave 32 partials each. 13 groups fold these and leave 32 partials each. The last launch folds those.
    {"hand_off", {.finish = "relaunch", .count_max = 100000}, "load load load "},
    {"hand_off", {.finish = "last_group", .count_max = 100000}, "load load "},
    {"hand_off", {.finish = "atomic", .count_max = 100000}, "begin load load deliver "},
    {"hand_off", {.finish = "host", .count_max = 100000}, "load load "},
    {"hand_off", {.finish = "atomic", .count_max = 3}, "begin load deliver "},
    {"rows_wide", {.layout = CLRED_LAYOUT_ROWS, .count_max = 1 << 24}, "units partials "},
    {"rows_wide", {.layout = CLRED_LAYOUT_ROWS, .count_max = 1000}, "units "},
    {"scan_reduce_then_scan", {SCAN, .count_max = 1 << 24}, "load load prefix "},
    {"scan_look_back", {SCAN, .count_max = 1 << 24}, "load "},
    {"segments_chunked", {SEGMENTS, .count_max = 1 << 24}, "cut segments pieces "},
    {"segments_chunked", {SEGMENTS, .count_max = 10}, "cut segments "},
    {"scan_segments", {SEGMENTS, SCAN, .count_max = 1 << 24}, "cut segments pieces scan "},
    {"scan_segments", {SEGMENTS, SCAN, .count_max = 10}, "cut scan "},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    clred_problem given = cases[i].given;
    char launches[256] = "";
    given.op = CLRED_OP_ADD, given.type = CLRED_TYPE_FLOAT;
    const struct clr_shape shape = shape_of(cases[i].strategy, ON(GPU, 0), &given);
    list_launches(&shape, given.count_max, launches);
    ck_assert_msg(strcmp(launches, cases[i].launches) == 0, "%s, n = %llu: %s, not %s", cases[i].strategy,
                  (unsigned long long)given.count_max, launches, cases[i].launches);
  }
}
