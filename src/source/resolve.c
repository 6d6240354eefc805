// Puts the text of a program together: expands files and follows conditions. Conditions have integers, macros without
// arguments, and C's operators for arithmetic, comparison and logic.
#include <stdlib.h>
#include <string.h>

#include "source/files.h"

// ---------------------------------------------------------------- Macros

struct macro {
  struct clr_word name, body;
  bool takes_arguments;
};

struct macros {
  struct macro *at;
  size_t count, capacity;
};

static const struct macro *find_macro(const struct macros *macros, struct clr_word name) {
  for (size_t i = macros->count; i-- > 0;)
    if (clr_words_equal(macros->at[i].name, name))
      return &macros->at[i];
  return NULL;
}

static void undefine_macro(struct macros *macros, struct clr_word name) {
  for (size_t i = 0; i < macros->count; i++)
    if (clr_words_equal(macros->at[i].name, name)) {
      macros->at[i] = macros->at[--macros->count];
      return;
    }
}

// Defines a macro, or replaces its definition. False if memory runs out.
static bool define_macro(struct macros *macros, struct macro macro) {
  undefine_macro(macros, macro.name);
  if (macros->count == macros->capacity) {
    size_t capacity = 2 * macros->capacity + 64;
    struct macro *at = realloc(macros->at, capacity * sizeof *at);
    if (!at)
      return false;
    macros->at = at;
    macros->capacity = capacity;
  }
  macros->at[macros->count++] = macro;
  return true;
}

// ---------------------------------------------------------------- Conditions

// The most bytes of a condition or of a macro in it, and the most macros inside each other.
#define CONDITION_MAX 1024
#define NESTED_MAX 32

struct reader {
  const struct macros *macros;
  const char *at;
  int nested;
  bool failed, left_open;
};

// The operators of conditions: text, level, value. An operator of a higher level binds tighter. A longer text comes
// before a text that it begins with: <= before <.
#define OPERATORS(X) \
  X("||", 1, a || b) \
  X("&&", 2, (a && b)) \
  X("==", 3, a == b) \
  X("!=", 3, a != b) \
  X("<=", 4, a <= b) \
  X(">=", 4, a >= b) \
  X("<", 4, a < b) \
  X(">", 4, a > b) \
  X("+", 5, a + b) \
  X("-", 5, a - b) \
  X("*", 6, (a * b)) \
  X("/", 6, b ? a / b : 0) \
  X("%", 6, b ? a % b : 0)

#define ROW(text, level, value) {text, level},
static const struct infix {
  const char *text;
  int level;
} operators[] = {OPERATORS(ROW)};

static long long evaluate(struct reader *reader, int level);

static void skip_blanks(struct reader *reader) {
  reader->at += strspn(reader->at, " \t\\\r\n");
}

// Returns the value of a whole condition, or of a macro in it. The text of a macro counts as if it were in brackets.
static long long value_of(struct reader *reader, struct clr_word text) {
  char copy[CONDITION_MAX];
  struct reader inside = *reader;
  if (text.length >= sizeof copy || reader->nested == NESTED_MAX) {
    reader->failed = true;
    return 0;
  }
  memcpy(copy, text.begin, text.length);
  copy[text.length] = 0;
  char *comment = strstr(copy, "//");
  if (comment)
    *comment = 0;
  inside.at = copy;
  inside.nested++;
  const long long value = evaluate(&inside, 0);
  skip_blanks(&inside);
  reader->failed |= inside.failed || *inside.at;
  reader->left_open |= inside.left_open;
  return value;
}

// Reads NAME or (NAME) after the operator `defined`.
static bool read_defined(struct reader *reader) {
  skip_blanks(reader);
  const bool brackets = *reader->at == '(';
  reader->at += brackets;
  skip_blanks(reader);
  const struct clr_word name = clr_identifier_at(reader->at);
  reader->at += name.length;
  skip_blanks(reader);
  reader->failed |= !name.length || (brackets && *reader->at != ')');
  reader->at += brackets && *reader->at == ')';
  return find_macro(reader->macros, name) != NULL;
}

// As in C, a name that is no macro is 0. Names that begin with two underscores are known to the compiler only.
static long long read_name(struct reader *reader, struct clr_word name) {
  reader->at += name.length;
  if (clr_word_is(name, "defined"))
    return read_defined(reader);
  const struct macro *macro = find_macro(reader->macros, name);
  if (!macro) {
    reader->left_open |= name.length > 2 && strncmp(name.begin, "__", 2) == 0;
    return 0;
  }
  reader->failed |= macro->takes_arguments;
  return value_of(reader, macro->body);
}

static long long read_operand(struct reader *reader) {
  skip_blanks(reader);
  const char first = *reader->at;
  const struct clr_word name = clr_identifier_at(reader->at);
  if (name.length)
    return read_name(reader, name);
  if (first == '(') {
    reader->at++;
    long long value = evaluate(reader, 0);
    skip_blanks(reader);
    reader->failed |= *reader->at != ')';
    reader->at += *reader->at == ')';
    return value;
  }
  if (first == '!' || first == '-') {
    reader->at++;
    long long value = read_operand(reader);
    return first == '!' ? !value : -value;
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
  return value;
}

enum truth {
  CONDITION_FALSE,
  CONDITION_TRUE,
  CONDITION_LEFT_OPEN,  // it contains a name that only the compiler knows
  NO_CONDITION
};

static enum truth truth_of_condition(const struct macros *macros, struct clr_word condition) {
  struct reader reader = {.macros = macros};
  const long long value = value_of(&reader, condition);
  if (reader.left_open)
    return CONDITION_LEFT_OPEN;
  return reader.failed ? NO_CONDITION : value ? CONDITION_TRUE : CONDITION_FALSE;
}

// ---------------------------------------------------------------- Branches

#define BRANCHES_MAX 64

// A condition that is open in a file.
struct branch {
  bool active;     // lines between this directive and the next one are kept
  bool taken;      // an earlier branch of the same #if was active
  bool left_open;  // only the compiler can decide the condition
};

struct branches {
  struct branch at[BRANCHES_MAX];
  size_t depth;
};

enum branching {
  BRANCHING_NONE,       // the directive does not belong to conditions
  BRANCHING_DONE,       // the directive is left out of the text
  BRANCHING_LEFT_OPEN,  // the directive stays in the text: the compiler decides
  BRANCHING_TOO_DEEP,   // from here on: errors
  BRANCHING_NO_IF,
  BRANCHING_NO_CONDITION
};

// True if lines at this point of the file are kept.
static bool is_active(const struct branches *branches) {
  return !branches->depth || branches->at[branches->depth - 1].active;
}

static enum truth truth_of(const struct macros *macros, struct clr_word directive, struct clr_word condition) {
  if (clr_word_is(directive, "else"))
    return CONDITION_TRUE;
  if (clr_word_is(directive, "if") || clr_word_is(directive, "elif"))
    return truth_of_condition(macros, condition);
  bool defined = find_macro(macros, clr_identifier_at(condition.begin)) != NULL;
  return defined == clr_word_is(directive, "ifdef") ? CONDITION_TRUE : CONDITION_FALSE;
}

// A branch inside an inactive one stays inactive, so its condition is not evaluated.
static enum branching open_branch(struct branches *branches, const struct macros *macros, struct clr_word directive,
                                  struct clr_word condition) {
  struct branch branch = {.taken = true};
  if (branches->depth == BRANCHES_MAX)
    return BRANCHING_TOO_DEEP;
  if (is_active(branches)) {
    enum truth truth = truth_of(macros, directive, condition);
    if (truth == NO_CONDITION)
      return BRANCHING_NO_CONDITION;
    branch = (struct branch){truth != CONDITION_FALSE, truth == CONDITION_TRUE, truth == CONDITION_LEFT_OPEN};
  }
  branches->at[branches->depth++] = branch;
  return branch.left_open ? BRANCHING_LEFT_OPEN : BRANCHING_DONE;
}

static enum branching next_branch(struct branch *branch, const struct macros *macros, struct clr_word directive,
                                  struct clr_word condition) {
  if (branch->left_open)
    return BRANCHING_LEFT_OPEN;
  enum truth truth = branch->taken ? CONDITION_FALSE : truth_of(macros, directive, condition);
  if (truth == NO_CONDITION || truth == CONDITION_LEFT_OPEN)
    return BRANCHING_NO_CONDITION;
  branch->active = truth == CONDITION_TRUE;
  branch->taken |= branch->active;
  return BRANCHING_DONE;
}

// Opens, changes or closes a branch if the directive does that.
static enum branching follow(struct branches *branches, const struct macros *macros, struct clr_word directive,
                             struct clr_word condition) {
  bool goes_on = clr_word_is(directive, "elif") || clr_word_is(directive, "else");
  bool ends = clr_word_is(directive, "endif");
  if (clr_word_is(directive, "if") || clr_word_is(directive, "ifdef") || clr_word_is(directive, "ifndef"))
    return open_branch(branches, macros, directive, condition);
  if (!goes_on && !ends)
    return BRANCHING_NONE;
  if (!branches->depth)
    return BRANCHING_NO_IF;
  if (goes_on)
    return next_branch(&branches->at[branches->depth - 1], macros, directive, condition);
  return branches->at[--branches->depth].left_open ? BRANCHING_LEFT_OPEN : BRANCHING_DONE;
}

// ---------------------------------------------------------------- The resolver

struct resolver {
  const struct clr_sources *sources;
  struct clr_status *status;
  struct clr_files files;
  struct clr_line_writer writer;
  struct macros macros;
};

// Where the resolver is in a file.
struct cursor {
  struct clr_file *file;
  const char *at;
  struct clr_word name;  // the file, or the name that #line gave
  unsigned long number;
  bool is_callers;  // the lines belong to the caller's operator
  struct branches branches;
};

static cl_int fail_at(const struct resolver *resolver, const struct cursor *cursor, const char *what,
                      struct clr_word culprit, const char *advice) {
  return clr_fail(resolver->status, CLRED_KERNEL_SOURCE, "%.*s:%lu: %s %.*s%s", (int)cursor->name.length,
                  cursor->name.begin, cursor->number, what, (int)(culprit.length < 120 ? culprit.length : 120),
                  culprit.begin, advice);
}

static cl_int fail_memory(const struct resolver *resolver) {
  return clr_fail_program_memory(resolver->status);
}

// ---------------------------------------------------------------- Lines

// Returns the line at `at` and the lines that continue it, without the last line break. `*physical` gets the number of
// these lines.
static struct clr_word line_at(const char *at, unsigned long *physical) {
  struct clr_word line = {at, 0};
  *physical = 1;
  for (;;) {
    line.length += strcspn(at + line.length, "\n");
    if (!line.length || !at[line.length] || at[line.length - 1] != '\\')
      return line;
    line.length++;
    ++*physical;
  }
}

static void pass_on(struct resolver *resolver, const struct cursor *cursor, struct clr_word line, bool counts) {
  clr_line_write(&resolver->writer, line, cursor->name, cursor->number, counts);
}

// Messages name no line that is a comment or begins with a closing brace.
static void pass_text(struct resolver *resolver, const struct cursor *cursor, struct clr_word line) {
  const char *at = clr_skip_blanks(line.begin);
  if (at >= line.begin + line.length)
    resolver->writer.blank = true;
  else
    pass_on(resolver, cursor, line, strncmp(at, "//", 2) != 0 && *at != '}');
}

// ---------------------------------------------------------------- Directives

// Returns the rest of the line from `at` on, without leading blanks.
static struct clr_word rest_of(struct clr_word line, const char *at) {
  at = clr_skip_blanks(at);
  const char *end = line.begin + line.length;
  return (struct clr_word){at, at < end ? (size_t)(end - at) : 0};
}

static cl_int define(struct resolver *resolver, const struct cursor *cursor, struct clr_word line, const char *at) {
  struct clr_word name = clr_identifier_at(clr_skip_blanks(at));
  const char *behind = name.begin + name.length;
  const struct macro macro = {name, rest_of(line, behind), *behind == '('};
  if (!name.length)
    return fail_at(resolver, cursor, "#define without a name:", line, "");
  pass_on(resolver, cursor, line, false);
  return define_macro(&resolver->macros, macro) ? CL_SUCCESS : fail_memory(resolver);
}

static void undefine(struct resolver *resolver, const struct cursor *cursor, struct clr_word line, const char *at) {
  undefine_macro(&resolver->macros, clr_identifier_at(clr_skip_blanks(at)));
  pass_on(resolver, cursor, line, false);
}

// True if the directive is a conditional (#if, #else, #endif, ...).
static bool branch(struct resolver *resolver, struct cursor *cursor, struct clr_word line, struct clr_word directive,
                   const char *behind, cl_int *err) {
  static const char *const errors[] = {
    [BRANCHING_TOO_DEEP] = "too many conditions inside each other:",
    [BRANCHING_NO_IF] = "no #if is open at",
    [BRANCHING_NO_CONDITION] =
      "no condition of integers, macros without arguments, and operators for arithmetic, comparison and logic:",
  };
  enum branching branching = follow(&cursor->branches, &resolver->macros, directive, rest_of(line, behind));
  if (branching == BRANCHING_LEFT_OPEN)
    pass_text(resolver, cursor, line);
  else if (branching > BRANCHING_LEFT_OPEN)
    *err = fail_at(resolver, cursor, errors[branching], line, "");
  return branching != BRANCHING_NONE;
}

// ---------------------------------------------------------------- Expansion

static cl_int expand(struct resolver *resolver, struct clr_file *file);

static cl_int include(struct resolver *resolver, struct cursor *cursor, struct clr_word line, const char *at) {
  const struct macro *macro = find_macro(&resolver->macros, clr_identifier_at(clr_skip_blanks(at)));
  struct clr_word name = clr_quoted_at(macro ? macro->body.begin : at);
  cl_int err;
  if (!name.length)
    return fail_at(resolver, cursor, "no name in quotes:", line, "");
  if (clr_leaves_directory(name))
    return fail_at(resolver, cursor, "#include", name, " leaves the directory; name a file below it");
  struct clr_file *file = clr_files_find(&resolver->files, resolver->sources, name, resolver->status, &err);
  if (err)
    return err;
  if (!file)
    return fail_at(resolver, cursor, "#include", name, " could not be read; is there such a file?");
  if (file->once)
    return CL_SUCCESS;
  if (file->open)
    return fail_at(resolver, cursor, "#include", name,
                   " includes itself; break the circle, or begin it with #pragma once");
  return expand(resolver, file);
}

// Applies `#line 1 "NAME"` in a generated file. In files of cl/ the directive is dropped.
static void rename_lines(struct cursor *cursor, const char *at) {
  char *end;
  unsigned long number = strtoul(at, &end, 10);
  struct clr_word name = clr_quoted_at(end);
  if (cursor->file->owned || !name.length)
    return;
  cursor->name = name;
  cursor->number = number;
  cursor->is_callers = clr_is_callers(name);
}

// Applies a line that begins with '#'. `*moved` becomes true if #line gave the next line its number.
static cl_int direct(struct resolver *resolver, struct cursor *cursor, struct clr_word line, const char *hash,
                     bool *moved) {
  struct clr_word directive = clr_identifier_at(clr_skip_blanks(hash + 1));
  const char *behind = directive.begin + directive.length;
  cl_int err = CL_SUCCESS;
  if (branch(resolver, cursor, line, directive, behind, &err) || !is_active(&cursor->branches))
    return err;
  if (clr_word_is(directive, "include"))
    return include(resolver, cursor, line, behind);
  if (clr_word_is(directive, "define"))
    return define(resolver, cursor, line, behind);
  *moved = clr_word_is(directive, "line");
  if (clr_word_is(directive, "undef"))
    undefine(resolver, cursor, line, behind);
  else if (*moved)
    rename_lines(cursor, behind);
  else if (clr_word_is(directive, "pragma") && strncmp(clr_skip_blanks(behind), "once", 4) == 0)
    cursor->file->once = true;
  else
    pass_text(resolver, cursor, line);
  return CL_SUCCESS;
}

// True if a piece of the caller's operator ends here and the generated text goes on.
static bool ends_piece(const char *at) {
  const char end[] = "#line 1 \"generated\"";
  return strncmp(at, end, sizeof end - 1) == 0;
}

static cl_int take_line(struct resolver *resolver, struct cursor *cursor) {
  unsigned long physical;
  bool moved = false;
  cl_int err = CL_SUCCESS;
  struct clr_word line = line_at(cursor->at, &physical);
  const char *first = clr_skip_blanks(line.begin);
  if (cursor->is_callers && !ends_piece(line.begin)) {
    line.length = strcspn(line.begin, "\n");
    physical = 1;
    pass_on(resolver, cursor, line, true);
  } else if (*first == '#') {
    err = direct(resolver, cursor, line, first, &moved);
  } else if (is_active(&cursor->branches)) {
    pass_text(resolver, cursor, line);
  }
  cursor->at = line.begin + line.length + (line.begin[line.length] == '\n');
  cursor->number += moved ? 0 : physical;
  return err;
}

// Skips the comment at the head of a file. The strategy's file keeps its comment where it is first included.
static void skip_head(struct cursor *cursor) {
  static const char strategies[] = "strategies/";
  const bool shows = strncmp(cursor->file->name, strategies, sizeof strategies - 1) == 0 && !cursor->file->shown;
  cursor->file->shown = true;
  for (; !shows && strncmp(cursor->at, "//", 2) == 0; cursor->number++)
    cursor->at += strcspn(cursor->at, "\n"), cursor->at += *cursor->at == '\n';
}

static cl_int expand(struct resolver *resolver, struct clr_file *file) {
  struct cursor cursor = {.file = file, .at = file->begin, .name = {file->name, strlen(file->name)}, .number = 1};
  cl_int err = CL_SUCCESS;
  file->open = true;
  skip_head(&cursor);
  while (!err && *cursor.at)
    err = take_line(resolver, &cursor);
  file->open = false;
  if (!err && cursor.branches.depth)
    err = fail_at(resolver, &cursor, "an #if has no #endif in", cursor.name, "");
  return err;
}

// ---------------------------------------------------------------- The whole text

// Defines the macros that the build options define as -DNAME or -DNAME=VALUE.
static bool define_options(struct resolver *resolver, const char *options) {
  static const char one[] = "1";
  const char *at = options ? options : "";
  while ((at = strstr(at, "-D")) != NULL) {
    bool begins = at == options || at[-1] == ' ' || at[-1] == '\t';
    at = clr_skip_blanks(at + 2);
    struct macro macro = {.name = clr_identifier_at(at), .body = {one, 1}};
    const char *value = macro.name.begin + macro.name.length;
    if (*value == '=')
      macro.body = (struct clr_word){value + 1, strcspn(value + 1, " \t")};
    if (begins && macro.name.length && !define_macro(&resolver->macros, macro))
      return false;
  }
  return true;
}

static void release(struct resolver *resolver) {
  clr_files_release(&resolver->files);
  free(resolver->macros.at);
  free(resolver);
}

cl_int clr_resolve(const struct clr_sources *sources, const char *root, struct clr_text *text,
                   struct clr_status *status) {
  struct resolver *resolver = calloc(1, sizeof *resolver);
  struct clr_word name = {root, strlen(root)};
  if (!resolver)
    return clr_fail_program_memory(status);
  resolver->sources = sources;
  resolver->status = status;
  resolver->writer.text = text;
  cl_int err = define_options(resolver, sources->from.options) ? CL_SUCCESS : fail_memory(resolver);
  struct clr_file *file =
    err ? NULL : clr_files_find(&resolver->files, resolver->sources, name, resolver->status, &err);
  if (!err && !file)
    err = clr_fail(status, CLRED_KERNEL_SOURCE, "%s could not be read", root);
  if (!err)
    err = expand(resolver, file);
  if (!err && text->failed)
    err = fail_memory(resolver);
  release(resolver);
  return err;
}
