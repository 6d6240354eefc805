// The readers of callers' texts and of compilers' logs: brackets, names, files that a preamble includes. No device is
// opened. The table device/refusals.def has operators with wrong texts.

#include "model/identifiers.h"
#include "model/problem.h"
#include "source/source.h"
#include "support/suite.h"
#include "unit/letters.h"

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
  ck_assert(explains(strcat(log, letters(300, "")), program, "yyy"));
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
