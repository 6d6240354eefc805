// Checks that the brackets, comments and strings of a caller's text end within it.
#ifndef CLR_MODEL_BRACKETS_H
#define CLR_MODEL_BRACKETS_H

#include <stdbool.h>

#include "model/identifiers.h"

// Finds the first unmatched bracket, or the comment or string without an end; false if there is none. A text that
// passes cannot change the meaning of the text around it.
bool clr_find_unbalanced(const char *text, struct clr_place *place);

#endif
