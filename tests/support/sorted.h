// Elements for the suites of quantiles and sorts, and their order as docs/quantiles.md and clreduce_sort.h define it,
// by a stable sort in long double. A suite includes it once.
#pragma once

#include <math.h>

#include "support/fixture.h"
#include "support/random.h"

#define LONGEST 400003
#define MARGIN 8

// ---------------------------------------------------------------- Elements

enum kind { ANY_BITS, FEW_VALUES, ALL_EQUAL, ASCENDING, ONE_BUCKET, TWO_VALUES, KINDS };
enum { DESCENDING = KINDS, ONE_DIGIT, EXTREMES, SORT_KINDS };  // for the suite of sorts

static uint64_t small_number(clred_type type, int number) {
  return oracle_is_floating(type) ? oracle_float_bits(type, number - 2) : (uint64_t)number;
}

// Zeros, infinities, NaNs of both signs with any payload, and numbers near 0; integers near 0 and near their limits.
static uint64_t extreme(clred_type type, uint64_t word) {
  const uint64_t top = (uint64_t)1 << (8 * oracle_size(type) - 1), sign = word & 1 ? top : 0;
  if (!oracle_is_floating(type))
    return sign + (word >> 1) % 5 - 2;
  const uint64_t infinite = oracle_float_bits(type, INFINITY), payload = (infinite & (0 - infinite)) - 1;
  const uint64_t bits[] = {0, infinite, infinite | (word >> 8 & payload), word >> 8 & payload};
  return sign | bits[word >> 1 & 3];
}

static uint64_t bits_of_kind(clred_type type, int kind, uint64_t i, random_state *random) {
  uint64_t word = random_word(random), bits = 8 * oracle_size(type);
  switch (kind) {
  case FEW_VALUES:  // with -0 and 0
    return oracle_is_floating(type) && word % 7 == 0 ? (uint64_t)1 << (bits - 1) : small_number(type, (int)(word % 5));
  case ALL_EQUAL:
    return small_number(type, 3);
  case ASCENDING:
    return oracle_is_floating(type) ? oracle_float_bits(type, (double)i / 256) : i >> (bits < 32 ? 20 - bits : 0);
  case ONE_BUCKET:
    return small_number(type, 3) ^ word % (bits < 32 ? 8 : 8192);
  case TWO_VALUES:
    return small_number(type, (int)(word % 2) + 3);
  case DESCENDING:
    return bits_of_kind(type, ASCENDING, LONGEST + MARGIN - 1 - i, random);
  case ONE_DIGIT:
    return small_number(type, 3) ^ (word & 0xff) << bits / 2;
  case EXTREMES:
    return extreme(type, word);
  default:
    return word;
  }
}

// A NaN only among ANY_BITS, ONE_DIGIT and EXTREMES.
static void fill(clred_type type, int kind, void *elements) {
  random_state random = random_seed(11 * (uint64_t)type + (uint64_t)kind);
  for (uint64_t i = 0; i < LONGEST + MARGIN; i++)
    oracle_store(elements, oracle_size(type), i, bits_of_kind(type, kind, i, &random));
}

// ---------------------------------------------------------------- The expected results

struct item {
  long double value;
  uint64_t place;
};

static bool nans_first, descends;
static unsigned first_bit, key_bits;  // integers are compared by these bits only; 0: by all

static long double value_of(clred_type type, const void *elements, uint64_t i) {
  const unsigned size = (unsigned)oracle_size(type);
  if (!key_bits || key_bits == 8 * size)
    return oracle_value_at(type, elements, i);
  const uint64_t part = oracle_load(elements, size, i) >> first_bit & (((uint64_t)1 << key_bits) - 1);
  const bool is_negative = oracle_is_signed(type) && first_bit + key_bits == 8 * size && part >> (key_bits - 1);
  return (long double)part - (is_negative ? (long double)((uint64_t)1 << key_bits) : 0);
}

static int compare(const void *a, const void *b) {
  const struct item *one = a, *other = b;
  if (one->value < other->value || one->value > other->value)
    return (one->value < other->value) != descends ? -1 : 1;
  bool one_is = isnan(one->value), other_is = isnan(other->value);
  if (one_is != other_is)
    return one_is == nans_first ? -1 : 1;
  return one->place < other->place ? -1 : one->place > other->place;
}

// Sorts; returns how many NaNs there are.
static uint64_t sort(clred_type type, const void *elements, uint64_t count, struct item *items) {
  uint64_t nans = 0;
  for (uint64_t i = 0; i < count; i++) {
    items[i] = (struct item){value_of(type, elements, i), i};
    nans += isnan(items[i].value) ? 1 : 0;
  }
  qsort(items, (size_t)count, sizeof *items, compare);
  return nans;
}
