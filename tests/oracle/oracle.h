// The reference that the device tests compare with: operators and trees written anew from docs/numerics.md,
// docs/order.md and docs/strategies.md. It shares nothing with the library but the enumerators and the problem of
// clreduce.h, so that a mistake has to be made twice, in two manners, to go unseen.
//
// number.c: types, elements in memory, half and bfloat16
// words.c: operators on integers, counts and truth values; exact sums
// places.c: extremes and where they are
// reals.c: floating operators, folded along a tree
// tree.c: the trees
// prefixes.c: the prefixes of scans
// scan.c: scans put together
// exact.c: the exact value of floating operators, and how far off a result may be
// oracle.c: parts put together

#ifndef CLREDUCE_TESTS_ORACLE_H
#define CLREDUCE_TESTS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "clreduce.h"

// What a tree depends on besides n: the names, and the numbers of docs/strategies.md.
typedef struct oracle_tree {
  const char *strategy;
  const char *finish;   // NULL where the strategy has none
  uint64_t group_size;  // G
  uint64_t groups;      // K, for persistent
  uint64_t elements;    // C, for local_coarsened
  uint64_t hand_over;   // H, for hand_off
} oracle_tree;

// ---------------------------------------------------------------- One value

// What a result of one value must be. Bits are those of the result type in the low end of the word.
typedef struct oracle_answer {
  clred_type result_type;
  uint64_t bits;
  bool any_order;  // the bits are not fixed: `value` within `bound`
  double value;
  double bound;
} oracle_answer;

// The type of the result, or CLRED_TYPE_NONE where the operator is not defined for the type or has a result of parts.
clred_type oracle_result_type(clred_op op, clred_type type);

// Folds `count` elements as the tree says, for operators with one input and a result of one value. Aborts where a name
// is unknown or memory is out: a test cannot go on then.
oracle_answer oracle_reduce(clred_op op, clred_type type, const void *in, uint64_t count, const oracle_tree *tree);

// Whether the device's bits are what they must be.
bool oracle_accepts(const oracle_answer *answer, uint64_t bits);

// ---------------------------------------------------------------- Any result

#define ORACLE_PARTS_MAX 9
#define ORACLE_COMPONENTS_MAX 16

// A part of a result: components are those of a vector (4 of a vector of 3, the last of them 0) or a complex number.
typedef struct oracle_part {
  const char *name;  // "" where the result is one value
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

// Whether it takes the device a double.
bool oracle_needs_fp64(const clred_problem *problem);

// Whether the order of combination can change the bits.
bool oracle_order_matters(const clred_problem *problem);

// Names, types and components of the parts, without values.
void oracle_parts(const clred_problem *problem, oracle_result *result);

// The byte at which a part stands in a C struct of them; that of the part past the last is the size of the struct.
size_t oracle_offset(const oracle_result *result, size_t part);

// Folds `count` elements at x, and y for dot.
void oracle_solve(const clred_problem *problem, const void *x, const void *y, uint64_t count, const oracle_tree *tree,
                  oracle_result *result);

// Compares the bytes of a result: writes what differs into `text` and returns false.
bool oracle_same(const oracle_result *expected, const void *bytes, char *text, size_t size);

// A scan: how, and the state before the first position, which only operators whose state is one number may have here.
// It lies in memory as a result does.
typedef struct oracle_scan {
  bool inclusive;
  bool reversed;
  const void *start;
} oracle_scan;

// The results of a scan of `count` elements, as they lie in memory; bytes between parts are left as they are. Not for
// logsumexp.
void oracle_solve_scan(const clred_problem *problem, const oracle_scan *scan, const void *x, const void *y,
                       uint64_t count, const oracle_tree *tree, void *results);

// Whether the state is one number (or complex number, or vector), the result itself, so that a start can be given.
bool oracle_takes_start(const clred_problem *problem);

// Compares the bytes of a result with the exact values, where docs/numerics.md gives a bound for these elements.
bool oracle_near(const clred_problem *problem, const void *x, const void *y, uint64_t count, const void *bytes,
                 char *text, size_t size);

// ---------------------------------------------------------------- Types and elements

// The bytes of an element; a vector of 3 takes the room of 4.
size_t oracle_size(clred_type type);

// The type of a vector's or complex number's components; their number, as they lie in memory. Others are their own.
clred_type oracle_component(clred_type type);
unsigned oracle_components(clred_type type);

bool oracle_is_floating(clred_type type);  // half, bfloat16, float, double
bool oracle_is_complex(clred_type type);
bool oracle_is_signed(clred_type type);  // integers

// Element or result `index` of an array, as bits in the low end of a word, and the way back.
uint64_t oracle_load(const void *array, size_t size, uint64_t index);
void oracle_store(void *array, size_t size, uint64_t index, uint64_t bits);

// The bits of a value rounded to a floating type, a NaN made canonical.
uint64_t oracle_float_bits(clred_type type, double value);

// The value of a floating type's bits.
double oracle_float_value(clred_type type, uint64_t bits);

// H for a device whose preferred multiple is this, in groups of G.
uint64_t oracle_hand_over(uint64_t preferred_multiple, uint64_t group_size);

#endif
