// Unpacks compressed bytes while they are read, in memory of constant size. Only an archive from a pipe is held whole.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "input/stream.h"

enum { UNPACKER_PIECE = 1 << 17 };

struct unpacker {
  const struct unpacking *unpacking;
  struct stream packed;
  uint64_t packed_size;   // of the whole file; 0 if it is not known
  const char *member;     // the wanted file of an archive, NULL for the only one; once open, its name there
  void *state;            // of the decoder
  bool inside;            // the bytes so far end within a frame
  bool dry, ended;        // no packed bytes, no unpacked bytes follow
  size_t at, filled;      // bytes[at] to bytes[filled - 1] are unpacked next
  uint64_t packed_bytes;  // how many were read so far
  unsigned char bytes[UNPACKER_PIECE];
};

enum step { STEP_INSIDE, STEP_BETWEEN, STEP_DAMAGED };  // within a frame, at its end, or in damaged bytes

// A format of packed data. `open` and `read` return exit codes.
struct unpacking {
  const char *name;
  int (*open)(struct unpacker *unpacker);
  // A format has one of the next two. `read` gets less than `size` only at the end. `take` is for sequences of frames:
  // it unpacks some of the bytes from bytes[at] on, moves `at`, and says what is there now. If the bytes are damaged,
  // it sets `error`.
  int (*read)(struct unpacker *unpacker, void *to, uint64_t size, uint64_t *got);
  enum step (*take)(struct unpacker *unpacker, void *to, size_t size, size_t *made, const char **error);
  void (*close)(struct unpacker *unpacker);  // also after `open` failed
  // Set instead of the functions if clreduce was built without the library.
  const char *library, *by_hand;
};

extern const struct unpacking unpacking_gzip, unpacking_zstd, unpacking_zip;

// From now on the stream returns the unpacked bytes. Its size is not known any more. `member` is the wanted file if it
// is an archive, NULL for the only one. On success it becomes the file's name, or NULL if it is no archive.
int stream_unpack(struct stream *stream, const struct unpacking *unpacking, const char **member);

// Bytes of the packed file, as far as it is known or was read; 0 if the stream is not unpacked.
uint64_t stream_packed_bytes(const struct stream *stream);

// ---- What an input is, found from its first bytes

struct source;
struct unpacking;

// A format that is recognized by its first bytes.
struct content {
  const char *what;    // as in "x.npy: is a .npy file"
  const char *begins;  // the first bytes; a byte that is '?' may have any value
  size_t size;
  const struct unpacking *unpacking;  // how to unpack it, else NULL
  const struct source *source;        // how to read its elements, else NULL
  const char *instead;                // what to do with it if there is neither
};

// NULL if the bytes begin like nothing known.
const struct content *content_of(const void *bytes, size_t size);
