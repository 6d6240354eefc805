// Files of partials, which `reduce --partial` writes and `join` reads. docs/tool.md describes them.
#pragma once

#include <cjson/cJSON.h>
#include <clreduce_partial.h>

#include "device/session.h"

struct partial_file {
  const char *name;
  uint64_t first, count;
  cJSON *about;  // what the partial is of
  void *bytes;   // of the file
  size_t size;
  const unsigned char *packed;  // a part of `bytes`
  size_t packed_size;
};

// Reads a file and checks every byte but the packed ones, which the library checks. Returns an exit code, like all
// functions here. Call partial_file_release in any case.
int partial_file_read(struct partial_file *file, const char *path);

void partial_file_release(struct partial_file *file);

// Writes the first line of a file, which has `rest` behind it. Returns the size of the file.
enum { PARTIAL_LINE_SIZE = 160 };
size_t partial_first_line(char line[PARTIAL_LINE_SIZE], uint64_t first, uint64_t count, const void *rest, size_t size);

// Writes the file of --partial, which appears complete or not at all. *size becomes its length.
int partial_file_write(const struct session *session, clred_partial *partial, const cJSON *about, const char *path,
                       size_t *size);
