// What the host's operators over every kind of number need: functions that are overloaded by type, as in OpenCL, and
// the macros of the operators' texts. Only host_integers.h and host_floating.h include this file.
#pragma once

#include <math.h>
#include <string.h>

#include "model/operator.h"
#include "model/operators.def"
#include "model/shortcuts.def"

// The bits of a floating type as a `word`, and keys that sort like the numbers of the type.
#define FLOATING(real, word, key, canonical_nan, key_max) \
  static inline cl_ulong exact_bits_of_##real(cl_##real v) { \
    word bits; \
    memcpy(&bits, &v, sizeof bits); \
    return bits; \
  } \
  static inline cl_##real exact_real_of_##real(cl_ulong wide) { \
    const word bits = (word)wide; \
    cl_##real v; \
    memcpy(&v, &bits, sizeof v); \
    return v; \
  } \
  static inline cl_##real clr_canonical_##real(cl_##real v) { \
    return v != v ? exact_real_of_##real(canonical_nan) : v; \
  } \
  static inline key real##_key(cl_##real v) { \
    const key bits = (key)exact_bits_of_##real(v); \
    return bits < 0 ? bits ^ key_max : bits; \
  } \
  static inline cl_##real real##_from_key(key k) { \
    return exact_real_of_##real((word)(k < 0 ? k ^ key_max : k)); \
  }
FLOATING(float, cl_uint, cl_int, 0x7fc00000u, CL_INT_MAX)
FLOATING(double, cl_ulong, cl_long, 0x7ff8000000000000u, CL_LONG_MAX)

static inline cl_ulong multiply_high(cl_ulong a, cl_ulong b) {
  cl_ulong a_low = a & 0xffffffffu, a_high = a >> 32, b_low = b & 0xffffffffu, b_high = b >> 32;
  cl_ulong middle = a_high * b_low + (a_low * b_low >> 32);
  cl_ulong other = a_low * b_high + (middle & 0xffffffffu);
  return a_high * b_high + (middle >> 32) + (other >> 32);
}

// Computes the signed product's high half from the unsigned one: for each negative factor, subtract the other factor.
static inline cl_long multiply_high_signed(cl_long a, cl_long b) {
  cl_ulong high = multiply_high((cl_ulong)a, (cl_ulong)b);
  return (cl_long)(high - (a < 0 ? (cl_ulong)b : 0) - (b < 0 ? (cl_ulong)a : 0));
}

#undef fabs
#undef sqrt
#undef exp
#undef log
#define fabs(v) _Generic((v), cl_float : fabsf, default : (fabs))(v)
#define sqrt(v) _Generic((v), cl_float : sqrtf, default : (sqrt))(v)
#define exp(v) _Generic((v), cl_float : expf, default : (exp))(v)
#define log(v) _Generic((v), cl_float : logf, default : (log))(v)
#define mul_hi(a, b) _Generic((a), cl_long : multiply_high_signed, default : multiply_high)(a, b)

#include "model/host_words.h"

// Reads a number that may be unaligned.
#define READER(type) \
  static inline type read_##type(const unsigned char *from) { \
    type value; \
    memcpy(&value, from, sizeof value); \
    return value; \
  }
READER(cl_char)
READER(cl_uchar)
READER(cl_short)
READER(cl_ushort)
READER(cl_int)
READER(cl_uint)
READER(cl_long)
READER(cl_ulong)
READER(cl_float)
READER(cl_double)

#define JOIN_NOW(a, b) a##b
#define JOIN(a, b) JOIN_NOW(a, b)
#define NAMED(name) JOIN(name##_, KIND)

#include "model/host_exact.h"
