// What the files of the oracle share: a list of scalars, or of complex numbers, taken from the elements.
#pragma once

#include "oracle/oracle.h"
#include "oracle/tree.h"

typedef struct oracle_column {
  const clred_problem *problem;
  const oracle_tree *tree;
  clred_type type;  // of a value: of a vector's component, of a complex number's part
  uint64_t n;
  const unsigned char *x, *y;  // the first value of either input
  size_t stride;               // bytes from a value to the next
  uint64_t lanes;
  unsigned component;  // which of the element's components this is
} oracle_column;

// WIDE and REAL of docs/numerics.md.
clred_type oracle_wide(const clred_problem *problem);
clred_type oracle_real(const clred_problem *problem);

// The bytes of an integer result.
size_t oracle_result_bytes(const clred_problem *problem);

// Whether WIDE is an integer.
bool oracle_is_integral(const clred_problem *problem);

// Value i of an input: an integer, sign-extended to 64 bits; or any value as a double.
uint64_t oracle_word_at(const oracle_column *column, const unsigned char *input, uint64_t i);
double oracle_real_at(const oracle_column *column, const unsigned char *input, uint64_t i);

// A value of x as a double, or `otherwise` for a NaN that is ignored.
double oracle_kept(const oracle_column *column, uint64_t i, double otherwise);
bool oracle_is_ignored(const oracle_column *column, double x);

// Component `component` of `count` elements; y may be NULL.
oracle_column oracle_column_of(const clred_problem *problem, const void *x, const void *y, uint64_t count,
                               const oracle_tree *tree, unsigned component);

// oracle_op_of returns the operator that gives a part of the result. oracle_used_components returns the number of the
// part's components, without the fourth of a vector of 3.
clred_op oracle_op_of(clred_op op, const char *part);
unsigned oracle_used_components(const oracle_part *part);

// The second part of a complex number as a column.
oracle_column oracle_imaginary(const oracle_column *column);

// ---------------------------------------------------------------- running.c

typedef struct oracle_long {
  uint64_t word[3];  // the least one first
} oracle_long;

// The state of an operator with the same bits in every order. It uses the members that it needs.
typedef struct oracle_running {
  const oracle_column *column;
  const struct oracle_kind *kind;
  clred_op op;
  bool reversed;                      // elements are taken from the last one on, as a scan does
  uint64_t count;                     // elements taken
  uint64_t zeros, others;             // of them that are 0, and not
  uint64_t word;                      // a sum or product modulo 2^64; the bits of an extreme, in type WIDE
  uint64_t index;                     // of the extreme
  bool found, is_negative, is_large;  // an extreme; a product, and whether it leaves 64 bits
  oracle_long sum, squares;
} oracle_running;

// Begins a fold for a part of the result from `start`, or from no elements if that is NULL. False if the order matters:
// then reals.c computes the part.
bool oracle_running_begin(oracle_running *running, const oracle_column *column, const oracle_part *part,
                          const uint64_t *start);
void oracle_running_take(oracle_running *running, uint64_t i);

// The bits of the result over the elements taken so far.
uint64_t oracle_running_result(const oracle_running *running);

// ---------------------------------------------------------------- reals.c

// Sets the component's bits; in an open order also its value and bound.
void oracle_fold_reals(const oracle_column *column, clred_op op, oracle_part *part, unsigned component);

// The results of a scan in the order of the elements. `start` is NULL or the value before the first element; of a
// complex product, both components.
void oracle_scan_reals(const oracle_column *column, clred_op op, bool inclusive, const double *start, uint64_t *bits);

// ---------------------------------------------------------------- exact.c

// The exact value of the operator over these elements, and the bound of docs/numerics.md with a margin for its terms of
// higher order. False if there is no bound: for other operators, for infinite elements, and outside the range of the
// type.
bool oracle_exact(const oracle_column *column, clred_op op, double *value, double *bound);

// logsumexp, which has no fixed bits. The bound is 0 for infinities and NaNs.
void oracle_logsumexp(const oracle_column *column, double *value, double *bound);
