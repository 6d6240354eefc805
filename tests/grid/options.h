// Command lines of the test programs: a table of options, which also makes the usage text.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The Ith of N equal parts, from 1.
struct slice {
  size_t index, count;
};

// Exactly one of the pointers is set. It receives true, the text, the number or the slice.
struct option {
  const char *name;  // "--most"
  const char *help;
  bool *flag;
  const char **text;
  uint64_t *number;
  struct slice *slice;
};

// A row of the table from named fields.
#define OPTION(...) \
  { __VA_ARGS__ }

// False after printing the usage to standard error: an option is unknown, or its value is missing or wrong.
bool options_read(const char *program, const struct option *options, size_t count, int argc, char **argv);

#define OPTIONS_READ(program, options, argc, argv) \
  options_read(program, options, sizeof(options) / sizeof *(options), argc, argv)
