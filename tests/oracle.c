// The operators, on integers as 64-bit words and on floating types as doubles, and the answer made of them and the
// trees.

#include "oracle.h"
#include "oracle_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- Types

static bool is_floating(clred_type type) {
  return type == CLRED_TYPE_FLOAT || type == CLRED_TYPE_DOUBLE;
}

static bool is_signed(clred_type type) {
  return type == CLRED_TYPE_CHAR || type == CLRED_TYPE_SHORT || type == CLRED_TYPE_INT || type == CLRED_TYPE_LONG;
}

size_t oracle_size(clred_type type) {
  switch (type) {
  case CLRED_TYPE_CHAR:
  case CLRED_TYPE_UCHAR:
    return 1;
  case CLRED_TYPE_SHORT:
  case CLRED_TYPE_USHORT:
    return 2;
  case CLRED_TYPE_INT:
  case CLRED_TYPE_UINT:
  case CLRED_TYPE_FLOAT:
    return 4;
  default:
    return 8;
  }
}

clred_type oracle_result_type(clred_op op, clred_type type) {
  if (op == CLRED_OP_ALL || op == CLRED_OP_ANY)
    return CLRED_TYPE_UINT;
  if (is_floating(type))
    return op == CLRED_OP_AND || op == CLRED_OP_OR || op == CLRED_OP_XOR ? CLRED_TYPE_NONE : type;
  return is_signed(type) ? CLRED_TYPE_LONG : CLRED_TYPE_ULONG;
}

bool oracle_order_matters(clred_op op, clred_type type) {
  return is_floating(type) && (op == CLRED_OP_ADD || op == CLRED_OP_MUL);
}

uint64_t oracle_load(const void *array, size_t size, uint64_t index) {
  switch (size) {
  case 1:
    return ((const uint8_t *)array)[index];
  case 2:
    return ((const uint16_t *)array)[index];
  case 4:
    return ((const uint32_t *)array)[index];
  default:
    return ((const uint64_t *)array)[index];
  }
}

void oracle_store(void *array, size_t size, uint64_t index, uint64_t bits) {
  switch (size) {
  case 1:
    ((uint8_t *)array)[index] = (uint8_t)bits;
    break;
  case 2:
    ((uint16_t *)array)[index] = (uint16_t)bits;
    break;
  case 4:
    ((uint32_t *)array)[index] = (uint32_t)bits;
    break;
  default:
    ((uint64_t *)array)[index] = bits;
  }
}

uint64_t oracle_float_bits(clred_type type, double value) {
  const float narrow = (float)value;
  uint32_t    word = 0x7fc00000u;
  uint64_t    bits = 0x7ff8000000000000u;
  if (!isnan(value)) {
    memcpy(&word, &narrow, sizeof word);
    memcpy(&bits, &value, sizeof bits);
  }
  return type == CLRED_TYPE_FLOAT ? word : bits;
}

double oracle_float_value(clred_type type, uint64_t bits) {
  const uint32_t word = (uint32_t)bits;
  float          narrow;
  double         value;
  memcpy(&narrow, &word, sizeof narrow);
  memcpy(&value, &bits, sizeof value);
  return type == CLRED_TYPE_FLOAT ? (double)narrow : value;
}

// An integer element as the 64-bit state it is lifted to.
static uint64_t widen(clred_type type, uint64_t bits) {
  const size_t   size = oracle_size(type);
  const uint64_t sign = (uint64_t)1 << (8 * size - 1);
  return is_signed(type) ? (bits ^ sign) - sign : bits;
}

// ---------------------------------------------------------------- Exact operators: any order gives the same bits

// Signed words compare as unsigned ones once the sign bit is turned.
static uint64_t turned(clred_type type, uint64_t state) {
  return is_signed(type) ? state ^ ((uint64_t)1 << 63) : state;
}

// The least or greatest state of an integer type: of long or ulong, whatever the element's own range is.
static uint64_t extreme(clred_type type, bool greatest) {
  if (!is_signed(type))
    return greatest ? UINT64_MAX : 0;
  return greatest ? (uint64_t)INT64_MAX : (uint64_t)INT64_MIN;
}

static uint64_t integer_identity(clred_op op, clred_type type) {
  switch (op) {
  case CLRED_OP_MUL:
    return 1;
  case CLRED_OP_MIN:
    return extreme(type, true);
  case CLRED_OP_MAX:
    return extreme(type, false);
  case CLRED_OP_AND:
    return UINT64_MAX;
  default:
    return 0;
  }
}

static uint64_t integer_combine(clred_op op, clred_type type, uint64_t a, uint64_t b) {
  switch (op) {
  case CLRED_OP_ADD:
    return a + b;
  case CLRED_OP_MUL:
    return a * b;
  case CLRED_OP_MIN:
    return turned(type, a) < turned(type, b) ? a : b;
  case CLRED_OP_MAX:
    return turned(type, a) > turned(type, b) ? a : b;
  case CLRED_OP_AND:
    return a & b;
  case CLRED_OP_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

static uint64_t integer_fold(clred_op op, clred_type type, const void *in, uint64_t count) {
  const size_t size = oracle_size(type);
  uint64_t     state = integer_identity(op, type);
  for (uint64_t i = 0; i < count; i++)
    state = integer_combine(op, type, state, widen(type, oracle_load(in, size, i)));
  return state;
}

static uint64_t truth_fold(clred_op op, clred_type type, const void *in, uint64_t count) {
  const size_t size = oracle_size(type);
  // A floating element is zero whatever its sign bit says; a NaN is not zero.
  const uint64_t mask = is_floating(type) ? UINT64_MAX >> (65 - 8 * size) : UINT64_MAX;
  uint64_t       zeros = 0;
  for (uint64_t i = 0; i < count; i++)
    zeros += (oracle_load(in, size, i) & mask) == 0;
  return op == CLRED_OP_ALL ? zeros == 0 : zeros < count;
}

// Min and max of a floating type: a NaN wins, and -0 stands before +0.
static double extremum_fold(clred_op op, clred_type type, const void *in, uint64_t count) {
  const size_t size = oracle_size(type);
  const bool   least = op == CLRED_OP_MIN;
  double       best = least ? INFINITY : -INFINITY;
  for (uint64_t i = 0; i < count; i++) {
    const double x = oracle_float_value(type, oracle_load(in, size, i));
    if (isnan(x))
      return x;
    const bool before = x < best || (x == best && signbit(x) && !signbit(best));
    const bool after = x > best || (x == best && !signbit(x) && signbit(best));
    if (least ? before : after)
      best = x;
  }
  return best;
}

bool oracle_accepts(const oracle_answer *answer, uint64_t bits) {
  if (!answer->any_order || !isfinite(answer->value))
    return bits == answer->bits;
  const double got = oracle_float_value(answer->result_type, bits);
  return isfinite(got) && fabs(got - answer->value) <= answer->bound;
}

// ---------------------------------------------------------------- The answer

uint64_t oracle_hand_over(uint64_t preferred_multiple, uint64_t group_size) {
  uint64_t power = 32;
  while (power < 128 && 2 * power <= preferred_multiple)
    power *= 2;
  return power < group_size ? power : group_size;
}

static double ordered_reduce(bool multiply, clred_type type, const void *in, uint64_t count, const oracle_tree *tree,
                             oracle_answer *answer) {
  const oracle_arithmetic how = {multiply, type == CLRED_TYPE_FLOAT};
  if (count == 0)
    return multiply ? 1 : 0;
  double *x = oracle_claim(count, sizeof *x);
  for (uint64_t i = 0; i < count; i++)
    x[i] = oracle_float_value(type, oracle_load(in, oracle_size(type), i));
  answer->any_order = oracle_any_order(tree);
  if (answer->any_order)
    oracle_bound(tree, how, x, count, &answer->value, &answer->bound);
  else
    answer->value = oracle_fold(tree, how, x, count);
  free(x);
  return answer->value;
}

oracle_answer oracle_reduce(clred_op op, clred_type type, const void *in, uint64_t count, const oracle_tree *tree) {
  oracle_answer answer = {.result_type = oracle_result_type(op, type)};
  if (op == CLRED_OP_ALL || op == CLRED_OP_ANY)
    answer.bits = truth_fold(op, type, in, count);
  else if (!is_floating(type))
    answer.bits = integer_fold(op, type, in, count);
  else if (op == CLRED_OP_MIN || op == CLRED_OP_MAX)
    answer.bits = oracle_float_bits(type, extremum_fold(op, type, in, count));
  else
    answer.bits = oracle_float_bits(type, ordered_reduce(op == CLRED_OP_MUL, type, in, count, tree, &answer));
  return answer;
}
