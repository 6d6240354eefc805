// Which calls of a path are made to fail where not all are.
#ifndef FAULTS_CHOICE_H
#define FAULTS_CHOICE_H

#include <stdbool.h>

#define LISTED_MOST 8192

// The calls of a path without a failure: of OpenCL by entry, of allocations only how many.
struct listed {
  long count;
  unsigned char entries[LISTED_MOST];
};

// `most` calls evenly spread; with them the first, or the first and the last call of each entry.
enum choice { CHOOSE_EVENLY, CHOOSE_FIRST, CHOOSE_FIRST_AND_LAST };

// Whether call `at`, from 1, is one of them; those behind the list are. `most` 0: all are.
bool choice_has(const struct listed *listed, long at, long most, enum choice choice);

#endif
