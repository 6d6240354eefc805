// Zstandard, by libzstd: frames one after the other. The library refuses frames that need more than 128 MiB of memory.
#include "input/unpack.h"

#ifdef CLREDUCE_ZSTD

#include <zstd.h>

#include "base/fail.h"

static int open_zstd(struct unpacker *unpacker) {
  unpacker->state = ZSTD_createDCtx();
  return unpacker->state == NULL ? fail_memory() : EXIT_DONE;
}

static enum step unpack_some(struct unpacker *unpacker, void *to, size_t size, size_t *made, const char **error) {
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

const struct unpacking unpacking_zstd = {.name = "zstd", .open = open_zstd, .take = unpack_some, .close = close_zstd};

#else

const struct unpacking unpacking_zstd = {.name = "zstd", .library = "libzstd", .by_hand = "zstd -dc"};

#endif
