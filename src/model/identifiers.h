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

// The end of the comment, string or character literal that begins at `at`; `at` if none does, NULL if it has no end.
const char *clr_skip_foreign(const char *at);

// Computes the line and column of `at` in `text`.
void clr_find_place(const char *text, const char *at, struct clr_place *place);

// The first identifier outside strings and comments that begins with clred_; false if there is none.
bool clr_find_reserved(const char *text, struct clr_place *place);

// The first macro that `text` defines and whose name `source` uses; false if there is none.
bool clr_find_macro_of(const char *text, const char *source, struct clr_place *place);

// Whether the text is a function's body: it begins with a brace, blanks and comments aside.
bool clr_is_body(const char *text);

// Whether the word return stands in the text outside comments and strings.
bool clr_returns(const char *text);

bool clr_is_identifier(const char *name);

// Removes blanks from both ends, in place.
void clr_trim(char *text);

#endif
