// Unpacks gzip, Zstandard and zip archives. The first part reads the packed bytes and sequences of frames, and reports
// damage; the three formats use it.
#define _XOPEN_SOURCE 700  // fdopen

#include "input/unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef CLREDUCE_ZIP
#include <zip.h>
#endif
#ifdef CLREDUCE_ZLIB
#include <zlib.h>
#endif
#ifdef CLREDUCE_ZSTD
#include <zstd.h>
#endif

#include "base/fail.h"
#include "base/wrap.h"

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

// If the data is packed several times, returns the size of the outermost file.
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

// ---------------------------------------------------------------- A file of a zip archive, by libzip, which reads the
// list of files first. An .npz is such an archive; the file of the array `prices` is prices.npy. Names are compared and
// printed, never used as paths

#ifdef CLREDUCE_ZIP

enum { ARCHIVE_MAX = 1 << 30, LIST_SIZE = 512 };

struct archive {
  zip_t *zip;
  zip_file_t *file;
  uint64_t read;  // bytes of the file so far
};

static int damaged_archive(const struct unpacker *unpacker, zip_error_t *error) {
  int code = fail(zip_error_code_zip(error) == ZIP_ER_MEMORY ? EXIT_WORK_FAILED : EXIT_BAD_USE,
                  "%s: cannot be read as a zip archive: it is truncated or damaged (%s); get it again",
                  unpacker->packed.name, zip_error_strerror(error));
  zip_error_fini(error);
  return code;
}

// ---- The bytes of the archive

// A copy of the descriptor, because libzip closes its file.
static zip_source_t *source_of_file(const struct stream *stream, zip_error_t *error) {
  off_t at = lseek(stream->descriptor, 0, SEEK_CUR);
  int copy = dup(stream->descriptor);
  FILE *file = copy < 0 ? NULL : fdopen(copy, "rb");
  if (file == NULL) {
    zip_error_set(error, ZIP_ER_OPEN, errno);
    if (copy >= 0)
      close(copy);
    return NULL;
  }
  zip_source_t *source = zip_source_filep_create(file, (zip_uint64_t)at, (zip_int64_t)stream->left, error);
  if (source == NULL)
    fclose(file);
  return source;
}

// An archive from a pipe is held in memory: its list of files stands at its end.
static int hold_archive(struct unpacker *unpacker, zip_source_t **source, zip_error_t *error) {
  void *data;
  uint64_t size;
  int code = stream_read_pages(&unpacker->packed, ARCHIVE_MAX + 1ull, &data, &size, NULL);
  if (!code && size > ARCHIVE_MAX)
    code = fail(EXIT_BAD_USE, "%s: an archive from a pipe may have %d bytes; give a longer one as a file",
                unpacker->packed.name, ARCHIVE_MAX);
  *source = code ? NULL : zip_source_buffer_create(data, size, 1, error);
  if (*source == NULL)
    free(data);
  return code;
}

static int open_archive(struct unpacker *unpacker, struct archive *archive) {
  zip_error_t error;
  zip_source_t *source = NULL;
  int code = EXIT_DONE;
  zip_error_init(&error);
  if (unpacker->packed.sized)
    source = source_of_file(&unpacker->packed, &error);
  else
    code = hold_archive(unpacker, &source, &error);
  if (code)
    return code;
  archive->zip = source == NULL ? NULL : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive->zip != NULL)
    return EXIT_DONE;
  zip_source_free(source);
  return damaged_archive(unpacker, &error);
}

// ---- Its files

// The length of the name without .npy.
static size_t length_of_array(const char *name) {
  return strlen(name) - (ends_in(name, ".npy") ? strlen(".npy") : 0);
}

// The array `wanted` is in the file of this name or of this name with .npy; NULL is any array.
static bool is_wanted(const char *name, const char *wanted) {
  bool directory = ends_in(name, "/");
  if (wanted == NULL || directory)
    return !directory;
  return strcmp(name, wanted) == 0 ||
         (strlen(wanted) == length_of_array(name) && strncmp(name, wanted, strlen(wanted)) == 0);
}

static const char *name_of(const struct archive *archive, zip_uint64_t index) {
  const char *name = zip_get_name(archive->zip, index, ZIP_FL_ENC_RAW);
  return name == NULL ? "" : name;
}

static zip_uint64_t count_files(const struct archive *archive) {
  return (zip_uint64_t)zip_get_num_entries(archive->zip, 0);
}

// The number of wanted files; `last` is the last of them.
static size_t find(const struct archive *archive, const char *wanted, zip_uint64_t *last) {
  size_t found = 0;
  for (zip_uint64_t i = 0; i < count_files(archive); i++)
    if (is_wanted(name_of(archive, i), wanted)) {
      *last = i;
      found++;
    }
  return found;
}

static void list_arrays(const struct archive *archive, char list[LIST_SIZE]) {
  char name[128];
  *list = '\0';
  for (zip_uint64_t i = 0; i < count_files(archive); i++) {
    const char *whole = name_of(archive, i);
    if (!is_wanted(whole, NULL))
      continue;
    if (strlen(list) + sizeof name + 8 > LIST_SIZE) {
      list_append(list, LIST_SIZE, ", ", "...");
      return;
    }
    snprintf(name, sizeof name, "%.*s", (int)length_of_array(whole), whole);
    list_append(list, LIST_SIZE, ", ", name);
  }
}

static int refuse_choice(const struct unpacker *unpacker, const struct archive *archive, size_t found) {
  char list[LIST_SIZE];
  const char *name = unpacker->packed.name;
  list_arrays(archive, list);
  if (*list == '\0')
    return fail(EXIT_BAD_USE, "%s: is a zip archive without files; give one with arrays", name);
  if (unpacker->member == NULL)
    return fail(EXIT_BAD_USE, "%s: has several arrays; name one by --array: %s", name, list);
  if (found > 1)
    return fail(EXIT_BAD_USE, "%s: has %zu arrays of the name '%s'; save it again with one", name, found,
                unpacker->member);
  return fail(EXIT_BAD_USE, "%s: has no array '%s'; its arrays are %s", name, unpacker->member, list);
}

static int open_file(struct unpacker *unpacker, struct archive *archive) {
  zip_uint64_t index = 0;
  size_t found = find(archive, unpacker->member, &index);
  if (found != 1)
    return refuse_choice(unpacker, archive, found);
  unpacker->member = name_of(archive, index);
  archive->file = zip_fopen_index(archive->zip, index, 0);
  if (archive->file == NULL)
    return fail(EXIT_BAD_USE, "%s: cannot unpack %s: %s; save it again", unpacker->packed.name, unpacker->member,
                zip_strerror(archive->zip));
  return EXIT_DONE;
}

// ---- For the table of formats

static int open_zip(struct unpacker *unpacker) {
  struct archive *archive = calloc(1, sizeof *archive);
  unpacker->state = archive;
  if (archive == NULL)
    return fail_memory();
  int code = open_archive(unpacker, archive);
  return code ? code : open_file(unpacker, archive);
}

// libzip compares the checksum when it returns 0, at the end.
static int read_zip(struct unpacker *unpacker, void *to, uint64_t size, uint64_t *got) {
  struct archive *archive = unpacker->state;
  zip_int64_t count = zip_fread(archive->file, to, size);
  *got = count < 0 ? 0 : (uint64_t)count;
  archive->read += *got;
  if (count >= 0)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: damaged: %s is wrong after %llu bytes (%s); get it again", unpacker->packed.name,
              unpacker->member, (unsigned long long)archive->read, zip_file_strerror(archive->file));
}

static void close_zip(struct unpacker *unpacker) {
  struct archive *archive = unpacker->state;
  if (archive != NULL && archive->file != NULL)
    zip_fclose(archive->file);
  if (archive != NULL && archive->zip != NULL)
    zip_discard(archive->zip);
  free(archive);
}

const struct unpacking unpacking_zip = {.name = "zip", .open = open_zip, .read = read_zip, .close = close_zip};

#else

const struct unpacking unpacking_zip = {.name = "zip", .library = "libzip", .by_hand = "unzip"};

#endif
