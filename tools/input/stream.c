// Reads from a descriptor, in pieces that are small enough for the progress bar.
#include "input/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"

enum { PIECE = 1 << 24, FIRST_GUESS = 1 << 16, PAGE = 4096 };

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static int cannot(const struct stream *stream, const char *what) {
  return fail(EXIT_WORK_FAILED, "%s: cannot %s: %s", stream->name, what, strerror(errno));
}

// Standard input may be a regular file that was partly read. Files of the kernel (/proc) have size 0 but contain data.
static void find_size(struct stream *stream) {
  struct stat status;
  if (fstat(stream->descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return;
  off_t at = lseek(stream->descriptor, 0, SEEK_CUR);
  if (at < 0 || status.st_size <= at)
    return;
  stream->sized = true;
  stream->left = (uint64_t)(status.st_size - at);
}

int stream_open(struct stream *stream, const char *path) {
  bool is_standard = strcmp(path, "-") == 0;
  *stream = (struct stream){.descriptor = STDIN_FILENO, .name = is_standard ? "standard input" : path};
  if (!is_standard)
    stream->descriptor = open(path, O_RDONLY);
  if (stream->descriptor < 0)
    return cannot(stream, "open");
  find_size(stream);
  return EXIT_DONE;
}

int stream_read(struct stream *stream, void *to, uint64_t size, uint64_t *got, struct progress *progress) {
  *got = 0;
  while (*got < size) {
    ssize_t count = read(stream->descriptor, (char *)to + *got, (size_t)least(size - *got, PIECE));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return cannot(stream, "read");
    if (count == 0)
      break;
    *got += (uint64_t)count;
    if (progress != NULL)
      progress_bytes(progress, "reading", stream->taken + *got, stream->sized ? stream->taken + stream->left : 0);
  }
  stream->left -= least(stream->left, *got);
  stream->taken += *got;
  return EXIT_DONE;
}

// ---- Memory in whole pages

void *pages_allocate(uint64_t size) {
  void *memory = NULL;
  uint64_t whole = size == 0 ? PAGE : (size + PAGE - 1) / PAGE * PAGE;
  if (whole < size || whole > SIZE_MAX / 2)
    return NULL;
  return posix_memalign(&memory, PAGE, (size_t)whole) == 0 ? memory : NULL;
}

// Moves `used` bytes to a new block of `size` bytes. On failure returns NULL and keeps the old block.
static void *grow(void *old, uint64_t used, uint64_t size) {
  void *grown = pages_allocate(size);
  if (grown == NULL)
    return NULL;
  if (used > 0)
    memcpy(grown, old, (size_t)used);
  free(old);
  return grown;
}

// A known size is allocated at once. An unknown size grows by doubling.
int stream_read_pages(struct stream *stream, uint64_t most, void **data, uint64_t *got, struct progress *progress) {
  uint64_t room = stream->sized ? least(most, stream->left) : least(most, FIRST_GUESS);
  uint64_t piece = 0;

  *got = 0;
  *data = pages_allocate(room);
  while (*data != NULL) {
    int code = stream_read(stream, (char *)*data + *got, room - *got, &piece, progress);
    *got += piece;
    if (code || *got < room || room == most || stream->sized)
      return code;
    uint64_t grown_room = least(most, room * 2);
    void *grown = grow(*data, *got, grown_room);
    if (grown == NULL)
      break;
    *data = grown;
    room = grown_room;
  }
  return fail(EXIT_WORK_FAILED, "%s: not enough memory for %llu bytes", stream->name, (unsigned long long)room);
}

int stream_read_file(const char *path, uint64_t most, void **data, uint64_t *size) {
  struct stream stream;
  *data = NULL;
  int code = stream_open(&stream, path);
  code = code ? code : stream_read_pages(&stream, most, data, size, NULL);
  stream_close(&stream);
  return code;
}

int stream_skip(struct stream *stream, uint64_t size, uint64_t *skipped) {
  char piece[1 << 16];
  uint64_t got = 0;
  int code;

  *skipped = 0;
  do {
    code = stream_read(stream, piece, least(size - *skipped, sizeof piece), &got, NULL);
    *skipped += got;
  } while (!code && got > 0);
  return code;
}

void stream_close(struct stream *stream) {
  if (stream->descriptor > STDIN_FILENO)
    close(stream->descriptor);
  stream->descriptor = -1;
}
