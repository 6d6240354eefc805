// Scenarios run in a child process, so that a crash costs one injection. Drivers are opened after the fork.
#pragma once

#include "inject.h"

// Runs a scenario to its end; after a crash a new process goes on.
void children_run(const struct scenario *scenario, const struct effort *effort, struct tally *tally);

// Ends the child that the last scenario left.
void children_end(void);
