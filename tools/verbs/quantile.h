// The operators of reduce that are not reductions: median, quantile:Q,..., top:K and bottom:K. Also lists of operators
// that contain a median or quantiles.
#pragma once

#include <stdbool.h>

#include "cli/args.h"

// True if the text begins with one of these names, even if the text after its colon is wrong.
bool quantile_is_named(const char *op);

// True for a list of operators that contains one of them. quantile:Q,Q is not such a list: its commas separate numbers.
bool quantile_is_list(const char *op);

// clreduce reduce with such an operator or list. Returns an exit code.
int quantile_reduce(const struct args *args);
