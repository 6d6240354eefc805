// The command line as a struct. One loop reads it by the tables of verbs and options.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct verb;

// One bit per verb: an option's row has the bits of all verbs that take it.
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
  VERB_SELFTEST = 2048,
  VERB_JOIN = 4096,
  VERB_SORT = 8192,
  VERB_ARGSORT = 16384
};

enum { TEXTS_MAX = 16, WHOLES_MAX = 64 };

struct count {
  bool given;
  uint64_t value;
};

// A list of whole numbers, as in 0,-1.
struct wholes {
  const char *text;  // as the command line has it; NULL if not given
  size_t count;
  int64_t list[WHOLES_MAX];
};

// The values of an option that may be given several times, in the order of the command line.
struct texts {
  const char *list[TEXTS_MAX];
  size_t count;
};

// The words after the verb. Text that was not given is NULL.
struct args {
  const struct verb *verb;
  const char **operands;
  size_t operand_count;
  char *const *words;  // all words after the verb
  int word_count;
  const char *type, *format, *delimiter, *missing, *missing_values, *header, *quote, *comment, *generate, *device,
    *strategy, *finish, *order, *stage, *assume, *op;
  const char *nan, *overflow, *result_type, *state, *output, *initial, *segments, *by_key, *group, *heads, *keys_output,
    *partial, *low, *high, *edges, *cache;
  const char *interpolation, *nans, *by;
  const char *sizes, *clock, *csv, *plot, *compare, *fail_below, *only;
  const char *tuning, *operator_file, *element, *result, *identity, *lift, *combine, *lower, *preamble;
  struct texts columns, with, arrays, inputs, parameters, parameter_values, tries;
  struct count skip_bytes, first, chunk, group_size, groups, elements, stop_at, repeat, n, stride, seed, bins, seconds,
    calls;
  struct wholes axes, weights;
  bool keepdims, each;
  bool commutative, elementwise, unchecked;
  bool trust_driver;
  bool scan, inclusive, exclusive, reverse;
  bool indices, textbook, descending;
  bool json, text, verify, explain, source, quiet, help, version;
};

// Fills `args` from the words after the verb. Returns an exit code; the line on standard error is written. Call
// args_release in any case.
int args_parse(struct args *args, const struct verb *verb, int argc, char *const argv[]);

void args_release(struct args *args);

// Refuses options that exclude each other, or that lack another one, by the columns of the table. Returns an exit code.
int args_check(const struct args *args);

// Refuses an option that was removed, and names what replaces it. `bit` is the verb's bit; 0 for options that stood
// before the verb. Returns an exit code.
int args_refuse_removed(const char *verb, unsigned bit, const char *spelt);

// The name of the first option that is given, of a list such as "axis,order=any" (cli/options.h). NULL if none is.
const char *args_given(const struct args *args, const char *list);

// Refuses the options of a list. `given` is what excludes them, as the user wrote it. Returns an exit code.
int args_exclude(const struct args *args, const char *given, const char *list);

// The value of a TEXT option that means the same to all verbs; NULL if it is not given.
const char *args_text(const struct args *args, const char *name);

// For options that take one of a few words: stores the index of `word` in *which. NULL leaves *which unchanged. Rejects
// other words with a message in which `what` says what the words are. Returns an exit code.
int args_take_word(const char *option, const char *what, const char *word, size_t *which);

// True if --operator or --combine defines an operator.
bool args_bring_operator(const struct args *args);

// The value at this place; NULL if there is none or it is "".
const char *texts_at(const struct texts *texts, size_t index);

// The operands OP and the first INPUT, NULL if there is none.
const char *args_op(const struct args *args);
const char *args_input(const struct args *args);

// All operands INPUT.
const char *const *args_inputs(const struct args *args, size_t *count);
