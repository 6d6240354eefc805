// The lines of a program while it is put together: resolve.c adds them, unused.c marks those that nothing uses, and
// lines.c writes the others.
#ifndef CLR_SOURCE_LINES_H
#define CLR_SOURCE_LINES_H

#include "base/text.h"

// A name or another part of a text, which lives elsewhere.
struct clr_word {
  const char *begin;
  size_t length;
};

enum clr_line_kind {
  CLR_LINE_TEXT,
  CLR_LINE_DEFINE,
  CLR_LINE_UNDEF,
  CLR_LINE_CALLER  // of the caller's operator: passed on as it is
};

// What stands between a line and the one before it that was passed on.
enum clr_gap {
  CLR_GAP_NONE,
  CLR_GAP_BRANCH,  // only conditions, and lines that they leave out
  CLR_GAP_FILE     // another file, or the begin of this one
};

// A line, with the lines that continue it behind a backslash.
struct clr_line {
  struct clr_word text;
  struct clr_word file;   // where it comes from
  unsigned long number;   // there
  struct clr_word macro;  // that it defines or undefines
  enum clr_line_kind kind;
  enum clr_gap gap;
  bool unused;
};

struct clr_lines {
  struct clr_line *at;
  size_t count, capacity;
};

bool clr_word_is(struct clr_word word, const char *text);
bool clr_words_equal(struct clr_word one, struct clr_word other);

// The identifier that begins at `at`, or one of length 0.
struct clr_word clr_identifier_at(const char *at);
const char *clr_skip_blanks(const char *at);

// True if the name in a #line is that of a piece of the caller's operator. The library's files have a dot in their
// names.
bool clr_is_callers(struct clr_word name);

bool clr_line_is_blank(const struct clr_line *line);
bool clr_line_add(struct clr_lines *lines, struct clr_line line);  // false if memory runs out

// Appends the lines that are in use. Writes #line where another file begins, and before code whose number a compiler
// would count wrong. Keeps one blank line where a file goes on behind blank lines.
void clr_lines_write(const struct clr_lines *lines, struct clr_text *text);

// --- unused.c ---
// Marks as unused the macros and functions that nothing else names, and comments above them. JOIN makes names of two
// parts:
//   - a word that ends in an underscore names the macros of it and another word, as LOAD_ and FLOAT name LOAD_FLOAT;
//   - a word names the macro of it, an underscore and a number;
//   - a function is named by its name, and by that with an underscore, and then perhaps a width or a suffix of kernels.
// A function is what begins in the first column, names itself after clred_, and has its braces in the first column,
// too. False if memory runs out.
bool clr_find_unused(struct clr_lines *lines);

#endif
