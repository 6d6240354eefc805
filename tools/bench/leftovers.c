// Ends child processes when a signal ends this one. A signal handler reads the table, so each entry is written
// atomically.

#include "bench/leftovers.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t groups[LEFTOVERS_MOST];

static void end_all(int number) {
  for (size_t i = 0; i < LEFTOVERS_MOST; i++)
    if (groups[i] > 0)
      kill(-(pid_t)groups[i], SIGKILL);
  signal(number, SIG_DFL);
  raise(number);
}

void leftovers_watch(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = end_all};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    sigaction(numbers[i], &action, NULL);
}

static bool replace(pid_t old, pid_t new) {
  for (size_t i = 0; i < LEFTOVERS_MOST; i++)
    if (groups[i] == old) {
      groups[i] = new;
      return true;
    }
  return false;
}

bool leftovers_note(pid_t group) {
  return replace(0, group);
}

void leftovers_forget(pid_t group) {
  replace(group, 0);
}
