#define _GNU_SOURCE  // memfd_create

#include "base/standard.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static off_t begin = -1;  // -1: a pipe
static struct {
  int file;  // what was read; -1: nothing was
  off_t size, given;
  bool ended;
} held = {.file = -1};

void standard_begin(void) {
  begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

static ssize_t read_on(void *to, size_t size) {
  ssize_t count;
  do
    count = read(STDIN_FILENO, to, size);
  while (count < 0 && errno == EINTR);
  return count;
}

static void hold(void) {
  static char piece[1 << 16];
  ssize_t got = 1;
#ifdef MFD_CLOEXEC
  held.file = memfd_create("clreduce", MFD_CLOEXEC);
#endif
  while (held.file >= 0 && held.size < STANDARD_MOST && (got = read_on(piece, sizeof piece)) > 0)
    if (pwrite(held.file, piece, (size_t)got, held.size) == got)
      held.size += got;
  held.ended = held.file >= 0 && got == 0;
}

bool standard_keep(void) {
  if (begin < 0)
    hold();
  return begin >= 0 || held.ended;
}

ssize_t standard_read(void *to, size_t size) {
  if (held.given < held.size) {
    const size_t left = (size_t)(held.size - held.given);
    const ssize_t count = pread(held.file, to, size < left ? size : left, held.given);
    held.given += count > 0 ? count : 0;
    return count;
  }
  return held.ended ? 0 : read_on(to, size);
}

bool standard_replace(int file) {
  if (dup2(file, STDIN_FILENO) < 0)
    return false;
  if (held.file >= 0)
    close(held.file);
  held.file = -1;
  held.size = held.given = begin = 0;
  held.ended = false;
  return true;
}

void standard_again(void) {
  if (begin >= 0)
    lseek(STDIN_FILENO, begin, SEEK_SET);
  else if (held.ended && lseek(held.file, 0, SEEK_SET) == 0)
    dup2(held.file, STDIN_FILENO);
}
