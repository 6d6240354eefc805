// One scan on the device: a plan, and calls for each stretch of the data, in place and not, with and without an initial
// state.

#ifndef CLREDUCE_TESTS_GRID_SCAN_RUN_H
#define CLREDUCE_TESTS_GRID_SCAN_RUN_H

#include "run.h"

extern const struct run_kind run_scans;

#endif
