// clreduce, the command-line tool: reductions, scans and histograms of files, standard input and generated data on any
// OpenCL device. verbs.c has the verbs, options.c their options.
#define _GNU_SOURCE  // sched_getaffinity

#include <clreduce_device.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guard.h"
#include "base/guess.h"
#include "base/wrap.h"
#include "cli/files.h"
#include "cli/help.h"
#include "device/drivers.h"
#include "device/session.h"
#include "operator/operation.h"
#include "verbs/quantile.h"

static void print_version(void) {
  printf("clreduce %s\n", clred_version());
}

// Words that stand where a verb stands, and only print.
static const struct {
  const char *name;
  void (*print)(void);
} printers[] = {{"--help", help_print_overview},
                {"-h", help_print_overview},
                {"--version", print_version},
                {"-V", print_version},
                {"--man-page", man_page_print}};

static bool print_instead(const char *word) {
  for (size_t i = 0; i < sizeof printers / sizeof printers[0]; i++)
    if (strcmp(printers[i].name, word) == 0) {
      printers[i].print();
      return true;
    }
  return false;
}

static int fail_without_verb(const char *wrong) {
  char names[256] = "", rest[320];
  struct guess guess;
  guess_begin(&guess, wrong);
  for (const struct verb *verb = verbs; verb->name != NULL; verb++) {
    list_append(names, sizeof names, ", ", verb->name);
    guess_offer(&guess, verb->name);
  }
  if (wrong == NULL)
    return fail(EXIT_BAD_USE, "the verb is missing; give one of %s, or --help", names);
  int code = args_refuse_removed("clreduce", 0, wrong);
  if (code)
    return code;
  if (clred_op_from_name(wrong) != CLRED_OP_NONE || quantile_is_named(wrong))
    return fail(EXIT_BAD_USE,
                "unknown verb '%s'; it is an operator, as in 'clreduce reduce %s'; see 'clreduce help "
                "reduce' and 'clreduce list ops'",
                wrong, wrong);
  if (operation_of_others(&guess, wrong))
    return fail(EXIT_BAD_USE, "unknown verb '%s';%s", wrong, guess.text);
  const char *option = wrong + strspn(wrong, "-");
  for (const struct verb *verb = verbs; verb->name != NULL; verb++) {
    const struct option *found = option_find(option, strlen(option), 0, verb->bit);
    if (found != NULL && (found->verbs & verb->bit) != 0)
      return fail(EXIT_BAD_USE, "unknown verb '%s'; --%s is an option, as of %s; see 'clreduce help %s'", wrong, option,
                  verb->name, verb->name);
  }
  snprintf(rest, sizeof rest, " give one of %s", names);
  return fail(EXIT_BAD_USE, "unknown verb '%s';%s", wrong, guess_or(&guess, rest));
}

// PoCL puts its thread i on core i, and aborts if this process may not use that core.
static bool may_use_all_cores(void) {
  cpu_set_t allowed;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  bool may = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  for (size_t i = 0; may && i < (size_t)cores; i++)
    may = CPU_ISSET(i, &allowed);
  return may;
}

static bool set_if_unset(const char *name, const char *value) {
  return getenv(name) == NULL && setenv(name, value, 1) == 0;
}

// By default, the system may put two threads of PoCL on one core. PoCL reads the variable when it is loaded.
static bool fix_threads(void) {
  return may_use_all_cores() && set_if_unset("POCL_AFFINITY", "1");
}

// Starts this process again with variables that OpenMP and PoCL read when they are loaded. By default, OpenMP's threads
// spin while they wait for work, and take cores from what is measured next.
static void start_again(char *const argv[]) {
  const char *program = guard_program(argv);
  bool is_new = set_if_unset("OMP_WAIT_POLICY", "passive");
  is_new = fix_threads() || is_new;
  if (is_new && *program != '\0')
    execv(program, argv);  // returns if it fails; then the times are less steady
}

// Whether the operands or the values of options name standard input or other pipes.
static enum guard_inputs inputs_of(int argc, char *const argv[]) {
  enum guard_inputs found = GUARD_FILES;
  struct stat about;
  for (int i = 0; i < argc; i++) {
    const char *value = strncmp(argv[i], "--", 2) == 0 ? strchr(argv[i], '=') : NULL;
    const char *name = value == NULL ? argv[i] : value + 1;
    if (strncmp(name, "/dev/fd/", 8) == 0 || (stat(name, &about) == 0 && S_ISFIFO(about.st_mode)))
      return GUARD_PIPES;
    if (strcmp(name, "-") == 0)
      found = GUARD_STANDARD;
  }
  return found;
}

// These verbs make all their plans before they print, but not with --each or several columns. With --chunk a user may
// want results while another process still writes the input.
static bool plans_come_first(const struct args *args) {
  const unsigned these = VERB_REDUCE | VERB_SCAN | VERB_SELECT | VERB_HISTOGRAM | VERB_SORT | VERB_ARGSORT | VERB_PLAN;
  return (args->verb->bit & these) != 0 && !args->each && args->columns.count < 2 && !args->chunk.given;
}

// Variables that this tool read.
static void note_removed_variables(const struct args *args) {
  const char *findings = getenv("CLREDUCE_FINDINGS");
  if (!args->quiet && findings != NULL && *findings != '\0' && strcmp(findings, "off") != 0)
    note("CLREDUCE_FINDINGS is not read: 'clreduce selftest' prints the facts to give to --assume");
}

static int run_verb(const struct verb *verb, int argc, char *const argv[]) {
  struct args args;
  int code = args_parse(&args, verb, argc, argv);
  if (!code && args.help)
    help_print_verb(verb);
  else if (!code && args.version)
    print_version();
  else if (!code) {
    note_removed_variables(&args);
    code = args_check(&args);
    code = code ? code : files_check(&args);
    const enum guard_inputs inputs = inputs_of(argc, argv);
    if (!code && inputs != GUARD_FILES && !drivers_try())
      code = EXIT_WORK_FAILED;
    if (!code && plans_come_first(&args))
      guard_allow_trials(inputs);
    code = code ? code : verb->run(&args);
  }
  args_release(&args);
  return code;
}

// help, help VERB
static int run_help(int argc, char *const argv[]) {
  const struct verb *verb = argc == 0 ? NULL : verb_find(argv[0]);
  if (argc > 1)
    return fail(EXIT_BAD_USE, "help: unexpected argument '%s'; usage: clreduce help [VERB]", argv[1]);
  if (argc == 1 && verb == NULL)
    return fail_without_verb(argv[0]);
  if (verb == NULL)
    help_print_overview();
  else
    help_print_verb(verb);
  return EXIT_DONE;
}

static int run(int argc, char *const argv[]) {
  if (argc < 2)
    return fail_without_verb(NULL);
  if (print_instead(argv[1]))
    return EXIT_DONE;
  if (strcmp(argv[1], "help") == 0)
    return run_help(argc - 2, argv + 2);
  const struct verb *verb = verb_find(argv[1]);
  if (verb == NULL)
    return fail_without_verb(argv[1]);
  if ((verb->bit & (VERB_BENCH | VERB_TUNE)) != 0)
    fix_threads();
  if (verb->bit == VERB_LADDER)
    start_again(argv);
  return run_verb(verb, argc - 2, argv + 2);
}

int main(int argc, char *argv[]) {
  int code = EXIT_DONE;
  if (session_serves(argc, argv, &code))
    return code;
  set_if_unset("PATH", "/usr/local/bin:/usr/bin:/bin");  // PoCL aborts without it
  guard_may_restart(argv);
  code = run(argc, argv);
  notes_end(code == EXIT_DONE || code == EXIT_WRONG);
  if (fflush(stdout) != 0 || ferror(stdout))
    return fail(EXIT_WORK_FAILED, "standard output: cannot write: %s", strerror(errno));
  return code;
}
