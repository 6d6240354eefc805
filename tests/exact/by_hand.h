// Exact results of floats, worked out by hand: for the built-in operators, and for operators of a caller.
#pragma once

#include <stdint.h>

#include "support/fixture.h"

#define MOST_TERMS 4

// Elements and results as bits. Rows of pairs are for dot.
static const struct by_hand {
  clred_op op;
  size_t count;
  uint32_t x[MOST_TERMS], result;
} of_floats[] = {
  // Zeros: -0 only if there are elements, and all of them are -0.
  ROW(CLRED_OP_SUM, 0, {0}, 0),
  ROW(CLRED_OP_SUM, 1, {0x80000000}, 0x80000000),
  ROW(CLRED_OP_SUM, 2, {0x80000000, 0x80000000}, 0x80000000),
  ROW(CLRED_OP_SUM, 2, {0x80000000, 0}, 0),
  ROW(CLRED_OP_SUM, 2, {0x3f800000, 0xbf800000}, 0),
  ROW(CLRED_OP_MEAN, 2, {0x80000000, 0x80000000}, 0x80000000),
  ROW(CLRED_OP_NORM1, 2, {0x80000000, 0x80000000}, 0),
  // Infinities and NaNs.
  ROW(CLRED_OP_SUM, 2, {0x7f800000, 0x3f800000}, 0x7f800000),
  ROW(CLRED_OP_SUM, 2, {0x7f800000, 0xff800000}, 0x7fc00000),
  ROW(CLRED_OP_SUM, 2, {0xffc12345, 0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_SUM, 2, {0xff800000, 0x3f800000}, 0xff800000),
  ROW(CLRED_OP_MEAN, 2, {0xffc12345, 0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_NORM1, 1, {0xff800000}, 0x7f800000),
  ROW(CLRED_OP_VAR, 2, {0x7f800000, 0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_NORM2, 2, {0xff800000, 0x3f800000}, 0x7f800000),
  // The greatest float and half of its last bit is the tie with 2^128, which is infinity. A little less is not.
  ROW(CLRED_OP_SUM, 2, {0x7f7fffff, 0x73000000}, 0x7f800000),
  ROW(CLRED_OP_SUM, 3, {0x7f7fffff, 0x73000000, 0x80000001}, 0x7f7fffff),
  ROW(CLRED_OP_SUM, 3, {0x7f7fffff, 0x7f7fffff, 0xff7fffff}, 0x7f7fffff),
  ROW(CLRED_OP_MEAN, 2, {0x7f7fffff, 0x7f7fffff}, 0x7f7fffff),
  // Ties go to even; the smallest number decides. 1 + 2^-24, and 1 + 2^-23 + 2^-24.
  ROW(CLRED_OP_SUM, 2, {0x3f800000, 0x33800000}, 0x3f800000),
  ROW(CLRED_OP_SUM, 3, {0x3f800000, 0x33800000, 0x00000001}, 0x3f800001),
  ROW(CLRED_OP_SUM, 2, {0x3f800001, 0x33800000}, 0x3f800002),
  ROW(CLRED_OP_SUM, 3, {0x3f800001, 0x33800000, 0x80000001}, 0x3f800001),
  // 1e30 + 1 - 1e30.
  ROW(CLRED_OP_SUM, 3, {0x7149f2ca, 0x3f800000, 0xf149f2ca}, 0x3f800000),
  // Subnormal numbers. The mean of 2^-149 and 0 is a tie with 0.
  ROW(CLRED_OP_SUM, 2, {0x007fffff, 0x00000001}, 0x00800000),
  ROW(CLRED_OP_MEAN, 2, {0x00000001, 0}, 0),
  ROW(CLRED_OP_MEAN, 2, {0x00000003, 0}, 0x00000002),
  ROW(CLRED_OP_SUMSQ, 1, {0x00000001}, 0),
  ROW(CLRED_OP_NORM2, 1, {0x00000001}, 0x00000001),
  // 3^2 + 4^2 far below and above the range of floats.
  ROW(CLRED_OP_NORM2, 2, {0x00000003, 0x00000004}, 0x00000005),
  ROW(CLRED_OP_NORM2, 2, {0x7e400000, 0x7e800000}, 0x7ea00000),
  ROW(CLRED_OP_SUMSQ, 2, {0x7e400000, 0x7e800000}, 0x7f800000),
  // Quotients: 1/3 of (1, 0, 0); variances of 1, 2 and 4: 14/9 and 7/3.
  ROW(CLRED_OP_MEAN, 3, {0x3f800000, 0, 0}, 0x3eaaaaab),
  ROW(CLRED_OP_VAR, 3, {0x3f800000, 0x40000000, 0x40800000}, 0x3fc71c72),
  ROW(CLRED_OP_VAR_SAMPLE, 3, {0x3f800000, 0x40000000, 0x40800000}, 0x40155555),
  ROW(CLRED_OP_VAR, 1, {0x3f800000}, 0),
  ROW(CLRED_OP_STD, 2, {0x3f800000, 0x3f800000}, 0),
  ROW(CLRED_OP_VAR_SAMPLE, 1, {0x3f800000}, 0x7fc00000),
  ROW(CLRED_OP_MEAN, 0, {0}, 0x7fc00000),
  ROW(CLRED_OP_VAR, 0, {0}, 0x7fc00000),
};
