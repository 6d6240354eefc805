// Memory that the parent and its children share: the progress of the child and the results so far.
#pragma once

#include <stdbool.h>

#include "../layer/fault_control.h"

enum source { SOURCE_ONCE, SOURCE_ON, SOURCE_LATE, SOURCE_MEMORY_ONCE, SOURCE_MEMORY_ON, SOURCES };

#define CODES_MAX 32
#define ORDINALS_MAX 100000

struct counts {
  long injections[SOURCES];
  long unseen;  // the call succeeded in spite of the failure, with the right result
  long crashes, hangs, leaks, wrong, others;
};

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

// Memory that forks share; NULL if there is none.
struct tally *tally_create(void);

long counts_injections(const struct counts *counts);
long counts_failures(const struct counts *counts);
void counts_add(struct counts *to, const struct counts *from);

extern const char *const source_names[SOURCES];
