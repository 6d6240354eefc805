// The reference of the device tests: operators and trees, implemented from docs/numerics.md, docs/order.md and
// docs/strategies.md. It shares only clreduce.h with the library, so that the same mistake is unlikely in both.
//
// number.c: types, elements in memory, half and bfloat16
// running.c: operators with the same bits in every order: integers, counts, truth values, extremes
// reals.c: floating operators, folded along a tree
// tree.c: the trees
// prefixes.c: the prefixes of scans
// exact.c: exact values of floating operators, and the bounds of results
// oracle.c: results of several parts, scans
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "clreduce.h"

// What a tree depends on besides n. The letters are those of docs/strategies.md.
typedef struct oracle_tree {
  const char *strategy;
  const char *finish;   // NULL if the strategy has none
  uint64_t group_size;  // G
  uint64_t groups;      // K, for persistent and persistent_interleaved
  uint64_t elements;    // C, for local_coarsened
  uint64_t hand_over;   // H, for hand_off
} oracle_tree;

// ---------------------------------------------------------------- Results

#define ORACLE_PARTS_MAX 9
#define ORACLE_COMPONENTS_MAX 16

// A part of a result. A vector of 3 has 4 components, and the last one is 0; a complex number has 2.
typedef struct oracle_part {
  const char *name;  // "" if the result is one value
  clred_type type;
  unsigned components;
  uint64_t bits[ORACLE_COMPONENTS_MAX];
  bool open;  // the bits of finite values are not fixed: value within bound
  double value[ORACLE_COMPONENTS_MAX];
  double bound[ORACLE_COMPONENTS_MAX];
} oracle_part;

typedef struct oracle_result {
  size_t count;
  oracle_part parts[ORACLE_PARTS_MAX];
} oracle_result;

// Whether docs/numerics.md defines the problem's operator for its type, state and overflow.
bool oracle_defined(const clred_problem *problem);

// Whether the device needs double for it.
bool oracle_needs_fp64(const clred_problem *problem);

// Whether the order of combination can change the bits.
bool oracle_order_matters(const clred_problem *problem);

// The type of the result, or CLRED_TYPE_NONE if the operator is not defined for the type or the result has parts.
clred_type oracle_result_type(clred_op op, clred_type type);

// Names, types and components of the parts, without values.
void oracle_parts(const clred_problem *problem, oracle_result *result);

// The offset of a part in a C struct of all parts; for the part past the last, the size of the struct.
size_t oracle_offset(const oracle_result *result, size_t part);

// Folds `count` elements at x, and y for dot.
void oracle_solve(const clred_problem *problem, const void *x, const void *y, uint64_t count, const oracle_tree *tree,
                  oracle_result *result);

// Compares the bytes of a result: writes what differs into `text` and returns false.
bool oracle_same(const oracle_result *expected, const void *bytes, char *text, size_t size);

// The kind of a scan. `start` is the state before the first position, in the form of a result; only products and
// operators with a state of one number may have it.
typedef struct oracle_scan {
  bool inclusive;
  bool reversed;
  const void *start;
} oracle_scan;

// Writes the results of a scan of `count` elements; bytes between parts are not written. Not for logsumexp.
void oracle_solve_scan(const clred_problem *problem, const oracle_scan *scan, const void *x, const void *y,
                       uint64_t count, const oracle_tree *tree, void *results);

// Whether the state is one number, complex number or vector and also the result, so that a scan can have a start.
bool oracle_takes_start(const clred_problem *problem);

// Compares the bytes of a result with the exact values if docs/numerics.md has a bound for these elements.
bool oracle_near(const clred_problem *problem, const void *x, const void *y, uint64_t count, const void *bytes,
                 char *text, size_t size);

// ---------------------------------------------------------------- Types and elements

// The bytes of an element; a vector of 3 has the size of a vector of 4.
size_t oracle_size(clred_type type);

// The type and the number of the components of a vector or complex number; other types have one component.
clred_type oracle_component(clred_type type);
unsigned oracle_components(clred_type type);

bool oracle_is_floating(clred_type type);  // half, bfloat16, float, double
bool oracle_is_complex(clred_type type);

// Whether the operator is one of those given; and operators of one kind, for such a list.
#define ORACLE_IS_ONE(op, ...) \
  oracle_is_one_of(op, (const clred_op[]){__VA_ARGS__}, sizeof((const clred_op[]){__VA_ARGS__}) / sizeof(clred_op))
bool oracle_is_one_of(clred_op op, const clred_op *list, size_t count);
#define ORACLE_SUMS CLRED_OP_SUM, CLRED_OP_NORM1, CLRED_OP_SUMSQ, CLRED_OP_DOT, CLRED_OP_VDOT
#define ORACLE_MOMENTS CLRED_OP_MEAN, CLRED_OP_VAR, CLRED_OP_VAR_SAMPLE, CLRED_OP_STD, CLRED_OP_STD_SAMPLE
#define ORACLE_TRUTHS CLRED_OP_ALL, CLRED_OP_ANY, CLRED_OP_COUNT_NONZERO, CLRED_OP_COUNT

// Whether the operator has a second input.
bool oracle_is_dot(clred_op op);
bool oracle_is_signed(clred_type type);  // integers

// Loads element `index` of an array as bits in the low end of a word; stores it.
uint64_t oracle_load(const void *array, size_t size, uint64_t index);
void oracle_store(void *array, size_t size, uint64_t index, uint64_t bits);

// The bits of a value rounded to a floating type; a NaN becomes the canonical NaN.
uint64_t oracle_float_bits(clred_type type, double value);

// The value of a floating type's bits.
double oracle_float_value(clred_type type, uint64_t bits);

// The value of element `index` of an array of scalars; it is exact.
long double oracle_value_at(clred_type type, const void *array, uint64_t index);

// Stores a value: rounded to a floating type; rounded down to an integer, and to the nearest end if outside the range.
void oracle_put(clred_type type, void *array, uint64_t index, long double value);

// How many partials a group of hand_off leaves (H in docs/strategies.md) if stop_at is 0.
uint64_t oracle_hand_over(uint64_t preferred_multiple, uint64_t group_size);
