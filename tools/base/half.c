// Both formats share the code. They differ in the number of exponent bits: 5 for half, 8 for bfloat16.

#include "base/half.h"

#include <string.h>

enum { HALF = 5, BFLOAT16 = 8, DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023 };

static cl_ulong bits_of(double value) {
  cl_ulong bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double double_of(cl_ulong bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static cl_ulong round_shift(cl_ulong value, int places) {
  if (places > DOUBLE_FRACTION + 2)
    return 0;
  cl_ulong kept = value >> places, rest = value - (kept << places), middle = (cl_ulong)1 << (places - 1);
  return kept + (rest > middle || (rest == middle && (kept & 1)));
}

// A carry from the fraction raises the exponent correctly, up to infinity.
static cl_ushort narrow(double value, int exponent_bits) {
  int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  cl_ulong bits = bits_of(value), fraction = bits & (((cl_ulong)1 << DOUBLE_FRACTION) - 1);
  int stored = (int)(bits >> DOUBLE_FRACTION & 0x7ff), exponent = stored - DOUBLE_BIAS;
  cl_ushort sign = (cl_ushort)(bits >> 63 << 15), infinity = (cl_ushort)(((1 << exponent_bits) - 1) << fraction_bits);
  if (stored == 0x7ff && fraction != 0)
    return (cl_ushort)(infinity | 1 << (fraction_bits - 1));
  if (exponent > bias)
    return sign | infinity;
  if (stored == 0)
    return sign;
  int below = exponent < 1 - bias ? 1 - bias - exponent : 0;
  cl_ulong whole = round_shift(fraction | (cl_ulong)1 << DOUBLE_FRACTION, DOUBLE_FRACTION - fraction_bits + below);
  int raised = below > 0 ? 0 : exponent + bias - 1;
  return (cl_ushort)(sign | (((cl_ulong)raised << fraction_bits) + whole));
}

// The unit of subnormals is the smallest one, 2^(1 - bias - fraction_bits).
static double widen(cl_ushort bits, int exponent_bits) {
  int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  int stored = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  cl_ulong fraction = bits & ((1u << fraction_bits) - 1), sign = (cl_ulong)(bits >> 15) << 63;
  if (stored == 0) {
    double least = double_of((cl_ulong)(DOUBLE_BIAS + 1 - bias - fraction_bits) << DOUBLE_FRACTION);
    return double_of(bits_of((double)fraction * least) | sign);
  }
  cl_ulong exponent = stored == (1 << exponent_bits) - 1 ? 0x7ff : (cl_ulong)(stored - bias + DOUBLE_BIAS);
  return double_of(sign | exponent << DOUBLE_FRACTION | fraction << (DOUBLE_FRACTION - fraction_bits));
}

cl_half half_from_double(double value) {
  return narrow(value, HALF);
}

cl_bfloat16 bfloat16_from_double(double value) {
  return narrow(value, BFLOAT16);
}

double half_to_double(cl_half bits) {
  return widen(bits, HALF);
}

double bfloat16_to_double(cl_bfloat16 bits) {
  return widen(bits, BFLOAT16);
}
