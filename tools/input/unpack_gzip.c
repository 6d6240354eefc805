// gzip, by zlib: members one after the other, with zeros behind the last as tapes have them.
#include "input/unpack.h"

#ifdef CLREDUCE_ZLIB

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/fail.h"

enum { GZIP_WINDOW = 15 + 16 };  // the largest window, and the header and checksum of gzip

static int open_gzip(struct unpacker *unpacker) {
  z_stream *zlib = calloc(1, sizeof *zlib);
  if (zlib == NULL || inflateInit2(zlib, GZIP_WINDOW) != Z_OK) {
    free(zlib);
    return fail_memory();
  }
  unpacker->state = zlib;
  return EXIT_DONE;
}

// True if a member begins at bytes[at].
static bool begin_member(struct unpacker *unpacker) {
  while (unpacker->at < unpacker->filled && unpacker->bytes[unpacker->at] == 0)
    unpacker->at++;
  return unpacker->at < unpacker->filled && inflateReset(unpacker->state) == Z_OK;
}

static enum step unpack_some(struct unpacker *unpacker, void *to, size_t size, size_t *made, const char **error) {
  z_stream *zlib = unpacker->state;
  if (!unpacker->inside && !begin_member(unpacker))
    return STEP_BETWEEN;
  uInt room = size < UINT_MAX ? (uInt)size : UINT_MAX;
  zlib->next_in = unpacker->bytes + unpacker->at;
  zlib->avail_in = (uInt)(unpacker->filled - unpacker->at);
  zlib->next_out = to;
  zlib->avail_out = room;
  int status = inflate(zlib, Z_NO_FLUSH);
  unpacker->at = unpacker->filled - zlib->avail_in;
  *made = room - zlib->avail_out;
  *error = zlib->msg != NULL ? zlib->msg : zError(status);
  if (status == Z_STREAM_END)
    return STEP_BETWEEN;
  return status == Z_OK || status == Z_BUF_ERROR ? STEP_INSIDE : STEP_DAMAGED;
}

static void close_gzip(struct unpacker *unpacker) {
  if (unpacker->state != NULL)
    inflateEnd(unpacker->state);
  free(unpacker->state);
}

const struct unpacking unpacking_gzip = {.name = "gzip", .open = open_gzip, .take = unpack_some, .close = close_gzip};

#else

const struct unpacking unpacking_gzip = {.name = "gzip", .library = "zlib", .by_hand = "gzip -dc"};

#endif
