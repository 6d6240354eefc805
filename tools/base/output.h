// A file that is there in full or not at all: written beside its place under another name, then renamed.

#ifndef CLREDUCE_TOOL_OUTPUT_H
#define CLREDUCE_TOOL_OUTPUT_H

#include <stdio.h>

struct output {
  FILE *file;
  const char *option;  // that named the path
  char *path;          // where it is to be; a link is followed
  char *temporary;     // NULL where the place is no regular file, and written directly
};

// An exit code; output_close is due in any case.
int output_open(struct output *output, const char *option, const char *path);

// With `code` EXIT_DONE puts the file in its place, else leaves what was there. Returns `code`, or its own failure.
int output_close(struct output *output, int code);

#endif
