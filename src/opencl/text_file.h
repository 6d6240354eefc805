// Small files that are read whole and replaced whole. src/runtime/tuning_file.c calls this.
#pragma once

#include <stddef.h>

enum clr_file_state { CLR_FILE_READ, CLR_FILE_ABSENT, CLR_FILE_UNREADABLE, CLR_FILE_TOO_LARGE, CLR_FILE_NO_MEMORY };

// Reads a file of at most `most` bytes and appends a 0. Free it with clr_file_free.
enum clr_file_state clr_file_read(const char *path, size_t most, char **bytes, size_t *length);
void clr_file_free(char *bytes);

// Writes a temporary file and renames it, so that readers see the old file or the new one. Returns NULL, or why it
// failed.
const char *clr_file_replace(const char *path, const char *bytes, size_t length);
