// The loop that reads the words after the verb, by the table of options.
#include "cli/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/number.h"
#include "base/wrap.h"
#include "cli/options.h"
#include "cli/verbs.h"

enum { REPEAT_MAX = 1000000 };  // the times of all calls are kept

struct words {
  int left;
  char *const *next;
};

static int store_count(struct args *args, const struct option *option, const char *spelt, const char *value) {
  struct count count = {.given = true};
  if (!count_parse(value, strlen(value), &count.value))
    return fail(EXIT_BAD_USE, "%s: '%s' is not a count; give decimal digits", spelt, value);
  if (count.value < option->least)
    return fail(EXIT_BAD_USE, "%s: %s is too small; give %llu or more", spelt, value,
                (unsigned long long)option->least);
  if (strcmp(option->name, "repeat") == 0 && count.value > REPEAT_MAX)
    return fail(EXIT_BAD_USE, "%s: %s is too many; give up to %d", spelt, value, REPEAT_MAX);
  memcpy((char *)args + option->field, &count, sizeof count);
  return EXIT_DONE;
}

static int store_wholes(struct args *args, const struct option *option, const char *spelt, const char *value) {
  struct wholes wholes = {.text = value};
  const char *word;
  for (size_t length; list_next(&value, ",", &word, &length); wholes.count++) {
    if (wholes.count == WHOLES_MAX)
      return fail(EXIT_BAD_USE, "%s: has more than %d numbers; give fewer", spelt, WHOLES_MAX);
    if (!number_parse_part(CLRED_TYPE_LONG, word, length, &wholes.list[wholes.count]))
      return fail(EXIT_BAD_USE, "%s: '%.*s' is not a whole number; give digits, with - before them if negative", spelt,
                  (int)length, word);
  }
  memcpy((char *)args + option->field, &wholes, sizeof wholes);
  return EXIT_DONE;
}

static bool is_given(const struct args *args, const struct option *option) {
  const void *field = (const char *)args + option->field;
  switch (option->kind) {
  case FLAG:
    return *(const bool *)field;
  case TEXTS:
    return ((const struct texts *)field)->count > 0;
  case COUNT:
    return ((const struct count *)field)->given;
  default:  // TEXT; text is the first member of WHOLES
    return *(const char *const *)field != NULL;
  }
}

// Takes an item such as "axis" or "order=any": its option, NULL if the verb does not take it. False behind the last.
static bool next_item(const struct args *args, const char **list, const struct option **option, const char **value,
                      size_t *length) {
  const char *item;
  size_t whole;
  if (!list_next(list, ",", &item, &whole))
    return false;
  const size_t name = strcspn(item, "=,");
  const struct option *found = option_find(item, name, 0, args->verb->bit);
  *option = (found->verbs & args->verb->bit) != 0 ? found : NULL;
  *value = name < whole ? item + name + 1 : NULL;
  *length = name < whole ? whole - name - 1 : 0;
  return true;
}

static bool has_value(const struct args *args, const struct option *option, const char *value, size_t length) {
  const char *text = value == NULL ? NULL : args_text(args, option->name);
  return value == NULL || (text != NULL && strlen(text) == length && memcmp(text, value, length) == 0);
}

// The first option of the list that is given; NULL if none is. *value is the one that the list names, or NULL.
static const struct option *find_given(const struct args *args, const char *list, const char **value, size_t *length) {
  const struct option *option;
  while (next_item(args, &list, &option, value, length))
    if (option != NULL && is_given(args, option) && has_value(args, option, *value, *length))
      return option;
  return NULL;
}

const char *args_given(const struct args *args, const char *list) {
  const char *value;
  size_t length;
  const struct option *option = find_given(args, list, &value, &length);
  return option == NULL ? NULL : option->name;
}

int args_exclude(const struct args *args, const char *given, const char *list) {
  const char *value;
  size_t length;
  const struct option *option = find_given(args, list, &value, &length);
  return option == NULL ? EXIT_DONE
                        : fail(EXIT_BAD_USE, "%s and --%s%s%.*s exclude each other; leave one of them out", given,
                               option->name, value == NULL ? "" : " ", (int)length, value == NULL ? "" : value);
}

static int check_need(const struct args *args, const struct option *option) {
  char names[128] = "";
  const char *value, *list = option->needs;
  const struct option *other;
  size_t length, count = 0;
  while (next_item(args, &list, &other, &value, &length)) {
    if (other == NULL)
      continue;
    if (is_given(args, other))
      return EXIT_DONE;
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s--%s", count++ > 0 ? " or " : "", other->name);
  }
  return count == 0 ? EXIT_DONE
                    : fail(EXIT_BAD_USE, "--%s: applies only to %s; give %s, too", option->name, names,
                           count == 1 ? "it" : "one of them");
}

int args_check(const struct args *args) {
  int code = EXIT_DONE;
  for (const struct option *option = options; option->name != NULL && !code; option++) {
    char name[64];
    if ((option->verbs & args->verb->bit) == 0 || !is_given(args, option))
      continue;
    snprintf(name, sizeof name, "--%s", option->name);
    code = option->excludes == NULL ? EXIT_DONE : args_exclude(args, name, option->excludes);
    code = code || option->needs == NULL ? code : check_need(args, option);
  }
  return code;
}

const char *args_text(const struct args *args, const char *name) {
  const char *text;
  memcpy(&text, (const char *)args + option_find(name, strlen(name), 0, 0)->field, sizeof text);
  return text;
}

static int store_one_more(struct args *args, const struct option *option, const char *spelt, const char *value) {
  struct texts *texts = (struct texts *)(void *)((char *)args + option->field);
  if (texts->count == TEXTS_MAX)
    return fail(EXIT_BAD_USE, "%s: it is given more than %d times; leave some out", spelt, TEXTS_MAX);
  texts->list[texts->count++] = value;
  return EXIT_DONE;
}

// `value` is the text after = ("--type=int"), or NULL.
static int store(struct args *args, const struct option *option, const char *spelt, const char *value,
                 struct words *words) {
  if (option->kind == FLAG) {
    if (value != NULL)
      return fail(EXIT_BAD_USE, "%s does not take a value; leave out what follows =", spelt);
    memcpy((char *)args + option->field, &(bool){true}, sizeof(bool));
    return EXIT_DONE;
  }
  if (value == NULL && words->left == 0)
    return fail(EXIT_BAD_USE, "%s: the value is missing; give %s", spelt, option->value);
  if (value == NULL) {
    value = *words->next++;
    words->left--;
  }
  const bool again = option->kind != TEXTS && is_given(args, option);
  if (again && strstr(option->value, ",...") != NULL)
    return fail(EXIT_BAD_USE, "%s %s: %s is given twice; give one list, as in %s A,B", spelt, value, spelt, spelt);
  if (again)
    return fail(EXIT_BAD_USE, "%s %s: %s is given twice; give one value", spelt, value, spelt);
  if (option->kind == COUNT)
    return store_count(args, option, spelt, value);
  if (option->kind == WHOLES)
    return store_wholes(args, option, spelt, value);
  if (option->kind == TEXTS)
    return store_one_more(args, option, spelt, value);
  memcpy((char *)args + option->field, &value, sizeof value);
  return EXIT_DONE;
}

static bool matches(const struct option *option, const char *name, size_t length, char letter) {
  bool same_name = length > 0 && strlen(option->name) == length && memcmp(option->name, name, length) == 0;
  return same_name || (letter != 0 && option->letter == letter);
}

const struct option *option_find(const char *name, size_t length, char letter, unsigned takers) {
  const struct option *found = NULL;
  for (const struct option *option = options; option->name != NULL; option++)
    if (matches(option, name, length, letter) && (found == NULL || (option->verbs & takers) != 0))
      found = option;
  return found;
}

int args_take_word(const char *option, const char *what, const char *word, size_t *which) {
  const char *words = option_find(option, strlen(option), 0, 0)->value;
  const char *rest = words, *at;
  char list[128] = "";
  struct guess guess;
  size_t length;
  if (word == NULL)
    return EXIT_DONE;
  for (size_t count = 0; list_next(&rest, "|", &at, &length); count++) {
    if (strlen(word) == length && memcmp(word, at, length) == 0) {
      *which = count;
      return EXIT_DONE;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.*s",
             count == 0     ? ""
             : rest == NULL ? " or "
                            : ", ",
             (int)length, at);
  }
  return fail(EXIT_BAD_USE, "--%s: unknown %s '%s';%s give %s", option, what, word, guess_among(&guess, word, words),
              list);
}

// Options of datamash, NumPy and other programs, and what this tool calls them.
static const struct {
  const char *names, *option, *hint;
} foreign[] = {{"-g|-s|--sort", "group", "--group, for which nothing needs to be sorted"},
               {"-t|-d", "delimiter", "--delimiter"},
               {"-W", "delimiter", "--delimiter ' '"},
               {"-H|--header-in", "header", "--header yes"},
               {"-r", "descending", "--descending"},
               {"--narm", "missing", "--missing skip"},
               {"-c|-f|-k", "column", "--column"},
               {"-o", "output", "--output"},
               {"-j", "json", "--json"},
               {"-q", "quiet", "--quiet"},
               {"--dtype", "type", "--type"},
               {"--range", "low", "--low and --high"},
               {"--ddof", "axis", "the operators var_sample and std_sample"},
               {"--where", "each", "clreduce select 'x > 0' --output -, whose output reduce reads"}};

static bool find_foreign(const struct args *args, const char *spelt, struct guess *guess) {
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    const struct option *option = option_find(foreign[i].option, strlen(foreign[i].option), 0, args->verb->bit);
    if (list_has(foreign[i].names, "|", spelt, strlen(spelt)) && (option->verbs & args->verb->bit) != 0) {
      snprintf(guess->text, sizeof guess->text, " did you mean %s?", foreign[i].hint);
      return true;
    }
  }
  return false;
}

// Options that this tool had, and what does their work now.
static const struct {
  const char *names;
  unsigned verbs;  // 0: none
  const char *now;
} removed[] = {
  {"--completion-bash|--completion-zsh|--completion-fish", 0,
   "bash and zsh read the installed share/bash-completion/completions/clreduce, and fish_update_completions the man "
   "page"},
  {"--layout", VERB_REDUCE | VERB_SCAN | VERB_PLAN | VERB_SELECT,
   "--stride N takes elements that are N apart, also with 1; leave --layout line out"},
  {"--field", ~0u, "save the field as an array of its own: numpy.save(FILE, x['name'])"},
  {"--findings", ~0u, "'clreduce selftest' prints the facts to give to --assume"},
  {"--rows", VERB_REDUCE, "top:K and bottom:K print the index of each row; sort(1) and head(1) print the rows"},
  {"--sweep", VERB_LADDER, "'clreduce tune --textbook' tries the numbers"},
  {"--quick", VERB_SELFTEST, "the selftest has one size; leave it out"},
  {"--full", VERB_SELFTEST,
   "each program is tried before its first result, and tests/grid of the sources has all combinations; leave it out"},
  {"--task", VERB_BENCH, "tools/peers/compare.py of the sources measures scans, segments, histograms and other work"},
  {"--peers", VERB_BENCH, "tools/peers/compare.py of the sources compares the library with other programs"},
  {"--patience|--only|--bins|--result-type", VERB_BENCH, "it is an option of tools/peers/compare.py of the sources"},
  {"--variant", VERB_BENCH,
   "give --groups, --group-size, --assume or $CLREDUCE_CL_DIR, and compare two runs by --json and --compare"},
  {"--from", VERB_BENCH, "give --json, --csv and --plot to the run that measures, and its --json to --compare"},
  {"--after", VERB_BENCH, "give --sizes that exceed the cache"}};

int args_refuse_removed(const char *verb, unsigned bit, const char *spelt) {
  for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
    if (list_has(removed[i].names, "|", spelt, strlen(spelt)) &&
        (bit == 0 ? removed[i].verbs == 0 : (removed[i].verbs & bit) != 0))
      return fail(EXIT_BAD_USE, "%s: %s was removed: %s", verb, spelt, removed[i].now);
  return EXIT_DONE;
}

static int unknown_option(const struct args *args, const char *spelt) {
  char name[64];
  struct guess guess;
  guess_begin(&guess, spelt);
  if (find_foreign(args, spelt, &guess))
    return fail(EXIT_BAD_USE, "unknown option %s;%s", spelt, guess.text);
  for (const struct option *option = options; option->name != NULL; option++)
    if ((option->verbs & args->verb->bit) != 0 && *option->name != '\0') {
      snprintf(name, sizeof name, "--%s", option->name);
      guess_offer(&guess, name);
    }
  return fail(EXIT_BAD_USE, "unknown option %s;%s 'clreduce %s --help' lists the options", spelt, guess.text,
              args->verb->name);
}

static int read_option(struct args *args, const char *word, struct words *words) {
  bool is_long = word[1] == '-';
  const char *name = word + (is_long ? 2 : 1);
  size_t length = is_long ? strcspn(name, "=") : 1;
  const char *value = name[length] == '\0' ? NULL : name + length + (is_long ? 1 : 0);
  char spelt[64];
  snprintf(spelt, sizeof spelt, "%.*s", (int)(length + (size_t)(name - word)), word);

  const struct option *option = option_find(name, is_long ? length : 0, is_long ? 0 : *name, args->verb->bit);
  const bool taken = option != NULL && (option->verbs & args->verb->bit) != 0;
  int code = taken ? EXIT_DONE : args_refuse_removed(args->verb->name, args->verb->bit, spelt);
  if (code)
    return code;
  if (option == NULL)
    return unknown_option(args, spelt);
  if (!taken)
    return fail(EXIT_BAD_USE, "%s does not take %s; 'clreduce %s --help' lists its options", args->verb->name, spelt,
                args->verb->name);
  return store(args, option, spelt, value, words);
}

static int read_operand(struct args *args, const char *word) {
  if (args->operand_count == args->verb->operands_most)
    return fail(EXIT_BAD_USE, "unexpected argument '%s'; usage: clreduce %s %s", word, args->verb->name,
                args->verb->operands);
  args->operands[args->operand_count++] = word;
  return EXIT_DONE;
}

int args_parse(struct args *args, const struct verb *verb, int argc, char *const argv[]) {
  struct words words = {argc, argv};
  bool only_operands = false;
  int code = EXIT_DONE;

  *args = (struct args){.verb = verb, .words = argv, .word_count = argc};
  args->operands = calloc((size_t)argc + 1, sizeof *args->operands);
  if (args->operands == NULL)
    return fail_memory();
  while (words.left > 0 && !code) {
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

void args_release(struct args *args) {
  free(args->operands);
}

const char *texts_at(const struct texts *texts, size_t index) {
  return index < texts->count && *texts->list[index] != '\0' ? texts->list[index] : NULL;
}

bool args_bring_operator(const struct args *args) {
  return args->operator_file != NULL || args->combine != NULL;
}

// With an operator of the user's, a single operand is INPUT, unless the input is generated.
static size_t operands_before_input(const struct args *args) {
  size_t inputs = args->verb->takes_input && args->generate == NULL;
  if (args->verb->first != OPERAND_OP && args->verb->first != OPERAND_PREDICATE)
    return 0;
  return args_bring_operator(args) && args->operand_count <= inputs ? 0 : 1;
}

const char *args_op(const struct args *args) {
  return operands_before_input(args) > 0 && args->operand_count > 0 ? args->operands[0] : NULL;
}

const char *const *args_inputs(const struct args *args, size_t *count) {
  size_t before = operands_before_input(args);
  *count = args->verb->takes_input && before < args->operand_count ? args->operand_count - before : 0;
  return args->operands + before;
}

const char *args_input(const struct args *args) {
  size_t count;
  const char *const *inputs = args_inputs(args, &count);
  return count > 0 ? inputs[0] : NULL;
}
