// Finds the files of cl/ that a caller's preamble includes.
#include "model/included.h"

#include <string.h>

static const struct file {
  const char *name;
  bool needs_fp64;
} files[] = {
  {"exact/float_sum.clh", false},
  {"exact/double_sum.clh", true},
};

static const char *skip_blanks(const char *at) {
  return at + strspn(at, " \t");
}

static bool begins_with(const char *at, const char *word) {
  return strncmp(at, word, strlen(word)) == 0;
}

// True if only blanks stand before `at` in its line.
static bool begins_line(const char *text, const char *at) {
  while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
    at--;
  return at == text || at[-1] == '\n';
}

// Reads the directive that begins with the # at `at`; false if it includes no file of exact/.
static bool read_include(const char *text, const char *at, struct clr_included *found) {
  static const char directive[] = "include", folder[] = "\"exact/";
  const char *word = skip_blanks(at + 1), *quote = skip_blanks(word + strlen(directive));
  if (!begins_with(word, directive) || !begins_with(quote, folder))
    return false;
  found->begin = at;
  clr_find_place(text, quote + 1, &found->name);
  found->name.length = strcspn(quote + 1, "\"\n");
  found->end = quote + 1 + found->name.length;
  found->end += *found->end == '"';
  return true;
}

bool clr_find_included(const char *text, const char *from, struct clr_included *found) {
  for (const char *at = text; *at;) {
    const char *after = clr_skip_foreign(at);
    if (!after)
      return false;
    if (at >= from && *at == '#' && begins_line(text, at) && read_include(text, at, found))
      return true;
    at = after != at ? after : at + 1;
  }
  return false;
}

static const struct file *file_of(const struct clr_included *included) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (strlen(files[i].name) == included->name.length && begins_with(included->name.text, files[i].name))
      return &files[i];
  return NULL;
}

cl_int clr_check_included(const char *operator_name, const char *preamble, struct clr_status *status) {
  struct clr_included found;
  for (const char *at = preamble; at && clr_find_included(preamble, at, &found); at = found.end)
    if (!file_of(&found))
      return clr_fail_operator(
        status, operator_name, "preamble, line %u, column %u: '%.*s' is no file for operators; include %s or %s",
        found.name.line, found.name.column, (int)(found.name.length < 60 ? found.name.length : 60), found.name.text,
        files[0].name, files[1].name);
  return CL_SUCCESS;
}

bool clr_included_needs_fp64(const char *preamble) {
  struct clr_included found;
  bool needs = false;
  for (const char *at = preamble; at && clr_find_included(preamble, at, &found); at = found.end) {
    const struct file *file = file_of(&found);
    needs |= file && file->needs_fp64;
  }
  return needs;
}
