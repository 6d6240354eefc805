// Elements for the suite of quantiles, and their quantiles and order as docs/quantiles.md defines them, by a sort in
// long double. The suite includes it once.
#pragma once

#include <math.h>

#include "support/fixture.h"
#include "support/random.h"

#define LONGEST 400003
#define MARGIN 8

// ---------------------------------------------------------------- Elements

enum kind { ANY_BITS, FEW_VALUES, ALL_EQUAL, ASCENDING, ONE_BUCKET, TWO_VALUES, KINDS };

static uint64_t small_number(clred_type type, int number) {
  return oracle_is_floating(type) ? oracle_float_bits(type, number - 2) : (uint64_t)number;
}

static uint64_t bits_of_kind(clred_type type, enum kind kind, uint64_t i, random_state *random) {
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
  default:
    return word;
  }
}

// A NaN only among ANY_BITS.
static void fill(clred_type type, enum kind kind, void *elements) {
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
    items[i] = (struct item){oracle_value_at(type, elements, i), i};
    nans += isnan(items[i].value) ? 1 : 0;
  }
  qsort(items, (size_t)count, sizeof *items, compare);
  return nans;
}

// Long doubles are nearer to the exact value than a double can be, unless it is half way between two of them.
static bool is_nearest(long double exact, double got) {
  const long double error = exact - (long double)got;
  const double beside = nextafter(got, error > 0 ? INFINITY : -INFINITY);
  return fabsl(error) <= fabsl((long double)beside - (long double)got) * 0.5005L;
}

static bool is_linear(const struct item *items, uint64_t count, double q, double got) {
  double position = q * (double)(count - 1);
  uint64_t lower = (uint64_t)position;
  double part = position - (double)lower;
  long double a = items[lower].value, b = items[lower + (part > 0)].value;
  if (part == 0 || a == b)
    return got == (double)a;
  if (isinf(a) || isinf(b))
    return isinf(a) && isinf(b) ? isnan(got) : got == (double)(a + b);
  return is_nearest(a + (b - a) * part, got);
}

static uint64_t expected_rank(double q, uint64_t count, clred_interpolation rule) {
  double position = q * (double)(count - 1), part = position - floor(position);
  uint64_t lower = (uint64_t)position;
  if (rule == CLRED_INTERPOLATION_LOWER)
    return lower;
  if (rule == CLRED_INTERPOLATION_HIGHER)
    return lower + (part > 0);
  return part < 0.5 ? lower : part > 0.5 ? lower + 1 : lower + lower % 2;
}
