// One scenario with all its failures, in this process.
#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

#include "scenario.h"
#include "tally.h"

struct effort {
  long calls_most;  // so many of a scenario's calls, spread evenly, and the first and last of each entry are made to
                    // fail; 0: all
  bool all_codes;   // each code that a call may give; else one, another one for each call
  int only;         // a source; -1: all
};

// Prints what goes wrong; how much it was is in the tally.
void inject_all(const struct scenario *scenario, const struct effort *effort, struct tally *tally);

#endif
