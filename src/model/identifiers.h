// Finds names in a caller's text.
#ifndef CLR_MODEL_IDENTIFIERS_H
#define CLR_MODEL_IDENTIFIERS_H

#include <stdbool.h>
#include <stddef.h>

// The position of a name in a text, counted from 1.
struct clr_place {
  const char *text;
  size_t length;
  unsigned line, column;
};

// Returns the end of the comment, string or character literal at `at`; `at` if there is none, NULL if it has no end.
const char *clr_skip_foreign(const char *at);

// Computes the line and column of `at` in `text`.
void clr_find_place(const char *text, const char *at, struct clr_place *place);

// Finds the first identifier outside strings and comments that begins with clred_; false if there is none.
bool clr_find_reserved(const char *text, struct clr_place *place);

// Finds the first macro that `text` defines and `source` uses; false if there is none.
bool clr_find_macro_of(const char *text, const char *source, struct clr_place *place);

// True if the text is a function body: it begins with a brace after blanks and comments.
bool clr_is_body(const char *text);

// True if the word return occurs in the text outside comments and strings.
bool clr_returns(const char *text);

bool clr_is_identifier(const char *name);

// Removes blanks from both ends, in place.
void clr_trim(char *text);

#endif
