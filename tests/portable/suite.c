// The main of a unit suite that is built with the check.h of this directory instead of Check. Where the system has
// fork, each test has a process of its own, as with Check.
#include "support/suite.h"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#define ENTRIES_MAX 512

// A test, or the begin of a case if `test` is NULL.
struct entry {
  const TTest *test;
  int first, end, step;
  SFun setup, teardown;
};

static struct {
  size_t count;
  struct entry at[ENTRIES_MAX];
} all;

static void add(struct entry entry) {
  if (all.count == ENTRIES_MAX)
    CK_FAIL("more than %d tests", ENTRIES_MAX);
  all.at[all.count++] = entry;
}

void suite_enter_case(const char *name, SFun setup, SFun teardown) {
  (void)name;
  add((struct entry){.setup = setup, .teardown = teardown});
}

void suite_add_test(const TTest *test, int first, int end, int step) {
  add((struct entry){.test = test, .first = first, .end = end, .step = step});
}

static int run(const struct entry *of, const struct entry *test, int i) {
  if (of->setup)
    of->setup();
  test->test->run(i);
  if (of->teardown)
    of->teardown();
  return 0;
}

#ifdef _WIN32
#define run_apart run
#else
static int run_apart(const struct entry *of, const struct entry *test, int i) {
  int status = 1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    exit(run(of, test, i));
  return child < 0 || waitpid(child, &status, 0) != child ? 1 : status;
}
#endif

// On Windows the constructors of a file run from the last to the first.
static const struct entry *entry_at(size_t i) {
#ifdef _WIN32
  return &all.at[all.count - 1 - i];
#else
  return &all.at[i];
#endif
}

int main(void) {
  const struct entry none = {0}, *of = &none;
  int count = 0, failed = 0;
  for (size_t i = 0; i < all.count; i++) {
    const struct entry *entry = entry_at(i);
    of = entry->test ? of : entry;
    for (int j = entry->first; entry->test && j < entry->end; j += entry->step, count++)
      if (run_apart(of, entry, j)) {
        fprintf(stderr, "%s [%d] failed\n", entry->test->name, j);
        failed++;
      }
  }
  printf("%d tests, %d failed\n", count, failed);
  return failed || !count;
}
