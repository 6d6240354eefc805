// Selections for cases. Elements are made so that they are kept or not, so the results are known.
#pragma once

#include "support/device.h"
#include "support/random.h"

// An element has random bytes and one number that decides whether it is kept: first + step * random. Those of elements
// that are not kept come first.
struct choice {
  clred_type type;
  clred_selection selection;
  size_t size;
  clred_type number;  // NONE: the index alone decides
  double first[2], step[2];
};

extern const struct choice choices[];
extern const size_t choice_count;
extern const void *const choice_parameters[];

// The choice of a problem with a selection.
const struct choice *choice_of(const clred_problem *problem);

// CHOOSE_MOST: all elements but the last one of each lane.
enum choice_pattern {
  CHOOSE_RANDOM,
  CHOOSE_ALL,
  CHOOSE_NONE,
  CHOOSE_ALTERNATING,
  CHOOSE_MOST,
  CHOOSE_LAST,
  CHOICE_PATTERNS
};

bool choice_keeps(const struct choice *of, enum choice_pattern pattern, uint64_t i, uint64_t count);

// Changes an element, which has random bytes, so that it is kept or not. NaNs among floats are kept with their bits.
void choice_make(const struct choice *of, void *at, bool kept, uint64_t random);
