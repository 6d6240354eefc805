// Types, elements in memory, the two short floating formats, and allocation: see oracle.h.

#include "oracle/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void oracle_fail(const char *what, const char *which) {
  fprintf(stderr, "oracle: %s %s\n", what, which);
  abort();
}

void *oracle_claim(uint64_t count, size_t size) {
  void *memory = malloc((size_t)(count ? count : 1) * size);
  if (!memory)
    oracle_fail("out of", "memory");
  return memory;
}

// ---------------------------------------------------------------- Types

// The component type of a vector. Any other type is returned unchanged.
static clred_type without_width(clred_type type) {
  return (clred_type)((int)type & 0xff);
}

// The fields of a floating format.
static int fraction_bits(clred_type type) {
  return type == CLRED_TYPE_HALF ? 10 : type == CLRED_TYPE_BFLOAT16 ? 7 : type == CLRED_TYPE_FLOAT ? 23 : 52;
}

bool oracle_is_one_of(clred_op op, const clred_op *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == op)
      return true;
  return false;
}

bool oracle_is_dot(clred_op op) {
  return op == CLRED_OP_DOT || op == CLRED_OP_VDOT;
}

bool oracle_is_complex(clred_type type) {
  return type == CLRED_TYPE_CFLOAT || type == CLRED_TYPE_CDOUBLE;
}

bool oracle_is_floating(clred_type type) {
  return type == CLRED_TYPE_FLOAT || type == CLRED_TYPE_DOUBLE || type == CLRED_TYPE_HALF ||
         type == CLRED_TYPE_BFLOAT16;
}

bool oracle_is_signed(clred_type type) {
  return type == CLRED_TYPE_CHAR || type == CLRED_TYPE_SHORT || type == CLRED_TYPE_INT || type == CLRED_TYPE_LONG;
}

clred_type oracle_component(clred_type type) {
  if (type == CLRED_TYPE_CFLOAT)
    return CLRED_TYPE_FLOAT;
  return type == CLRED_TYPE_CDOUBLE ? CLRED_TYPE_DOUBLE : without_width(type);
}

unsigned oracle_components(clred_type type) {
  const unsigned width = (unsigned)type >> 8;
  if (oracle_is_complex(type))
    return 2;
  return width == 0 ? 1 : width == 3 ? 4 : width;
}

static size_t component_size(clred_type type) {
  static const size_t sizes[] = {
    [CLRED_TYPE_CHAR] = 1,  [CLRED_TYPE_UCHAR] = 1,    [CLRED_TYPE_SHORT] = 2, [CLRED_TYPE_USHORT] = 2,
    [CLRED_TYPE_HALF] = 2,  [CLRED_TYPE_BFLOAT16] = 2, [CLRED_TYPE_INT] = 4,   [CLRED_TYPE_UINT] = 4,
    [CLRED_TYPE_FLOAT] = 4, [CLRED_TYPE_LONG] = 8,     [CLRED_TYPE_ULONG] = 8, [CLRED_TYPE_DOUBLE] = 8};
  return sizes[oracle_component(type)];
}

size_t oracle_size(clred_type type) {
  return component_size(type) * oracle_components(type);
}

// ---------------------------------------------------------------- Words in memory

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

// ---------------------------------------------------------------- Floating formats

static uint64_t double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// A short format's bits by arithmetic: the value in units of the last place of its binade, rounded to even.
static uint64_t short_bits(double value, int fraction, int least_exponent) {
  const uint64_t sign = signbit(value) ? (uint64_t)1 << 15 : 0;
  const uint64_t infinity = ((uint64_t)1 << 15) - ((uint64_t)1 << fraction);
  int exponent;
  if (isinf(value))
    return sign | infinity;
  frexp(value, &exponent);
  if (exponent - 1 < least_exponent || value == 0)
    exponent = least_exponent + 1;
  const double units = nearbyint(ldexp(fabs(value), fraction + 1 - exponent));
  // A denormal has no implied bit, and a carry out of the fraction increases the exponent. The addition handles both.
  const uint64_t bits = ((uint64_t)(exponent - 1 - least_exponent) << fraction) + (uint64_t)units;
  return sign | (bits < infinity ? bits : infinity);
}

uint64_t oracle_float_bits(clred_type type, double value) {
  switch (type) {
  case CLRED_TYPE_HALF:
    return isnan(value) ? 0x7e00 : short_bits(value, 10, -14);
  case CLRED_TYPE_BFLOAT16:
    return isnan(value) ? 0x7fc0 : short_bits(value, 7, -126);
  case CLRED_TYPE_FLOAT:
    return isnan(value) ? 0x7fc00000u : float_bits((float)value);
  default:
    return isnan(value) ? 0x7ff8000000000000u : double_bits(value);
  }
}

double oracle_float_value(clred_type type, uint64_t bits) {
  const int fraction = fraction_bits(type), size = 8 * (int)oracle_size(type);
  const uint64_t places = ((uint64_t)1 << (size - 1 - fraction)) - 1;  // all ones in the exponent
  const uint64_t exponent = bits >> fraction & places, low = bits & (((uint64_t)1 << fraction) - 1);
  const int bias = (int)(places / 2);
  double value = ldexp((double)low, 1 - bias - fraction);
  if (exponent == places)
    value = low ? NAN : INFINITY;
  else if (exponent)
    value = ldexp((double)(low | (uint64_t)1 << fraction), (int)exponent - bias - fraction);
  return bits >> (size - 1) & 1 ? -value : value;
}

// ---------------------------------------------------------------- Values of any scalar type

static long double half_range(clred_type type) {
  return ldexpl(1, (int)(8 * oracle_size(type)) - 1);
}

long double oracle_value_at(clred_type type, const void *array, uint64_t index) {
  const uint64_t bits = oracle_load(array, oracle_size(type), index);
  if (oracle_is_floating(type))
    return (long double)oracle_float_value(type, bits);
  const bool is_negative = oracle_is_signed(type) && (long double)bits >= half_range(type);
  return (long double)bits - (is_negative ? 2 * half_range(type) : 0);
}

void oracle_put(clred_type type, void *array, uint64_t index, long double value) {
  const long double low = oracle_is_signed(type) ? -half_range(type) : 0, high = low + 2 * half_range(type) - 1;
  const long double whole = floorl(value < low ? low : value > high ? high : value);
  const uint64_t bits = oracle_is_floating(type) ? oracle_float_bits(type, (double)value)
                        : whole < 0              ? (uint64_t)(int64_t)whole
                                                 : (uint64_t)whole;
  oracle_store(array, oracle_size(type), index, bits);
}
