// Probes of a device that are stopped or look for nothing, and findings of nothing. Each returns its status and writes
// nothing.

#include "support/fixture.h"

#include <unistd.h>

TEST_CASE("probes", fixture_open, fixture_close);

static size_t begun;

static cl_bool stop(const char *name, double done, void *user_data) {
  (void)name, (void)done, (void)user_data;
  begun++;
  return CL_TRUE;
}

static const char *const kinds[] = {"limits", "operators", "order", "strategies", "choices"};

TEST_ROWS(probing_that_is_stopped, kinds) {
  clred_probe_counts counts = {.holds = 9};
  const clred_probe_options options = {.only = kinds[_i], .begins = stop};
  begun = 0;
  assert_ok(clred_probe_device(under_test.runtime, &options, &counts));
  ck_assert_uint_eq(begun, 1);
  ck_assert_uint_eq(counts.holds + counts.avoided + counts.wrong + counts.lacking, 0);
}

TEST(probing_of_nothing) {
  clred_probe_counts counts = {.holds = 9};
  const clred_probe_options none = {.only = "xmemory,memoryx"}, memory = {.only = "memory"};
  assert_ok(clred_probe_device(under_test.runtime, &none, &counts));
  ck_assert_uint_eq(counts.holds + counts.avoided + counts.wrong + counts.lacking, 0);
  assert_ok(clred_probe_device(under_test.runtime, &memory, NULL));
  assert_invalid(clred_probe_device(NULL, NULL, NULL));
}

TEST(findings_of_nothing) {
  char file[64];
  clred_runtime *runtime = NULL;
  const clred_options none = {.findings_file = ""}, some = {.findings_file = file};
  snprintf(file, sizeof file, "findings-of-nothing-%ld.txt", (long)getpid());
  assert_invalid(clred_findings_save(NULL, file));
  refused_naming(clred_findings_save(under_test.runtime, NULL), "NULL");
  refused_naming(clred_findings_save(under_test.runtime, ""), "empty");
  ck_assert_ptr_null(runtime_info(NULL).findings_note);
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &none, &runtime));
  ck_assert_str_eq(runtime_info(OWN(runtime)).findings_note, "");
  assert_ok(clred_findings_save(under_test.runtime, file));
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &some, &runtime));
  ck_assert_str_eq(runtime_info(OWN(runtime)).findings_note, "");
  unlink(file);
}
