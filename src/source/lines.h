// The lines of a program while it is put together: resolve.c gathers them, unused.c leaves some out.
#ifndef CLR_SOURCE_LINES_H
#define CLR_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>

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

// A line, with the lines that continue it behind a backslash.
struct clr_line {
  struct clr_word text;
  struct clr_word file;   // where it comes from
  unsigned long number;   // there
  struct clr_word macro;  // that it defines or undefines
  enum clr_line_kind kind;
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

// --- unused.c ---
// Marks as unused the macros that nothing else names. JOIN makes names of two parts, so a word that ends in an underscore
// names every macro that begins with it, and a word names itself with an underscore and a number behind it. False if
// memory runs out.
bool clr_find_unused(struct clr_lines *lines);

#endif
