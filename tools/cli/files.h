// The files of a command line: none is written twice or over another that is read.
#pragma once

#include "cli/args.h"

// Refuses two outputs of one name, and an output that is an input; a scan may replace a single INPUT. Returns an exit
// code.
int files_check(const struct args *args);
