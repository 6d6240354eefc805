// clreduce selftest: tries what plans rely on, keeps what does not hold where plans find it, and says so.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/hush.h"
#include "cli/verbs.h"
#include "device/session_asked.h"
#include "verbs/selftest.h"

// ---- Drivers that end the process

static char last_words[SELFTEST_NAME + 80];  // "": no probe runs
static int true_stderr = STDERR_FILENO;

static void end_named(int number) {
  (void)number;
  fail_in_handler(true_stderr, last_words);
}

// Some compilers call exit.
static void end_by_exit(void) {
  if (*last_words != '\0')
    end_named(0);
}

static void name_crashes(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction action = {.sa_handler = end_named};
  int copy = dup(STDERR_FILENO);
  true_stderr = copy < 0 ? STDERR_FILENO : copy;
  sigemptyset(&action.sa_mask);
  atexit(end_by_exit);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
}

// ---- Probing

// Standard error is the drivers' while the library works, but for this.
static cl_bool tell(const char *name, double done, void *user_data) {
  struct selftest *selftest = user_data;
  hush_end(selftest->hushed);
  snprintf(last_words, sizeof last_words, "clreduce: selftest: the driver crashed while this was probed: %s\n", name);
  if (selftest->args->explain)
    fprintf(stderr, "probing %s\n", name);
  else
    progress_tell(&selftest->progress, name, (uint64_t)(1000 * done), 1000);
  selftest->hushed = hush_begin();
  return CL_FALSE;
}

static void keep(const clred_finding *finding, void *user_data) {
  struct selftest *selftest = user_data;
  if (selftest->count == SELFTEST_ROWS)
    return;
  struct selftest_row *row = &selftest->rows[selftest->count++];
  *row = (struct selftest_row){.about = finding->about, .verdict = finding->verdict};
  snprintf(row->name, sizeof row->name, "%s", finding->name);
  snprintf(row->detail, sizeof row->detail, "%s", finding->detail);
}

static int probe(struct selftest *selftest) {
  const clred_probe_options options = {
    .full = selftest->args->full, .only = selftest->args->only, .begins = tell, .ends = keep, .user_data = selftest};
  double begun = seconds_now();
  name_crashes();
  selftest->hushed = hush_begin();
  cl_int status = clred_probe_device(selftest->session.runtime, &options, &selftest->counts);
  hush_end(selftest->hushed);
  *last_words = '\0';
  selftest->seconds = seconds_now() - begun;
  progress_end(&selftest->progress);
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(selftest->session.runtime));
}

static int save(struct selftest *selftest) {
  if (*selftest->path == '\0')
    return EXIT_DONE;
  findings_make_folder(selftest->args->findings, selftest->path);
  cl_int status = clred_findings_save(selftest->session.runtime, selftest->path);
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(selftest->session.runtime));
}

// ---- The answer

static int say_what_is_wrong(const struct selftest *selftest) {
  char names[512] = "";
  for (size_t i = 0; i < selftest->count; i++)
    if (selftest->rows[i].verdict == CLRED_WRONG && strlen(names) + SELFTEST_NAME + 2 < sizeof names)
      snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names == '\0' ? "" : ", ",
               selftest->rows[i].name);
  return fail(EXIT_WRONG, "selftest: wrong on this device, and not avoided: %s", names);
}

static int answer(const struct selftest *selftest) {
  int code = selftest->args->json ? selftest_print_json(selftest) : selftest_print_text(selftest);
  return code == EXIT_DONE && selftest->counts.wrong > 0 ? say_what_is_wrong(selftest) : code;
}

static int check_only(const char *only) {
  static const char *const abouts[] = {"limits",     "memory",    "numbers", "atomics",
                                       "strategies", "operators", "order",   "choices"};
  for (; only != NULL && *only != '\0'; only += strcspn(only, ","), only += *only == ',') {
    size_t length = strcspn(only, ","), i = 0;
    while (i < sizeof abouts / sizeof *abouts && (strlen(abouts[i]) != length || memcmp(abouts[i], only, length) != 0))
      i++;
    if (i == sizeof abouts / sizeof *abouts)
      return fail(
        EXIT_BAD_USE,
        "--only: no probes are about '%.*s'; there are limits, memory, numbers, atomics, strategies, operators, "
        "order and choices",
        (int)length, only);
  }
  return EXIT_DONE;
}

int cmd_selftest(const struct args *args) {
  struct selftest *selftest = calloc(1, sizeof *selftest);
  struct device device;
  if (selftest == NULL)
    return fail_memory();
  selftest->args = args;
  progress_begin(&selftest->progress, args->quiet);
  int code = args->full && args->quick ? fail(EXIT_BAD_USE, "selftest: both --quick and --full; give one") : EXIT_DONE;
  if (code == EXIT_DONE)
    code = check_only(args->only);
  if (code == EXIT_DONE)
    code = findings_path(args->findings, selftest->path);
  if (code == EXIT_DONE)
    code = device_pick(args->device, &device);
  if (code == EXIT_DONE)
    code = session_open_with(&selftest->session, &device, NULL, &(struct session_files){0});
  if (code == EXIT_DONE)
    code = probe(selftest);
  if (code == EXIT_DONE)
    code = save(selftest);
  if (code == EXIT_DONE)
    code = answer(selftest);
  session_close(&selftest->session);
  free(selftest);
  return code;
}
