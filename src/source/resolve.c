#include "source/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "source/condition.h"

#define FILES_MAX 256
#define NESTED_MAX 64
#define NAME_SIZE 128

// A file that was read once. It is kept: lines and macros point into it.
struct file {
  char name[NAME_SIZE];
  char *text;  // of cl/; NULL if it is a made one
  const char *begin;
  bool once;  // #pragma once
  bool open;
  bool shown;  // its head was passed on
};

// An #if that is open.
struct branch {
  bool active;     // its lines count
  bool taken;      // a branch before had its turn
  bool left_open;  // the compiler decides
};

struct resolver {
  const struct clr_sources *sources;
  struct clr_status *status;
  struct file files[FILES_MAX];
  size_t file_count;
  struct clr_lines lines;
  struct clr_macros macros;
};

// Where the resolver is.
struct cursor {
  struct file *file;
  const char *at;
  struct clr_word name;  // of the file, or of what #line says
  unsigned long number;
  bool is_callers;
  enum clr_gap gap;  // before the next line that is passed on
  struct branch branches[NESTED_MAX];
  size_t depth;
};

static cl_int fail_at(const struct resolver *resolver, const struct cursor *cursor, const char *what,
                      struct clr_word culprit, const char *advice) {
  return clr_fail(resolver->status, CLRED_KERNEL_SOURCE, "%.*s:%lu: %s %.*s%s", (int)cursor->name.length,
                  cursor->name.begin, cursor->number, what, (int)(culprit.length < 120 ? culprit.length : 120),
                  culprit.begin, advice);
}

static cl_int fail_memory(const struct resolver *resolver) {
  return clr_fail(resolver->status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text");
}

// ---------------------------------------------------------------- Lines

static bool add_line(struct resolver *resolver, struct clr_line line) {
  struct clr_lines *lines = &resolver->lines;
  if (lines->count == lines->capacity) {
    size_t capacity = 2 * lines->capacity + 1024;
    struct clr_line *at = realloc(lines->at, capacity * sizeof *at);
    if (!at)
      return false;
    lines->at = at;
    lines->capacity = capacity;
  }
  lines->at[lines->count++] = line;
  return true;
}

// The line at the cursor with those that continue it, without its end.
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

static cl_int pass_on(struct resolver *resolver, struct cursor *cursor, struct clr_word line, enum clr_line_kind kind,
                      struct clr_word macro) {
  const struct clr_line made = {
    .text = line, .file = cursor->name, .number = cursor->number, .macro = macro, .kind = kind, .gap = cursor->gap};
  cursor->gap = CLR_GAP_NONE;
  return add_line(resolver, made) ? CL_SUCCESS : fail_memory(resolver);
}

// ---------------------------------------------------------------- Directives

static const char *skip_blanks(const char *at) {
  return at + strspn(at, " \t");
}

// The rest of a directive, from behind blanks.
static struct clr_word rest_of(struct clr_word line, const char *at) {
  at = skip_blanks(at);
  const char *end = line.begin + line.length;
  return (struct clr_word){at, at < end ? (size_t)(end - at) : 0};
}

static cl_int define(struct resolver *resolver, struct cursor *cursor, struct clr_word line, const char *at) {
  struct clr_word name = clr_identifier_at(skip_blanks(at));
  const char *behind = name.begin + name.length;
  const struct clr_macro macro = {name, rest_of(line, behind), *behind == '('};
  if (!name.length)
    return fail_at(resolver, cursor, "#define without a name:", line, "");
  return clr_macro_define(&resolver->macros, macro) ? pass_on(resolver, cursor, line, CLR_LINE_DEFINE, name)
                                                    : fail_memory(resolver);
}

static cl_int undefine(struct resolver *resolver, struct cursor *cursor, struct clr_word line, const char *at) {
  struct clr_word name = clr_identifier_at(skip_blanks(at));
  clr_macro_undefine(&resolver->macros, name);
  return pass_on(resolver, cursor, line, CLR_LINE_UNDEF, name);
}

// ---------------------------------------------------------------- Conditions

static bool is_active(const struct cursor *cursor) {
  return !cursor->depth || cursor->branches[cursor->depth - 1].active;
}

static enum clr_truth ask(const struct resolver *resolver, struct clr_word directive, struct clr_word condition) {
  if (clr_word_is(directive, "if") || clr_word_is(directive, "elif"))
    return clr_condition(&resolver->macros, condition);
  bool defined = clr_macro_find(&resolver->macros, clr_identifier_at(condition.begin)) != NULL;
  return defined == clr_word_is(directive, "ifdef") ? CLR_TRUE : CLR_FALSE;
}

static cl_int open_branch(struct resolver *resolver, struct cursor *cursor, struct clr_word line,
                          struct clr_word directive, struct clr_word condition) {
  struct branch branch = {.taken = true};
  const struct clr_word none = {0};
  bool counts = is_active(cursor);
  if (cursor->depth == NESTED_MAX)
    return fail_at(resolver, cursor, "too many conditions inside each other:", line, "");
  enum clr_truth truth = counts ? ask(resolver, directive, condition) : CLR_FALSE;
  if (truth == CLR_NO_CONDITION)
    return fail_at(resolver, cursor, "no condition of integers and macros without arguments:", line, "");
  if (counts)
    branch = (struct branch){truth != CLR_FALSE, truth == CLR_TRUE, truth == CLR_LEFT_OPEN};
  cursor->branches[cursor->depth++] = branch;
  return branch.left_open ? pass_on(resolver, cursor, line, CLR_LINE_TEXT, none) : CL_SUCCESS;
}

static cl_int next_branch(struct resolver *resolver, struct cursor *cursor, struct clr_word line,
                          struct clr_word directive, struct clr_word condition) {
  struct branch *branch = &cursor->branches[cursor->depth - 1];
  const struct clr_word none = {0};
  if (branch->left_open)
    return pass_on(resolver, cursor, line, CLR_LINE_TEXT, none);
  branch->active = false;
  enum clr_truth truth = branch->taken                    ? CLR_FALSE
                         : clr_word_is(directive, "else") ? CLR_TRUE
                                                          : ask(resolver, directive, condition);
  if (truth == CLR_NO_CONDITION || truth == CLR_LEFT_OPEN)
    return fail_at(resolver, cursor, "no condition of integers and macros without arguments:", line, "");
  branch->active = truth == CLR_TRUE;
  branch->taken |= branch->active;
  return CL_SUCCESS;
}

static cl_int end_branch(struct resolver *resolver, struct cursor *cursor, struct clr_word line) {
  const struct clr_word none = {0};
  return cursor->branches[--cursor->depth].left_open ? pass_on(resolver, cursor, line, CLR_LINE_TEXT, none)
                                                     : CL_SUCCESS;
}

// True if the directive was one of conditions.
static bool branches(struct resolver *resolver, struct cursor *cursor, struct clr_word line, struct clr_word directive,
                     const char *behind, cl_int *err) {
  struct clr_word condition = rest_of(line, behind);
  bool goes_on = clr_word_is(directive, "elif") || clr_word_is(directive, "else"),
       ends = clr_word_is(directive, "endif");
  if ((goes_on || ends) && !cursor->depth)
    *err = fail_at(resolver, cursor, "no #if is open at", line, "");
  else if (clr_word_is(directive, "if") || clr_word_is(directive, "ifdef") || clr_word_is(directive, "ifndef"))
    *err = open_branch(resolver, cursor, line, directive, condition);
  else if (goes_on)
    *err = next_branch(resolver, cursor, line, directive, condition);
  else if (ends)
    *err = end_branch(resolver, cursor, line);
  else
    return false;
  return true;
}

// ---------------------------------------------------------------- Files

// The name between the quotes, or of length 0.
static struct clr_word quoted(const char *at) {
  at = skip_blanks(at);
  size_t length = *at == '"' ? strcspn(at + 1, "\"\n") : 0;
  return (struct clr_word){at + 1, length && at[1 + length] == '"' ? length : 0};
}

static bool leaves_folder(struct clr_word name) {
  if (*name.begin == '/' || memchr(name.begin, '\\', name.length) || memchr(name.begin, ':', name.length))
    return true;
  for (const char *at = name.begin, *end = at + name.length; at < end;) {
    size_t length = strcspn(at, "/\"");
    if (length == 2 && strncmp(at, "..", 2) == 0)
      return true;
    at += length + 1;
  }
  return false;
}

static const char *made_text(const struct clr_sources *sources, const char *name) {
  for (const struct clr_made_file *made = sources->made; made && made->name; made++)
    if (strcmp(made->name, name) == 0)
      return made->text;
  return NULL;
}

static struct file *find_file(struct resolver *resolver, struct clr_word name) {
  for (size_t i = 0; i < resolver->file_count; i++)
    if (clr_word_is(name, resolver->files[i].name))
      return &resolver->files[i];
  return NULL;
}

// Returns a file, which is read at its first use. NULL with CL_SUCCESS in `*err` if there is no file of this name.
static struct file *read_file(struct resolver *resolver, struct clr_word name, cl_int *err) {
  const struct clr_sources *sources = resolver->sources;
  struct file *file = find_file(resolver, name);
  *err = CL_SUCCESS;
  if (file || resolver->file_count == FILES_MAX || name.length >= NAME_SIZE)
    return file;
  file = &resolver->files[resolver->file_count];
  memcpy(file->name, name.begin, name.length);
  file->name[name.length] = 0;
  file->begin = made_text(sources, file->name);
  const char *text = file->begin ? NULL : sources->read(sources->from, file->name);
  if (!file->begin && !text)
    return NULL;
  if (text)
    *err = sources->check ? sources->check(sources->check_of, text, resolver->status) : CL_SUCCESS;
  if (text && !*err) {
    file->text = malloc(strlen(text) + 1);
    *err = file->text ? CL_SUCCESS : fail_memory(resolver);
    file->begin = file->text ? strcpy(file->text, text) : NULL;
  }
  resolver->file_count += !*err;
  return *err ? NULL : file;
}

static cl_int expand(struct resolver *resolver, struct file *file);

static cl_int include(struct resolver *resolver, struct cursor *cursor, struct clr_word line, const char *at) {
  const struct clr_macro *macro = clr_macro_find(&resolver->macros, clr_identifier_at(skip_blanks(at)));
  struct clr_word name = quoted(macro ? macro->body.begin : at);
  cl_int err;
  if (!name.length)
    return fail_at(resolver, cursor, "no name in quotes:", line, "");
  if (leaves_folder(name))
    return fail_at(resolver, cursor, "#include", name, " leaves the folder; name a file below it");
  struct file *file = read_file(resolver, name, &err);
  if (err)
    return err;
  if (!file)
    return fail_at(resolver, cursor, "#include", name, " could not be read; is there such a file?");
  cursor->gap = CLR_GAP_FILE;
  if (file->once)
    return CL_SUCCESS;
  if (file->open)
    return fail_at(resolver, cursor, "#include", name,
                   " includes itself; break the circle, or begin it with #pragma once");
  return expand(resolver, file);
}

// `#line 1 "NAME"` in a made file.
static void rename_lines(struct cursor *cursor, const char *at) {
  char *end;
  unsigned long number = strtoul(at, &end, 10);
  struct clr_word name = quoted(end);
  if (cursor->file->text || !name.length)
    return;
  cursor->name = name;
  cursor->number = number;
  cursor->is_callers = !memchr(name.begin, '.', name.length) && !clr_word_is(name, "generated");
}

// Conditions, and lines that they leave out.
static void leave_out(struct cursor *cursor) {
  if (cursor->gap == CLR_GAP_NONE)
    cursor->gap = CLR_GAP_BRANCH;
}

// A line that begins with '#'. `*moved` says that #line gave the next line its number.
static cl_int direct(struct resolver *resolver, struct cursor *cursor, struct clr_word line, const char *hash,
                     bool *moved) {
  struct clr_word directive = clr_identifier_at(skip_blanks(hash + 1));
  const struct clr_word none = {0};
  const char *behind = directive.begin + directive.length;
  cl_int err = CL_SUCCESS;
  if (branches(resolver, cursor, line, directive, behind, &err) || !is_active(cursor)) {
    leave_out(cursor);
    return err;
  }
  if (clr_word_is(directive, "include"))
    return include(resolver, cursor, line, behind);
  if (clr_word_is(directive, "define"))
    return define(resolver, cursor, line, behind);
  if (clr_word_is(directive, "undef"))
    return undefine(resolver, cursor, line, behind);
  *moved = clr_word_is(directive, "line");
  if (*moved)
    rename_lines(cursor, behind);
  else if (clr_word_is(directive, "pragma") && strncmp(skip_blanks(behind), "once", 4) == 0)
    cursor->file->once = true, cursor->gap = CLR_GAP_FILE;
  else
    return pass_on(resolver, cursor, line, CLR_LINE_TEXT, none);
  return CL_SUCCESS;
}

// A line of the caller's operator ends where the generated text goes on.
static bool ends_piece(const char *at) {
  const char end[] = "#line 1 \"generated\"";
  return strncmp(at, end, sizeof end - 1) == 0;
}

static cl_int take_line(struct resolver *resolver, struct cursor *cursor) {
  const struct clr_word none = {0};
  unsigned long physical;
  bool moved = false;
  cl_int err = CL_SUCCESS;
  struct clr_word line = line_at(cursor->at, &physical);
  const char *first = skip_blanks(line.begin);
  if (cursor->is_callers && !ends_piece(line.begin)) {
    line.length = strcspn(line.begin, "\n");
    physical = 1;
    err = pass_on(resolver, cursor, line, CLR_LINE_CALLER, none);
  } else if (*first == '#') {
    err = direct(resolver, cursor, line, first, &moved);
  } else if (is_active(cursor)) {
    err = pass_on(resolver, cursor, line, CLR_LINE_TEXT, none);
  } else {
    leave_out(cursor);
  }
  cursor->at = line.begin + line.length + (line.begin[line.length] == '\n');
  cursor->number += moved ? 0 : physical;
  return err;
}

// Heads of files are left out, but for the strategy's.
static void skip_head(struct cursor *cursor) {
  static const char strategies[] = "strategies/";
  const bool shows = strncmp(cursor->file->name, strategies, sizeof strategies - 1) == 0 && !cursor->file->shown;
  cursor->file->shown = true;
  for (; !shows && strncmp(cursor->at, "//", 2) == 0; cursor->number++)
    cursor->at += strcspn(cursor->at, "\n"), cursor->at += *cursor->at == '\n';
}

static cl_int expand(struct resolver *resolver, struct file *file) {
  struct cursor cursor = {
    .file = file, .at = file->begin, .name = {file->name, strlen(file->name)}, .number = 1, .gap = CLR_GAP_FILE};
  cl_int err = CL_SUCCESS;
  file->open = true;
  skip_head(&cursor);
  while (!err && *cursor.at)
    err = take_line(resolver, &cursor);
  file->open = false;
  if (!err && cursor.depth)
    err = fail_at(resolver, &cursor, "an #if has no #endif in", cursor.name, "");
  return err;
}

// ---------------------------------------------------------------- The whole text

// What -D of the build options defines, as far as it is written NAME or NAME=VALUE.
static bool define_options(struct resolver *resolver, const char *options) {
  static const char one[] = "1";
  const char *at = options ? options : "";
  while ((at = strstr(at, "-D")) != NULL) {
    bool begins = at == options || at[-1] == ' ' || at[-1] == '\t';
    at = skip_blanks(at + 2);
    struct clr_macro macro = {.name = clr_identifier_at(at), .body = {one, 1}};
    const char *value = macro.name.begin + macro.name.length;
    if (*value == '=')
      macro.body = (struct clr_word){value + 1, strcspn(value + 1, " \t")};
    if (begins && macro.name.length && !clr_macro_define(&resolver->macros, macro))
      return false;
  }
  return true;
}

// Whether a wrong number of this line would be seen: in messages of the compiler.
static bool is_code(const struct clr_line *line) {
  const char *at = line->text.begin + strspn(line->text.begin, " \t");
  return line->kind == CLR_LINE_CALLER ||
         (line->kind == CLR_LINE_TEXT && line->text.length && strncmp(at, "//", 2) != 0 && *at != '}');
}

static unsigned long count_lines(struct clr_word text) {
  unsigned long count = 1;
  for (size_t i = 0; i < text.length; i++)
    count += text.begin[i] == '\n';
  return count;
}

static bool is_blank(const struct clr_line *line) {
  return line->kind == CLR_LINE_TEXT && strspn(line->text.begin, " \t") >= line->text.length;
}

// #line where another file begins, and before code that does not stand where the compiler would count it. A blank line
// is left where the file goes on behind it.
static void write_lines(const struct clr_lines *lines, struct clr_text *text) {
  struct clr_word file = {0};
  unsigned long next = 0;
  bool blank = false;
  for (size_t i = 0; i < lines->count; i++) {
    const struct clr_line *line = &lines->at[i];
    if (line->unused)
      continue;
    if (is_blank(line)) {
      blank = true;
      continue;
    }
    const bool goes_on = clr_words_equal(file, line->file);
    if (blank && goes_on) {
      clr_text_append(text, "\n");
      next++;
    }
    if (!goes_on || (next != line->number && is_code(line)))
      clr_text_format(text, "#line %lu \"%.*s\"\n", line->number, (int)line->file.length, line->file.begin),
        next = line->number;
    clr_text_format(text, "%.*s\n", (int)line->text.length, line->text.begin);
    file = line->file;
    next += count_lines(line->text);
    blank = false;
  }
}

static void release(struct resolver *resolver) {
  for (size_t i = 0; i < resolver->file_count; i++)
    free(resolver->files[i].text);
  free(resolver->lines.at);
  free(resolver->macros.at);
  free(resolver);
}

cl_int clr_resolve(const struct clr_sources *sources, const char *root, struct clr_text *text,
                   struct clr_status *status) {
  struct resolver *resolver = calloc(1, sizeof *resolver);
  struct clr_word name = {root, strlen(root)};
  if (!resolver)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text");
  resolver->sources = sources;
  resolver->status = status;
  cl_int err = define_options(resolver, sources->options) ? CL_SUCCESS : fail_memory(resolver);
  struct file *file = err ? NULL : read_file(resolver, name, &err);
  if (!err && !file)
    err = clr_fail(status, CLRED_KERNEL_SOURCE, "%s could not be read", root);
  if (!err)
    err = expand(resolver, file);
  if (!err && !clr_find_unused(&resolver->lines))
    err = fail_memory(resolver);
  if (!err)
    write_lines(&resolver->lines, text);
  if (!err && text->failed)
    err = fail_memory(resolver);
  release(resolver);
  return err;
}
