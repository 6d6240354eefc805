// The operators of reduce that are no reductions: median, quantile:Q,..., top:K and bottom:K; and lists of operators
// with a median or quantiles among them.
#pragma once

#include <stdbool.h>

#include "cli/args.h"

// True if the name of an operator means one of them, even if what follows its colon is wrong.
bool quantile_is_named(const char *op);

// True for a list of operators that contains one of them. quantile:Q,Q is no such list: its commas separate numbers.
bool quantile_is_list(const char *op);

// clreduce reduce with such an operator or list. Returns an exit code.
int quantile_reduce(const struct args *args);
