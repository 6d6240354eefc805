// The macros of operators.def in C that do not depend on the kind. cl/common/formulas.clh has those that kernels share.
// Tests compare all results of host and kernels, bit by bit.
#pragma once

#include <float.h>

// Wider intermediate results would give other bits than the device's. cmake/options.cmake has the compilers' options.
_Static_assert(FLT_EVAL_METHOD == 0, "the host must compute floats as floats and doubles as doubles");

// HOST_ and each type name in texts, and each name that WIDE, REAL, KEY or UNSIGNED is replaced by.
#define HOST_uint cl_uint
#define HOST_ulong cl_ulong
#define HOST_long cl_long
#define HOST_double cl_double
#define HOST_cl_char cl_char
#define HOST_cl_uchar cl_uchar
#define HOST_cl_short cl_short
#define HOST_cl_ushort cl_ushort
#define HOST_cl_int cl_int
#define HOST_cl_uint cl_uint
#define HOST_cl_long cl_long
#define HOST_cl_ulong cl_ulong
#define HOST_cl_float cl_float
#define HOST_cl_double cl_double
#define HOST_WIDE WIDE
#define HOST_REAL REAL
#define HOST_KEY KEY
#define HOST_UNSIGNED UNSIGNED
#define HOST_TERMS NAMED(terms)
#define HOST_PRODUCTS NAMED(products)
// The clred_type of a type, or of a macro that stands for a type.
#define PART_OF(type) PART_OF_REPLACED(type)
#define PART_OF_REPLACED(type) PART_##type
#define PART_WIDE PART_OF(WIDE)
#define PART_REAL PART_OF(REAL)
#define PART_KEY PART_OF(KEY)
#define PART_UNSIGNED PART_OF(UNSIGNED)
#define PART_TERMS CLRED_TYPE_ULONG
#define PART_PRODUCTS CLRED_TYPE_ULONG
#define PART_uint CLRED_TYPE_UINT
#define PART_ulong CLRED_TYPE_ULONG
#define PART_long CLRED_TYPE_LONG
#define PART_double CLRED_TYPE_DOUBLE
#define PART_cl_char CLRED_TYPE_CHAR
#define PART_cl_uchar CLRED_TYPE_UCHAR
#define PART_cl_short CLRED_TYPE_SHORT
#define PART_cl_ushort CLRED_TYPE_USHORT
#define PART_cl_int CLRED_TYPE_INT
#define PART_cl_uint CLRED_TYPE_UINT
#define PART_cl_long CLRED_TYPE_LONG
#define PART_cl_ulong CLRED_TYPE_ULONG
#define PART_cl_float CLRED_TYPE_FLOAT
#define PART_cl_double CLRED_TYPE_DOUBLE

// As in OpenCL, a number is aligned to its size, and an array of numbers to the size of one. On 32-bit x86, C aligns a
// double of a struct to 4 bytes only.
#define HOST_MEMBER(type, name) _Alignas(sizeof(HOST_##type) < 8 ? sizeof(HOST_##type) : 8) HOST_##type name;
#define HOST_PART(type, name) {#name, PART_##type, 0, CLRED_OP_NONE},
#define TYPE_OF_VALUE(type) HOST_##type
#define TYPE_OF_FIELDS(list) \
  struct { \
    CLR_FIELDS_##list(HOST_MEMBER) \
  }
#define TYPE_OF_SCALED_FIELDS(list) TYPE_OF_FIELDS(list)
#define PARTS_OF_VALUE(type) \
  { "", PART_##type, 0, CLRED_OP_NONE }
#define PARTS_OF_FIELDS(list) CLR_FIELDS_##list(HOST_PART)
#define PARTS_OF_SCALED_FIELDS(list) PARTS_OF_FIELDS(list)
#define SIZE_OF_MEMBER(type, name) sizeof(HOST_##type),
#define SIZES_OF_VALUE(type) sizeof(HOST_##type)
#define SIZES_OF_FIELDS(list) CLR_FIELDS_##list(SIZE_OF_MEMBER)
#define SIZES_OF_SCALED_FIELDS(list) SIZES_OF_FIELDS(list)
// A state, brought into its range.
#define NORMAL_VALUE(type) s
#define NORMAL_FIELDS(list) s
#define NORMAL_SCALED_FIELDS(list) NORMAL_##list(s)

// Writes `given`, and 0 into its padding.
#define PUT_MEMBER(type, name) memcpy((unsigned char *)to + offsetof(GIVEN, name), &given.name, sizeof given.name);
#define PUT_VALUE(type) memcpy(to, &given, sizeof given);
#define PUT_FIELDS(list) \
  memset(to, 0, sizeof given); \
  CLR_FIELDS_##list(PUT_MEMBER)

#define TO(type, v) ((HOST_##type)(v))
#define UNIT(type, v) ((HOST_##type)(v))
#define MAKE(...) ((MADE){__VA_ARGS__})
#define GIVE(...) ((GIVEN){__VA_ARGS__})
// The condition is rarely true: combine usually keeps its left side, the state so far.
#define PICK(condition, p, q) (__builtin_expect(condition, 0) ? (p) : (q))
#define CHOOSE(type, condition, yes, no) ((condition) ? (yes) : (no))
#define FLAG(condition) ((cl_uint)(condition))
#define ANY_OF(condition) (condition)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((b) > (a) ? (b) : (a))

// --- What cl/common/formulas.clh needs ---

#define NOWHERE CL_ULONG_MAX
#define LOW64(v) ((cl_ulong)(v))
#define AS_LONG(v) ((cl_long)(v))
#define as_long(v) AS_LONG(v)
#define as_ulong(v) LOW64(v)
#define CARRIED(a, b, low, high) ((cl_long)((cl_ulong)a.high + ((cl_ulong)b.high + CARRY(a.low, b.low))))
#define SQUARE_HIGH(x) mul_hi(MAGNITUDE(x), MAGNITUDE(x))
#define IS_LESS(k, i, l, j) ((k) < (l) || ((k) == (l) && (i) < (j)))
#define IS_GREATER(k, i, l, j) ((k) > (l) || ((k) == (l) && (i) < (j)))
#define SHARE(p, q) (TO(REAL, p.count) / TO(REAL, max(p.count + q.count, 1)))

// Thresholds and scales by the size of a type.
#define NORM(what) UNIT(REAL, sizeof(REAL) == 4 ? NORM_##what##float : NORM_##what##double)
#define M2_UNIT(what) UNIT(REAL, sizeof(REAL) == 4 ? M2_##what##float : M2_##what##double)
#define SCALE(what) UNIT(WIDE, sizeof(WIDE) == 4 ? what##float : what##double)
#define SCALED_UP(a, b) ((a.scaled + b.scaled) + WEIGHTED(UP_OF(a, b, mean, rest), a, b))
#define SCALED_DOWN(a, b) ((PART_DOWN(a) + PART_DOWN(b)) + WEIGHTED(DOWN_OF(a, b, mean, rest), a, b))
#define SCALED_OF(a, b, m2) (IS_TINY(m2) ? SCALED_UP(a, b) : IS_HUGE(m2) ? SCALED_DOWN(a, b) : UNIT(REAL, 0))
#define MERGED_SCALED(a, b) SCALED_OF(a, b, MERGED_M2(a, b))

// Products with an exponent.
#define CLASS_FLOATING 0
#define WIDE_CLASS IS_INTEGER
#define STEP(condition) ((KEY)(condition))
#define WITHIN_EXPONENTS(e) min(max(e, -EXPONENT_MAX), EXPONENT_MAX)
#define TERM_EXPONENT(a, p, b, q) \
  (a.p * b.q == 0 ? -EXPONENT_MAX : WITHIN_EXPONENTS(a.p##_exponent + b.q##_exponent + SCALINGS(a.p * b.q)))
#define EXPONENT_RE(a, b) max(TERM_EXPONENT(a, re, b, re), TERM_EXPONENT(a, im, b, im))
#define EXPONENT_IM(a, b) max(TERM_EXPONENT(a, re, b, im), TERM_EXPONENT(a, im, b, re))
#define TERM_AT(a, p, b, q, top) UNSCALED(SCALED(a.p *b.q), TERM_EXPONENT(a, p, b, q) - (top))
#define PRODUCT_RE(a, b) (TERM_AT(a, re, b, re, EXPONENT_RE(a, b)) - TERM_AT(a, im, b, im, EXPONENT_RE(a, b)))
#define PRODUCT_IM(a, b) (TERM_AT(a, re, b, im, EXPONENT_IM(a, b)) + TERM_AT(a, im, b, re, EXPONENT_IM(a, b)))

#define CANONICAL_REAL(v) _Generic((v), cl_float : clr_canonical_float, default : clr_canonical_double)(v)
