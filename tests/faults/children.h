// Each scenario in a process of its own, so that a crash costs one injection: drivers are opened after the fork only.
#ifndef FAULTS_CHILDREN_H
#define FAULTS_CHILDREN_H

#include "inject.h"

// Runs a scenario to its end, in as many processes as that takes.
void children_run(const struct scenario *scenario, const struct effort *effort, struct tally *tally);

#endif
