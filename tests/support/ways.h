// The ways to reduce a line: each strategy with each of its finishes.
#pragma once

#include "support/fixture.h"

#define WAYS_COUNT_MAX (1u << 20)  // elements of a call by problem_for

struct way {
  char name[64];  // "wide+host", or "device_serial+" if the strategy has no finish
  const char *strategy;
  const char *finish;
};

// False behind the last one.
bool way_at(int index, struct way *way);
bool is_way(const struct way *way, const char *name);

// Aborts the test if there is none.
struct way way_named(const char *name);

// The operator of a caller by this strategy and finish.
clred_problem problem_for(const clred_operator *op, const struct way *way);

// Ways that use atomics need a state of a size for which the device has them.
bool is_atomic(const struct way *way);
bool has_atomics_of(size_t state);
