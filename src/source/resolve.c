// Puts the text of a program together: expands files and follows conditions.
#include <stdlib.h>
#include <string.h>

#include "source/condition.h"
#include "source/files.h"

struct resolver {
  const struct clr_sources *sources;
  struct clr_status *status;
  struct clr_files files;
  struct clr_line_writer writer;
  struct clr_macros macros;
};

// Where the resolver is in a file.
struct cursor {
  struct clr_file *file;
  const char *at;
  struct clr_word name;  // the file, or the name that #line gave
  unsigned long number;
  bool is_callers;  // the lines belong to the caller's operator
  struct clr_branches branches;
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
  const struct clr_macro macro = {name, rest_of(line, behind), *behind == '('};
  if (!name.length)
    return fail_at(resolver, cursor, "#define without a name:", line, "");
  pass_on(resolver, cursor, line, false);
  return clr_macro_define(&resolver->macros, macro) ? CL_SUCCESS : fail_memory(resolver);
}

static void undefine(struct resolver *resolver, const struct cursor *cursor, struct clr_word line, const char *at) {
  clr_macro_undefine(&resolver->macros, clr_identifier_at(clr_skip_blanks(at)));
  pass_on(resolver, cursor, line, false);
}

// True if the directive is a conditional (#if, #else, #endif, ...).
static bool branches(struct resolver *resolver, struct cursor *cursor, struct clr_word line, struct clr_word directive,
                     const char *behind, cl_int *err) {
  static const char *const errors[] = {
    [CLR_BRANCHING_TOO_DEEP] = "too many conditions inside each other:",
    [CLR_BRANCHING_NO_IF] = "no #if is open at",
    [CLR_BRANCHING_NO_CONDITION] = "no condition of integers and macros without arguments:",
  };
  enum clr_branching branching = clr_branch(&cursor->branches, &resolver->macros, directive, rest_of(line, behind));
  if (branching == CLR_BRANCHING_LEFT_OPEN)
    pass_text(resolver, cursor, line);
  else if (branching > CLR_BRANCHING_LEFT_OPEN)
    *err = fail_at(resolver, cursor, errors[branching], line, "");
  return branching != CLR_BRANCHING_NONE;
}

// ---------------------------------------------------------------- Expansion

static cl_int expand(struct resolver *resolver, struct clr_file *file);

static cl_int include(struct resolver *resolver, struct cursor *cursor, struct clr_word line, const char *at) {
  const struct clr_macro *macro = clr_macro_find(&resolver->macros, clr_identifier_at(clr_skip_blanks(at)));
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
  if (branches(resolver, cursor, line, directive, behind, &err) || !clr_branch_is_active(&cursor->branches))
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
  } else if (clr_branch_is_active(&cursor->branches)) {
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
    struct clr_macro macro = {.name = clr_identifier_at(at), .body = {one, 1}};
    const char *value = macro.name.begin + macro.name.length;
    if (*value == '=')
      macro.body = (struct clr_word){value + 1, strcspn(value + 1, " \t")};
    if (begins && macro.name.length && !clr_macro_define(&resolver->macros, macro))
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
