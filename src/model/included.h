// The files of cl/ that a caller's preamble may include (docs/operators.md). Their names begin with exact/. The
// compiler looks for all other files. custom.c and source/operation_text.c call this.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "model/identifiers.h"

// An #include of a file whose name begins with exact/.
struct clr_included {
  const char *begin, *end;  // from the # to the quote after the name
  struct clr_place name;    // the name between the quotes
};

// Finds the first such #include of `text` that does not stand before `from`; false if there is none. Comments and
// strings are skipped. The brackets, comments and strings of the text must be balanced.
bool clr_find_included(const char *text, const char *from, struct clr_included *found);

// Refuses an #include of a file that does not exist, or that is not for callers. `preamble` may be NULL.
cl_int clr_check_included(const char *operator_name, const char *preamble, struct clr_status *status);

// True if the preamble includes a file that computes in doubles.
bool clr_included_needs_fp64(const char *preamble);
