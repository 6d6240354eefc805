// Kernel sources read from the directory that CLREDUCE_CL_DIR names: whole, broken and missing. CLREDUCE_TEST_CL_DIR is
// the project's directory.

#define _POSIX_C_SOURCE 200809L

#include "support/fixture.h"

static void run_shell(const char *format, const char *directory) {
  char command[2048];
  snprintf(command, sizeof command, format, directory);
  ck_assert_int_eq(system(command), 0);
}

// The status of the first plan with kernel sources from this directory. Leaves the device open.
static cl_int plan_from(const char *directory) {
  const clred_problem problem = {OP(SUM, FLOAT), .strategy = "wide"};
  clred_plan *plan = NULL;
  ck_assert_int_eq(setenv("CLREDUCE_CL_DIR", directory, 1), 0);
  fixture_open();
  const cl_int err = clred_plan_create(under_test.runtime, &problem, &plan);
  clred_plan_release(plan);
  return err;
}

// Copies the project's kernels to a directory, appends the line to every file, and makes a plan, which must give this
// status. Without a line the directory is empty.
static void check_directory(const char *line, cl_int status, const char *words) {
  char *directory = fixture_directory();
  if (line) {
    ck_assert_int_eq(setenv("LINE", line, 1), 0);
    run_shell("cp -r '" CLREDUCE_TEST_CL_DIR "/.' %s", directory);
    run_shell("find %s -type f -exec sh -c 'for f; do echo \"$LINE\" >> \"$f\"; done' sh {} +", directory);
  }
  assert_status(plan_from(directory), status);
  if (status == CL_BUILD_PROGRAM_FAILURE)
    check_message(runtime_info(under_test.runtime).build_log, words);
  else
    check_said(words);
  ck_assert(!status || clred_last_error(under_test.runtime)[0]);
  if (status == CLRED_KERNEL_SOURCE)
    check_said(directory);
  fixture_close();
}

TEST(kernels_from_a_directory) {
  check_directory("", CL_SUCCESS, "");
}

TEST(kernels_that_do_not_compile) {
  check_directory("this_is_no_kernel it is not;", CL_BUILD_PROGRAM_FAILURE, "this_is_no_kernel");
}

TEST(kernels_that_are_missing) {
  check_directory(NULL, CLRED_KERNEL_SOURCE, ".cl");
}

// clred_plan_source cuts the text like snprintf. A plan that runs on the host has no text.
TEST(the_source_of_a_plan) {
  const char first[] = "// build options: -cl-std=CL";
  char cut[8] = "1234567";
  fixture_open();
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .strategy = "wide");
  const size_t length = clred_plan_source(plan, NULL, 0);
  char *text = claim(length + 1);
  ck_assert_uint_eq(clred_plan_source(plan, text, length + 1), length);
  ck_assert_uint_eq(strlen(text), length);
  ck_assert_int_eq(strncmp(text, first, strlen(first)), 0);
  check_message(text, "ENTRY(clred_wide)");
  ck_assert_uint_eq(clred_plan_source(plan, cut, sizeof cut), length);
  ck_assert_int_eq(strncmp(cut, first, sizeof cut - 1), 0);
  ck_assert_int_eq(cut[sizeof cut - 1], 0);
  plan = PLAN(OP(SUM, FLOAT), .strategy = "host_serial");
  ck_assert_uint_eq(clred_plan_source(plan, cut, sizeof cut), 0);
  ck_assert_str_eq(cut, "");
  ck_assert_uint_eq(clred_plan_source(NULL, NULL, 0), 0);
  fixture_close();
}
