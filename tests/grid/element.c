// Single elements: see element.h.

#include "element.h"

#include <math.h>

const char *const flavour_names[FLAVOURS] = {"plain",           "zeros", "denormals", "one infinity",
                                             "both infinities", "NaNs",  "extremes",  "scaled"};

#define STEPS 13  // the number of values next to the type's end that decide a minimum or maximum

bool seeks_least(clred_op op) {
  return ORACLE_IS_ONE(op, CLRED_OP_MIN, CLRED_OP_ARGMIN, CLRED_OP_MINMAX, CLRED_OP_ARGMINMAX, CLRED_OP_STATS);
}

bool seeks_greatest(clred_op op) {
  return ORACLE_IS_ONE(op, CLRED_OP_MAX, CLRED_OP_ARGMAX, CLRED_OP_MINMAX, CLRED_OP_ARGMINMAX, CLRED_OP_STATS);
}

static uint64_t ones(clred_type type) {
  return UINT64_MAX >> (64 - 8 * oracle_size(type));
}

// The bits of a type with nothing but the sign set.
static uint64_t sign_bit(clred_type type) {
  return (ones(type) >> 1) + 1;
}

// The bits of the least and of the greatest value of an integer type.
static uint64_t lowest(clred_type type) {
  return oracle_is_signed(type) ? sign_bit(type) : 0;
}

static uint64_t highest(clred_type type) {
  return lowest(type) ^ ones(type);
}

// ---------------------------------------------------------------- Elements that do not decide

static uint64_t draw_float(clred_op op, clred_type type, bool imaginary, random_state *random) {
  const bool single = type != CLRED_TYPE_DOUBLE;
  const double value = op == CLRED_OP_PROD ? random_factor(random, single) : random_addend(random, single);
  if (op == CLRED_OP_ANY)
    return random_word(random) & sign_bit(type);
  if (op == CLRED_OP_ALL && !(value < 0 || value > 0))
    return oracle_float_bits(type, 1);
  if (op == CLRED_OP_COUNT_NONZERO && fabs(value) < 32)
    return 0;
  if (op == CLRED_OP_LOGSUMEXP)
    return oracle_float_bits(type, value / 16);
  // Close to the real axis, so that products of thousands stay in range.
  if (op == CLRED_OP_PROD && imaginary)
    return oracle_float_bits(type, fabs(value) - 1);
  return oracle_float_bits(type, value);
}

// In every third block of elements the values have the full range of the type. In the others they are smaller, so that
// some sums of squares do not overflow.
static uint64_t in_part_of_range(clred_type type, uint64_t word, unsigned turn) {
  const unsigned shift = (unsigned)oracle_size(type) * 3 * (turn % 3);
  const uint64_t sign = word & lowest(type) ? ones(type) ^ (ones(type) >> shift) : 0;
  return word >> shift | sign;
}

static uint64_t draw_integer(clred_op op, clred_type type, unsigned turn, random_state *random) {
  const uint64_t word = random_word(random) & ones(type);
  const uint64_t from_end = (word - lowest(type)) & ones(type), to_end = (highest(type) - word) & ones(type);
  if (ORACLE_IS_ONE(op, CLRED_OP_PROD, CLRED_OP_ALL))
    return word | 1;  // even factors would soon make every product 0
  if (op == CLRED_OP_AND)
    return ones(type);
  if (ORACLE_IS_ONE(op, CLRED_OP_OR, CLRED_OP_ANY))
    return 0;
  if (op == CLRED_OP_COUNT_NONZERO)
    return word & 2 ? word : 0;
  if (op == CLRED_OP_LOGSUMEXP)
    return word & 15;  // near enough to each other that all of them count
  if (op == CLRED_OP_XOR)
    return word;
  if ((seeks_least(op) && from_end <= STEPS) || (seeks_greatest(op) && to_end <= STEPS))
    return ones(type) / 3;
  return seeks_least(op) || seeks_greatest(op) ? word : in_part_of_range(type, word, turn);
}

uint64_t element_draw(clred_op op, clred_type type, bool imaginary, unsigned turn, random_state *random) {
  return oracle_is_floating(type) ? draw_float(op, type, imaginary, random) : draw_integer(op, type, turn, random);
}

// ---------------------------------------------------------------- Elements that decide

// A NaN changes every floating result; if NaNs are ignored, an infinity does.
static uint64_t poison_float(clred_op op, clred_type type, clred_nan nan, random_state *random) {
  const bool either = seeks_least(op) && seeks_greatest(op);
  const bool negative = either ? random_word(random) & 1 : seeks_least(op);
  if (op == CLRED_OP_ALL)
    return 0;
  if (nan == CLRED_NAN_PROPAGATE)
    return oracle_float_bits(type, NAN);
  return oracle_float_bits(type, negative ? -(double)INFINITY : (double)INFINITY);
}

uint64_t element_poison(clred_op op, clred_type type, clred_nan nan, random_state *random) {
  const uint64_t word = random_word(random);
  if (oracle_is_floating(type))
    return poison_float(op, type, nan, random);
  if (seeks_least(op) && seeks_greatest(op))
    return word & 1 ? lowest(type) : highest(type);
  if (seeks_least(op))
    return lowest(type);
  if (seeks_greatest(op))
    return highest(type);
  if (ORACLE_IS_ONE(op, CLRED_OP_AND, CLRED_OP_ALL))
    return 0;
  if (ORACLE_IS_ONE(op, CLRED_OP_OR, CLRED_OP_ANY))
    return ones(type);
  return op == CLRED_OP_LOGSUMEXP ? highest(type) : (word | 2) & ones(type);
}

uint64_t element_decisive(clred_op op, clred_type type, bool least, unsigned turn) {
  const unsigned step = turn * 5 % STEPS;
  if (op == CLRED_OP_ANY)
    return 1;  // as the bits of a float: the least denormal, not zero
  if (op == CLRED_OP_ALL)
    return 0;
  if (oracle_is_floating(type))
    return oracle_float_bits(type, least ? -1000.0 - step : 1000.0 + step);
  return least ? lowest(type) + 1 + step : highest(type) - 1 - step;
}

// ---------------------------------------------------------------- Special values

// The largest finite values, the least normal and denormal ones, and anything finite.
static uint64_t extreme_float(clred_type type, uint64_t infinity, uint64_t word) {
  const uint64_t least_normal = infinity & -infinity;
  switch (word >> 56 & 7) {
  case 0:
  case 1:
    return infinity - 1;
  case 2:
    return least_normal;
  case 3:
    return 1;
  case 4:
    return infinity - least_normal;  // the largest power of two
  default:
    return (word & (sign_bit(type) - 1)) % infinity;
  }
}

static uint64_t special_integer(enum flavour flavour, clred_type type, uint64_t word) {
  const uint64_t extremes[] = {lowest(type), highest(type), lowest(type) + 1, 1, ones(type)};
  return flavour == ZEROS ? 0 : extremes[word % 5];
}

uint64_t element_special(enum flavour flavour, clred_type type, uint64_t turn, random_state *random) {
  const uint64_t infinity = oracle_float_bits(type, INFINITY), word = random_word(random);
  const uint64_t sign = word & sign_bit(type);
  if (!oracle_is_floating(type))
    return special_integer(flavour, type, word);
  switch (flavour) {
  case ZEROS:
    return sign;
  case DENORMALS:
    return sign | (word & (sign_bit(type) - 1) & ~infinity);
  case ONE_INFINITY:
    return infinity;
  case BOTH_INFINITIES:
    return turn % 2 ? infinity | sign_bit(type) : infinity;
  case EXTREMES:
    return sign | extreme_float(type, infinity, random_word(random));
  default:  // any payload, quiet or signalling, but not all of it zero
    return sign | infinity | (word & (sign_bit(type) - 1)) | 1;
  }
}
