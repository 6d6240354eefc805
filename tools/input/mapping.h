// A part of a regular file as memory, so that a device which shares the host's memory reads it where the kernel has it,
// without a copy.

#ifndef CLREDUCE_TOOL_MAPPING_H
#define CLREDUCE_TOOL_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "input/stream.h"

struct mapping {
  void *pages;    // NULL: nothing is mapped
  uint64_t size;  // of the pages
  const void *data;
  char last_words[512];  // of a process that cannot go on
};

// Maps `size` bytes of the file, `behind` bytes after the place where the stream stands. False where the file cannot be
// mapped. The mapping must stay where it is. From then on, where the file turns out to be shorter than it was, or
// cannot be read, the process ends as it does after any failure to read: with a line on standard error and
// EXIT_WORK_FAILED.
bool mapping_open(struct mapping *mapping, const struct stream *stream, uint64_t behind, uint64_t size);

void mapping_close(struct mapping *mapping);

// That the file still has `size` bytes where the stream stands: what a file lost within its last page reads as zeros.
// An exit code.
int mapping_check(const struct stream *stream, uint64_t size);

#endif
