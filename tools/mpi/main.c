// clreduce-mpi: `clreduce reduce` and `clreduce scan` on the ranks of MPI, each of which reads its share of the files:
// mpirun -n 8 clreduce-mpi reduce sum big.npy
#include "mpi/work.h"

#include <clreduce_device.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/help.h"
#include "cli/verbs.h"
#include "device/session.h"

static const char program[] = "clreduce-mpi";

// ---- Failures

// The first rank that failed, and its exit code; MPI_MINLOC needs the members in this order.
struct first_failure {
  int rank, code;
};

static void print_failure(struct ranks *ranks, int rank, int code) {
  fail_hold(program, NULL);
  if (rank == 0)
    fail((enum exit_code)code, "%s", ranks->message);
  else
    fail((enum exit_code)code, "rank %d: %s", rank, ranks->message);
}

int ranks_agree(struct ranks *ranks, int code) {
  struct first_failure mine = {code ? ranks->rank : INT_MAX, code}, first;
  MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
  if (first.rank == INT_MAX)
    return EXIT_DONE;
  MPI_Bcast(ranks->message, sizeof ranks->message, MPI_CHAR, first.rank, MPI_COMM_WORLD);
  if (ranks->rank == 0)
    print_failure(ranks, first.rank, first.code);
  return first.code;
}

// ---- The command line

static bool is_one_of(const char *word, const char *a, const char *b) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static void print_help(const struct ranks *ranks) {
  if (ranks->rank == 0)
    printf("usage: mpirun -n N clreduce-mpi reduce OP[,OP]... INPUT... [options]\n"
           "       mpirun -n N clreduce-mpi scan OP INPUT... --output FILE.npy [options]\n\n"
           "Reduces the elements of files to one result, or scans them, with the bits of\n"
           "clreduce on one device. Each rank reads its share of the files, which are .npy\n"
           "or raw. Rank 0 prints the result; all ranks write the file of a scan.\n"
           "'clreduce help reduce' and 'clreduce help scan' list the options. Those about\n"
           "rows, --each, --verify and --repeat are refused. --device SEL,... or all: the\n"
           "ranks of a machine take the devices round-robin.\n");
}

static void print_version(const struct ranks *ranks) {
  if (ranks->rank == 0)
    printf("%s %s\n", program, clred_version());
}

static int flush(int code) {
  if ((fflush(stdout) != 0 || ferror(stdout)) && !code)
    return fail(EXIT_WORK_FAILED, "standard output: cannot write: %s", strerror(errno));
  return code;
}

static int run_verb(struct ranks *ranks, const struct verb *verb, int argc, char *const argv[]) {
  struct args args;
  int code = args_parse(&args, verb, argc, argv);
  const bool prints = args.help || args.version;
  args.quiet = args.quiet || ranks->rank > 0;
  code = code || prints ? code : args_check(&args);
  code = code || prints ? code : files_check(&args);
  code = ranks_agree(ranks, code);
  if (!code && args.help)
    print_help(ranks);
  else if (!code && args.version)
    print_version(ranks);
  else if (!code)
    code = verb->bit == VERB_SCAN ? ranks_scan(ranks, &args) : ranks_reduce(ranks, &args);
  args_release(&args);
  return code;
}

static int run(struct ranks *ranks, int argc, char *argv[]) {
  const char *word = argc > 1 ? argv[1] : NULL;
  const struct verb *verb = word != NULL ? verb_find(word) : NULL;
  if (verb != NULL && (verb->bit & (VERB_REDUCE | VERB_SCAN)) != 0)
    return run_verb(ranks, verb, argc - 2, argv + 2);
  if (word != NULL && (is_one_of(word, "--help", "-h") || strcmp(word, "help") == 0))
    print_help(ranks);
  else if (word != NULL && is_one_of(word, "--version", "-V"))
    print_version(ranks);
  else if (word == NULL)
    return ranks_agree(ranks, fail(EXIT_BAD_USE, "the verb is missing; give reduce or scan, or --help"));
  else
    return ranks_agree(ranks, fail(EXIT_BAD_USE, "unknown verb '%s'; ranks reduce or scan; give one, or --help", word));
  return EXIT_DONE;
}

int main(int argc, char *argv[]) {
  static struct ranks ranks;
  int code = EXIT_DONE;
  if (session_serves(argc, argv, &code))
    return code;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  fail_hold(program, ranks.message);
  code = run(&ranks, argc, argv);
  if (!code)
    code = ranks_agree(&ranks, flush(EXIT_DONE));
  fail_hold(program, NULL);
  notes_end(!code && ranks.rank == 0);
  MPI_Finalize();
  return code;
}
