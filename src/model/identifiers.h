// A caller's text: names in it, whether its brackets end, and types of the tables that it names.
#ifndef CLR_MODEL_IDENTIFIERS_H
#define CLR_MODEL_IDENTIFIERS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/custom.h"

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

// The first bracket that closes nothing or is never closed, or the comment or string without an end; false if there is
// none. A text without them cannot run into what stands before or after it.
bool clr_find_unbalanced(const char *text, struct clr_place *place);

// --- Types of the tables ---

// How elements of a type are read: STRUCT if the tables do not have it.
enum clr_reading clr_custom_reading(const char *type);

// Whether the type exists in memory only: half and bfloat16, whose values are floats.
bool clr_custom_is_storage(enum clr_reading reading);

// Bytes; 0 if the tables do not have the type.
size_t clr_custom_size(const char *type);

// Judged by the types that the operator names; a preamble may use others.
bool clr_custom_needs_fp64(const struct clr_custom *custom);

// Checks that state, elements and inputs can be vectors if the caller says that the operator is elementwise.
cl_int clr_custom_check_elementwise(const struct clr_custom *custom, struct clr_status *status);

#endif
