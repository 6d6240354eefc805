// Probes of a device that are stopped or look for nothing. Each returns its status and writes nothing.

#include "support/fixture.h"

TEST_CASE("probes", fixture_open, fixture_close);

static size_t begun;

static cl_bool stop(const char *name, double done, void *user_data) {
  (void)name, (void)done, (void)user_data;
  begun++;
  return CL_TRUE;
}

static cl_ulong probes_in(const clred_probe_result *result) {
  return result->holds + result->avoided + result->wrong + result->lacking;
}

TEST(probing_that_is_stopped) {
  clred_probe_result result = {.holds = 9, .assume = "x"};
  begun = 0;
  assert_ok(clred_probe_device(under_test.runtime, &(clred_probe_options){.begins = stop}, &result));
  ck_assert_uint_eq(begun, 1);
  ck_assert_uint_eq(probes_in(&result), 0);
  ck_assert_str_eq(result.assume, "");
}

TEST(probing_of_nothing) {
  clred_probe_result result = {.holds = 9};
  const clred_probe_options none = {.only = "xmemory,memoryx"}, memory = {.only = "memory"};
  assert_ok(clred_probe_device(under_test.runtime, &none, &result));
  ck_assert_uint_eq(probes_in(&result), 0);
  assert_ok(clred_probe_device(under_test.runtime, &memory, NULL));
  assert_invalid(clred_probe_device(NULL, NULL, NULL));
}
