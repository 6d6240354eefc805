// A .npy file, or a text, of results that are computed piece by piece, so that their number may be unknown before the
// last piece.
#pragma once

#include "base/output.h"
#include "run/results.h"

struct results_file {
  struct output output;
  FILE *data;     // the output, or a temporary file if the output is a pipe: a header in a pipe cannot be rewritten
  size_t header;  // bytes
  bool text;      // lines, without a header
};

// Reserves the header. `layout` has the final number of dimensions, and lengths that are final or larger. Returns an
// exit code, like all functions here. Call results_file_close in any case.
int results_file_open(struct results_file *file, const struct results *results, const struct layout *layout,
                      const char *option, const char *path, bool text);

int results_file_append(struct results_file *file, const struct results *results);

// If `code` is EXIT_DONE, writes the final header, and the file appears; otherwise nothing is left. Returns `code`, or
// the exit code of its own failure.
int results_file_close(struct results_file *file, const struct results *results, const struct layout *layout, int code);
