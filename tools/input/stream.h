// Reads bytes from a file, a pipe or standard input, once from front to back. Memory for a pipe grows as bytes arrive.
// unpack.h has streams of compressed bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"

enum { STREAM_AHEAD_MAX = 64 };

// Where bytes come from if not from a descriptor.
struct origin {
  int (*read)(void *state, void *to, uint64_t size, uint64_t *got);  // `got` is 0 only at the end
  void (*release)(void *state);
};

struct stream {
  int descriptor;    // -1 if closed, or if there is an origin
  const char *name;  // for messages
  bool sized;        // a regular file, so that `left` is known
  uint64_t left;
  uint64_t taken;                         // bytes that were read
  unsigned char ahead[STREAM_AHEAD_MAX];  // bytes that stream_look read and stream_read returns next
  size_t ahead_count;
  const struct origin *origin;  // NULL: the bytes come from the descriptor
  void *state;                  // of the origin
};

// Opens a file, or standard input for "-". Returns an exit code, like all functions here.
int stream_open(struct stream *stream, const char *path);

// True if the name of the file, or of the file in an archive, has this ending. If the data is packed, .gz or .zst may
// follow, as in a.csv.gz.
bool stream_is_named(const struct stream *stream, const char *ending);

// Copies the next `size` bytes, at most STREAM_AHEAD_MAX. stream_read returns them again. `got` is smaller only at the
// end. The position of a regular file does not change.
int stream_look(struct stream *stream, void *to, size_t size, size_t *got);

// Reads `size` bytes; `got` is smaller only at the end. `progress` may be NULL.
int stream_read(struct stream *stream, void *to, uint64_t size, uint64_t *got, struct progress *progress);

// Calls read(from, ...) to fill new pages, until a call gives less than `size` bytes or there are `most` bytes. Begins
// with memory for `first` bytes and doubles it when it is full. `name` is for messages. The caller frees *data, also
// after a failure.
typedef int pages_reader(void *from, void *to, uint64_t size, uint64_t *got);
int pages_read(const char *name, pages_reader *read, void *from, uint64_t first, uint64_t most, void **data,
               uint64_t *got);

// Reads up to `most` bytes into new pages. The caller frees *data, also after a failure.
int stream_read_pages(struct stream *stream, uint64_t most, void **data, uint64_t *got, struct progress *progress);

// Opens a file, reads up to `most` bytes of it into new pages, and closes it. The caller frees *data in any case.
int stream_read_file(const char *path, uint64_t most, void **data, uint64_t *size);

// Skips `size` bytes; `skipped` is smaller only at the end.
int stream_skip(struct stream *stream, uint64_t size, uint64_t *skipped);

// Reads a stream with an origin to its end, where a checksum may be. Does nothing for other streams.
int stream_finish(struct stream *stream);

void stream_close(struct stream *stream);

// Memory for elements in whole pages, which a device that shares the host's memory can use without a copy. Allocates at
// least one page. NULL if memory is short. Release it with free.
void *pages_allocate(uint64_t size);

// Moves `used` bytes to a new block of `size` bytes. On failure returns NULL and keeps the old block, which may be
// NULL.
void *pages_grow(void *old, uint64_t used, uint64_t size);

// ---- A part of a regular file, mapped: a device that shares the host's memory reads it without a copy

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
