// Unpacks gzip and Zstandard, and what all ways of packing share: the packed bytes, the sequence of frames, and
// messages about damage.
#include "input/unpack.h"

#include <limits.h>
#include <stdlib.h>
#ifdef CLREDUCE_ZLIB
#include <zlib.h>
#endif
#ifdef CLREDUCE_ZSTD
#include <zstd.h>
#endif

#include "base/fail.h"

// ---- Frames

static int fill(struct unpacker *unpacker) {
  uint64_t got;
  int code = stream_read(&unpacker->packed, unpacker->bytes, sizeof unpacker->bytes, &got, NULL);
  unpacker->at = 0;
  unpacker->filled = (size_t)got;
  unpacker->packed_bytes += got;
  unpacker->dry = got == 0;
  return code;
}

static int truncated(const struct unpacker *unpacker) {
  return fail(EXIT_BAD_USE, "%s: truncated: its %s data ends after %llu bytes, before it is complete; get it again",
              unpacker->packed.name, unpacker->unpacking->name, (unsigned long long)unpacker->packed_bytes);
}

static int damaged(const struct unpacker *unpacker, const char *error) {
  uint64_t place = unpacker->packed_bytes - (unpacker->filled - unpacker->at);
  return fail(EXIT_BAD_USE, "%s: damaged: its %s data is wrong before byte %llu (%s); get it again",
              unpacker->packed.name, unpacker->unpacking->name, (unsigned long long)place, error);
}

// The decoder may hold unpacked bytes back, so it is also called when no packed bytes follow.
static int read_piece(struct unpacker *unpacker, void *to, size_t size, size_t *made) {
  const char *error = "";
  int code = unpacker->at == unpacker->filled && !unpacker->dry ? fill(unpacker) : EXIT_DONE;
  *made = 0;
  unpacker->ended = unpacker->dry && !unpacker->inside;
  if (code || unpacker->ended)
    return code;
  enum step step = unpacker->unpacking->take(unpacker, to, size, made, &error);
  unpacker->inside = step == STEP_INSIDE;
  if (step == STEP_DAMAGED)
    return damaged(unpacker, error);
  return unpacker->dry && unpacker->inside && *made == 0 ? truncated(unpacker) : EXIT_DONE;
}

static int read_frames(struct unpacker *unpacker, void *to, uint64_t size, uint64_t *got) {
  int code = EXIT_DONE;
  *got = 0;
  while (*got < size && !unpacker->ended && !code) {
    size_t made;
    code = read_piece(unpacker, (char *)to + *got, (size_t)(size - *got), &made);
    *got += made;
  }
  return code;
}

// ---- The unpacked stream

static int read_unpacked(void *state, void *to, uint64_t size, uint64_t *got) {
  struct unpacker *unpacker = state;
  return (unpacker->unpacking->take != NULL ? read_frames : unpacker->unpacking->read)(unpacker, to, size, got);
}

static void release(void *state) {
  struct unpacker *unpacker = state;
  unpacker->unpacking->close(unpacker);
  stream_close(&unpacker->packed);
  free(unpacker);
}

static const struct origin unpacked = {read_unpacked, release};

int stream_unpack(struct stream *stream, const struct unpacking *unpacking, const char **member) {
  if (unpacking->open == NULL)
    return fail(EXIT_BAD_USE, "%s: is packed by %s, but this clreduce was built without %s; unpack it first, as by %s",
                stream->name, unpacking->name, unpacking->library, unpacking->by_hand);
  struct unpacker *unpacker = calloc(1, sizeof *unpacker);
  if (unpacker == NULL)
    return fail_memory();
  unpacker->unpacking = unpacking;
  unpacker->packed = *stream;
  unpacker->packed_size = stream->left;
  unpacker->member = *member;
  *stream = (struct stream){.descriptor = -1, .name = stream->name, .origin = &unpacked, .state = unpacker};
  int code = unpacking->open(unpacker);
  *member = unpacker->member;
  return code;
}

// Data may be packed several times.
uint64_t stream_packed_bytes(const struct stream *stream) {
  const struct unpacker *unpacker = stream->state;
  if (stream->origin != &unpacked)
    return 0;
  uint64_t below = stream_packed_bytes(&unpacker->packed);
  uint64_t known = unpacker->packed_size > 0 ? unpacker->packed_size : unpacker->packed_bytes;
  return below > 0 ? below : known;
}

// ---------------------------------------------------------------- gzip, by zlib: members one after the other, with
// zeros behind the last as tapes have them

#ifdef CLREDUCE_ZLIB

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

static enum step unpack_member(struct unpacker *unpacker, void *to, size_t size, size_t *made, const char **error) {
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

const struct unpacking unpacking_gzip = {.name = "gzip", .open = open_gzip, .take = unpack_member, .close = close_gzip};

#else

const struct unpacking unpacking_gzip = {.name = "gzip", .library = "zlib", .by_hand = "gzip -dc"};

#endif

// ---------------------------------------------------------------- Zstandard, by libzstd: frames one after the other.
// The library refuses those that need more than 128 MiB

#ifdef CLREDUCE_ZSTD

static int open_zstd(struct unpacker *unpacker) {
  unpacker->state = ZSTD_createDCtx();
  return unpacker->state == NULL ? fail_memory() : EXIT_DONE;
}

static enum step unpack_frame(struct unpacker *unpacker, void *to, size_t size, size_t *made, const char **error) {
  ZSTD_inBuffer in = {unpacker->bytes, unpacker->filled, unpacker->at};
  ZSTD_outBuffer out = {to, size, 0};
  size_t status = ZSTD_decompressStream(unpacker->state, &out, &in);
  unpacker->at = in.pos;
  *made = out.pos;
  *error = ZSTD_getErrorName(status);
  if (ZSTD_isError(status))
    return STEP_DAMAGED;
  return status == 0 ? STEP_BETWEEN : STEP_INSIDE;
}

static void close_zstd(struct unpacker *unpacker) {
  ZSTD_freeDCtx(unpacker->state);
}

const struct unpacking unpacking_zstd = {.name = "zstd", .open = open_zstd, .take = unpack_frame, .close = close_zstd};

#else

const struct unpacking unpacking_zstd = {.name = "zstd", .library = "libzstd", .by_hand = "zstd -dc"};

#endif
