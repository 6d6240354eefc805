// Scenarios run in a child process, so that a crash ends only one injection. Drivers are opened after the fork.
#pragma once

#include "inject.h"

// Memory that the parent and its children share; NULL if there is none.
struct tally *tally_create(void);

// Runs a scenario to its end. After a crash a new process continues with the next injection.
void children_run(const struct scenario *scenario, const struct effort *effort, struct tally *tally);

// Ends the child that the last scenario left.
void children_end(void);
