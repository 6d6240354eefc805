// Reads standard input several times.
#define _XOPEN_SOURCE 700  // fileno

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/standard.h"
#include "input/stream.h"
#include "input/unpack.h"

bool stream_is_pipe(const char *path) {
  struct stat status;
  return strcmp(path, "-") != 0 && stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool is_regular(void) {
  struct stat status;
  return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

static int cannot_keep(void) {
  return fail(
    EXIT_WORK_FAILED,
    "standard input: cannot keep it in a temporary file: %s; set TMPDIR to a directory with room, or give a file",
    strerror(errno));
}

// Bytes of a device may have no end. What is neither text nor of a known format is refused when it is opened.
static bool may_be_text(const char *bytes, size_t size) {
  return content_of(bytes, size) != NULL || memchr(bytes, '\0', size) == NULL;
}

static int copy(FILE *kept, struct progress *progress) {
  enum { PIECE = 1 << 20 };
  struct stream stream;
  char *piece = malloc(PIECE);
  uint64_t got = PIECE;
  bool goes_on = true;
  int code = piece == NULL ? fail_memory() : stream_open(&stream, "-");
  for (bool first = true; !code && goes_on; first = false) {
    code = stream_read(&stream, piece, PIECE, &got, progress);
    if (!code && fwrite(piece, 1, got, kept) < got)
      code = cannot_keep();
    goes_on = got == PIECE && (!first || may_be_text(piece, PIECE));
  }
  free(piece);
  return code;
}

// A temporary file must not get the place of a standard input that is closed.
static int check_open(void) {
  if (fcntl(STDIN_FILENO, F_GETFD) >= 0)
    return EXIT_DONE;
  return fail(EXIT_WORK_FAILED, "standard input: cannot read: %s", strerror(errno));
}

static int keep(struct progress *progress) {
  FILE *kept = output_without_name();
  if (kept == NULL)
    return cannot_keep();
  int code = copy(kept, progress);
  progress_end(progress);
  if (!code && (fflush(kept) != 0 || !standard_replace(fileno(kept))))
    code = cannot_keep();
  fclose(kept);
  return code;
}

int stream_repeat_standard(off_t *start, bool again, struct progress *progress) {
  int code = EXIT_DONE;
  if (!again) {
    *start = is_regular() ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    code = check_open();
    if (!code && !is_regular())
      code = keep(progress);
  }
  if (!code && lseek(STDIN_FILENO, *start, SEEK_SET) < 0)
    code = cannot_keep();
  return code;
}
