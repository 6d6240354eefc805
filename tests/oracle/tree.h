// The trees of docs/order.md and docs/strategies.md over a list of states: the order of combination.
#pragma once

#include "oracle/oracle.h"

// A state. An operator uses as many values as it needs; counts are doubles, too.
typedef struct oracle_state {
  double v[7];
} oracle_state;

typedef struct oracle_algebra {
  bool single;     // every operation is rounded to float
  uint64_t lanes;  // L of docs/order.md
  bool ordered;    // the operator does not commute, so a lane holds neighbours
  void (*combine)(bool single, oracle_state *a, const oracle_state *b);  // a becomes combine(a, b)
} oracle_algebra;

// L for elements of this size.
uint64_t oracle_lanes(size_t element_size);

// oracle_fail prints the error and aborts. oracle_claim allocates memory or fails.
void oracle_fail(const char *what, const char *which);
void *oracle_claim(uint64_t count, size_t size);

// Whether the tree leaves the order open: the strategy or the finish is "atomic".
bool oracle_any_order(const oracle_tree *tree);

// Folds n > 0 states along the tree into x[0] and overwrites the others. The order must not be open.
void oracle_fold(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t n);

// Every prefix of n states in the order of a scan: prefixes[i] combines `start`, if that is not NULL, and the first i
// states, or i + 1 if the scan is inclusive. A prefix of no states is `nothing`. See prefixes.c.
void oracle_prefixes(const oracle_tree *tree, const oracle_algebra *how, const oracle_state *x, uint64_t n,
                     const oracle_state *start, bool inclusive, const oracle_state *nothing, oracle_state *prefixes);

// The largest number of combinations between an element and the result of n > 0 elements, if the order is open.
double oracle_depth(const oracle_tree *tree, uint64_t n);
