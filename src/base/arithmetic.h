// Arithmetic on numbers of elements, in 64 bits.
#pragma once

#include "clreduce.h"

// Sum and product saturate at CL_ULONG_MAX, so that a size that is too large stays too large. The difference saturates
// at 0.
static inline cl_ulong clr_add(cl_ulong a, cl_ulong b) {
  return a > CL_ULONG_MAX - b ? CL_ULONG_MAX : a + b;
}

static inline cl_ulong clr_multiply(cl_ulong a, cl_ulong b) {
  return b && a > CL_ULONG_MAX / b ? CL_ULONG_MAX : a * b;
}

static inline cl_ulong clr_saturating_sub(cl_ulong a, cl_ulong b) {
  return a > b ? a - b : 0;
}

static inline cl_ulong clr_ceil_divide(cl_ulong value, cl_ulong divisor) {
  return value / divisor + (value % divisor != 0);
}

// The smallest multiple of `unit` that is at least `value`.
static inline size_t clr_round_up(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// The largest power of two that is at most `value`; 1 for 0.
static inline cl_ulong clr_pow2_floor(cl_ulong value) {
  cl_ulong power = 1;
  while (power <= value / 2)
    power *= 2;
  return power;
}

// The smallest power of two that is at least `value`, at most 2^63; 1 for 0.
static inline cl_ulong clr_pow2_ceil(cl_ulong value) {
  cl_ulong power = clr_pow2_floor(value);
  return power < value && power <= CL_ULONG_MAX / 2 ? 2 * power : power;
}

// The number of levels of a tree of adjacent pairs over `nodes` nodes.
static inline cl_ulong clr_levels(cl_ulong nodes) {
  cl_ulong levels = 0;
  for (; nodes > 1; nodes = (nodes + 1) / 2)
    levels++;
  return levels;
}

static inline cl_ulong clr_max(cl_ulong value, cl_ulong least) {
  return value > least ? value : least;
}

static inline cl_ulong clr_min(cl_ulong value, cl_ulong most) {
  return value < most ? value : most;
}

static inline cl_ulong clr_clamp(cl_ulong value, cl_ulong least, cl_ulong most) {
  return value < least ? least : clr_min(value, most);
}
