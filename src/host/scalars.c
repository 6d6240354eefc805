// Edge values and random values of one scalar type.
#include "host/scalars.h"

#include <math.h>
#include <string.h>

#define NUMBER(number) \
  { CLR_EDGE_NUMBER, number }
#define END(kind) \
  { CLR_EDGE_##kind, 0 }
static const struct clr_sample of_floats[] = {
  NUMBER(1),   NUMBER(2), NUMBER(0), NUMBER(-1),    NUMBER(3),           NUMBER(-2), NUMBER(0.5),
  NUMBER(-0.), END(TINY), END(BIG),  END(INFINITY), END(MINUS_INFINITY), END(NAN),
};
static const struct clr_sample of_signed[] = {
  NUMBER(1), NUMBER(2), NUMBER(0), NUMBER(-1), NUMBER(3), NUMBER(-2), END(BIG), END(MINUS_INFINITY),
};
static const struct clr_sample of_unsigned[] = {
  NUMBER(1), NUMBER(2), NUMBER(0), NUMBER(3), END(BIG), END(TINY),
};

cl_ulong clr_random(cl_ulong *state) {
  cl_ulong z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double random_unit(cl_ulong *random) {
  return (double)(clr_random(random) >> 11) * 0x1p-53;
}

// Truncates to the precision of half or bfloat16. A half below the normal numbers becomes 0.
static cl_ushort cut(cl_float number, bool is_half) {
  cl_uint bits;
  memcpy(&bits, &number, sizeof bits);
  cl_uint sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 0xff, fraction = bits >> 13 & 0x3ff;
  if (!is_half)
    return (cl_ushort)(isnan(number) ? 0x7fc0 : bits >> 16);
  if (isnan(number))
    return 0x7e00;
  if (exponent < 113 || exponent > 142)
    return (cl_ushort)(sign | (exponent < 113 ? 0 : 0x7c00));
  return (cl_ushort)(sign | (exponent - 112) << 10 | fraction);
}

static void put_real(const struct clr_type *type, double number, void *to) {
  if (type->id == CLRED_TYPE_DOUBLE) {
    memcpy(to, &number, sizeof number);
    return;
  }
  const cl_float narrow = (cl_float)number;
  const cl_ushort bits = cut(narrow, type->id == CLRED_TYPE_HALF);
  memcpy(to, type->id == CLRED_TYPE_FLOAT ? (const void *)&narrow : (const void *)&bits, type->size);
}

static double real_edge(const struct clr_type *type, const struct clr_sample *sample) {
  static const struct {
    double of_half, of_double, of_others;
  } edges[] = {
    [CLR_EDGE_TINY] = {0x1p-14, 1e-300, 0x1p-100},
    [CLR_EDGE_BIG] = {65504, 1e300, 1e30},
    [CLR_EDGE_INFINITY] = {INFINITY, INFINITY, INFINITY},
    [CLR_EDGE_MINUS_INFINITY] = {-INFINITY, -INFINITY, -INFINITY},
    [CLR_EDGE_NAN] = {NAN, NAN, NAN},
  };
  if (sample->kind == CLR_EDGE_NUMBER)
    return sample->number;
  return type->id == CLRED_TYPE_HALF     ? edges[sample->kind].of_half
         : type->id == CLRED_TYPE_DOUBLE ? edges[sample->kind].of_double
                                         : edges[sample->kind].of_others;
}

// Returns the end of the integer type's range that is nearest to the sample.
static cl_ulong integer_edge(const struct clr_type *type, const struct clr_sample *sample) {
  const cl_ulong all = ~(cl_ulong)0 >> (64 - 8 * type->size), top = all ^ all >> 1;
  const bool is_signed = type->class == CLR_SIGNED;
  if (sample->kind == CLR_EDGE_NUMBER || sample->kind == CLR_EDGE_NAN)
    return sample->kind == CLR_EDGE_NAN ? 1 : (cl_ulong)(cl_long)sample->number;
  if (sample->kind == CLR_EDGE_BIG || sample->kind == CLR_EDGE_INFINITY)
    return is_signed ? top - 1 : all;
  return sample->kind == CLR_EDGE_TINY || is_signed ? top : 0;
}

void clr_put_sample(const struct clr_type *type, const struct clr_sample *sample, void *to) {
  if (type->class == CLR_FLOATING)
    put_real(type, real_edge(type, sample), to);
  else
    clr_bits_put(integer_edge(type, sample), type->size, to);
}

const struct clr_sample *clr_edges_of(const struct clr_type *type, unsigned *count) {
  if (type->class == CLR_FLOATING) {
    *count = sizeof of_floats / sizeof *of_floats;
    return of_floats;
  }
  bool is_signed = type->class == CLR_SIGNED;
  *count = is_signed ? sizeof of_signed / sizeof *of_signed : sizeof of_unsigned / sizeof *of_unsigned;
  return is_signed ? of_signed : of_unsigned;
}

void clr_put_drawn(const struct clr_type *type, enum clr_range range, cl_ulong *random, void *to) {
  // At least 2^-10, because smaller numbers count as tiny.
  double number = 0x1p-10 + (1 - 0x1p-10) * random_unit(random);
  const cl_ulong bits = clr_random(random);
  const int most = type->id == CLRED_TYPE_HALF ? 8 : 30;
  const bool is_negative = range != CLR_RANGE_POSITIVE && (bits & 1);
  if (range == CLR_RANGE_WIDE)
    number = ldexp(number, (int)(bits >> 8 & 0xff) % (2 * most) - most);
  if (type->class == CLR_FLOATING)
    put_real(type, is_negative ? -number : number, to);
  else if (range == CLR_RANGE_WIDE)
    clr_bits_put(bits, type->size, to);
  else
    clr_bits_put(is_negative && type->class == CLR_SIGNED ? 0 - bits / 2 % 101 : bits / 2 % 101, type->size, to);
}
