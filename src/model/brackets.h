// Whether a caller's text stands by itself: its brackets, comments and strings end where they should.
#ifndef CLR_MODEL_BRACKETS_H
#define CLR_MODEL_BRACKETS_H

#include <stdbool.h>

#include "model/identifiers.h"

// The first bracket that closes nothing or is never closed, or the comment or string without an end; false if there is
// none. A text without them cannot run into what stands before or after it.
bool clr_find_unbalanced(const char *text, struct clr_place *place);

#endif
