// How a unit suite is run.
#ifndef TESTS_UNIT_RUN_H
#define TESTS_UNIT_RUN_H

#include <check.h>

// Runs the suite and releases it; what main returns.
static inline int unit_run(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}

#endif
