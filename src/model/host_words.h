// The macros of operators.def in C that do not depend on the kind. The kernels' macros are in cl/common/context.clh,
// arithmetic.clh and lower.clh. Tests compare all results of host and kernels, bit by bit.
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
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((b) > (a) ? (b) : (a))

#define ZERO UNIT(WIDE, 0)
#define ONE UNIT(WIDE, 1)
#define ALL_ONES UNIT(WIDE, -1)
#define NOWHERE CL_ULONG_MAX

#define KEEP_PAIRS(term) KEEP_BOTH(x_re, x_im, KEEP_BOTH(y_re, y_im, term))
#define LOW64(v) ((cl_ulong)(v))
#define AS_LONG(v) ((cl_long)(v))
#define LEAVES_UNSIGNED(low, high) ((high) != 0 || TO(UNSIGNED, low) != (low))
#define CARRY(p, q) ((cl_ulong)((p) + (q) < (p)))
#define CARRIED(a, b, low, high) ((cl_long)((cl_ulong)a.high + ((cl_ulong)b.high + CARRY(a.low, b.low))))
#define MIDDLE(a, b, low, high) (a.high + b.high + CARRY(a.low, b.low))
#define MIDDLE_CARRY(a, b, low, high) (CARRY(a.high, b.high) + CARRY(a.high + b.high, CARRY(a.low, b.low)))
#define TOP_CARRIED(a, b, low, high, top) (a.top + b.top + AS_LONG(MIDDLE_CARRY(a, b, low, high)))
#define LONG_SUM(a, b) MAKE(a.low + b.low, CARRIED(a, b, low, high))
#define PRODUCT_SUM(a, b) MAKE(a.low + b.low, MIDDLE(a, b, low, high), TOP_CARRIED(a, b, low, high, top))
#define COUNTED_SUM(a, b) MAKE(a.low + b.low, CARRIED(a, b, low, high), a.count + b.count)
#define SQUARE_HIGH(x) mul_hi(MAGNITUDE(x), MAGNITUDE(x))
#define NO_LONG_MOMENTS \
  MAKE(UNIT(ulong, 0), UNIT(ulong, 0), UNIT(long, 0), UNIT(ulong, 0), UNIT(ulong, 0), UNIT(long, 0))
#define LONG_MOMENTS(x) MAKE(UNIT(ulong, 1), LOW64(x), HIGH64(x), LOW64(x) * LOW64(x), SQUARE_HIGH(x), UNIT(long, 0))
#define LONG_MOMENTS_SUM(a, b) \
  MAKE(a.count + b.count, a.sum + b.sum, CARRIED(a, b, sum, sum_high), a.square + b.square, \
       MIDDLE(a, b, square, square_middle), TOP_CARRIED(a, b, square, square_middle, square_high))
#define FACTOR(v) (MAGNITUDE(v) + (cl_ulong)((v) == 0))
#define FACTOR_MARKS(v) ((LOW64(HIGH64(v)) & 1) | ((cl_ulong)((v) == 0) * 2))
#define PRODUCT_MARKS(a, b) \
  (((a.marks ^ b.marks) & 1) | ((a.marks | b.marks) & 6) | ((cl_ulong)(mul_hi(a.low, b.low) != 0) * 4))
#define CHECKED_PRODUCT(a, b) MAKE(a.low *b.low, PRODUCT_MARKS(a, b))
#define PRODUCT_OF(s) ((s.marks & 2) != 0 ? 0 : (s.marks & 1) != 0 ? 0 - s.low : s.low)
#define PRODUCT_LEAVES(s) \
  ((s.marks & 2) == 0 && ((s.marks & 4) != 0 || LEAVES_WIDE(PRODUCT_OF(s), -(cl_long)(s.marks & 1))))

#define IS_LESS(k, i, l, j) ((k) < (l) || ((k) == (l) && (i) < (j)))
#define IS_GREATER(k, i, l, j) ((k) > (l) || ((k) == (l) && (i) < (j)))
#define LESS_INDEX(k, i, l, j) (IS_LESS(l, j, k, i) ? (j) : (i))
#define GREATER_INDEX(k, i, l, j) (IS_GREATER(l, j, k, i) ? (j) : (i))

#define SHARE(p, q) (TO(REAL, p.count) / TO(REAL, max(p.count + q.count, 1)))
#define NO_REST UNIT(REAL, -0.0f)
#define APART_OF(a, b, mean, rest) (b.rest - ((a.mean - b.mean) + a.rest))
#define ARE_NEAR_OF(a, b, mean, rest) (fabs(APART_OF(a, b, mean, rest)) < UNIT(REAL, INFINITY))
#define STEP_OF(a, b, mean, rest) (a.rest + APART_OF(a, b, mean, rest) * SHARE(b, a))
#define MERGED_MEAN(a, b) MERGED_MEAN_OF(a, b, mean, rest)
#define MERGED_REST(a, b) MERGED_REST_OF(a, b, mean, rest)
#define MERGED_MEAN_OF(a, b, mean, rest) \
  CHOOSE(REAL, a.count == 0, b.mean, \
         CHOOSE(REAL, ARE_NEAR_OF(a, b, mean, rest), a.mean + STEP_OF(a, b, mean, rest), \
                a.mean * SHARE(a, b) + b.mean * SHARE(b, a)))
#define MERGED_REST_OF(a, b, mean, rest) \
  CHOOSE(REAL, a.count == 0, b.rest, \
         CHOOSE(REAL, ARE_NEAR_OF(a, b, mean, rest), \
                STEP_OF(a, b, mean, rest) - ((a.mean + STEP_OF(a, b, mean, rest)) - a.mean), NO_REST))
#define WEIGHT(a, b) (TO(REAL, a.count) * SHARE(b, a))
#define WEIGHTED(d, a, b) ((d) * ((d)*WEIGHT(a, b)))
#define APART(a, b) APART_OF(a, b, mean, rest)
#define MERGED_COMPLEX_M2(a, b) \
  ((a.m2 + b.m2) + (WEIGHTED(APART(a, b), a, b) + WEIGHTED(APART_OF(a, b, mean_im, rest_im), a, b)))
#define MERGED_M2(a, b) ((a.m2 + b.m2) + WEIGHTED(APART(a, b), a, b))
#define DOWN(v) ((v)*M2_UNIT(DOWN))
#define DOWN_OF(a, b, mean, rest) (DOWN(b.rest) - ((DOWN(a.mean) - DOWN(b.mean)) + DOWN(a.rest)))
#define UP_OF(a, b, mean, rest) (WEIGHT(a, b) == 0 ? 0 : APART_OF(a, b, mean, rest) * M2_UNIT(UP))
#define PART_DOWN(p) (p.m2 < M2_UNIT(END) ? DOWN(DOWN(p.m2)) : p.scaled)
#define SCALED_UP(a, b) ((a.scaled + b.scaled) + WEIGHTED(UP_OF(a, b, mean, rest), a, b))
#define SCALED_DOWN(a, b) ((PART_DOWN(a) + PART_DOWN(b)) + WEIGHTED(DOWN_OF(a, b, mean, rest), a, b))
#define SCALED_OF(a, b, m2) \
  ((m2) < M2_UNIT(LEAST) ? SCALED_UP(a, b) : (m2) < M2_UNIT(END) ? UNIT(REAL, 0) : SCALED_DOWN(a, b))
#define MERGED_SCALED(a, b) SCALED_OF(a, b, MERGED_M2(a, b))
#define COMPLEX_SCALED(a, b, m2) \
  ((m2) < M2_UNIT(LEAST) ? (a.scaled + b.scaled) + \
                             (WEIGHTED(UP_OF(a, b, mean, rest), a, b) + WEIGHTED(UP_OF(a, b, mean_im, rest_im), a, b)) \
   : (m2) < M2_UNIT(END) ? UNIT(REAL, 0) \
                         : (PART_DOWN(a) + PART_DOWN(b)) + (WEIGHTED(DOWN_OF(a, b, mean, rest), a, b) + \
                                                            WEIGHTED(DOWN_OF(a, b, mean_im, rest_im), a, b)))
#define NO_MOMENTS MAKE(0, NO_REST, NO_REST, 0, 0)
#define MOMENTS(x) MAKE(KEPT(x), KEEP(x, -ZERO), NO_REST, 0, 0)
#define MERGED_MOMENTS(a, b) \
  MAKE(a.count + b.count, MERGED_MEAN(a, b), MERGED_REST(a, b), MERGED_M2(a, b), MERGED_SCALED(a, b))
#define TOP(a, b) ((a) > (b) ? (a) : (b) > (a) ? (b) : (a) == (b) ? (a) : (a) + (b))
#define BROUGHT_TO(t, p) (p.top == (t) ? p.sum : p.sum * exp(p.top - (t)))
#define MERGED_EXPONENTIALS(a, b) \
  MAKE(TOP(a.top, b.top), BROUGHT_TO(TOP(a.top, b.top), a) + BROUGHT_TO(TOP(a.top, b.top), b))

#define SQUARE(v) ((v) * (v))
#define IS_BIG(v) (fabs(v) >= NORM(BIG))
#define IS_SMALL(v) (fabs(v) <= NORM(SMALL))
#define IF_BIG(v) (IS_BIG(v) ? SQUARE((v)*NORM(DOWN)) : UNIT(REAL, 0))
#define IF_SMALL(v) (IS_SMALL(v) ? SQUARE((v)*NORM(UP)) : UNIT(REAL, 0))
#define IF_MIDDLE(v) (IS_BIG(v) || IS_SMALL(v) ? UNIT(REAL, 0) : SQUARE(v))
#define SCALED_SQUARE(v) MAKE(IF_BIG(v), IF_MIDDLE(v), IF_SMALL(v))
#define SCALED_SQUARES(v, w) MAKE(IF_BIG(v) + IF_BIG(w), IF_MIDDLE(v) + IF_MIDDLE(w), IF_SMALL(v) + IF_SMALL(w))
#define LARGER_OF(p, q) (fabs(p) < fabs(q) ? fabs(q) : fabs(p))
#define SMALLER_OF(p, q) (fabs(p) < fabs(q) ? fabs(p) : fabs(q))
#define RATIO(p, q) (SMALLER_OF(p, q) / LARGER_OF(p, q))
#define IS_INFINITE(v) (fabs(v) == UNIT(WIDE, INFINITY))
#define MODULUS(p, q) \
  (IS_INFINITE(p) || IS_INFINITE(q) ? UNIT(WIDE, INFINITY) \
   : (p) == 0 && (q) == 0           ? ZERO \
                                    : LARGER_OF(p, q) * sqrt(ONE + RATIO(p, q) * RATIO(p, q)))

#define RAISED(v) ((v)*M2_UNIT(UP))
#define HAS_VARIANCE(mean, divisor) (fabs(mean) < UNIT(REAL, INFINITY) && (divisor) >= 0)
#define VARIANCE(s, divisor) VARIANCE_OF(s.mean, s, divisor)
#define DEVIATION(s, divisor) DEVIATION_OF(s.mean, s, divisor)
#define VARIANCE_OF(mean, s, divisor) \
  (!HAS_VARIANCE(mean, divisor) ? (REAL)NAN \
   : s.m2 < M2_UNIT(LEAST)      ? DOWN(DOWN(s.scaled / (divisor))) \
   : s.m2 < M2_UNIT(END)        ? s.m2 / (divisor) \
                                : RAISED(RAISED(s.scaled / (divisor))))
#define DEVIATION_OF(mean, s, divisor) \
  (!HAS_VARIANCE(mean, divisor) ? (REAL)NAN \
   : s.m2 < M2_UNIT(LEAST)      ? DOWN(sqrt(s.scaled / (divisor))) \
   : s.m2 < M2_UNIT(END)        ? sqrt(s.m2 / (divisor)) \
                                : RAISED(sqrt(s.scaled / (divisor))))

// Products with an exponent. cl/common/arithmetic.clh explains them.
#define SCALE(what) UNIT(WIDE, sizeof(WIDE) == 4 ? SCALE_##what##float : SCALE_##what##double)
#define SCALE_HIGH_float 0x1p36
#define SCALE_LOW_float 0x1p-60
#define SCALE_DOWN_float 0x1p-96
#define SCALE_UP_float 0x1p96
#define SCALE_HIGH_double 0x1p288
#define SCALE_LOW_double 0x1p-480
#define SCALE_DOWN_double 0x1p-768
#define SCALE_UP_double 0x1p768
#define STEP(condition) ((KEY)(condition))
#define EXPONENT_MAX (KEY_MAX >> 1)
#define WITHIN_EXPONENTS(e) min(max(e, -EXPONENT_MAX), EXPONENT_MAX)
#define IS_ABOVE(v) (fabs(v) >= SCALE(HIGH_))
#define IS_BELOW(v) (fabs(v) < SCALE(LOW_))
#define SCALED(v) ((v) * (IS_ABOVE(v) ? SCALE(DOWN_) : IS_BELOW(v) ? SCALE(UP_) : ONE))
#define SCALINGS(v) (STEP(IS_ABOVE(v)) - STEP(IS_BELOW(v)))
#define SCALE_BY(e, most) ((e) > (most) ? SCALE(UP_) : (e) < -(most) ? SCALE(DOWN_) : ONE)
#define UNSCALED(v, e) (((v)*SCALE_BY(e, 0)) * SCALE_BY(e, 1))
#define PRODUCT_STATE(v, e) MAKE(SCALED(v), WITHIN_EXPONENTS((e) + SCALINGS(v)))
#define COMPLEX_PRODUCT(re, i, im, j) MAKE(SCALED(re), SCALED(im), KEPT_EXPONENT(re, i), KEPT_EXPONENT(im, j))
#define EVEN_EXPONENTS(a, b) (a.re_exponent == a.im_exponent && b.re_exponent == b.im_exponent)
#define KEPT_EXPONENT(v, e) \
  (fabs(v) > 0 && fabs(v) < UNIT(WIDE, INFINITY) ? WITHIN_EXPONENTS((e) + SCALINGS(v)) : UNIT(KEY, 0))
#define TERM_EXPONENT(a, p, b, q) \
  (a.p * b.q == 0 ? -EXPONENT_MAX : WITHIN_EXPONENTS(a.p##_exponent + b.q##_exponent + SCALINGS(a.p * b.q)))
#define EXPONENT_RE(a, b) max(TERM_EXPONENT(a, re, b, re), TERM_EXPONENT(a, im, b, im))
#define EXPONENT_IM(a, b) max(TERM_EXPONENT(a, re, b, im), TERM_EXPONENT(a, im, b, re))
#define TERM_AT(a, p, b, q, top) UNSCALED(SCALED(a.p *b.q), TERM_EXPONENT(a, p, b, q) - (top))
#define PRODUCT_RE(a, b) (TERM_AT(a, re, b, re, EXPONENT_RE(a, b)) - TERM_AT(a, im, b, im, EXPONENT_RE(a, b)))
#define PRODUCT_IM(a, b) (TERM_AT(a, re, b, im, EXPONENT_IM(a, b)) + TERM_AT(a, im, b, re, EXPONENT_IM(a, b)))
#define UNEVEN_PRODUCT(a, b) COMPLEX_PRODUCT(PRODUCT_RE(a, b), EXPONENT_RE(a, b), PRODUCT_IM(a, b), EXPONENT_IM(a, b))
#define NORMAL_PRODUCT(s) PRODUCT_STATE(s.value, s.exponent)
#define NORMAL_COMPLEX_PRODUCT(s) COMPLEX_PRODUCT(s.re, s.re_exponent, s.im, s.im_exponent)

#define SCALED_ROOT(big, middle, small) \
  ((big) != 0      ? sqrt((big) + (middle)*NORM(DOWN) * NORM(DOWN)) / NORM(DOWN) \
   : (middle) != 0 ? sqrt((middle) + (small) / NORM(UP) / NORM(UP)) \
                   : sqrt(small) / NORM(UP))
#define LONG_MEAN(low, high, count) clred_long_mean(low, (cl_ulong)(high), IS_NEGATIVE(high), count)
#define LONG_RATIO(s, divisor, is_root) \
  clred_long_variance(s.count, s.sum, (cl_ulong)s.sum_high, IS_NEGATIVE(s.sum_high), s.square, s.square_middle, \
                      (cl_ulong)s.square_high, divisor, is_root)
#define LONG_VARIANCE(s, divisor) LONG_RATIO(s, divisor, 0)
#define LONG_DEVIATION(s, divisor) LONG_RATIO(s, divisor, 1)

// Thresholds and scales of norm2, by the size of REAL.
#define NORM(what) (sizeof(REAL) == 4 ? (REAL)FLOAT_##what : (REAL)DOUBLE_##what)
#define FLOAT_BIG 0x1p42
#define FLOAT_DOWN 0x1p-90
#define FLOAT_SMALL 0x1p-60
#define FLOAT_UP 0x1p100
#define DOUBLE_BIG 0x1p450
#define DOUBLE_DOWN 0x1p-600
#define DOUBLE_SMALL 0x1p-500
#define DOUBLE_UP 0x1p600
// Thresholds and scales of m2, by the size of REAL.
#define M2_UNIT(what) (sizeof(REAL) == 4 ? (REAL)FLOAT_M2_##what : (REAL)DOUBLE_M2_##what)
#define FLOAT_M2_LEAST 0x1p-90
#define FLOAT_M2_END 0x1p100
#define FLOAT_M2_UP 0x1p90
#define FLOAT_M2_DOWN 0x1p-90
#define DOUBLE_M2_LEAST 0x1p-700
#define DOUBLE_M2_END 0x1p800
#define DOUBLE_M2_UP 0x1p700
#define DOUBLE_M2_DOWN 0x1p-700

#define CANONICAL_REAL(v) _Generic((v), cl_float : clr_canonical_float, default : clr_canonical_double)(v)
