// A file of a zip archive, by libzip, which reads the list of files first. An .npz is such an archive; the file of the
// array `prices` is prices.npy. Names are compared and printed, never used as paths.
#define _XOPEN_SOURCE 700  // fdopen

#include "input/unpack.h"

#ifdef CLREDUCE_ZIP

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "base/fail.h"
#include "base/wrap.h"

enum { ARCHIVE_MAX = 1 << 30, LIST_SIZE = 512 };

struct archive {
  zip_t *zip;
  zip_file_t *file;
  uint64_t read;  // bytes of the file so far
};

static int damaged(const struct unpacker *unpacker, zip_error_t *error) {
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
  return damaged(unpacker, &error);
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

// ---- The way of packing

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
