#define _GNU_SOURCE  // memfd_create

#include "base/standard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static off_t begin = -1;  // -1: a pipe
static struct {
  char *bytes;  // the begin of a pipe; NULL: it is not held
  size_t size, given;
  bool ended;
} held;

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
  ssize_t got = 1;
  held.bytes = malloc(STANDARD_MAX);
  while (held.bytes != NULL && held.size < STANDARD_MAX &&
         (got = read_on(held.bytes + held.size, STANDARD_MAX - held.size)) > 0)
    held.size += (size_t)got;
  held.ended = held.bytes != NULL && got == 0;
}

bool standard_keep(void) {
  if (begin < 0)
    hold();
  return begin >= 0 || held.ended;
}

ssize_t standard_read(void *to, size_t size) {
  const size_t left = held.size - held.given, count = size < left ? size : left;
  if (left == 0)
    return held.ended ? 0 : read_on(to, size);
  memcpy(to, held.bytes + held.given, count);
  held.given += count;
  return (ssize_t)count;
}

bool standard_replace(int file) {
  if (dup2(file, STDIN_FILENO) < 0)
    return false;
  free(held.bytes);
  held.bytes = NULL;
  held.size = held.given = 0;
  held.ended = false;
  begin = 0;
  return true;
}

bool standard_again(void) {
  int file = -1;
  if (begin >= 0)
    return lseek(STDIN_FILENO, begin, SEEK_SET) == begin;
  if (held.bytes == NULL)
    return true;  // nothing was read
#ifdef MFD_CLOEXEC
  file = memfd_create("clreduce", MFD_CLOEXEC);
#endif
  return file >= 0 && held.ended && write(file, held.bytes, held.size) == (ssize_t)held.size &&
         lseek(file, 0, SEEK_SET) == 0 && dup2(file, STDIN_FILENO) >= 0;
}
