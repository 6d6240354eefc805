// The options as rows of a table: args.c reads command lines by it and prints the help from it.

#ifndef CLREDUCE_TOOL_OPTIONS_H
#define CLREDUCE_TOOL_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

// FLAG: bool. TEXT: const char *. TEXTS: struct texts. COUNT: struct count. WHOLE: struct whole.
enum value_kind { FLAG, TEXT, TEXTS, COUNT, WHOLE };

struct option {
  const char *name;  // "" where there is a letter alone
  char letter;
  enum value_kind kind;
  unsigned verbs;     // that take it
  size_t field;       // where the value goes in struct args
  uint64_t least;     // the least value that a count may have
  const char *value;  // as the help prints it
  const char *sentence;
};

// Ended by a row whose name is NULL.
extern const struct option options[];

// By a name of this length, or by a letter that is not 0; NULL if there is none.
const struct option *option_find(const char *name, size_t length, char letter);

#endif
