// Keeps macros, evaluates conditions, and follows #if.
#include "source/condition.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The most bytes of a condition after its macros are expanded, and the most expansions.
#define EXPANDED_MAX 4096
#define EXPANSIONS_MAX 32

const struct clr_macro *clr_macro_find(const struct clr_macros *macros, struct clr_word name) {
  for (size_t i = macros->count; i-- > 0;)
    if (clr_words_equal(macros->at[i].name, name))
      return &macros->at[i];
  return NULL;
}

void clr_macro_undefine(struct clr_macros *macros, struct clr_word name) {
  for (size_t i = 0; i < macros->count; i++)
    if (clr_words_equal(macros->at[i].name, name)) {
      macros->at[i] = macros->at[--macros->count];
      return;
    }
}

bool clr_macro_define(struct clr_macros *macros, struct clr_macro macro) {
  clr_macro_undefine(macros, macro.name);
  if (macros->count == macros->capacity) {
    size_t capacity = 2 * macros->capacity + 64;
    struct clr_macro *at = realloc(macros->at, capacity * sizeof *at);
    if (!at)
      return false;
    macros->at = at;
    macros->capacity = capacity;
  }
  macros->at[macros->count++] = macro;
  return true;
}

// ---------------------------------------------------------------- Expansion

struct expansion {
  char text[EXPANDED_MAX];
  size_t length;
  bool changed, left_open, failed;
};

static void add(struct expansion *expansion, const char *text, size_t length) {
  if (expansion->length + length >= EXPANDED_MAX) {
    expansion->failed = true;
    return;
  }
  memcpy(expansion->text + expansion->length, text, length);
  expansion->length += length;
  expansion->text[expansion->length] = 0;
}

// Reads NAME or (NAME) after the operator `defined`. Returns the text behind it.
static const char *add_defined(const struct clr_macros *macros, const char *at, struct expansion *expansion) {
  at += strspn(at, " \t");
  bool brackets = *at == '(';
  at += brackets ? 1 + strspn(at + 1, " \t") : 0;
  struct clr_word name = clr_identifier_at(at);
  add(expansion, clr_macro_find(macros, name) ? "1" : "0", 1);
  expansion->failed |= name.length == 0;
  at += name.length;
  at += brackets ? strspn(at, " \t") : 0;
  expansion->failed |= brackets && *at != ')';
  return at + (brackets && *at == ')');
}

static void add_name(const struct clr_macros *macros, struct clr_word name, struct expansion *expansion) {
  const struct clr_macro *macro = clr_macro_find(macros, name);
  if (!macro) {
    expansion->left_open |= name.length > 2 && strncmp(name.begin, "__", 2) == 0;
    add(expansion, "0", 1);
    return;
  }
  expansion->failed |= macro->takes_arguments;
  expansion->changed = true;
  add(expansion, macro->body.begin, macro->body.length);
}

static void expand_once(const struct clr_macros *macros, const char *text, struct expansion *expansion) {
  expansion->length = 0;
  expansion->changed = false;
  while (*text && !expansion->failed) {
    struct clr_word name = clr_identifier_at(text);
    size_t length = name.length                     ? name.length
                    : isdigit((unsigned char)*text) ? strspn(text, "0123456789abcdefABCDEFxXuUlL")
                                                    : 1;
    if (text[0] == '/' && text[1] == '/')
      return;
    if (clr_word_is(name, "defined")) {
      text = add_defined(macros, text + length, expansion);
      continue;
    }
    if (name.length)
      add_name(macros, name, expansion);
    else
      add(expansion, text, length);
    text += length;
  }
}

// ---------------------------------------------------------------- Evaluation

struct reader {
  const char *at;
  bool failed;
};

// The operators of conditions: text, level, value. An operator of a higher level binds tighter. A longer text comes
// before a text that it begins with: || before |.
#define OPERATORS(X) \
  X("||", 1, a || b) \
  X("&&", 2, (a && b)) \
  X("==", 6, a == b) \
  X("!=", 6, a != b) \
  X("<=", 7, a <= b) \
  X(">=", 7, a >= b) \
  X("<<", 8, a << b) \
  X(">>", 8, a >> b) \
  X("|", 3, a | b) \
  X("^", 4, a ^ b) \
  X("&", 5, (a & b)) \
  X("<", 7, a < b) \
  X(">", 7, a > b) \
  X("+", 9, a + b) \
  X("-", 9, a - b) \
  X("*", 10, (a * b)) \
  X("/", 10, b ? a / b : 0) \
  X("%", 10, b ? a % b : 0)

#define ROW(text, level, value) {text, level},
static const struct infix {
  const char *text;
  int level;
} operators[] = {OPERATORS(ROW)};

static long long evaluate(struct reader *reader, int level);

static void skip_blanks(struct reader *reader) {
  reader->at += strspn(reader->at, " \t\\\r\n");
}

static long long read_operand(struct reader *reader) {
  skip_blanks(reader);
  const char first = *reader->at;
  if (first == '(') {
    reader->at++;
    long long value = evaluate(reader, 0);
    skip_blanks(reader);
    reader->failed |= *reader->at != ')';
    reader->at += *reader->at == ')';
    return value;
  }
  if (first && strchr("!~-+", first)) {
    reader->at++;
    long long value = read_operand(reader);
    return first == '!' ? !value : first == '~' ? ~value : first == '-' ? -value : value;
  }
  char *end;
  long long value = (long long)strtoull(reader->at, &end, 0);
  reader->failed |= end == reader->at;
  reader->at = end + strspn(end, "uUlL");
  return value;
}

static long long apply(struct reader *reader, const struct infix *infix, long long a, long long b) {
#define APPLY(name, level, value) \
  if (strcmp(infix->text, name) == 0) \
    return value;
  reader->failed |= b == 0 && strchr("/%", infix->text[0]);
  OPERATORS(APPLY)
#undef APPLY
  return 0;
}

// Takes the next operator if it binds tighter than `level`; otherwise returns NULL.
static const struct infix *take_operator(struct reader *reader, int level) {
  skip_blanks(reader);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    const struct infix *infix = &operators[i];
    if (strncmp(reader->at, infix->text, strlen(infix->text)) != 0)
      continue;
    if (infix->level <= level)
      return NULL;
    reader->at += strlen(infix->text);
    return infix;
  }
  return NULL;
}

static long long evaluate(struct reader *reader, int level) {
  long long value = read_operand(reader);
  const struct infix *infix;
  while (!reader->failed && (infix = take_operator(reader, level)) != NULL)
    value = apply(reader, infix, value, evaluate(reader, infix->level));
  skip_blanks(reader);
  if (level == 0 && *reader->at == '?') {
    reader->at++;
    long long yes = evaluate(reader, 0);
    skip_blanks(reader);
    reader->failed |= *reader->at != ':';
    reader->at += *reader->at == ':';
    long long no = evaluate(reader, 0);
    return value ? yes : no;
  }
  return value;
}

enum truth {
  CONDITION_FALSE,
  CONDITION_TRUE,
  CONDITION_LEFT_OPEN,  // it contains a word that only the compiler knows: one that begins with two underscores
  NO_CONDITION
};

// As in C, a name that is no macro is 0.
static enum truth truth_of_condition(const struct clr_macros *macros, struct clr_word condition) {
  struct expansion expansion = {.changed = true};
  char before[EXPANDED_MAX];
  add(&expansion, condition.begin, condition.length);
  for (int i = 0; expansion.changed && !expansion.failed; i++) {
    memcpy(before, expansion.text, expansion.length + 1);
    expand_once(macros, before, &expansion);
    expansion.failed |= i == EXPANSIONS_MAX;
  }
  if (expansion.left_open)
    return CONDITION_LEFT_OPEN;
  struct reader reader = {.at = expansion.text, .failed = expansion.failed};
  long long value = reader.failed ? 0 : evaluate(&reader, 0);
  skip_blanks(&reader);
  if (reader.failed || *reader.at)
    return NO_CONDITION;
  return value ? CONDITION_TRUE : CONDITION_FALSE;
}

// ---------------------------------------------------------------- Branches

bool clr_branch_is_active(const struct clr_branches *branches) {
  return !branches->depth || branches->at[branches->depth - 1].active;
}

static enum truth truth_of(const struct clr_macros *macros, struct clr_word directive, struct clr_word condition) {
  if (clr_word_is(directive, "else"))
    return CONDITION_TRUE;
  if (clr_word_is(directive, "if") || clr_word_is(directive, "elif"))
    return truth_of_condition(macros, condition);
  bool defined = clr_macro_find(macros, clr_identifier_at(condition.begin)) != NULL;
  return defined == clr_word_is(directive, "ifdef") ? CONDITION_TRUE : CONDITION_FALSE;
}

// A branch inside an inactive one stays inactive, so its condition is not evaluated.
static enum clr_branching open_branch(struct clr_branches *branches, const struct clr_macros *macros,
                                      struct clr_word directive, struct clr_word condition) {
  struct clr_branch branch = {.taken = true};
  if (branches->depth == CLR_BRANCHES_MAX)
    return CLR_BRANCHING_TOO_DEEP;
  if (clr_branch_is_active(branches)) {
    enum truth truth = truth_of(macros, directive, condition);
    if (truth == NO_CONDITION)
      return CLR_BRANCHING_NO_CONDITION;
    branch = (struct clr_branch){truth != CONDITION_FALSE, truth == CONDITION_TRUE, truth == CONDITION_LEFT_OPEN};
  }
  branches->at[branches->depth++] = branch;
  return branch.left_open ? CLR_BRANCHING_LEFT_OPEN : CLR_BRANCHING_DONE;
}

static enum clr_branching next_branch(struct clr_branch *branch, const struct clr_macros *macros,
                                      struct clr_word directive, struct clr_word condition) {
  if (branch->left_open)
    return CLR_BRANCHING_LEFT_OPEN;
  enum truth truth = branch->taken ? CONDITION_FALSE : truth_of(macros, directive, condition);
  if (truth == NO_CONDITION || truth == CONDITION_LEFT_OPEN)
    return CLR_BRANCHING_NO_CONDITION;
  branch->active = truth == CONDITION_TRUE;
  branch->taken |= branch->active;
  return CLR_BRANCHING_DONE;
}

enum clr_branching clr_branch(struct clr_branches *branches, const struct clr_macros *macros, struct clr_word directive,
                              struct clr_word condition) {
  bool goes_on = clr_word_is(directive, "elif") || clr_word_is(directive, "else");
  bool ends = clr_word_is(directive, "endif");
  if (clr_word_is(directive, "if") || clr_word_is(directive, "ifdef") || clr_word_is(directive, "ifndef"))
    return open_branch(branches, macros, directive, condition);
  if (!goes_on && !ends)
    return CLR_BRANCHING_NONE;
  if (!branches->depth)
    return CLR_BRANCHING_NO_IF;
  if (goes_on)
    return next_branch(&branches->at[branches->depth - 1], macros, directive, condition);
  return branches->at[--branches->depth].left_open ? CLR_BRANCHING_LEFT_OPEN : CLR_BRANCHING_DONE;
}
