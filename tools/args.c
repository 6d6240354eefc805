// The table of options, and the loop that reads a command line by it.

#include "args.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "number.h"

enum {
  TAKES_INPUT   = VERB_REDUCE | VERB_PLAN | VERB_LADDER,
  TAKES_PROBLEM = VERB_REDUCE | VERB_PLAN,
  TAKES_DEVICE  = TAKES_INPUT | VERB_QUERY,
  ALL_VERBS     = TAKES_DEVICE | VERB_LIST
};

enum value_kind { FLAG, TEXT, COUNT };

// `field` is where the value goes in struct args; `least` is the least value that a count may have.
static const struct option {
  const char     *name;
  char            letter;
  enum value_kind kind;
  unsigned        verbs;
  size_t          field;
  uint64_t        least;
  const char     *value;
  const char     *sentence;
} options[] = {
#define TO(field) offsetof(struct args, field)
  {"generate", 0, TEXT, TAKES_INPUT, TO(generate), 0, "SPEC",
   "make the input: KIND:N[:SEED] or constant:N:VALUE; KIND is iota, ones, uniform, normal or wide"},
  {"type", 0, TEXT, TAKES_INPUT, TO(type), 0, "TYPE",
   "element type of raw or generated input (generated: float if not given)"},
  {"skip-bytes", 0, COUNT, TAKES_INPUT, TO(skip_bytes), 0, "N",
   "leave out the first N bytes of raw input"},
  {"", 'n', COUNT, VERB_LADDER, TO(n), 0, "N",
   "as many elements of the ladder's own data, which is constant:8000:1000.23"},
  {"op", 0, TEXT, VERB_LADDER, TO(op), 0, "OP",
   "operator; default: add"},
  {"device", 0, TEXT, TAKES_DEVICE, TO(device), 0, "SEL",
   "index as query prints it, or part of a device's or platform's name; default: the first GPU, else the first device"},
  {"strategy", 0, TEXT, TAKES_PROBLEM, TO(strategy), 0, "NAME",
   "how to reduce; default: auto"},
  {"finish", 0, TEXT, TAKES_INPUT, TO(finish), 0, "NAME",
   "who folds the partials: host, relaunch, atomic or last_group; default: the strategy's own"},
  {"group-size", 0, COUNT, TAKES_INPUT, TO(group_size), 1, "N",
   "work-items a group; default: chosen"},
  {"groups", 0, COUNT, TAKES_INPUT, TO(groups), 1, "N",
   "at most so many groups; default: chosen"},
  {"elements", 0, COUNT, TAKES_INPUT, TO(elements), 1, "N",
   "elements a work-item folds before the tree; default: chosen"},
  {"order", 0, TEXT, TAKES_INPUT, TO(order), 0, "fixed|any",
   "fixed: the same bits on every device; any: whatever is quickest"},
  {"assume", 0, TEXT, TAKES_DEVICE, TO(assume), 0, "FACT=VALUE,...",
   "facts to use in place of the device's own; query prints their names"},
  {"verify", 0, FLAG, TAKES_PROBLEM, TO(verify), 0, "",
   "compute the result on the host too and compare; exit code 3 if it is wrong"},
  {"repeat", 0, COUNT, TAKES_INPUT, TO(repeat), 1, "N",
   "run so often and report medians; default: 1 (ladder: 11, fewer where one takes long)"},
  {"explain", 0, FLAG, TAKES_INPUT, TO(explain), 0, "",
   "say what was chosen and why; plan, ladder: count the work of each step of the tree"},
  {"json", 0, FLAG, ALL_VERBS, TO(json), 0, "",
   "print JSON"},
  {"quiet", 0, FLAG, ALL_VERBS, TO(quiet), 0, "",
   "nothing on standard error but errors"},
  {"help", 'h', FLAG, ALL_VERBS, TO(help), 0, "",
   "print this"},
  {"version", 0, FLAG, ALL_VERBS, TO(version), 0, "",
   "print the version"}
};
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

struct words {
  int          left;
  char *const *next;
};

static const struct option *find_option(const char *name, size_t length, char letter)
{
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    bool same_name = length > 0 && strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0;
    if (same_name || (letter != 0 && options[i].letter == letter))
      return &options[i];
  }
  return NULL;
}

static int store_count(struct args *args, const struct option *option, const char *spelt, const char *value)
{
  struct count count = {.given = true};
  if (!count_parse(value, strlen(value), &count.value))
    return fail(EXIT_BAD_USE, "%s: '%s' is not a count; give decimal digits", spelt, value);
  if (count.value < option->least)
    return fail(EXIT_BAD_USE, "%s: %s is too small; give %llu or more", spelt, value,
                (unsigned long long)option->least);
  memcpy((char *)args + option->field, &count, sizeof count);
  return EXIT_DONE;
}

static void store_text(struct args *args, const struct option *option, const char *value)
{
  memcpy((char *)args + option->field, &value, sizeof value);
}

static void store_flag(struct args *args, const struct option *option)
{
  bool set = true;
  memcpy((char *)args + option->field, &set, sizeof set);
}

// `value` is what was joined to the option ("--type=int"), NULL if nothing was.
static int store(struct args *args, const struct option *option, const char *spelt, const char *value,
                 struct words *words)
{
  if (option->kind == FLAG) {
    if (value != NULL)
      return fail(EXIT_BAD_USE, "%s takes no value", spelt);
    store_flag(args, option);
    return EXIT_DONE;
  }
  if (value == NULL && words->left == 0)
    return fail(EXIT_BAD_USE, "%s: its value %s is missing", spelt, option->value);
  if (value == NULL) {
    value = *words->next++;
    words->left--;
  }
  if (option->kind == COUNT)
    return store_count(args, option, spelt, value);
  store_text(args, option, value);
  return EXIT_DONE;
}

static int read_option(struct args *args, const char *word, struct words *words)
{
  bool        is_long = word[1] == '-';
  const char *name    = word + (is_long ? 2 : 1);
  size_t      length  = is_long ? strcspn(name, "=") : 1;
  const char *value   = name[length] == '\0' ? NULL : name + length + (is_long ? 1 : 0);
  char        spelt[64];
  snprintf(spelt, sizeof spelt, "%.*s", (int)(length + (size_t)(name - word)), word);

  const struct option *option = find_option(name, is_long ? length : 0, is_long ? 0 : *name);
  if (option == NULL)
    return fail(EXIT_BAD_USE, "unknown option %s; 'clreduce %s --help' lists those there are", spelt,
                args->verb->name);
  if ((option->verbs & args->verb->bit) == 0)
    return fail(EXIT_BAD_USE, "%s takes no %s; 'clreduce %s --help' lists its options", args->verb->name, spelt,
                args->verb->name);
  return store(args, option, spelt, value, words);
}

static int read_operand(struct args *args, const char *word)
{
  if (args->operand_count == args->verb->operands_most)
    return fail(EXIT_BAD_USE, "unexpected argument '%s'; usage: clreduce %s %s", word, args->verb->name,
                args->verb->operands);
  args->operands[args->operand_count++] = word;
  return EXIT_DONE;
}

int args_parse(struct args *args, const struct verb *verb, int argc, char *const argv[])
{
  struct words words = {argc, argv};
  bool         only_operands = false;
  int          code = EXIT_DONE;

  *args = (struct args){.verb = verb};
  while (words.left > 0 && code == EXIT_DONE) {
    const char *word = *words.next++;
    words.left--;
    if (!only_operands && strcmp(word, "--") == 0)
      only_operands = true;
    else if (!only_operands && word[0] == '-' && word[1] != '\0')
      code = read_option(args, word, &words);
    else
      code = read_operand(args, word);
  }
  return code;
}

static void print_option(const struct option *option)
{
  char spelt[64];
  if (*option->name == '\0')
    snprintf(spelt, sizeof spelt, "-%c %s", option->letter, option->value);
  else
    snprintf(spelt, sizeof spelt, "--%s %s", option->name, option->value);
  printf("  %-26s %s\n", spelt, option->sentence);
}

void args_print_help(const struct verb *verb)
{
  printf("usage: clreduce %s %s\n%s.\n\noptions:\n", verb->name, verb->operands, verb->sentence);
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (options[i].verbs & verb->bit)
      print_option(&options[i]);
}

const char *args_input(const struct args *args)
{
  return args->verb->input_operand < args->operand_count ? args->operands[args->verb->input_operand] : NULL;
}
