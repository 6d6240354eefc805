// The main of a unit suite that is built with the check.h of this folder instead of Check. Where the system has fork,
// each test has a process of its own, as with Check.
#include "support/suite.h"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#define TESTS_MAX 512

struct test {
  const TTest *test;
  int i;
  SFun setup, teardown;
};

static struct {
  SFun setup, teardown;
  size_t count;
  struct test tests[TESTS_MAX];
} all;

void suite_enter_case(const char *name, SFun setup, SFun teardown) {
  (void)name;
  all.setup = setup;
  all.teardown = teardown;
}

void suite_add_test(const TTest *test, int first, int end, int step) {
  for (int i = first; i < end; i += step) {
    if (all.count == TESTS_MAX)
      CK_FAIL("more than %d tests", TESTS_MAX);
    all.tests[all.count++] = (struct test){test, i, all.setup, all.teardown};
  }
}

static int run(const struct test *test) {
  if (test->setup)
    test->setup();
  test->test->run(test->i);
  if (test->teardown)
    test->teardown();
  return 0;
}

#ifdef _WIN32
#define run_apart run
#else
static int run_apart(const struct test *test) {
  int status = 1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    exit(run(test));
  return child < 0 || waitpid(child, &status, 0) != child ? 1 : status;
}
#endif

int main(void) {
  int failed = 0;
  for (size_t i = 0; i < all.count; i++)
    if (run_apart(&all.tests[i])) {
      fprintf(stderr, "%s [%d] failed\n", all.tests[i].test->name, all.tests[i].i);
      failed++;
    }
  printf("%d tests, %d failed\n", (int)all.count, failed);
  return failed || !all.count;
}
