// The second form of the verb tune.
#pragma once

#include "cli/args.h"

// tune --textbook: tries the numbers that textbooks leave open. Returns an exit code.
int tune_textbook(const struct args *args);
