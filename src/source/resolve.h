// Puts a program's text together: expands #include, takes the side of every #if that the plan decides, and leaves out
// macros that nothing names (cl/README.md, "How a program is put together").
#ifndef CLR_SOURCE_RESOLVE_H
#define CLR_SOURCE_RESOLVE_H

#include "base/status.h"
#include "base/text.h"

// Gives the text of a file in cl/ by its name, NULL if there is none; it is valid until the next. `from` is passed
// through.
typedef const char *clr_read_file(void *from, const char *name);

// Looks at the text of a file from cl/; an error ends the work.
typedef cl_int clr_check_file(const void *of, const char *text, struct clr_status *status);

// A file that is generated for the plan. `#line 1 "NAME"` begins a piece of the caller's operator if NAME has no dot;
// `#line 1 "generated"` ends it.
struct clr_made_file {
  const char *name, *text;
};

struct clr_sources {
  const struct clr_made_file *made;  // up to a row without a name
  clr_read_file *read;
  void *from;
  const char *options;  // of the build: what -D defines counts in conditions
  clr_check_file *check;
  const void *check_of;
};

// Appends the text of `root` with all that it includes.
cl_int clr_resolve(const struct clr_sources *sources, const char *root, struct clr_text *text,
                   struct clr_status *status);

#endif
