// A handler may only call a few functions, unlink and raise among them, so the paths stand in a fixed table.
#define _XOPEN_SOURCE 700  // sigaction

#include "base/cleanup.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { PATHS_MAX = 4 };

static const char *volatile paths[PATHS_MAX];

void cleanup_now(void) {
  for (size_t i = 0; i < PATHS_MAX; i++)
    if (paths[i] != NULL)
      unlink(paths[i]);
}

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU, SIGXFSZ};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

// The actions of the signals before drivers were loaded, and before an output was begun.
static struct sigaction at_begin[NUMBERS], before[NUMBERS];
static volatile sig_atomic_t begun;

void cleanup_begin(void) {
  for (size_t i = 0; i < NUMBERS; i++)
    sigaction(numbers[i], NULL, &at_begin[i]);
  begun = 1;
}

void cleanup_resolve(void) {
  for (size_t i = 0; i < NUMBERS && begun; i++)
    sigaction(numbers[i], &at_begin[i], NULL);
}

static void end(int number) {
  cleanup_now();
  for (size_t i = 0; i < NUMBERS; i++)
    if (numbers[i] == number)
      sigaction(number, &before[i], NULL);
  raise(number);
}

static void expect_signals(void) {
  struct sigaction action = {.sa_handler = end}, old;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < NUMBERS; i++)
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN && old.sa_handler != end) {
      before[i] = old;
      sigaction(numbers[i], &action, NULL);
    }
}

void cleanup_expect(const char *path) {
  for (size_t i = 0; i < PATHS_MAX; i++)
    if (paths[i] == NULL) {
      paths[i] = path;
      expect_signals();
      return;
    }
}

void cleanup_forget(const char *path) {
  for (size_t i = 0; i < PATHS_MAX; i++)
    if (paths[i] == path)
      paths[i] = NULL;
}
