// The operators of reduce that are no reductions: median, quantile:Q,..., top:K and bottom:K.
#pragma once

#include <stdbool.h>

#include "cli/args.h"

// True if the name of an operator means one of them, even if what follows its colon is wrong.
bool quantile_is_named(const char *op);

// clreduce reduce with such an operator. Returns an exit code.
int quantile_reduce(const struct args *args);
