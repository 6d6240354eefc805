// One scan on the device: a plan, and calls for each stretch of the data, in place and not, with and without an initial
// state.
#pragma once

#include "run.h"

extern const struct run_kind run_scans;
