// Words and lines of a program's text: comparing, adding, writing. resolve.c and unused.c call this.
#include "source/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool clr_words_equal(struct clr_word one, struct clr_word other) {
  return one.length == other.length && memcmp(one.begin, other.begin, one.length) == 0;
}

bool clr_word_is(struct clr_word word, const char *text) {
  return strlen(text) == word.length && memcmp(word.begin, text, word.length) == 0;
}

struct clr_word clr_identifier_at(const char *at) {
  struct clr_word word = {at, 0};
  if (isalpha((unsigned char)*at) || *at == '_')
    while (isalnum((unsigned char)at[word.length]) || at[word.length] == '_')
      word.length++;
  return word;
}

const char *clr_skip_blanks(const char *at) {
  return at + strspn(at, " \t");
}

bool clr_is_callers(struct clr_word name) {
  return !memchr(name.begin, '.', name.length) && !clr_word_is(name, "generated");
}

bool clr_line_is_blank(const struct clr_line *line) {
  return clr_skip_blanks(line->text.begin) >= line->text.begin + line->text.length;
}

bool clr_line_add(struct clr_lines *lines, struct clr_line line) {
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

// True if a compiler may name the number of this line in a message.
static bool is_code(const struct clr_line *line) {
  const char *at = clr_skip_blanks(line->text.begin);
  return line->kind == CLR_LINE_CALLER ||
         (line->kind == CLR_LINE_TEXT && line->text.length && strncmp(at, "//", 2) != 0 && *at != '}');
}

static unsigned long count_lines(struct clr_word text) {
  unsigned long count = 1;
  for (size_t i = 0; i < text.length; i++)
    count += text.begin[i] == '\n';
  return count;
}

void clr_lines_write(const struct clr_lines *lines, struct clr_text *text) {
  struct clr_word file = {0};
  unsigned long next = 0;
  bool blank = false;
  for (size_t i = 0; i < lines->count; i++) {
    const struct clr_line *line = &lines->at[i];
    if (line->unused)
      continue;
    if (line->kind == CLR_LINE_TEXT && clr_line_is_blank(line)) {
      blank = true;
      continue;
    }
    const bool goes_on = clr_words_equal(file, line->file);
    if (blank && goes_on) {
      clr_text_append(text, "\n");
      next++;
    }
    if (!goes_on || (next != line->number && is_code(line))) {
      clr_text_format(text, "#line %lu \"%.*s\"\n", line->number, (int)line->file.length, line->file.begin);
      next = line->number;
    }
    clr_text_format(text, "%.*s\n", (int)line->text.length, line->text.begin);
    file = line->file;
    next += count_lines(line->text);
    blank = false;
  }
}
