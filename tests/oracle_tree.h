// The trees of docs/order.md and docs/strategies.md over a list of doubles: the part of the oracle in which the order
// of combination can be seen.

#ifndef CLREDUCE_TESTS_ORACLE_TREE_H
#define CLREDUCE_TESTS_ORACLE_TREE_H

#include "oracle.h"

typedef struct oracle_arithmetic {
  bool multiply;  // else add
  bool single;    // every combination is rounded to float
} oracle_arithmetic;

// Says what is wrong and aborts; and memory, or that.
void  oracle_fail(const char *what, const char *which);
void *oracle_claim(uint64_t count, size_t size);

// Whether the tree leaves the order open: the strategy or the finish is "atomic".
bool oracle_any_order(const oracle_tree *tree);

// Folds n > 0 values as the tree says; its order must not be open.
double oracle_fold(const oracle_tree *tree, oracle_arithmetic how, const double *x, uint64_t n);

// The exact result of n > 0 values in an open order, and how far off the device may be.
void oracle_bound(const oracle_tree *tree, oracle_arithmetic how, const double *x, uint64_t n, double *value,
                  double *bound);

#endif
