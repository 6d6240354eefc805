// clreduce selftest: tests what plans rely on. Prints the option --assume with which plans avoid what fails.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/capture_stderr.h"
#include "base/fail.h"
#include "base/guard.h"
#include "base/guess.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/wrap.h"
#include "cli/args.h"
#include "cli/verbs.h"
#include "device/session.h"

enum { SELFTEST_ROWS = 128, SELFTEST_NAME = 48 };

struct selftest_row {
  char name[SELFTEST_NAME];
  const char *about;
  clred_verdict verdict;
  char detail[CLRED_FINDING_DETAIL];
};

struct selftest {
  const struct args *args;
  struct session session;
  struct progress progress;
  struct selftest_row rows[SELFTEST_ROWS];
  size_t count;
  clred_probe_result result;
  double seconds;
  int hushed;  // what capture_stderr_begin returned
};

// ---- Crashes of drivers

static char last_words[SELFTEST_NAME + 80];  // "" if no probe runs
static int true_stderr = STDERR_FILENO;

static void end_named(int number) {
  (void)number;
  cleanup_now();
  fail_in_handler(true_stderr, last_words);
}

// Some drivers' compilers end the process by exit.
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

// Standard error is captured while the library works; these lines are printed between two captures.
static cl_bool show_progress(const char *name, double done, void *user_data) {
  struct selftest *selftest = user_data;
  capture_stderr_end(selftest->hushed);
  snprintf(last_words, sizeof last_words, "clreduce: selftest: the driver crashed while this was probed: %s\n", name);
  if (selftest->args->explain && !selftest->args->quiet)
    fprintf(stderr, "probing %s\n", name);
  else
    progress_show(&selftest->progress, name, (uint64_t)(1000 * done), 1000);
  selftest->hushed = capture_stderr_begin();
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
    .only = selftest->args->only, .begins = show_progress, .ends = keep, .user_data = selftest};
  double begun = seconds_now();
  name_crashes();
  selftest->hushed = capture_stderr_begin();
  cl_int status = clred_probe_device(selftest->session.runtime, &options, &selftest->result);
  capture_stderr_end(selftest->hushed);
  *last_words = '\0';
  selftest->seconds = seconds_now() - begun;
  progress_end(&selftest->progress);
  return session_check(&selftest->session, status);
}

static const char *verdict_name(clred_verdict verdict) {
  static const char *const names[] = {
    [CLRED_HOLDS] = "holds", [CLRED_AVOIDED] = "avoided", [CLRED_WRONG] = "wrong", [CLRED_LACKING] = "lacking"};
  return names[verdict];
}

static void print_verdict(const struct selftest_row *row, size_t at) {
  char line[sizeof row->detail + 16];
  snprintf(line, sizeof line, "%s%s%s", verdict_name(row->verdict), *row->detail == '\0' ? "" : ": ", row->detail);
  wrap_print(line, at, at, table_width());
}

static void print_rows(const struct selftest *selftest) {
  const char *about = "";
  for (size_t i = 0; i < selftest->count; i++) {
    const struct selftest_row *row = &selftest->rows[i];
    if (strcmp(about, row->about) != 0)
      printf("%s\n", row->about);
    about = row->about;
    printf("  %-26s ", row->name);
    print_verdict(row, 29);
  }
}

static void print_field(const char *name, const char *value) {
  const size_t at = (size_t)printf("%-9s", name);
  wrap_print(value, at, at, table_width());
}

static void print_device(const struct selftest *selftest) {
  const struct device *device = &selftest->session.device;
  clred_fact fact;
  char line[4096], word[64];
  print_field("device", device->name);
  print_field("platform", device->platform);
  snprintf(line, sizeof line, "%s, %s", device->driver, device->version);
  print_field("driver", line);
  printf("library  clreduce %s\n", clred_version());
  *line = '\0';
  for (size_t i = 0; clred_runtime_fact(selftest->session.runtime, i, &fact) == CL_SUCCESS; i++) {
    snprintf(word, sizeof word, "%s=%llu", fact.name, (unsigned long long)fact.reported);
    list_append(line, sizeof line, " ", word);
  }
  print_field("facts", line);
}

static void print_faults(const struct selftest *selftest) {
  size_t faults = 0;
  for (size_t i = 0; i < selftest->count; i++) {
    const struct selftest_row *row = &selftest->rows[i];
    if (row->verdict != CLRED_AVOIDED && row->verdict != CLRED_WRONG)
      continue;
    faults++;
    printf("%s: ", row->name);
    print_verdict(row, 2 + strlen(row->name));
  }
  if (faults == 0 && !selftest->args->quiet)
    printf("no faults were found\n");
}

// One line that can be copied, however long it is.
static void print_assume(const struct selftest *selftest) {
  if (*selftest->result.assume != '\0')
    printf("--assume %s\n", selftest->result.assume);
}

static void print_text(const struct selftest *selftest) {
  const clred_probe_result *result = &selftest->result;
  print_rows(selftest);
  printf("\n%llu hold, %llu are avoided, %llu are wrong, %llu are lacking; %.1f s\n", (unsigned long long)result->holds,
         (unsigned long long)result->avoided, (unsigned long long)result->wrong, (unsigned long long)result->lacking,
         selftest->seconds);
  if (*result->assume != '\0')
    printf("\nWith this option, other verbs avoid what failed:\n\n");
  print_assume(selftest);
  printf("\nFor a report:\n\n");
  print_device(selftest);
  print_faults(selftest);
}

static void add_facts(cJSON *object, const struct selftest *selftest) {
  clred_fact fact;
  cJSON *facts = cJSON_AddObjectToObject(object, "facts");
  for (size_t i = 0; clred_runtime_fact(selftest->session.runtime, i, &fact) == CL_SUCCESS; i++)
    json_add_count(facts, fact.name, fact.reported);
}

static void add_rows(cJSON *object, const struct selftest *selftest) {
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < selftest->count; i++) {
    const struct selftest_row *row = &selftest->rows[i];
    cJSON *one = json_add_item(rows);
    json_add_text(one, "name", row->name);
    json_add_text(one, "about", row->about);
    json_add_text(one, "verdict", verdict_name(row->verdict));
    json_add_text(one, "detail", *row->detail == '\0' ? NULL : row->detail);
  }
}

static int print_json(const struct selftest *selftest) {
  const struct device *device = &selftest->session.device;
  cJSON *object = cJSON_CreateObject();
  device_add_json(object, device);
  json_add_text(object, "version", device->version);
  json_add_text(object, "library", clred_version());
  json_add_measure(object, "seconds", selftest->seconds);
  json_add_count(object, "holds", selftest->result.holds);
  json_add_count(object, "avoided", selftest->result.avoided);
  json_add_count(object, "wrong", selftest->result.wrong);
  json_add_count(object, "lacking", selftest->result.lacking);
  json_add_text(object, "assume", *selftest->result.assume == '\0' ? NULL : selftest->result.assume);
  add_facts(object, selftest);
  add_rows(object, selftest);
  return json_print(object);
}

static int say_what_is_wrong(const struct selftest *selftest) {
  char names[512] = "";
  for (size_t i = 0; i < selftest->count; i++)
    if (selftest->rows[i].verdict == CLRED_WRONG && strlen(names) + SELFTEST_NAME + 2 < sizeof names)
      list_append(names, sizeof names, ", ", selftest->rows[i].name);
  return fail(EXIT_WRONG, "selftest: wrong on this device, and plans cannot avoid it: %s", names);
}

static int answer(const struct selftest *selftest) {
  const struct args *args = selftest->args;
  int code = args->json ? print_json(selftest) : EXIT_DONE;
  if (!args->json && args->quiet) {
    print_faults(selftest);
    print_assume(selftest);
  } else if (!args->json) {
    print_text(selftest);
  }
  return !code && selftest->result.wrong > 0 ? say_what_is_wrong(selftest) : code;
}

static int check_only(const char *only) {
  static const char abouts[] = "limits,memory,numbers,atomics";
  const char *word;
  size_t length;
  while (list_next(&only, ",", &word, &length)) {
    struct guess guess;
    if (list_has(abouts, ",", word, length))
      continue;
    guess_begin_part(&guess, word, length);
    guess_offer_list(&guess, abouts, ",");
    return fail(EXIT_BAD_USE, "--only: '%.*s' is unknown;%s", (int)length, word,
                guess_or(&guess, " give limits, memory, numbers or atomics"));
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
  int code = check_only(args->only);
  code = code ? code : device_pick(args->device, &device);
  code = code ? code : session_open_with(&selftest->session, &device, NULL, &(struct session_files){0});
  code = code ? code : probe(selftest);
  code = code ? code : answer(selftest);
  session_close(&selftest->session);
  free(selftest);
  return code;
}
