// Maps a part of a regular file. A device that shares the host's memory then reads it without a copy.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "input/stream.h"

struct mapping {
  struct mapping *next;
  void *pages;    // NULL if nothing is mapped
  uint64_t size;  // in bytes
  const void *data;
  char last_words[512];  // the error message, formatted before a signal can occur
};

// Maps `size` bytes of the file, starting `behind` bytes after the position of the stream. Returns false if the file
// cannot be mapped. `mapping` must not move. If the file becomes shorter or cannot be read later, the process prints
// one line and ends with EXIT_WORK_FAILED.
bool mapping_open(struct mapping *mapping, const struct stream *stream, uint64_t behind, uint64_t size);

void mapping_close(struct mapping *mapping);

// Checks that the file still has `size` bytes after the position of the stream: missing bytes in its last page would be
// read as zeros. Returns an exit code.
int mapping_check(const struct stream *stream, uint64_t size);
