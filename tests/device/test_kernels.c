// Kernel sources read from the folder that CLREDUCE_CL_DIR names: whole, broken and missing. CLREDUCE_TEST_CL_DIR is
// the project's folder.

#define _POSIX_C_SOURCE 200809L

#include "support/fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---------------------------------------------------------------- Folders

static void copy_file(const char *from, const char *to, const char *ending) {
  char bytes[4096];
  size_t count;
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  ck_assert_msg(in && out, "cannot copy %s to %s", from, to);
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0)
    ck_assert_uint_eq(fwrite(bytes, 1, count, out), count);
  fputs(ending, out);
  fclose(in);
  ck_assert_int_eq(fclose(out), 0);
}

// Copies a folder and appends a line to every file.
static void copy_folder(const char *from, const char *to, const char *ending) {
  char source[1024], target[1024];
  struct stat status;
  const struct dirent *entry;
  DIR *folder = opendir(from);
  ck_assert_msg(folder != NULL, "cannot open %s", from);
  while ((entry = readdir(folder)) != NULL) {
    if (entry->d_name[0] == '.')
      continue;
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    ck_assert_int_eq(stat(source, &status), 0);
    if (!S_ISDIR(status.st_mode)) {
      copy_file(source, target, ending);
    } else {
      ck_assert_int_eq(mkdir(target, 0700), 0);
      copy_folder(source, target, ending);
    }
  }
  closedir(folder);
}

static void remove_folder(const char *path) {
  char inner[1024];
  const struct dirent *entry;
  DIR *folder = opendir(path);
  while (folder && (entry = readdir(folder)) != NULL)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
      if (remove(inner) != 0)
        remove_folder(inner);
    }
  if (folder)
    closedir(folder);
  remove(path);
}

// ---------------------------------------------------------------- Tests

// The status of the first plan with kernel sources from this folder. Leaves the device open.
static cl_int plan_from(const char *folder) {
  const clred_problem problem = {OP(ADD, FLOAT), .strategy = "wide"};
  clred_plan *plan = NULL;
  ck_assert_int_eq(setenv("CLREDUCE_CL_DIR", folder, 1), 0);
  fixture_open();
  const cl_int err = clred_plan_create(under_test.runtime, &problem, &plan);
  clred_plan_release(plan);
  return err;
}

TEST(kernels_from_a_folder) {
  char folder[] = "/tmp/clreduce-kernels-XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  copy_folder(CLREDUCE_TEST_CL_DIR, folder, "\n");
  assert_ok(plan_from(folder));
  fixture_close();
  remove_folder(folder);
}

TEST(kernels_that_do_not_compile) {
  char folder[] = "/tmp/clreduce-kernels-XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  copy_folder(CLREDUCE_TEST_CL_DIR, folder, "\nthis_is_no_kernel it is not;\n");
  assert_status(plan_from(folder), CL_BUILD_PROGRAM_FAILURE);
  ck_assert_str_ne(clred_last_error(under_test.runtime), "");
  check_sentence(runtime_info(under_test.runtime).build_log, "this_is_no_kernel");
  fixture_close();
  remove_folder(folder);
}

TEST(kernels_that_are_missing) {
  char folder[] = "/tmp/clreduce-kernels-XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  assert_status(plan_from(folder), CLRED_KERNEL_SOURCE);
  check_sentence(clred_last_error(under_test.runtime), ".cl");
  fixture_close();
  remove_folder(folder);
}

// Appends the line to every file. The plan must be refused with a sentence that contains the words.
static void check_refused(const char *line, const char *words) {
  char folder[] = "/tmp/clreduce-kernels-XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  copy_folder(CLREDUCE_TEST_CL_DIR, folder, line);
  assert_status(plan_from(folder), CLRED_KERNEL_SOURCE);
  check_sentence(clred_last_error(under_test.runtime), words);
  check_sentence(clred_last_error(under_test.runtime), folder);
  fixture_close();
  remove_folder(folder);
}

TEST(kernels_that_include_what_they_may_not) {
  check_refused("#include \"no/such.clh\"\n", ": #include no/such.clh could not be read");
  check_refused("#include \"strategies/wide.cl\"\n", ": #include strategies/wide.cl includes itself");
  check_refused("#include \"../outside.clh\"\n", ": #include ../outside.clh leaves the folder");
  check_refused("#include \"/etc/outside.clh\"\n", ": #include /etc/outside.clh leaves the folder");
}

// clred_plan_source cuts the text like snprintf. A plan that runs on the host has no text.
TEST(the_source_of_a_plan) {
  const clred_problem problem = {OP(ADD, FLOAT), .strategy = "wide"},
                      on_host = {OP(ADD, FLOAT), .strategy = "host_serial"};
  const char first[] = "// build options: -cl-std=CL";
  clred_plan *plan = NULL;
  char cut[8] = "1234567";
  fixture_open();
  assert_ok(clred_plan_create(under_test.runtime, &problem, &plan));
  const size_t length = clred_plan_source(plan, NULL, 0);
  char *text = claim(length + 1);
  ck_assert_uint_eq(clred_plan_source(plan, text, length + 1), length);
  ck_assert_uint_eq(strlen(text), length);
  ck_assert_int_eq(strncmp(text, first, strlen(first)), 0);
  check_sentence(text, "ENTRY(clred_wide)");
  ck_assert_uint_eq(clred_plan_source(plan, cut, sizeof cut), length);
  ck_assert_int_eq(strncmp(cut, first, sizeof cut - 1), 0);
  ck_assert_int_eq(cut[sizeof cut - 1], 0);
  RELEASE(text, plan);
  assert_ok(clred_plan_create(under_test.runtime, &on_host, &plan));
  ck_assert_uint_eq(clred_plan_source(plan, cut, sizeof cut), 0);
  ck_assert_str_eq(cut, "");
  ck_assert_uint_eq(clred_plan_source(NULL, NULL, 0), 0);
  clred_plan_release(plan);
  fixture_close();
}
