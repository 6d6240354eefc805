// The main of every suite, and the functions that the macros of suite.h call before it.

#include "suite.h"

#define CASES_MAX 16
#define BUILD_OPTIONS "CLREDUCE_TEST_BUILD_OPTIONS"
#define SECONDS_A_TEST 900  // for cold builds of programs on a busy machine

static struct {
  size_t count;
  const char *names[CASES_MAX];
  TCase *cases[CASES_MAX];
  TCase *current;
} all;

// A test may set the build options. Without a process of its own, the next test still begins with those of the suite.
static void reset_build_options(void) {
  static bool known;
  static char *options;
  const char *now = getenv(BUILD_OPTIONS);
  if (!known && now)
    options = strdup(now);
  known = true;
  if (options)
    setenv(BUILD_OPTIONS, options, 1);
  else
    unsetenv(BUILD_OPTIONS);
}

void suite_enter_case(const char *name, SFun setup, SFun teardown) {
  for (size_t i = 0; i < all.count; i++)
    if (strcmp(all.names[i], name) == 0) {
      all.current = all.cases[i];
      return;
    }
  if (all.count == CASES_MAX)
    abort();
  all.current = tcase_create(name);
  tcase_set_timeout(all.current, SECONDS_A_TEST);
  tcase_add_checked_fixture(all.current, reset_build_options, NULL);
  tcase_add_checked_fixture(all.current, setup, teardown);
  all.names[all.count] = name;
  all.cases[all.count++] = all.current;
}

void suite_add_test(const TTest *test, int first, int end, int step) {
  const bool whole = getenv("CLREDUCE_TEST_ALL") != NULL;
  if (!all.current)
    suite_enter_case("tests", NULL, NULL);
  if (step == 1)
    tcase_add_loop_test(all.current, test, first, end);
  for (int i = whole ? 0 : first; step > 1 && i < end; i += whole ? 1 : step)
    tcase_add_loop_test(all.current, test, i, i + 1);
}

int main(int argc, char **argv) {
  Suite *suite = suite_create(argc > 0 ? argv[0] : "suite");
  for (size_t i = 0; i < all.count; i++)
    suite_add_tcase(suite, all.cases[i]);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
