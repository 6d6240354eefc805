// The operators of the program `bits` and of the suite `tuned`, over float and double: built-in ones, a histogram, and
// two of a caller, of which one does not commute. And extreme tunings, which must not change the bits of their results.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "clreduce.h"
#include "model/tuning.h"

#define BITS_RESULT_MAX 24  // bytes
struct bits_kind {
  const char *name;       // of its column in tests/data/bits1.txt
  clred_problem problem;  // without strategy
  bool wide;              // double; else float
  size_t result_size;
};

extern const struct bits_kind bits_kinds[];
extern const size_t bits_kind_count;
extern const struct clr_tuned bits_tunings[];
extern const size_t bits_tuning_count;
extern const size_t bits_single_count;  // the kinds over float, which come first
