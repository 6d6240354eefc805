// A clock for paths that measure: each reading is a fifth of a second after the last, so that each run makes the same
// calls.
#pragma once

#include <stdbool.h>

void clock_pretend(bool pretends);
