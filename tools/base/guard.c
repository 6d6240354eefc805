// A program cannot go on after a driver crashed in it. So the handler of the signal starts the same program again, with
// a variable that says what the crash came from.
#define _GNU_SOURCE  // RTLD_NEXT, sigaltstack

#include "base/guard.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/standard.h"

// ---------------------------------------------------------------- Unfinished files

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
static struct sigaction at_begin[NUMBERS], earlier[NUMBERS];
static volatile sig_atomic_t begun;

static void cleanup_begin(void) {
  for (size_t i = 0; i < NUMBERS; i++)
    sigaction(numbers[i], NULL, &at_begin[i]);
  begun = 1;
}

static void cleanup_resolve(void) {
  for (size_t i = 0; i < NUMBERS && begun; i++)
    sigaction(numbers[i], &at_begin[i], NULL);
}

static void end(int number) {
  cleanup_now();
  for (size_t i = 0; i < NUMBERS; i++)
    if (numbers[i] == number)
      sigaction(number, &earlier[i], NULL);
  raise(number);
}

static void expect_signals(void) {
  struct sigaction action = {.sa_handler = end}, old;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < NUMBERS; i++)
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN && old.sa_handler != end) {
      earlier[i] = old;
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

const int guard_crashes[CRASHES] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};

static const struct {
  const char *variable;
  const char *message;  // where the process cannot start again
} abouts[GUARDS] = {
  [GUARD_DRIVERS] = {"CLREDUCE_DRIVERS_AGAIN",
                     "clreduce: an OpenCL driver ended the process while it listed its devices; 'clreduce query' names "
                     "it; remove it or repair it\n"},
  [GUARD_TRIALS] = {"CLREDUCE_TRIALS_AGAIN",
                    "clreduce: the driver ended the process while the tool tried a compiled program, and the input "
                    "cannot be read again; give the input as a file, then the tool uses another program\n"}};

static char *const *words;
static char program[4096];
static bool is_again[GUARDS], is_forbidden;
static enum guard_inputs inputs;

// What a handler needs.
static struct {
  volatile sig_atomic_t active;
  enum guard_about about;
  int kept;  // the true standard error
  unsigned seconds;
  sigset_t mask;
  struct sigaction before[CRASHES], alarm_before;
} guard;

// ---- The environment

// Lists that loaders cut at the first separator, in the memory of the environment itself. Processes that this one
// starts need the whole lists.
static struct {
  const char *name;
  char *place, *whole;
} lists[] = {{"OCL_ICD_FILENAMES", NULL, NULL}, {"OPENCL_LAYERS", NULL, NULL}};
enum { LISTS = sizeof lists / sizeof *lists };

static void keep_lists(void) {
  for (int i = 0; i < LISTS; i++) {
    lists[i].place = getenv(lists[i].name);
    lists[i].whole = lists[i].place == NULL ? NULL : strdup(lists[i].place);
  }
}

// Async-signal-safe.
static void restore_lists(void) {
  for (int i = 0; i < LISTS; i++)
    if (lists[i].whole != NULL)
      memcpy(lists[i].place, lists[i].whole, strlen(lists[i].whole) + 1);
}

static void release_lists(void) {
  for (int i = 0; i < LISTS; i++) {
    free(lists[i].whole);
    lists[i].whole = NULL;
  }
}

// ---- A crash

// Async-signal-safe. The variable was set by guard_begin.
static void restart(void) {
  if (words == NULL || *program == '\0' || is_forbidden || is_again[guard.about])
    return;
  if (!standard_again())
    return;
  cleanup_now();
  restore_lists();
  cleanup_resolve();
  if (guard.seconds > 0)
    alarm(0);
  if (guard.kept >= 0)
    dup2(guard.kept, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &guard.mask, NULL);
  execv(program, words);
}

static void on_crash(int number) {
  (void)number;
  restart();
  cleanup_now();
  fail_in_handler(guard.kept >= 0 ? guard.kept : STDERR_FILENO, abouts[guard.about].message);
}

// In trials a driver that exits has printed what it lacks, and capture_stderr.h shows it.
static void on_exit_of_driver(void) {
  if (guard.active && guard.about == GUARD_DRIVERS)
    on_crash(0);
}

// The C library's function.
static int set_action(int number, const struct sigaction *action, struct sigaction *before) {
  static int (*found)(int, const struct sigaction *, struct sigaction *);
  if (found == NULL)
    *(void **)&found = dlsym(RTLD_NEXT, "sigaction");
  return found == NULL ? -1 : found(number, action, before);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

// Drivers call this function, too, because the program exports it. PoCL sets handlers when it is loaded: LLVM's, which
// let an abort end the process, and one for divisions by zero in kernels. They take effect when the guard ends.
// Sanitizers have such a function themselves.
#ifndef SANITIZED
__attribute__((visibility("default"))) int sigaction(int number, const struct sigaction *action,
                                                     struct sigaction *before) {
  for (int i = 0; i < CRASHES && guard.active; i++)
    if (guard_crashes[i] == number) {
      if (before != NULL)
        *before = guard.before[i];
      if (action != NULL)
        guard.before[i] = *action;
      return 0;
    }
  return set_action(number, action, before);
}
#endif

static void set_handlers(void) {
  static char stack[1 << 16];  // the driver's stack may be full
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  const struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  sigaltstack(&other, NULL);
  sigprocmask(SIG_SETMASK, NULL, &guard.mask);
  for (int i = 0; i < CRASHES; i++) {
    set_action(guard_crashes[i], NULL, &guard.before[i]);
    // A driver's handler lets kernels that divide by zero go on.
    if (guard_crashes[i] != SIGFPE || guard.before[i].sa_handler == SIG_DFL)
      set_action(guard_crashes[i], &action, NULL);
  }
  if (guard.seconds > 0) {
    set_action(SIGALRM, &action, &guard.alarm_before);
    alarm(guard.seconds);
  }
}

// Sets the handlers that were there before, or that drivers set meanwhile.
static void restore_handlers(void) {
  for (int i = 0; i < CRASHES; i++)
    set_action(guard_crashes[i], &guard.before[i], NULL);
  if (guard.seconds > 0) {
    alarm(0);
    set_action(SIGALRM, &guard.alarm_before, NULL);
  }
}

// ---- The guard

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

const char *guard_program(char *const argv[]) {
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length < 0 ? 0 : length] = '\0';
  if (argv[0] == NULL || strcmp(last_part(program), last_part(argv[0])) != 0)
    *program = '\0';
  return program;
}

void guard_may_restart(char *const argv[]) {
  guard_program(argv);
  words = argv;
  standard_begin();
  for (int i = 0; i < GUARDS; i++) {
    is_again[i] = getenv(abouts[i].variable) != NULL;
    unsetenv(abouts[i].variable);
  }
}

bool guard_is_again(enum guard_about about) {
  return is_again[about];
}

void guard_allow_trials(enum guard_inputs read) {
  inputs = read == GUARD_STANDARD && standard_keep() ? GUARD_FILES : read;
}

void guard_forbid_restart(void) {
  is_forbidden = true;
}

// A process that left out drivers has the names of these drivers only in memory, so it must not start again.
bool guard_tries_here(void) {
  return inputs == GUARD_FILES && *program != '\0' && !is_again[GUARD_DRIVERS] && !is_again[GUARD_TRIALS];
}

void guard_begin(enum guard_about about, int kept, unsigned seconds) {
  static bool registered;
  guard.about = about;
  guard.kept = kept;
  guard.seconds = seconds;
  setenv(abouts[about].variable, "1", 1);
  keep_lists();
  if (about == GUARD_DRIVERS)
    cleanup_begin();
  if (!registered)
    registered = atexit(on_exit_of_driver) == 0;
  set_handlers();
  guard.active = 1;
}

void guard_end(void) {
  guard.active = 0;
  restore_handlers();
  restore_lists();
  release_lists();
  if (guard.about == GUARD_DRIVERS)
    cleanup_resolve();
  unsetenv(abouts[guard.about].variable);
}

void guard_restart(void) {
  restart();
}
