// Bytes from a file, a pipe or standard input, read once from front to back. Nothing is allocated on the word of the
// data: a file's size is known, and for a pipe memory grows as bytes arrive.

#ifndef CLREDUCE_TOOL_STREAM_H
#define CLREDUCE_TOOL_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"

struct stream {
  int descriptor;    // -1: closed
  const char *name;  // for messages
  bool sized;        // a regular file: `left` is known
  uint64_t left;
};

// Opens the file, or standard input for "-".
int stream_open(struct stream *stream, const char *path);

// Reads up to `size` bytes; `got` is less only at the end. `progress` may be NULL.
int stream_read(struct stream *stream, void *to, uint64_t size, uint64_t *got, struct progress *progress);

// Reads up to `most` bytes into new pages (see pages.h), which the caller frees; also on failure *data can be freed.
int stream_read_pages(struct stream *stream, uint64_t most, void **data, uint64_t *got, struct progress *progress);

// Passes over `size` bytes; `skipped` is less only at the end.
int stream_skip(struct stream *stream, uint64_t size, uint64_t *skipped);

void stream_close(struct stream *stream);

#endif
