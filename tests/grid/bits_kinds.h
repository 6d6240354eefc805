// The operators of the program `bits`: over float and double, built-in ones, a histogram, and three of a caller, of
// which one does not commute and one has a further input; and those of its option --order. And extreme tunings, which
// must not change the bits of their results, for the suite `tuned`, too.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "clreduce.h"
#include "model/tuning.h"

#define BITS_RESULT_MAX 24  // bytes
struct bits_kind {
  const char *name;       // of its column in the file
  clred_problem problem;  // without strategy
  clred_type type;        // of the elements
  size_t result_size;
  bool has_seed;
  uint64_t seed;  // of its elements
};

struct bits_set {
  const struct bits_kind *kinds;
  size_t count, stored;  // all kinds; the first ones, which the file has
  size_t singles;        // the first ones, which need no double
  unsigned count_bits;   // calls have up to 2^count_bits elements
  uint64_t seed;         // of counts and offsets
};

extern const struct bits_set bits_of_kinds, bits_of_order;
extern const clred_problem bits_weighted;  // of the operator with a further input
extern const struct clr_tuned bits_tunings[];
extern const size_t bits_tuning_count;
