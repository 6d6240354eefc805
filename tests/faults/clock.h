// A clock in place of the system's, for paths that measure: each look at it is a fifth of a second later, so that the
// same calls are made each time.
#ifndef FAULTS_CLOCK_H
#define FAULTS_CLOCK_H

#include <stdbool.h>

void clock_pretend(bool pretends);

#endif
