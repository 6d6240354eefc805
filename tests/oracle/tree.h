// The trees of docs/order.md and docs/strategies.md over a list of states: the part of the oracle in which the order of
// combination can be seen.

#ifndef CLREDUCE_TESTS_ORACLE_TREE_H
#define CLREDUCE_TESTS_ORACLE_TREE_H

#include "oracle/oracle.h"

// A state: as many of these as the operator needs. Counts are doubles, too.
typedef struct oracle_state {
  double v[4];
} oracle_state;

typedef struct oracle_algebra {
  bool single;     // every operation is rounded to float
  uint64_t lanes;  // L of docs/order.md
  bool ordered;    // the operator does not commute: a lane holds neighbours
  void (*combine)(bool single, oracle_state *a, const oracle_state *b);  // a becomes combine(a, b)
} oracle_algebra;

// L for elements of so many bytes.
uint64_t oracle_lanes(size_t element_size);

// Says what is wrong and aborts; and memory, or that.
void oracle_fail(const char *what, const char *which);
void *oracle_claim(uint64_t count, size_t size);

// Whether the strategy is for many rows at once, so that it has no part in reductions of one row.
bool oracle_is_for_rows(const char *strategy);

// Whether the tree leaves the order open: the strategy or the finish is "atomic".
bool oracle_any_order(const oracle_tree *tree);

// Folds n > 0 states as the tree says, into x[0]; the others are used up. Its order must not be open.
void oracle_fold(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t n);

// Every prefix of n states, as docs/order.md and docs/strategies.md have them for scans: prefixes[i] stands for the
// first i states, or i + 1 if it is inclusive, after `start` if that is not NULL. A prefix of nothing is `nothing`. See
// prefixes.c.
void oracle_prefixes(const oracle_tree *tree, const oracle_algebra *how, const oracle_state *x, uint64_t n,
                     const oracle_state *start, bool inclusive, const oracle_state *nothing, oracle_state *prefixes);

// The exact sum or product of n > 0 values v[0] in an open order, and how far off the device may be.
void oracle_bound(const oracle_tree *tree, bool multiply, bool single, const oracle_state *x, uint64_t n, double *value,
                  double *bound);

#endif
