// Bad texts of callers and compilers: nested too deep, cut, too long, too many, or with reserved names. No device is
// opened.

#include "model/identifiers.h"
#include "model/layout.h"
#include "model/problem.h"
#include "source/source.h"
#include "support/suite.h"

static const clred_operator good = {
  .name = "own", .element = "float", .state = "float", .identity = "0", .lift = "x", .combine = "a + b"};

// Whether the library accepts the operator; otherwise the message is in `status`.
static bool is_accepted(const clred_operator *operator_, struct clr_status *status) {
  struct clr_custom custom;
  *status = (struct clr_status){0};
  cl_int err = clr_custom_make(operator_, &custom, status);
  clr_custom_release(&custom);
  ck_assert(!err || err == CLRED_OPERATOR_TEXT);
  return !err;
}

static void refused_naming(clred_operator operator_, const char *word) {
  struct clr_status status;
  ck_assert_msg(!is_accepted(&operator_, &status), "accepted: %s", word);
  ck_assert_msg(strstr(status.message, word) != NULL, "'%s' does not name %s", status.message, word);
}

// A text of `count` letters; valid until the next call.
static const char *letters(size_t count) {
  static char text[1024];
  memset(text, 'y', count);
  text[count] = 0;
  return text;
}

TEST(brackets) {
  struct clr_place place;
  char deep[131] = "";
  memset(deep, '(', 65);
  memset(deep + 65, ')', 65);
  ck_assert(clr_find_unbalanced(deep, &place));
  ck_assert_uint_eq(place.column, 65);
  ck_assert_uint_eq(place.length, 1);
  ck_assert(clr_find_unbalanced(deep + 1, &place));
  ck_assert_uint_eq(place.column, 129);
  ck_assert(!clr_find_unbalanced("\"(\\\"\" ')' '\\\\' // (\n/* { */", &place));
  ck_assert(clr_find_unbalanced("f(\n \"open", &place));
  ck_assert_uint_eq(place.line, 2);
  ck_assert(clr_find_unbalanced("'\\", &place));
  ck_assert(clr_find_unbalanced("/* open", &place));
  ck_assert(clr_find_unbalanced("(]", &place));
  ck_assert_uint_eq(place.column, 2);
}

TEST(names) {
  struct clr_place place;
  char blank[] = " \t ", word[] = " a b\n";
  clr_trim(blank);
  ck_assert_str_eq(blank, "");
  clr_trim(word);
  ck_assert_str_eq(word, "a b");
  ck_assert(!clr_find_macro_of("#define 3\n#undefine y\n# define z 1", "y = 3", &place));
  ck_assert(clr_find_macro_of("x\n#define y 1", "y = 3", &place));
  ck_assert_uint_eq(place.line, 2);
  ck_assert(!clr_find_reserved("myclred_x 1clred_ \"clred_\"", &place));
}

TEST(operators) {
  struct clr_status status;
  const clred_operand number = {"p", "float", 4};
  clred_operator own = good;
  char reserved[128] = "clred_";
  ck_assert(is_accepted(&own, &status));
  own.lift = strcat(reserved, letters(100));
  refused_naming(own, "clred_yyy");
  own = good;
  own.input_count = 1;
  refused_naming(own, "inputs is NULL");
  own.input_count = 0, own.parameter_count = 1;
  refused_naming(own, "parameters is NULL");
  own.inputs = &number, own.input_count = 1;
  refused_naming(own, "parameters is NULL");
  own.parameter_count = 17;
  refused_naming(own, "at most");
  own = good;
  own.state = "half";
  refused_naming(own, "exists only in memory");
  own = good;
  own.state_size = 8;
  refused_naming(own, "it has 4");
  own = good;
  own.state = "{ double d; float f; }", own.result = "double", own.combine = "b";
  ck_assert(is_accepted(&own, &status));
}

TEST(elementwise) {
  struct clr_status status;
  const clred_operand points = {"p", "point", 8}, numbers = {"p", "float", 4};
  clred_operator own = good;
  own.elementwise = CL_TRUE;
  ck_assert(is_accepted(&own, &status));
  own.inputs = &points, own.input_count = 1;
  refused_naming(own, "inputs that are scalars");
  own.inputs = &numbers;
  ck_assert(is_accepted(&own, &status));
  own.element = "point", own.element_size = 8;
  refused_naming(own, "elements that are scalars");
  own = good;
  own.elementwise = CL_TRUE, own.state = "float4";
  refused_naming(own, "a state that is a scalar");
}

TEST(members) {
  static const char seventeen[] =
    "{ int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; "
    "int m; int n; int o; int p; int q; }";
  static const char *const lists[] = {
    "{ float2 a; }",  "{ half a; }",  "{ cfloat a; }",       "{ averyverylongtypename a; }",
    "{ float; }",     "{ float 3; }", "{ float a",           "{ float a;",
    "{ float a; } b", "{ }",          "{ float a; int a; }", seventeen};
  clred_operator own = good;
  for (size_t i = 0; i < COUNT_OF(lists); i++) {
    own.state = lists[i];
    refused_naming(own, "state");
  }
  char list[256] = "{ ";
  own.state = strcat(strcat(list, letters(90)), " a }");
  refused_naming(own, "';' is missing");
  own.state = strcat(list, "; }");
  refused_naming(own, "state");
  // A message shows sixty letters of a long type.
  char quoted[64] = "'";
  strcpy(list, "{ ");
  own.state = strcat(strcat(list, letters(70)), " x; }");
  refused_naming(own, strcat(strcat(quoted, letters(60)), "'"));
}

// A preamble may include files of exact/. The compiler looks for other files.
TEST(includes) {
  static const struct {
    const char *preamble, *word;  // NULL: the library accepts it
  } cases[] = {
    {"#include \"exact/float_sum.clh\"", NULL},
    {"\n \t# include\t\"exact/double_sum.clh\" // doubles\n#include \"exact/float_sum.clh\"\n", NULL},
    {"#include \"mine.clh\"\n#include <exact/sums.clh>\n#includes \"exact/x\"\n", NULL},
    {"// #include \"exact/x\"\n/*\n#include \"exact/x\"\n*/ float f; #include \"exact/x\"\n", NULL},
    {"__constant char *s = \"#include exact/x\";\n", NULL},
    {"\n  #include \"exact/sums.clh\"", "preamble, line 2, column 13: 'exact/sums.clh' is no file for operators"},
    {"#include \"exact/../common/words.clh\"", "'exact/../common/words.clh' is no file"},
    {"#include \"exact/float_sum.clh\"\n#include \"exact/float_sum.cl\"", "line 2, column 11: 'exact/float_sum.cl' is"},
    {"#include \"exact/\"", "'exact/' is no file"},
  };
  struct clr_status status;
  clred_operator own = good;
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    own.preamble = cases[i].preamble;
    if (cases[i].word)
      refused_naming(own, cases[i].word);
    else
      ck_assert_msg(is_accepted(&own, &status), "case %zu: %s", i, status.message);
  }
}

TEST(places_of_includes) {
  static const char text[] = "/* a */ int i;\n#include \"exact/float_sum.clh\"//\n #include \"exact/double_sum.clh\"";
  struct clr_included found;
  ck_assert(clr_find_included(text, text, &found));
  ck_assert_ptr_eq(found.begin, strchr(text, '#'));
  ck_assert_int_eq(*found.end, '/');
  ck_assert_uint_eq(found.name.line, 2);
  ck_assert_uint_eq(found.name.length, strlen("exact/float_sum.clh"));
  ck_assert(clr_find_included(text, found.end, &found));
  ck_assert_int_eq(*found.end, 0);
  ck_assert_uint_eq(found.name.line, 3);
  ck_assert_uint_eq(found.name.column, 12);
  ck_assert(!clr_find_included(text, found.end, &found));
}

// An operator that includes sums of doubles needs double, even if no type of it is double.
TEST(included_doubles) {
  struct clr_custom custom;
  struct clr_status status = {0};
  clred_operator own = good;
  for (int i = 0; i < 2; i++) {
    own.preamble = i ? "#include \"exact/double_sum.clh\"" : "#include \"exact/float_sum.clh\"";
    ck_assert_int_eq(clr_custom_make(&own, &custom, &status), CL_SUCCESS);
    ck_assert_int_eq(custom.needs_fp64, i);
    clr_custom_release(&custom);
  }
}

TEST(incomplete_host) {
  const clred_host_operator nothing = {.identity = NULL};
  clred_operator own = good;
  own.host = &nothing;
  refused_naming(own, "host needs all");
}

TEST(problems) {
  const clred_problem sum = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM};
  const struct {
    clred_problem problem;
    const char *word;
  } wrong[] = {
    {{.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .nan = (clred_nan)9}, "nan"},
    {{.type = CLRED_TYPE_INT, .op = CLRED_OP_SUM, .overflow = (clred_overflow)9}, "overflow"},
    {{.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .in_flight = 65}, "in_flight"},
    {{.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .layout = (clred_layout)99}, "layout"},
    {{.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .order = (clred_order)9}, "order"},
    {{.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .scan = (clred_scan)9}, "scan"},
    {{.type = CLRED_TYPE_CFLOAT, .op = CLRED_OP_SUM, .state = CLRED_TYPE_DOUBLE}, "cannot have another state"}};
  struct clr_problem made;
  struct clr_status status = {0};
  ck_assert_int_eq(clr_problem_make(&sum, &made, &status), CL_SUCCESS);
  clr_problem_release(&made);
  for (size_t i = 0; i < COUNT_OF(wrong); i++) {
    ck_assert_int_ne(clr_problem_make(&wrong[i].problem, &made, &status), CL_SUCCESS);
    ck_assert_msg(strstr(status.message, wrong[i].word) != NULL, "'%s' does not name %s", status.message,
                  wrong[i].word);
    clr_problem_release(&made);
  }
}

// Whether the layout of a struct in a preamble is understood.
static bool is_read(const char *type, const char *preamble) {
  struct clr_layout layout = {.size = 0};
  return clr_layout_declared(type, preamble, &layout);
}

TEST(structs) {
  char many[4096] = "struct s {";
  static const char *const opaque[] = {
    "struct s { float a[x]; };", "struct s { float a[1100]; };", "struct s { float a[256][256][256]; };",
    "struct s { float a[2; };",  "struct s { float a; ",         "struct s { float a; /* no end",
    "struct s { struct s a; };"};
  ck_assert(is_read("struct s", "struct s { float a[2]; /* b */ int c; }; // end"));
  for (size_t i = 0; i < COUNT_OF(opaque); i++)
    ck_assert_msg(!is_read("struct s", opaque[i]), "%s", opaque[i]);
  ck_assert(!is_read(letters(100), "struct s { float a; };"));
  ck_assert(!is_read("cfloat", ""));
  for (int i = 0; i < 40; i++)
    strcat(many, "int a; float b; ");
  ck_assert(!is_read("struct s", strcat(many, "};")));
}

static bool explains(const char *log, const char *program, const char *word) {
  struct clr_status status = {0};
  bool explained = clr_explain_log(log, program, "own", &status);
  if (explained)
    ck_assert_msg(strstr(status.message, word) != NULL, "'%s' does not name %s", status.message, word);
  return explained;
}

TEST(build_logs) {
  static const char program[] =
    "#line 1 \"words.clh\"\nint f;\n#line 1 \"lift\"\nx + y\n#line 1 \"lift\"\nx\n#line 1 \"generated\"\n";
  char pieces[4096] = "", log[512] = "lift:1:5: error: ";
  ck_assert(explains("lift:1:5: error: no y\n", program, "lift, line 1, column 5: no y"));
  ck_assert(explains("before\nlift:1: no y", program, "column 0: no y"));
  ck_assert(explains("<kernel>:4:5: error: no y", program, "lift, line 1, column 5: no y"));
  ck_assert(!explains("<kernel>:2:5: error: no f", program, ""));
  ck_assert(!explains("uplift:1:5: error: no y", program, ""));
  ck_assert(!explains("lift: error", program, ""));
  ck_assert(explains("warning: lift:1:5: implicit\n", program, "implicit"));
  ck_assert(
    explains("lift:1:1: note: here\nlift:1:5: warning: warning: implicit\nlift:1:7: error: wrong", program, "wrong"));
  // Notes and warnings of other lines do not belong to this error.
  ck_assert(
    explains("lift:1:5: error: no y\nlift:1:6: note: here\nlift:1:7: warning: there", program, "column 5: no y"));
  ck_assert(explains("lift:1:6: note: here\nlift:1:5: error: no y\nlift:1:7: note: there", program, "column 5: no y"));
  ck_assert(explains("lift:1:5 <Spelling=words.clh:3:1>: error: no y", program, "column 5: no y"));
  ck_assert(explains(strcat(log, letters(300)), program, "yyy"));
  for (int i = 0; i < 70; i++)
    sprintf(pieces + strlen(pieces), "#line 1 \"piece%d\"\nx\n", i);
  ck_assert(explains("piece63:1:1: error: here", pieces, "piece63"));
  ck_assert(!explains("piece69:1:1: error: here", pieces, ""));
}

TEST(kernels) {
  struct clr_kernel_reader reader = {.directory = NULL};
  ck_assert_ptr_nonnull(clr_kernel_read(&reader, "common/words.clh"));
  ck_assert_ptr_null(clr_kernel_read(&reader, "no such file"));
  reader.directory = "/dev/null";
  ck_assert_ptr_null(clr_kernel_read(&reader, "common/words.clh"));
  clr_kernel_reader_close(&reader);
}
