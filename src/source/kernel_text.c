#include "source/kernel_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clr_kernel_reader clr_kernel_reader_open(void) {
  const char *folder = getenv("CLREDUCE_CL_DIR");
  return (struct clr_kernel_reader){.folder = folder && *folder ? folder : NULL};
}

static const char *embedded(const char *name) {
  for (const struct clr_kernel_text *row = clr_embedded_kernels; row->name; row++)
    if (strcmp(row->name, name) == 0)
      return row->text;
  return NULL;
}

static bool read_all(FILE *file, struct clr_text *text) {
  char piece[4097];
  size_t length;
  while ((length = fread(piece, 1, sizeof piece - 1, file)) > 0) {
    piece[length] = 0;
    clr_text_append(text, piece);
  }
  return !ferror(file) && !text->failed && text->bytes;
}

const char *clr_kernel_read(void *from, const char *name) {
  struct clr_kernel_reader *reader = from;
  if (!reader->folder)
    return embedded(name);
  clr_text_release(&reader->held);
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s", reader->folder, name);
  FILE *file = path.failed ? NULL : fopen(path.bytes, "rb");
  clr_text_release(&path);
  if (!file)
    return NULL;
  bool whole = read_all(file, &reader->held);
  fclose(file);
  return whole ? reader->held.bytes : NULL;
}

void clr_kernel_reader_close(struct clr_kernel_reader *reader) {
  clr_text_release(&reader->held);
}
