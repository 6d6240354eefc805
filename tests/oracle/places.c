// The least or greatest value and its first place: see docs/numerics.md on NaNs, zeros and ties.

#include "oracle/column.h"

#include <math.h>

// With the sign bit flipped, signed words compare as unsigned ones.
static uint64_t turned(const oracle_column *column, uint64_t word) {
  return oracle_is_signed(column->type) ? word ^ (uint64_t)1 << 63 : word;
}

// The greatest value of the result's type, or the least one.
static uint64_t end_of_type(const oracle_column *column, bool greatest) {
  const uint64_t bits = 8 * oracle_result_bytes(column->problem), sign = (uint64_t)1 << (bits - 1);
  if (oracle_is_signed(column->type))
    return greatest ? sign - 1 : -sign;
  return greatest ? sign - 1 + sign : 0;
}

static oracle_place find_word(const oracle_column *column, bool least) {
  uint64_t best = least ? UINT64_MAX : 0, index = UINT64_MAX;
  for (uint64_t i = 0; i < column->n; i++) {
    const uint64_t x = turned(column, oracle_word_at(column, column->x, i));
    if ((least ? x < best : x > best) || index == UINT64_MAX) {
      best = x;
      index = i;
    }
  }
  if (index == UINT64_MAX)
    return (oracle_place){index, end_of_type(column, least)};
  return (oracle_place){index, turned(column, best)};
}

// -infinity, negative numbers, -0, +0, positive numbers, infinity.
static bool is_before(double a, double b) {
  return a < b || (!(b < a) && signbit(a) && !signbit(b));
}

static oracle_place find_real(const oracle_column *column, bool least) {
  const clred_type wide = oracle_wide(column->problem);
  double best = least ? (double)INFINITY : -(double)INFINITY;
  uint64_t index = UINT64_MAX;
  for (uint64_t i = 0; i < column->n; i++) {
    const double x = oracle_real_at(column, column->x, i);
    if (oracle_is_ignored(column, x))
      continue;
    if (isnan(x))
      return (oracle_place){i, oracle_float_bits(wide, x)};
    if ((least ? is_before(x, best) : is_before(best, x)) || index == UINT64_MAX) {
      best = x;
      index = i;
    }
  }
  return (oracle_place){index, oracle_float_bits(wide, best)};
}

oracle_place oracle_find(const oracle_column *column, bool least) {
  return oracle_is_integral(column->problem) ? find_word(column, least) : find_real(column, least);
}
