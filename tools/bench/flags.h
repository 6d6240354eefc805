// flags.h: options of the benchmarks, each with a value: a text, or a number.

#ifndef BENCH_FLAGS_H
#define BENCH_FLAGS_H

#include <stddef.h>

struct flag {
  const char *name;   // with its dashes; NULL ends a table
  const char **text;  // where the value goes, or
  unsigned *number;
  const char *sentence;
};

// 0 on success; otherwise it has said on standard error what is wrong. --help prints the table and ends the program.
int flags_parse(const char *program, const struct flag *flags, int argc, char *argv[]);

#endif
