// Small files that are read whole and replaced whole.
#ifndef CLR_OPENCL_TEXT_FILE_H
#define CLR_OPENCL_TEXT_FILE_H

#include <stddef.h>

enum clr_file_state { CLR_FILE_READ, CLR_FILE_ABSENT, CLR_FILE_UNREADABLE, CLR_FILE_TOO_LARGE, CLR_FILE_NO_MEMORY };

// Reads a file of at most `most` bytes into memory for clr_file_free, with a 0 behind them.
enum clr_file_state clr_file_read(const char *path, size_t most, char **bytes, size_t *length);
void clr_file_free(char *bytes);

// Writes a new file beside it and renames that: who reads at the same time sees the old one or the new one. NULL, or
// why it could not be done.
const char *clr_file_replace(const char *path, const char *bytes, size_t length);

#endif
