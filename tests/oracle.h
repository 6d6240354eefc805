// The reference that the device tests compare with: operators and trees written anew from docs/order.md and
// docs/strategies.md. It shares nothing with the library but the enumerators of clreduce.h, so that a mistake has to be
// made twice, in two manners, to go unseen.

#ifndef CLREDUCE_TESTS_ORACLE_H
#define CLREDUCE_TESTS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "clreduce.h"

// What a tree depends on besides n: the names, and the numbers of docs/strategies.md.
typedef struct oracle_tree {
  const char *strategy;
  const char *finish;      // NULL where the strategy has none
  uint64_t    group_size;  // G
  uint64_t    groups;      // K, for persistent
  uint64_t    elements;    // C, for local_coarsened
  uint64_t    hand_over;   // H, for hand_off
} oracle_tree;

// What a result must be. Bits are those of the result type in the low end of the word.
typedef struct oracle_answer {
  clred_type result_type;
  uint64_t   bits;
  bool       any_order;  // the bits are not fixed: `value` within `bound`
  double     value;
  double     bound;
} oracle_answer;

// The type of the result, or CLRED_TYPE_NONE where the operator is not defined for the type.
clred_type oracle_result_type(clred_op op, clred_type type);

// The bytes of an element.
size_t oracle_size(clred_type type);

// H for a device whose preferred multiple is this, in groups of G.
uint64_t oracle_hand_over(uint64_t preferred_multiple, uint64_t group_size);

// Whether the order of combination can change the bits: sums and products of floating types.
bool oracle_order_matters(clred_op op, clred_type type);

// Folds `count` elements as the tree says. Aborts where a name is unknown or memory is out: a test cannot go on then.
oracle_answer oracle_reduce(clred_op op, clred_type type, const void *in, uint64_t count, const oracle_tree *tree);

// Whether the device's bits are what they must be.
bool oracle_accepts(const oracle_answer *answer, uint64_t bits);

// Element or result `index` of an array, as bits in the low end of a word, and the way back.
uint64_t oracle_load(const void *array, size_t size, uint64_t index);
void     oracle_store(void *array, size_t size, uint64_t index, uint64_t bits);

// The bits of a value of a floating type, a NaN made canonical.
uint64_t oracle_float_bits(clred_type type, double value);

// The value of a floating type's bits.
double oracle_float_value(clred_type type, uint64_t bits);

#endif
