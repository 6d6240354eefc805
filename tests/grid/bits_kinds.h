// The operators of the program `bits`, over float and double: built-in ones, and two of a caller. One of those does not
// commute.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "clreduce.h"

struct bits_kind {
  const char *name;       // of its column in tests/data/bits1.txt
  clred_problem problem;  // without strategy
  bool wide;              // double; else float
  size_t result_size;
};

extern const struct bits_kind bits_kinds[];
extern const size_t bits_kind_count;
extern const size_t bits_single_count;  // the kinds over float, which come first
