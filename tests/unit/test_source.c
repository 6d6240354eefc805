// Program texts: what they hold, and which files they are made of. kernels/texts has compilers read those of all
// strategies. No device is opened.

#include "planning/strategy.h"
#include "source/source.h"
#include "support/suite.h"
#include "unit/shapes.h"

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

static const clred_problem float_sum = {OF(SUM, FLOAT), .count_max = 1000};

static struct clr_text text_of(const clred_problem *given, struct kernels kernels) {
  struct clr_status status;
  struct clr_text text = {0};
  ck_assert_msg(!write_wide(given, kernels, &text, &status), "%s", status.message);
  return text;
}

// Words that the text must have, or must not have.
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
static void check_words(const struct clr_text *text, bool has, const char *const *words) {
  for (; *words; words++)
    ck_assert_msg(!strstr(text->bytes, *words) == !has, "the text %s %s", has ? "lacks" : "has", *words);
}

TEST(a_program_is_written_in_the_words_of_its_operation) {
  struct clr_text text = text_of(&(clred_problem){OF(MIN, SHORT), .count_max = 1000}, (struct kernels){.name = NULL});
  check_words(&text, true,
              WORDS("#define ELEMENT_TYPE short\n", "#define STATE long\n", "  return (LESSER(a, b));\n",
                    "  return (HIGHEST);\n", "#define HIGHEST LONG_MAX\n", "#define GROUP_SIZE 256\n",
                    "#define VECTOR 8\n", "#define LANES_PER_TILE 128\n", "__asm__", "\"common/lanes_of_width.clh\"\n",
                    "#define WIDTH 8\n", "\"strategies/wide.cl\"\n"));
  check_words(&text, false, WORDS("#define WIDTH 16\n", "#include", "#if"));
  clr_text_release(&text);
}

// A program has no kernels that no call launches.
TEST(a_program_holds_the_kernels_of_its_calls) {
  struct clr_text text = text_of(&float_sum, (struct kernels){.name = NULL});
  check_words(&text, true, WORDS("#define SUFFIX _elements\n"));
  check_words(&text, false, WORDS("#define SUFFIX _states\n", "#define SUFFIX _apply\n", "ENTRY(clred_begin)"));
  clr_text_release(&text);
}

static const clred_operator exact_sum =
  OPERATOR(.name = "exact_sum", .preamble = "int before;\n#include \"exact/float_sum.clh\"\nint after;\n",
           .element = "float", .element_size = 4, .state = "exact_float", .state_size = 48, .result = "float",
           .identity = "exact_float_empty()", .lift = "exact_float_of(x)", .combine = "exact_float_add(a, b)",
           .lower = "exact_float_value(s)", .commutative = CL_TRUE);

// The program has the text of the file instead of the #include, and the lines of the preamble keep their numbers.
TEST(a_preamble_includes_files) {
  const clred_problem problem = {.custom = &exact_sum, .count_max = 1000};
  struct clr_text text = text_of(&problem, (struct kernels){.name = NULL});
  check_words(&text, true,
              WORDS("#line 1 \"preamble\"\nint before;\n", "#line 2 \"preamble\"\n\nint after;\n",
                    "exact_float_add(exact_float p,"));
  check_words(&text, false, WORDS("#include", "exact_double", "pragma once"));
  clr_text_release(&text);
}

// The directory CLREDUCE_CL_DIR may lack the file.
TEST(a_preamble_includes_a_file_that_is_missing) {
  struct clr_status status;
  struct clr_text text = {0};
  const clred_problem problem = {.custom = &exact_sum, .count_max = 1000};
  const struct kernels kernels = {.name = "exact/float_sum.clh"};
  ck_assert_int_eq(write_wide(&problem, kernels, &text, &status), CLRED_KERNEL_SOURCE);
  ck_assert_msg(strstr(status.message, "#include exact/float_sum.clh could not be read"), "%s", status.message);
  clr_text_release(&text);
}

// Each text replaces common/pairs.clh, and the message names the file and the line.
TEST(wrong_files_are_named) {
#define PAIRS "common/pairs.clh"
  static const struct {
    const char *text, *message;
  } cases[] = {
    {NULL, "group/tiles.clh:7: #include " PAIRS " could not be read"},
    {"// head\n#include \"common/no_such.clh\"\n", PAIRS ":2: #include common/no_such.clh could not be read"},
    {"\n\n#include \"" PAIRS "\"\n", PAIRS ":3: #include " PAIRS " includes itself"},
    {"#include \"../secret.clh\"\n", PAIRS ":1: #include ../secret.clh leaves the directory"},
    {"#include \"words/../../secret.clh\"\n", "leaves the directory"},
    {"#include \"/etc/passwd\"\n", "#include /etc/passwd leaves the directory"},
    {"#include \"c:secret\"\n", "leaves the directory"},
    {"#include <secret>\n", PAIRS ":1: no name in quotes"},
    {"#include\n", PAIRS ":1: no name in quotes"},
    {"#if 1\nint a;\n", "an #if has no #endif in " PAIRS},
    {"#endif\n", PAIRS ":1: no #if is open at #endif"},
    {"#else\n", "no #if is open at #else"},
    {"#if 1 +\n#endif\n", PAIRS ":1: no condition"},
    {"#if 1 / 0\n#endif\n", PAIRS ":1: no condition"},
    {"#if JOIN(1, 2)\n#endif\n", PAIRS ":1: no condition"},
    {"#if 1 << 4\n#endif\n", PAIRS ":1: no condition"},
    {"#if 1 ? 0 : 1\n#endif\n", PAIRS ":1: no condition"},
    {"#define TWO 1 +\n#if TWO 1\n#endif\n", PAIRS ":2: no condition"},
    {"#define LOOP LOOP\n#if LOOP\n#endif\n", PAIRS ":2: no condition"},
    {"#define\n", PAIRS ":1: #define without a name"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_status status;
    struct clr_text text = {0};
    const struct kernels kernels = {.name = PAIRS, .text = cases[i].text};
    ck_assert_int_eq(write_wide(&float_sum, kernels, &text, &status), CLRED_KERNEL_SOURCE);
    ck_assert_msg(strstr(status.message, cases[i].message), "case %zu: %s", i, status.message);
    clr_text_release(&text);
  }
}

static void check_condition(const char *condition, bool holds) {
  struct clr_text file = {0};
  clr_text_format(&file,
                  "#define THREE 3\n#define TWICE_THREE (2 * THREE)\n#if %s // why\nint yes;\n#elif 1\nint no;\n"
                  "#else\nint none;\n#endif\n",
                  condition);
  struct clr_text text = text_of(
    &float_sum, (struct kernels){.name = "strategies/wide.cl", .text = file.bytes, .options = "-w -DFAULT_DELAY=7"});
  ck_assert_msg(!strstr(text.bytes, "int yes;") == !holds, "%s", condition);
  ck_assert_msg(!strstr(text.bytes, "int no;") == holds, "%s", condition);
  ck_assert(!strstr(text.bytes, "int none;"));
  clr_text_release(&text);
  clr_text_release(&file);
}

TEST(conditions_are_those_of_c) {
  static const char *const right[] = {"GROUP_SIZE == 256", "!NO_SUCH_NAME",    "defined(VECTOR)",
                                      "defined VECTOR",    "1 + 2 * 3 == 7",   "7 % 4 == 3 && 7 / 4 == 1",
                                      "0x10 / 4 == 4u",    "1 || 0 && 0",      "-1 < 0",
                                      "10 - 4 - 3 == 3",   "TWICE_THREE == 6", "3 >= 3 && 2 <= 2 && 3 > 2",
                                      "FAULT_DELAY == 7"};
  static const char *const wrong[] = {"GROUP_SIZE != 256", "NO_SUCH_NAME", "defined(NOTHING)", "(1 + 2) * 3 == 7",
                                      "(1 || 0) && 0"};
  for (size_t i = 0; i < COUNT_OF(right); i++)
    check_condition(right[i], true);
  for (size_t i = 0; i < COUNT_OF(wrong); i++)
    check_condition(wrong[i], false);
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
  assert_written("int a;\n#if 0\nint b;\n#endif\n\n\n\nint c;\n#define CONTINUED 1 + \\\n  1\nint d;\n",
                 "#line 1 \"strategies/wide.cl\"\nint a;\n\n#line 8 \"strategies/wide.cl\"\nint c;\n"
                 "#define CONTINUED 1 + \\\n  1\nint d;\n");
}
