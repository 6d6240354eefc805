// The operators of reduce that are no reductions: median, quantile:Q,..., top:K and bottom:K.
#pragma once

#include <clreduce_quantile.h>
#include <stdbool.h>

#include "cli/args.h"

// True if the name of an operator means one of them, even if what follows its colon is wrong.
bool quantile_is_named(const char *op);

// clreduce reduce with such an operator. Returns an exit code.
int quantile_reduce(const struct args *args);

// ---- For the files of quantile alone

struct quantile_request {
  const char *op;  // as the command line has it
  double at[CLRED_QUANTILES_MAX];
  clred_quantile_problem problem;  // without its type and count_max; `at` points into this struct
};

// Reads the operator and its options. Returns an exit code. The request must not move.
int quantile_take(struct quantile_request *at, const struct args *args);
