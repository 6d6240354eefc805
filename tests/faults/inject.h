// Runs one scenario with all its failures, in this process.
#pragma once

#include "scenario.h"

enum source { SOURCE_ONCE, SOURCE_ON, SOURCE_LATE, SOURCE_MEMORY_ONCE, SOURCE_MEMORY_ON, SOURCES };

#define CODES_MAX 32
#define ORDINALS_MAX 100000

struct counts {
  long injections[SOURCES];
  long unseen;  // the call succeeded in spite of the failure, with the right result
  long crashes, hangs, leaks, wrong, others;
};

// Memory that the parent and its children share: the progress of the child and the results so far.
struct tally {
  // About the scenario that runs. The child writes; the parent reads after the child has ended.
  char now[256];               // the injection under way
  long ordinal;                // the number of this injection
  long skip;                   // injections up to this one are done, or crashed a child
  bool met_any[ORDINALS_MAX];  // whether the call that must fail was reached, for each injection
  long beats;                  // goes up while the child lives
  bool is_done;
  struct counts counts;
  long forgiven[SOURCES];  // allocations that failed unseen
  // Over all scenarios.
  long met[FAULT_ENTRIES][CODES_MAX];
};

long counts_injections(const struct counts *counts);
long counts_failures(const struct counts *counts);
void counts_add(struct counts *to, const struct counts *from);

struct effort {
  long calls_most;  // at most so many calls of a scenario fail, besides the first and last of each function; 0: all
  bool all_codes;   // each call fails with each of its codes; else with one
  int only;         // the only source of failures; -1: all
};

// Prints each failure and counts it in the tally.
void inject_all(const struct scenario *scenario, const struct effort *effort, struct tally *tally);
