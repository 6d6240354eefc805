// An output file that appears complete or not at all: it is written under a temporary name and then renamed.
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct output {
  FILE *file;
  const char *option;  // the option that named the path, for messages
  char *path;          // the final path; links are followed
  char *temporary;     // NULL if the path is not a regular file and is written directly
};

// True if the path is "-". NULL is not.
bool output_is_standard(const char *path);

// The path "-" is standard output. Returns an exit code. Call output_close in any case.
int output_open(struct output *output, const char *option, const char *path);

// If `code` is EXIT_DONE, moves the file to its path; otherwise the old file stays. Returns `code`, or the exit code of
// its own failure.
int output_close(struct output *output, int code);

// A file without a name, to write and to read, in $TMPDIR or /tmp. NULL, with errno, if there is none. Close it by
// fclose; nothing is left behind.
FILE *output_without_name(void);

// Refuses a path in a directory that cannot be written. Returns an exit code.
int output_check_directory(const char *option, const char *path);

// ---- Whether two names are one file: by a link, or spelt in two ways

// True if both names are one regular file, or if neither exists and both would become one. "-" is standard input.
bool same_file(const char *a, const char *b);

// True if both names are standard input, or one pipe: what one of them reads, the other cannot.
bool same_pipe(const char *a, const char *b);
