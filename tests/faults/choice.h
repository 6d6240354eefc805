// The choice of the calls that fail, if not all are made to fail.
#pragma once

#include <stdbool.h>

#define LISTED_MAX 8192

// The calls of a run without injected failures: the entries of OpenCL calls, or the number of allocations.
struct listed {
  long count;
  unsigned char entries[LISTED_MAX];
};

// EVENLY: `most` calls at equal distances. FIRST: also the first call of each entry. FIRST_AND_LAST: also the first and
// the last call of each entry.
enum choice { CHOOSE_EVENLY, CHOOSE_FIRST, CHOOSE_FIRST_AND_LAST };

// Whether call `at`, from 1, is chosen. Calls past the end of the list are chosen. `most` 0: all are.
bool choice_has(const struct listed *listed, long at, long most, enum choice choice);
