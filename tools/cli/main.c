// clreduce, the command-line tool: reductions, scans and histograms of files, standard input and generated data on any
// OpenCL device. Here are the table of verbs and main; args.c has the options, tools/verbs the verbs.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "cli/args.h"
#include "cli/commands.h"

static const struct verb verbs[] = {
  {"query", VERB_QUERY, "[options]", "Every platform and device, the facts that matter, and what would be chosen", 0,
   false, false, cmd_query},
  {"list", VERB_LIST, "[ops|types|strategies] [options]", "Operators, element types and strategies", 1, false, false,
   cmd_list},
  {"reduce", VERB_REDUCE, "OP INPUT [options]",
   "One result on standard output, or one for each place along the other axes", 2, true, true, cmd_reduce},
  {"select", VERB_SELECT, "PREDICATE INPUT [--output FILE.npy] [options]",
   "The elements for which the predicate, OpenCL C in x, index, inputs and parameters, is not 0", 2, true, true,
   cmd_select},
  {"scan", VERB_SCAN, "OP INPUT --output FILE.npy [options]", "One result for every element, of all elements up to it",
   2, true, true, cmd_scan},
  {"histogram", VERB_HISTOGRAM, "INPUT --bins N | --edges EDGES [options]",
   "How many elements lie in each of N equal bins, or between the edges given", 1, false, true, cmd_histogram},
  {"plan", VERB_PLAN, "OP INPUT [options]",
   "What would run here, and why; takes reduce's options, and with --scan those of scan", 2, true, true, cmd_plan},
  {"ladder", VERB_LADDER, "[-n N | INPUT] [options]",
   "Every strategy, or with --scan every one for scans, on the same data, with its time and error", 1, false, true,
   cmd_ladder},
  {"check", VERB_CHECK, "OP [options]", "Tries on the device whether an operator keeps the laws that reductions need",
   1, true, false, cmd_check},
  {"tune", VERB_TUNE, "[OP[,OP]...] [options]",
   "Measures the free numbers of plans on the device and keeps those that are quicker; results keep their bits", 1,
   true, false, cmd_tune},
  {"bench", VERB_BENCH, "[OP,...] [options]",
   "How fast reductions are at many sizes, beside other programs and what the memory gives", 1, true, false, cmd_bench},
  {"selftest", VERB_SELFTEST, "[options]",
   "Tries what plans rely on; what does not hold is kept where all verbs find it, and avoided", 0, false, false,
   cmd_selftest}};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static void print_version(void) {
  printf("clreduce %s\n", clred_version());
}

static void print_overview(void) {
  printf("usage: clreduce VERB ...\n\n");
  for (size_t i = 0; i < VERB_COUNT; i++)
    printf("  %-9s %-41s %s\n", verbs[i].name, verbs[i].operands, verbs[i].sentence);
  printf("\nINPUT is FILE.npy, another file or - (raw elements, with --type), or --generate KIND:N[:SEED].\n"
         "OP is one that 'clreduce list ops' names, or it is left out and --operator FILE brings one of your own.\n"
         "'clreduce VERB --help' lists a verb's options; 'clreduce --version' prints the version.\n");
}

static const struct verb *find_verb(const char *name) {
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (strcmp(verbs[i].name, name) == 0)
      return &verbs[i];
  return NULL;
}

// A word in the verb's place that asks for no work.
static const struct {
  const char *name;
  void (*print)(void);
} greetings[] = {{"--help", print_overview}, {"-h", print_overview}, {"--version", print_version}};

static bool greet(const char *word) {
  for (size_t i = 0; i < sizeof greetings / sizeof greetings[0]; i++)
    if (strcmp(greetings[i].name, word) == 0) {
      greetings[i].print();
      return true;
    }
  return false;
}

static int run_verb(const struct verb *verb, int argc, char *const argv[]) {
  struct args args;
  int code = args_parse(&args, verb, argc, argv);
  if (code != EXIT_DONE)
    return code;
  if (args.help)
    args_print_help(verb);
  else if (args.version)
    print_version();
  else
    return verb->run(&args);
  return EXIT_DONE;
}

static int run(int argc, char *const argv[]) {
  if (argc < 2)
    return fail(EXIT_BAD_USE, "a verb is missing: query, list, reduce, select, scan, histogram, plan, ladder, check, "
                              "tune, bench or selftest; see 'clreduce --help'");
  if (greet(argv[1]))
    return EXIT_DONE;
  const struct verb *verb = find_verb(argv[1]);
  if (verb == NULL)
    return fail(EXIT_BAD_USE,
                "unknown verb '%s'; there are query, list, reduce, select, scan, histogram, plan, ladder, check, tune, "
                "bench and selftest",
                argv[1]);
  return run_verb(verb, argc - 2, argv + 2);
}

int main(int argc, char *argv[]) {
  int code = run(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout))
    return fail(EXIT_WORK_FAILED, "standard output: cannot write: %s", strerror(errno));
  return code;
}
