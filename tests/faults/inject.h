// Runs one scenario with all its failures, in this process.
#pragma once

#include "scenario.h"
#include "tally.h"

struct effort {
  long calls_most;  // at most so many calls of a scenario fail, besides the first and last of each function; 0: all
  bool all_codes;   // each call fails with each of its codes; else with one
  int only;         // the only source of failures; -1: all
};

// Prints each failure and counts it in the tally.
void inject_all(const struct scenario *scenario, const struct effort *effort, struct tally *tally);
