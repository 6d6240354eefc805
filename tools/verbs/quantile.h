// The operators of reduce that are no reductions: median, quantile:Q,..., top:K and bottom:K; and lists of operators
// with a median or quantiles among them.
#pragma once

#include <clreduce_quantile.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/args.h"

// True if the name of an operator means one of them, even if what follows its colon is wrong.
bool quantile_is_named(const char *op);

// True for a list of operators that contains one of them. quantile:Q,Q is no such list: its commas separate numbers.
bool quantile_is_list(const char *op);

// clreduce reduce with such an operator or list. Returns an exit code.
int quantile_reduce(const struct args *args);

// ---- For the files of quantile alone

enum { QUANTILE_WORDS_MAX = 64, QUANTILE_NAME_SIZE = 64 };

// The operators of a list, in its order.
struct quantile_list {
  size_t count;
  struct quantile_word {
    char name[QUANTILE_NAME_SIZE];  // median and quantile:0.99; also for further numbers of a quantile
    bool ranked;                    // is one of these two
  } words[QUANTILE_WORDS_MAX];
  char *plain, *quantiles;  // the other operators, and the numbers of the quantiles, each as a list of its own
  size_t room;              // of both, in bytes
};

struct quantile_request {
  const char *op;             // as the command line has it; of a list, its first quantile
  struct quantile_list list;  // empty if there is one operator
  double at[CLRED_QUANTILES_MAX];
  clred_quantile_problem problem;  // without its type and count_max; `at` points into this struct
};
