// Reads a caller's text: finds names in it, checks that brackets, comments and strings are closed, and looks up its
// types in the library's tables.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/custom.h"

// The position of a name in a text, counted from 1.
struct clr_place {
  const char *text;
  size_t length;
  unsigned line, column;
};

// Returns the end of the comment, string or character literal at `at`; `at` if there is none, NULL if it has no end.
const char *clr_skip_foreign(const char *at);

// Finds the first identifier outside strings and comments that begins with clred_; false if there is none.
bool clr_find_reserved(const char *text, struct clr_place *place);

// Finds the first macro that `text` defines and `source` uses; false if there is none.
bool clr_find_macro_of(const char *text, const char *source, struct clr_place *place);

// True if the text is a function body: it begins with a brace after blanks and comments.
bool clr_is_body(const char *text);

// True if the word return occurs in the text outside comments and strings.
bool clr_returns(const char *text);

// Finds what an expression assigns to, as in x = 1 or x.each[0]++; false if there is none. Braces are skipped, because
// they may hold designators and statements.
bool clr_find_assigned(const char *text, struct clr_place *place);

bool clr_is_identifier(const char *name);

// Removes blanks from both ends, in place.
void clr_trim(char *text);

// Finds the first unmatched bracket, or the comment or string without an end; false if there is none. A text that
// passes cannot change the meaning of the text around it.
bool clr_find_unbalanced(const char *text, struct clr_place *place);

// A line of a preamble that includes a file of cl/exact/.
struct clr_included {
  const char *begin, *end;  // from the # to the quote after the name
  struct clr_place name;    // the name between the quotes
};

// Finds the first such line of `text` at or after `from`; false if there is none. Comments and strings are skipped. The
// brackets, comments and strings of the text must be balanced.
bool clr_find_included(const char *text, const char *from, struct clr_included *found);

// --- Types of the tables ---

// Returns how elements of a type are read: STRUCT if the tables do not have it.
enum clr_reading clr_custom_reading(const char *type);

// True for types that exist in memory only: half and bfloat16. Their values are floats.
bool clr_custom_is_storage(enum clr_reading reading);

// Returns bytes; 0 if the tables do not have the type.
size_t clr_custom_size(const char *type);

// True if a type that the operator names is double. Types in the preamble are not searched.
bool clr_custom_needs_fp64(const struct clr_custom *custom);

// Checks that state, elements and inputs can be vectors if the caller says that the operator is elementwise.
cl_int clr_custom_check_elementwise(const struct clr_custom *custom, struct clr_status *status);
