// Reads bytes from a file, a pipe or standard input, once from front to back. Memory for a pipe grows as bytes arrive.
// unpack.h has streams of compressed bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

// True for a named pipe, and for /dev/fd/N of a pipe.
bool stream_is_pipe(const char *path);

// Makes the next stream of "-" begin where the first one began. What is no regular file is kept in a temporary one
// without a name. *start must stay as it is; `again` says that it is set.
int stream_repeat_standard(off_t *start, bool again, struct progress *progress);

// True if the file, or the file in an archive, has a name with this ending. That of packed data may be followed by
// another, as in a.csv.gz.
bool stream_is_named(const struct stream *stream, const char *ending);

// Copies the next `size` bytes, at most STREAM_AHEAD_MAX. stream_read returns them again. `got` is smaller only at the
// end. The position of a regular file does not change.
int stream_look(struct stream *stream, void *to, size_t size, size_t *got);

// Reads `size` bytes; `got` is smaller only at the end. `progress` may be NULL.
int stream_read(struct stream *stream, void *to, uint64_t size, uint64_t *got, struct progress *progress);

// Reads by a function from `from` into new pages, until it gives less than `size` bytes or there are `most`. Room for
// `first` bytes grows by doubling. `name` is for messages. The caller frees *data, also after a failure.
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
