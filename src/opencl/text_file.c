// Reads and replaces small files whole; see text_file.h.
#include "opencl/text_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/files.h"
#include "platform/platform.h"

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
  uint64_t now = (uint64_t)(1e9 * clr_seconds());
  unsigned mark = (unsigned)(now ^ now >> 32) ^ (unsigned)((uintptr_t)&now >> 4) ^ attempt * 2654435761u;
  clr_text_format(name, "%s.%08x", path, mark);
}

static int create_beside(const char *path, struct clr_text *name) {
  const unsigned attempts = 8;
  int file = -1;
  for (unsigned i = 0; i < attempts && file < 0; i++) {
    clr_text_release(name);
    name_beside(path, i, name);
    file = name->failed ? -1 : clr_os_create(name->bytes, false);
  }
  return file;
}

const char *clr_file_replace(const char *path, const char *bytes, size_t length) {
  struct clr_text name = {0};
  errno = 0;
  int file = create_beside(path, &name);
  if (file < 0) {
    bool memory = name.failed;
    clr_text_release(&name);
    if (memory)
      return "out of memory";
    return errno ? strerror(errno) : "it cannot be written";
  }
  bool written = clr_os_write(file, bytes, length);
  written = clr_os_close(file) && written;
  if (written)
    written = clr_os_replace(name.bytes, path);
  const char *why = written ? NULL : errno ? strerror(errno) : "it cannot be written";
  if (!written)
    clr_os_remove(name.bytes);
  clr_text_release(&name);
  return why;
}
