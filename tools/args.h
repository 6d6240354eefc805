// The command line as a struct: verbs and options are rows of tables, and one loop reads them.

#ifndef CLREDUCE_TOOL_ARGS_H
#define CLREDUCE_TOOL_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct args;

// One bit a verb, so that an option's row can name all that take it.
enum verb_bit {
  VERB_QUERY = 1,
  VERB_LIST = 2,
  VERB_REDUCE = 4,
  VERB_PLAN = 8,
  VERB_LADDER = 16,
  VERB_CHECK = 32,
  VERB_SCAN = 64,
  VERB_SELECT = 128,
  VERB_HISTOGRAM = 256,
  VERB_BENCH = 512,
  VERB_TUNE = 1024,
  VERB_SELFTEST = 2048
};

enum { TEXTS_MOST = 16 };

struct verb {
  const char *name;
  enum verb_bit bit;
  const char *operands;  // as the help prints them
  const char *sentence;
  size_t operands_most;
  bool takes_op;     // the first operand is OP; it is left out where an operator is given in full
  bool takes_input;  // the next is INPUT
  int (*run)(const struct args *args);
};

struct count {
  bool given;
  uint64_t value;
};

struct whole {
  bool given;
  int64_t value;
};

// The values of an option that may be given several times, in their order.
struct texts {
  const char *list[TEXTS_MOST];
  size_t count;
};

// What was asked. Text that was not given is NULL.
struct args {
  const struct verb *verb;
  const char *operands[2];
  size_t operand_count;
  char *const *words;  // all that followed the verb
  int word_count;
  const char *type, *generate, *device, *strategy, *finish, *order, *assume, *op;
  const char *nan, *overflow, *state, *layout, *output, *initial, *segments, *by_key, *heads, *keys_output, *low, *high,
    *edges, *cache;
  const char *task, *sizes, *peers, *clock, *csv, *plot, *compare, *from, *fail_below, *only;
  const char *tuning, *findings, *operator_file, *element, *result, *identity, *lift, *combine, *lower, *preamble;
  struct texts variants, with, inputs, parameters, parameter_values;
  struct count skip_bytes, chunk, group_size, groups, elements, repeat, n, stride, seed, bins, seconds, patience, calls,
    after;
  struct whole axis;
  bool commutative, elementwise;
  bool scan, inclusive, exclusive, reverse;
  bool indices, quick, full;
  bool json, verify, explain, quiet, help, version;
};

// Fills `args` from the words after the verb. Returns an exit code; the line on standard error is written.
int args_parse(struct args *args, const struct verb *verb, int argc, char *const argv[]);

// Prints the verb's usage and the options it takes.
void args_print_help(const struct verb *verb);

// Whether an operator is given in full, by --operator or --combine.
bool args_bring_operator(const struct args *args);

// The operands OP and INPUT, NULL if there is none.
const char *args_op(const struct args *args);
const char *args_input(const struct args *args);

#endif
