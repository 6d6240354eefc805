// Reads and replaces small files whole; see text_file.h.
#include "opencl/text_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

enum clr_file_state clr_file_read(const char *path, size_t most, char **bytes, size_t *length) {
  *bytes = NULL;
  *length = 0;
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file)
    return errno == ENOENT || errno == ENOTDIR ? CLR_FILE_ABSENT : CLR_FILE_UNREADABLE;
  char *read = malloc(most + 2);
  size_t taken = read ? fread(read, 1, most + 1, file) : 0;
  bool failed = read && ferror(file);
  fclose(file);
  if (!read)
    return CLR_FILE_NO_MEMORY;
  if (failed || taken > most) {
    free(read);
    return failed ? CLR_FILE_UNREADABLE : CLR_FILE_TOO_LARGE;
  }
  read[taken] = 0;
  *bytes = read;
  *length = taken;
  return CLR_FILE_READ;
}

void clr_file_free(char *bytes) {
  free(bytes);
}

// Makes a name for a temporary file. If two writers make the same name, one finds that the file exists and tries
// another.
static void name_beside(const char *path, unsigned attempt, struct clr_text *name) {
  struct timespec now = {0};
  timespec_get(&now, TIME_UTC);
  unsigned mark =
    (unsigned)now.tv_nsec ^ (unsigned)now.tv_sec << 20 ^ (unsigned)((uintptr_t)&now >> 4) ^ attempt * 2654435761u;
  clr_text_format(name, "%s.%08x", path, mark);
}

static FILE *create_beside(const char *path, struct clr_text *name) {
  const unsigned attempts = 8;
  FILE *file = NULL;
  for (unsigned i = 0; i < attempts && !file; i++) {
    clr_text_release(name);
    name_beside(path, i, name);
    file = name->failed ? NULL : fopen(name->bytes, "wbx");
  }
  return file;
}

const char *clr_file_replace(const char *path, const char *bytes, size_t length) {
  struct clr_text name = {0};
  errno = 0;
  FILE *file = create_beside(path, &name);
  if (!file) {
    bool memory = name.failed;
    clr_text_release(&name);
    if (memory)
      return "out of memory";
    return errno ? strerror(errno) : "it cannot be written";
  }
  bool written = fwrite(bytes, 1, length, file) == length;
  written = fclose(file) == 0 && written;
  if (written)
    written = rename(name.bytes, path) == 0;
  const char *why = written ? NULL : errno ? strerror(errno) : "it cannot be written";
  if (!written)
    remove(name.bytes);
  clr_text_release(&name);
  return why;
}
