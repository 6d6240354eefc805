// The host's sequential reference for every built-in operator, made from the rows that also make the kernels.
#include <math.h>
#include <string.h>

#include "model/operator.h"
#include "model/operators.def"
#include "model/shortcuts.def"

// Functions that are overloaded by type, as in OpenCL.
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
  static cl_##real clr_canonical_##real(cl_##real v) { \
    return v != v ? exact_real_of_##real(canonical_nan) : v; \
  } \
  static key real##_key(cl_##real v) { \
    const key bits = (key)exact_bits_of_##real(v); \
    return bits < 0 ? bits ^ key_max : bits; \
  } \
  static cl_##real real##_from_key(key k) { \
    return exact_real_of_##real((word)(k < 0 ? k ^ key_max : k)); \
  }
FLOATING(float, cl_uint, cl_int, 0x7fc00000u, CL_INT_MAX)
FLOATING(double, cl_ulong, cl_long, 0x7ff8000000000000u, CL_LONG_MAX)

static cl_ulong multiply_high(cl_ulong a, cl_ulong b) {
  cl_ulong a_low = a & 0xffffffffu, a_high = a >> 32, b_low = b & 0xffffffffu, b_high = b >> 32;
  cl_ulong middle = a_high * b_low + (a_low * b_low >> 32);
  cl_ulong other = a_low * b_high + (middle & 0xffffffffu);
  return a_high * b_high + (middle >> 32) + (other >> 32);
}

// Computes the signed product's high half from the unsigned one: for each negative factor, subtract the other factor.
static cl_long multiply_high_signed(cl_long a, cl_long b) {
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

#define JOIN_NOW(a, b) a##_##b
#define JOIN(a, b) JOIN_NOW(a, b)
#define NAMED(name) JOIN(name, KIND)

#include "model/host_exact.h"
#include "model/host_forms.h"

// --- Integers: arithmetic wraps, so it is done unsigned ---
#define SUM(a, b) ((WIDE)((cl_ulong)(a) + (cl_ulong)(b)))
#define PRODUCT(a, b) ((WIDE)((cl_ulong)(a) * (cl_ulong)(b)))
#define LESSER(a, b) min(a, b)
#define GREATER(a, b) max(a, b)
#define KEEP(v, otherwise) (v)
#define KEEP_BOTH(v, w, term) (term)
#define KEPT(v) ((cl_ulong)1)
#define KEEP_INDEX(v, index) (index)
#define NAN_COUNT(v) ((cl_ulong)0)
#define IGNORED(count) 0
#define LOW_KEY(v) (v)
#define HIGH_KEY(v) (v)
#define FROM_KEY(k) (k)
#define HIGHEST_KEY HIGHEST
#define LOWEST_KEY LOWEST
#define CANONICAL(v) (v)
#define AS_WIDE_ONE(v) ((WIDE)(v))

#define IS_INTEGER 1
#define REAL cl_double
#define KEY WIDE

#define HIGHEST ((WIDE)((UNSIGNED)-1 / 2))
#define LOWEST ((WIDE)(-HIGHEST - 1))
#define MAGNITUDE(v) ((v) < 0 ? -(cl_ulong)(v) : (cl_ulong)(v))
#define HIGH64(v) ((cl_long)((v) < 0 ? -1 : 0))
#define PRODUCT_HIGH(x, y) mul_hi((cl_long)(x), (cl_long)(y))
#define LEAVES_WIDE(low, high) ((high) != HIGH64((cl_long)(low)) || (cl_ulong)(WIDE)(low) != (low))
#define IS_NEGATIVE(high) ((high) < 0)

#define KIND of_char
#define WIDE cl_char
#define UNSIGNED cl_uchar
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_char, __VA_ARGS__)
#include "model/host_operator.inc"

#define KIND of_short
#define WIDE cl_short
#define UNSIGNED cl_ushort
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_short, __VA_ARGS__)
#include "model/host_operator.inc"

#define KIND of_int
#define WIDE cl_int
#define UNSIGNED cl_uint
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_char, __VA_ARGS__) F(cl_short, __VA_ARGS__) F(cl_int, __VA_ARGS__)
#include "model/host_operator.inc"

#define KIND of_long
#define WIDE cl_long
#define UNSIGNED cl_ulong
#define EVERY_FORM 1
#define STORED(F, ...) F(cl_char, __VA_ARGS__) F(cl_short, __VA_ARGS__) F(cl_int, __VA_ARGS__) F(cl_long, __VA_ARGS__)
#include "model/host_operator.inc"

#undef HIGHEST
#undef LOWEST
#undef MAGNITUDE
#undef HIGH64
#undef PRODUCT_HIGH
#undef LEAVES_WIDE
#undef IS_NEGATIVE

#define HIGHEST ((WIDE)-1)
#define LOWEST ((WIDE)0)
#define MAGNITUDE(v) ((cl_ulong)(v))
#define HIGH64(v) ((cl_long)0)
#define PRODUCT_HIGH(x, y) mul_hi((cl_ulong)(x), (cl_ulong)(y))
#define LEAVES_WIDE(low, high) ((high) != 0 || (cl_ulong)(WIDE)(low) != (low))
#define IS_NEGATIVE(high) 0

#define KIND of_uchar
#define WIDE cl_uchar
#define UNSIGNED cl_uchar
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_uchar, __VA_ARGS__)
#include "model/host_operator.inc"

#define KIND of_ushort
#define WIDE cl_ushort
#define UNSIGNED cl_ushort
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_ushort, __VA_ARGS__)
#include "model/host_operator.inc"

#define KIND of_uint
#define WIDE cl_uint
#define UNSIGNED cl_uint
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_uchar, __VA_ARGS__) F(cl_ushort, __VA_ARGS__) F(cl_uint, __VA_ARGS__)
#include "model/host_operator.inc"

#define KIND of_ulong
#define WIDE cl_ulong
#define UNSIGNED cl_ulong
#define EVERY_FORM 1
#define STORED(F, ...) \
  F(cl_uchar, __VA_ARGS__) F(cl_ushort, __VA_ARGS__) F(cl_uint, __VA_ARGS__) F(cl_ulong, __VA_ARGS__)
#include "model/host_operator.inc"

#undef HIGHEST
#undef LOWEST
#undef MAGNITUDE
#undef HIGH64
#undef PRODUCT_HIGH
#undef LEAVES_WIDE
#undef IS_NEGATIVE
#undef IS_INTEGER
#undef REAL
#undef KEY

#undef SUM
#undef PRODUCT
#undef LESSER
#undef GREATER
#undef KEEP
#undef KEEP_BOTH
#undef KEPT
#undef KEEP_INDEX
#undef NAN_COUNT
#undef IGNORED
#undef LOW_KEY
#undef HIGH_KEY
#undef FROM_KEY
#undef HIGHEST_KEY
#undef LOWEST_KEY
#undef CANONICAL
#undef AS_WIDE_ONE

// --- Floating: -0 is less than +0, and a NaN result is the one canonical NaN ---
#define IS_NAN(v) ((v) != (v))
#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
// Usually the state so far stays the lesser (or greater) value. This case is tested first, so it costs one branch for
// each element.
#define LIKELY(condition) __builtin_expect(condition, 1)
#define LESSER(a, b) (LIKELY((a) < (b)) ? (a) : (b) < (a) ? (b) : (a) == (b) ? (signbit(a) ? (a) : (b)) : (a) + (b))
#define GREATER(a, b) (LIKELY((a) > (b)) ? (a) : (b) > (a) ? (b) : (a) == (b) ? (signbit(a) ? (b) : (a)) : (a) + (b))
#define KEEP(v, otherwise) (IGNORES_NAN && IS_NAN(v) ? (otherwise) : (v))
#define KEEP_BOTH(v, w, term) (IGNORES_NAN && (IS_NAN(v) || IS_NAN(w)) ? ZERO : (term))
#define KEPT(v) ((cl_ulong)(IGNORES_NAN && IS_NAN(v) ? 0 : 1))
#define KEEP_INDEX(v, index) (IGNORES_NAN && IS_NAN(v) ? NOWHERE : (index))
#define NAN_COUNT(v) ((cl_ulong)IS_NAN(v))
#define IGNORED(count) (IGNORES_NAN ? (count) : 0)
#define LOW_KEY(v) (IS_NAN(v) ? IGNORES_NAN ? HIGHEST_KEY : KEY_MIN : TO_KEY(v))
#define HIGH_KEY(v) (IS_NAN(v) ? IGNORES_NAN ? LOWEST_KEY : KEY_MAX : TO_KEY(v))
#define CANONICAL(v) CANONICAL_REAL(v)
#define HIGHEST ((WIDE)INFINITY)
#define LOWEST (-(WIDE)INFINITY)
#define HIGHEST_KEY TO_KEY(HIGHEST)
#define LOWEST_KEY TO_KEY(LOWEST)

#define IS_INTEGER 0

#define KIND of_float
#define STORED(F, ...) F(cl_float, __VA_ARGS__)
#define WIDE cl_float
#define UNSIGNED cl_ulong
#define EVERY_FORM 1
#define REAL cl_float
#define KEY cl_int
#define KEY_MIN CL_INT_MIN
#define KEY_MAX CL_INT_MAX
#define TO_KEY(v) float_key(v)
#define FROM_KEY(k) float_from_key(k)
#include "model/host_operator.inc"
#undef KEY_MIN
#undef KEY_MAX
#undef TO_KEY
#undef FROM_KEY
#undef REAL
#undef KEY

#define KIND of_double
#define STORED(F, ...) F(cl_double, __VA_ARGS__)
#define WIDE cl_double
#define UNSIGNED cl_ulong
#define EVERY_FORM 1
#define REAL cl_double
#define KEY cl_long
#define KEY_MIN CL_LONG_MIN
#define KEY_MAX CL_LONG_MAX
#define TO_KEY(v) double_key(v)
#define FROM_KEY(k) double_from_key(k)
#include "model/host_operator.inc"

#define FORMS_OF(id, type, ...) [CLR_KIND_##id] = forms_of_##type,
const struct clr_host_form *const *const clr_host_forms[CLR_KINDS] = {CLR_KIND_MAP(FORMS_OF, )};

#define TAKEN_OF(id, type, ...) [CLR_KIND_##id] = taken_of_##type,
const struct clr_derived *const clr_derived_rows[CLR_KINDS] = {CLR_KIND_MAP(TAKEN_OF, )};
