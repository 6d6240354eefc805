// Cases computed by hand for every operator, for scalar, short, complex and vector elements, and for the policies on
// NaN and overflow. Integers have results of 64 bits, so 0xfff...f for a sum of chars is -1 as a long: the problem, the
// subject of the case, the elements, and the bits of the result's components in the order of docs/numerics.md. `others`
// is the second input of dot. `ulps` is the allowed error in units of the last place, for exp and log. Floats: 1 is
// 3f800000, 2 is 40000000, 3 is 40400000.

#include "hand_literals.h"

#define OF(op_, type_) .problem = {.op = CLRED_OP_##op_, .type = CLRED_TYPE_##type_}
#define IGNORING(op_, type_) .problem = {.op = CLRED_OP_##op_, .type = CLRED_TYPE_##type_, .nan = CLRED_NAN_IGNORE}
#define DETECTING(op_, type_) \
  .problem = {.op = CLRED_OP_##op_, .type = CLRED_TYPE_##type_, .overflow = CLRED_OVERFLOW_DETECT}
#define IN_DOUBLE(op_, type_) .problem = {.op = CLRED_OP_##op_, .type = CLRED_TYPE_##type_, .state = CLRED_TYPE_DOUBLE}
#define VECTORS(op_, type_, n_) .problem = {.op = CLRED_OP_##op_, .type = CLRED_VECTOR(CLRED_TYPE_##type_, n_)}

#define ELEMENTS(...) .elements = {__VA_ARGS__}
#define WITH(...) .others = {__VA_ARGS__}
#define GIVES(...) .bits = {__VA_ARGS__}, .bit_count = sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

#define NOWHERE 0xffffffffffffffff
#define LONG_HIGHEST 0x7fffffffffffffff
#define LONG_LOWEST 0x8000000000000000
#define NAN32 0x7fc00000
#define INF32 0x7f800000
#define MINUS_INF32 0xff800000
#define NAN64 0x7ff8000000000000
#define INF64 0x7ff0000000000000
#define MINUS_INF64 0xfff0000000000000

struct hand_elements {
  const void *scalars;
  size_t count;  // of scalars
};

#define BIG 16777216.0f                  // 2^24: adding 1 changes nothing, adding 2 does
#define HUGE_INTEGER 9007199254740992.0  // 2^53: the same for double

// The orders of combination that a case is for: fixed/1 if it has three elements or more and rounds; all; or fixed/1,
// while another order must give other bits.
enum hand_order { BY_OPERATOR, ANY_ORDER, TELLS_ORDERS };

static const struct algebra_case {
  clred_problem problem;
  const char *what;
  struct hand_elements elements, others;
  uint64_t bits[9];
  size_t bit_count;
  unsigned ulps;
  enum hand_order order;
} algebra_cases[] = {
  // No elements: the identity
  {OF(SUM, INT), "empty sum", ELEMENTS(NOTHING), GIVES(0)},
  {OF(SUM, FLOAT), "empty sum is +0", ELEMENTS(NOTHING), GIVES(0)},
  {OF(PROD, UCHAR), "empty product", ELEMENTS(NOTHING), GIVES(1)},
  {OF(PROD, DOUBLE), "empty product", ELEMENTS(NOTHING), GIVES(0x3ff0000000000000)},
  {OF(MIN, CHAR), "empty minimum is that of the state", ELEMENTS(NOTHING), GIVES(0x7fffffffffffffff)},
  {OF(MIN, FLOAT), "empty minimum is infinity", ELEMENTS(NOTHING), GIVES(0x7f800000)},
  {OF(MAX, SHORT), "empty maximum is that of the state", ELEMENTS(NOTHING), GIVES(0x8000000000000000)},
  {OF(MAX, DOUBLE), "empty maximum is -infinity", ELEMENTS(NOTHING), GIVES(0xfff0000000000000)},
  {OF(MIN, UINT), "empty minimum without sign", ELEMENTS(NOTHING), GIVES(0xffffffffffffffff)},
  {OF(AND, USHORT), "empty and has all ones of the state", ELEMENTS(NOTHING), GIVES(0xffffffffffffffff)},
  {OF(AND, LONG), "empty and has all ones", ELEMENTS(NOTHING), GIVES(0xffffffffffffffff)},
  {OF(OR, ULONG), "empty or", ELEMENTS(NOTHING), GIVES(0)},
  {OF(ALL, FLOAT), "of nothing, all are", ELEMENTS(NOTHING), GIVES(1)},
  {OF(ANY, INT), "no element is true", ELEMENTS(NOTHING), GIVES(0)},

  // Sums of integers: 64 bits, wrapping
  {OF(SUM, CHAR), "negative element", ELEMENTS(CHARS(-1)), GIVES(0xffffffffffffffff)},
  {OF(SUM, CHAR), "past the element's range", ELEMENTS(CHARS(127, 127)), GIVES(0xfe)},
  {OF(SUM, CHAR), "below the element's range", ELEMENTS(CHARS(-128, -128)), GIVES(0xffffffffffffff00)},
  {OF(SUM, UCHAR), "no sign", ELEMENTS(UCHARS(255, 255)), GIVES(0x1fe)},
  {OF(SUM, SHORT), "signs cancel", ELEMENTS(SHORTS(-32768, 32767)), GIVES(0xffffffffffffffff)},
  {OF(SUM, USHORT), "past 16 bits", ELEMENTS(USHORTS(65535, 65535)), GIVES(0x1fffe)},
  {OF(SUM, INT), "past 31 bits", ELEMENTS(INTS(CL_INT_MAX, 1)), GIVES(0x80000000)},
  {OF(SUM, INT), "below 31 bits", ELEMENTS(INTS(CL_INT_MIN, -1)), GIVES(0xffffffff7fffffff)},
  {OF(SUM, UINT), "past 32 bits", ELEMENTS(UINTS(CL_UINT_MAX, CL_UINT_MAX)), GIVES(0x1fffffffe)},
  {OF(SUM, LONG), "wraps", ELEMENTS(LONGS(CL_LONG_MAX, 1)), GIVES(0x8000000000000000)},
  {OF(SUM, LONG), "wraps to 0", ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN)), GIVES(0)},
  {OF(SUM, ULONG), "wraps", ELEMENTS(ULONGS(CL_ULONG_MAX, 2)), GIVES(1)},

  // Products of integers
  {OF(PROD, CHAR), "minus by minus", ELEMENTS(CHARS(-128, -128)), GIVES(0x4000)},
  {OF(PROD, CHAR), "minus by plus", ELEMENTS(CHARS(-128, 127)), GIVES(0xffffffffffffc080)},
  {OF(PROD, USHORT), "three factors", ELEMENTS(USHORTS(65535, 65535, 65535)), GIVES(0xfffd0002ffff)},
  {OF(PROD, INT), "past 32 bits", ELEMENTS(INTS(CL_INT_MAX, CL_INT_MAX)), GIVES(0x3fffffff00000001)},
  {OF(PROD, LONG), "wraps", ELEMENTS(LONGS(CL_LONG_MAX, CL_LONG_MAX)), GIVES(1)},
  {OF(PROD, LONG), "the least by -1 is the least", ELEMENTS(LONGS(CL_LONG_MIN, -1)), GIVES(0x8000000000000000)},
  {OF(PROD, ULONG), "wraps to 0", ELEMENTS(ULONGS(0x100000000, 0x100000000)), GIVES(0)},

  // Extremes of integers
  {OF(MIN, CHAR), "signed", ELEMENTS(CHARS(0, 127, -128, 5)), GIVES(0xffffffffffffff80)},
  {OF(MIN, UCHAR), "unsigned", ELEMENTS(UCHARS(255, 1, 128)), GIVES(1)},
  {OF(MAX, CHAR), "all negative", ELEMENTS(CHARS(-3, -1, -128)), GIVES(0xffffffffffffffff)},
  {OF(MAX, UINT), "the top bit is no sign", ELEMENTS(UINTS(0x7fffffff, 0x80000000)), GIVES(0x80000000)},
  {OF(MIN, LONG), "the least", ELEMENTS(LONGS(0, CL_LONG_MIN, CL_LONG_MAX)), GIVES(0x8000000000000000)},
  {OF(MAX, ULONG), "the largest", ELEMENTS(ULONGS(1, CL_ULONG_MAX, 0)), GIVES(0xffffffffffffffff)},

  // Bitwise operators
  {OF(AND, UCHAR), "no bits from the widening", ELEMENTS(UCHARS(0x3c, 0x0f)), GIVES(0x0c)},
  {OF(AND, CHAR), "signs stay", ELEMENTS(CHARS(-16, -1)), GIVES(0xfffffffffffffff0)},
  {OF(OR, SHORT), "the sign spreads", ELEMENTS(SHORTS(-32768, 1)), GIVES(0xffffffffffff8001)},
  {OF(XOR, UINT), "twice the same is nothing", ELEMENTS(UINTS(0xdeadbeef, 7, 0xdeadbeef)), GIVES(7)},
  {OF(XOR, INT), "odd number of minus ones", ELEMENTS(INTS(-1, -1, -1)), GIVES(0xffffffffffffffff)},

  // Logical operators: any number but 0 is true
  {OF(ALL, INT), "any number but 0 is true", ELEMENTS(INTS(-1, 2, 256)), GIVES(1)},
  {OF(ALL, UCHAR), "one zero", ELEMENTS(UCHARS(1, 0, 255)), GIVES(0)},
  {OF(ALL, FLOAT), "-0 is zero", ELEMENTS(FLOATS(1.0f, -0.0f)), GIVES(0)},
  {OF(ALL, FLOAT), "NaN is not zero", ELEMENTS(FLOAT_BITS(0x7fc00000, 0xffc00001)), GIVES(1)},
  {OF(ANY, FLOAT), "a denormal is not zero", ELEMENTS(FLOAT_BITS(0, 0x80000000, 1)), GIVES(1)},
  {OF(ANY, DOUBLE), "both zeros are", ELEMENTS(DOUBLES(0.0, -0.0)), GIVES(0)},
  {OF(ANY, LONG), "only the top half set", ELEMENTS(LONGS(0, 0x100000000)), GIVES(1)},

  // Single elements
  {OF(SUM, FLOAT), "a single -0 stays -0", ELEMENTS(FLOATS(-0.0f)), GIVES(0x80000000)},
  {OF(PROD, DOUBLE), "a single denormal", ELEMENTS(DOUBLE_BITS(0x8000000000000001)), GIVES(0x8000000000000001)},
  {OF(SUM, FLOAT), "a single NaN becomes the canonical one", ELEMENTS(FLOAT_BITS(0xffc12345)), GIVES(0x7fc00000)},
  {OF(MIN, DOUBLE), "a signalling NaN becomes the canonical one", ELEMENTS(DOUBLE_BITS(0xfff0000000000001)),
   GIVES(0x7ff8000000000000)},
  {OF(MAX, USHORT), "a single 0", ELEMENTS(USHORTS(0)), GIVES(0)},

  // Zeros, infinities and NaN
  {OF(SUM, FLOAT), "-0 and -0", ELEMENTS(FLOATS(-0.0f, -0.0f)), GIVES(0x80000000)},
  {OF(SUM, FLOAT), "-0 and +0", ELEMENTS(FLOATS(-0.0f, 0.0f)), GIVES(0)},
  {OF(SUM, DOUBLE), "x and -x", ELEMENTS(DOUBLES(1.5, -1.5)), GIVES(0)},
  {OF(MIN, FLOAT), "-0 is less than +0", ELEMENTS(FLOATS(0.0f, -0.0f, 0.0f)), GIVES(0x80000000)},
  {OF(MAX, FLOAT), "+0 is more than -0", ELEMENTS(FLOATS(-0.0f, 0.0f, -0.0f)), GIVES(0)},
  {OF(MAX, DOUBLE), "only -0", ELEMENTS(DOUBLES(-0.0, -0.0)), GIVES(0x8000000000000000)},
  {OF(SUM, FLOAT), "infinity stays", ELEMENTS(FLOAT_BITS(0x7f800000, 0xff7fffff)), GIVES(0x7f800000)},
  {OF(SUM, DOUBLE), "both infinities", ELEMENTS(DOUBLE_BITS(0x7ff0000000000000, 0xfff0000000000000)),
   GIVES(0x7ff8000000000000)},
  {OF(PROD, FLOAT), "infinity by 0", ELEMENTS(FLOAT_BITS(0x7f800000, 0)), GIVES(0x7fc00000)},
  {OF(PROD, FLOAT), "-infinity by -2", ELEMENTS(FLOAT_BITS(0xff800000, 0xc0000000)), GIVES(0x7f800000)},
  {OF(PROD, DOUBLE), "-0 by 3", ELEMENTS(DOUBLES(-0.0, 3.0)), GIVES(0x8000000000000000)},
  {OF(MIN, FLOAT), "NaN last", ELEMENTS(FLOAT_BITS(0x3f800000, 0xff800000, 0x7fc00000)), GIVES(0x7fc00000)},
  {OF(MAX, FLOAT), "NaN first, with sign", ELEMENTS(FLOAT_BITS(0xffffffff, 0x7f800000)), GIVES(0x7fc00000)},
  {OF(MIN, DOUBLE), "infinities", ELEMENTS(DOUBLE_BITS(0x7ff0000000000000, 0xfff0000000000000, 0)),
   GIVES(0xfff0000000000000)},
  {OF(MAX, DOUBLE), "all -infinity", ELEMENTS(DOUBLE_BITS(0xfff0000000000000, 0xfff0000000000000)),
   GIVES(0xfff0000000000000)},

  // Rounding, overflow, denormals
  {OF(SUM, FLOAT), "0.1 and 0.2", ELEMENTS(FLOATS(0.1f, 0.2f)), GIVES(0x3e99999a)},
  {OF(SUM, DOUBLE), "0.1 and 0.2", ELEMENTS(DOUBLES(0.1, 0.2)), GIVES(0x3fd3333333333334)},
  {OF(SUM, FLOAT), "ties go to even", ELEMENTS(FLOATS(BIG, 1.0f)), GIVES(0x4b800000)},
  {OF(SUM, FLOAT), "ties go to even, upwards", ELEMENTS(FLOATS(BIG + 2.0f, 1.0f)), GIVES(0x4b800002)},
  {OF(SUM, FLOAT), "overflow", ELEMENTS(FLOAT_BITS(0x7f7fffff, 0x7f7fffff)), GIVES(0x7f800000)},
  {OF(PROD, FLOAT), "overflow", ELEMENTS(FLOATS(-1e30f, 1e30f)), GIVES(0xff800000)},
  {OF(SUM, FLOAT), "denormals add exactly", ELEMENTS(FLOAT_BITS(2, 3)), GIVES(5)},
  {OF(SUM, FLOAT), "denormals become normal", ELEMENTS(FLOAT_BITS(0x007fffff, 1)), GIVES(0x00800000)},
  {OF(SUM, DOUBLE), "normals become denormal", ELEMENTS(DOUBLE_BITS(0x0010000000000001, 0x8010000000000000)), GIVES(1)},
  {OF(PROD, FLOAT), "halving a denormal ties to even", ELEMENTS(FLOAT_BITS(3, 0x3f000000)), GIVES(2)},
  {OF(PROD, DOUBLE), "underflow to -0", ELEMENTS(DOUBLE_BITS(0x8000000000000001, 0x3fe0000000000000)),
   GIVES(0x8000000000000000)},
  {OF(PROD, FLOAT), "a third by 3", ELEMENTS(FLOAT_BITS(0x3eaaaaab, 0x40400000)), GIVES(0x3f800000)},

  // The order fixed/1, by the example of docs/order.md
  {OF(SUM, FLOAT), "3: (1 + 2^24) + -2^24", ELEMENTS(FLOATS(1.0f, BIG, -BIG)), GIVES(0), .order = TELLS_ORDERS},
  {OF(SUM, FLOAT), "4: (1 + 2^24) + (1 + -2^24)", ELEMENTS(FLOATS(1.0f, BIG, 1.0f, -BIG)), GIVES(0x3f800000),
   .order = TELLS_ORDERS},
  {OF(PROD, FLOAT), "4: pairs beyond the range", ELEMENTS(FLOATS(0x1p-100f, 0x1p-100f, 0x1p100f, 0x1p100f)),
   GIVES(0x3f800000), .order = ANY_ORDER},
  {OF(SUM, FLOAT), "66: lanes before pairs", ELEMENTS(FLOATS([0] = BIG, [1] = 1.0f, [64] = -BIG, [65] = 0.0f)),
   GIVES(0x3f800000), .order = TELLS_ORDERS},
  {OF(SUM, FLOAT), "66: lanes, not in order", ELEMENTS(FLOATS([0] = BIG, [1] = 1.0f, [64] = 1.0f, [65] = 1.0f)),
   GIVES(0x4b800001), .order = TELLS_ORDERS},
  {OF(SUM, DOUBLE), "34: 32 lanes of double",
   ELEMENTS(DOUBLES([0] = HUGE_INTEGER, [1] = 1.0, [32] = -HUGE_INTEGER, [33] = 0.0)), GIVES(0x3ff0000000000000),
   .order = TELLS_ORDERS},
  {OF(SUM, FLOAT), "1024: the rows of a lane in order",
   ELEMENTS(FLOATS([2] = 1.0f, [66] = BIG, [130] = 1.0f, [194] = -BIG, [1023] = 0.0f)), GIVES(0),
   .order = TELLS_ORDERS},
  {OF(SUM, FLOAT), "1025: the last rises alone", ELEMENTS(FLOATS([0] = BIG, [1] = -BIG, [64] = 1.0f, [1024] = 1.0f)),
   GIVES(0x3f800000), .order = TELLS_ORDERS},
  {OF(SUM, FLOAT), "1025: lanes first, the last at the end",
   ELEMENTS(FLOATS([0] = BIG, [1] = 1.0f, [64] = -BIG, [1024] = 1.0f)), GIVES(0x40000000), .order = TELLS_ORDERS},
  {OF(SUM, DOUBLE), "513: the last rises alone",
   ELEMENTS(DOUBLES([0] = HUGE_INTEGER, [1] = -HUGE_INTEGER, [32] = 1.0, [512] = 1.0)), GIVES(0x3ff0000000000000),
   .order = TELLS_ORDERS},
  {OF(SUM, FLOAT), "3 tiles: the first two, then the third",
   ELEMENTS(FLOATS([0] = BIG, [1024] = 1.0f, [2048] = -BIG, [3071] = 0.0f)), GIVES(0), .order = TELLS_ORDERS},
  {OF(SUM, FLOAT), "4 tiles: two and two",
   ELEMENTS(FLOATS([0] = 1.0f, [1024] = BIG, [2048] = 1.0f, [3072] = -BIG, [4095] = 0.0f)), GIVES(0x3f800000),
   .order = TELLS_ORDERS},

  // Places of the smallest element
  {OF(ARGMIN, FLOAT), "the first of equals", ELEMENTS(FLOATS(3, 1, 2, 1)), GIVES(1, 0x3f800000)},
  {OF(ARGMIN, FLOAT), "-0 is less than +0", ELEMENTS(FLOATS(0.0f, -0.0f, 0.0f, -0.0f)), GIVES(1, 0x80000000)},
  {OF(ARGMIN, FLOAT), "the first NaN, not the least", ELEMENTS(FLOAT_BITS(0x40a00000, 0xffc00001, MINUS_INF32, NAN32)),
   GIVES(1, NAN32)},
  {OF(ARGMIN, FLOAT), "infinity if there is nothing less", ELEMENTS(FLOAT_BITS(INF32, INF32)), GIVES(0, INF32)},
  {OF(ARGMIN, FLOAT), "nothing", ELEMENTS(NOTHING), GIVES(NOWHERE, INF32)},
  {IGNORING(ARGMIN, FLOAT), "between NaNs", ELEMENTS(FLOAT_BITS(NAN32, 0x40000000, NAN32, 0x3f800000, NAN32)),
   GIVES(3, 0x3f800000)},
  {IGNORING(ARGMIN, FLOAT), "only NaNs", ELEMENTS(FLOAT_BITS(NAN32, 0xffffffff)), GIVES(NOWHERE, INF32)},
  {IGNORING(ARGMIN, FLOAT), "an infinity is somewhere, a NaN nowhere", ELEMENTS(FLOAT_BITS(NAN32, INF32)),
   GIVES(1, INF32)},
  {OF(ARGMIN, LONG), "ties in other tiles", ELEMENTS(LONGS([0] = 5, [1999] = -7, [2001] = -7, [3999] = -7)),
   GIVES(1999, 0xfffffffffffffff9)},
  {OF(ARGMIN, ULONG), "the highest number is an element like any other", ELEMENTS(ULONGS(CL_ULONG_MAX, CL_ULONG_MAX)),
   GIVES(0, 0xffffffffffffffff)},
  {OF(ARGMAX, DOUBLE), "+0 is more than -0", ELEMENTS(DOUBLES(-0.0, 0.0, -0.0, 0.0)), GIVES(1, 0)},
  {OF(ARGMAX, DOUBLE), "only -infinity", ELEMENTS(DOUBLE_BITS(MINUS_INF64, MINUS_INF64)), GIVES(0, MINUS_INF64)},
  {OF(ARGMAX, DOUBLE), "NaN last", ELEMENTS(DOUBLE_BITS(INF64, 0, 0xfff0000000000001)), GIVES(2, NAN64)},
  {OF(ARGMAX, CHAR), "signed", ELEMENTS(CHARS(-128, 127, -1, 127)), GIVES(1, 127)},
  {OF(ARGMAX, CHAR), "nothing: the lowest state", ELEMENTS(NOTHING), GIVES(NOWHERE, LONG_LOWEST)},
  {OF(MINMAX, INT), "three numbers", ELEMENTS(INTS(3, -2, 7)), GIVES(0xfffffffffffffffe, 7)},
  {OF(MINMAX, FLOAT), "both zeros", ELEMENTS(FLOATS(0.0f, -0.0f)), GIVES(0x80000000, 0)},
  {OF(MINMAX, FLOAT), "a NaN", ELEMENTS(FLOAT_BITS(0x3f800000, NAN32)), GIVES(NAN32, NAN32)},
  {OF(MINMAX, USHORT), "nothing", ELEMENTS(NOTHING), GIVES(0xffffffffffffffff, 0)},
  {OF(ARGMINMAX, SHORT), "the first of equals, twice", ELEMENTS(SHORTS(9, 2, 9, 2)), GIVES(2, 1, 9, 0)},
  {OF(ARGMINMAX, FLOAT), "a NaN is both", ELEMENTS(FLOAT_BITS(0x3f800000, NAN32, 0xffffffff)),
   GIVES(NAN32, 1, NAN32, 1)},
  {IGNORING(ARGMINMAX, FLOAT), "a NaN is neither", ELEMENTS(FLOAT_BITS(NAN32, 0x40800000, 0xc0800000)),
   GIVES(0xc0800000, 2, 0x40800000, 1)},

  // Means: of integers, the sum has 128 bits
  {OF(MEAN, INT), "a half", ELEMENTS(INTS(1, 2)), GIVES(0x3ff8000000000000)},
  {OF(MEAN, LONG), "sum above a long: 2^64 - 2, as a double 2^64", ELEMENTS(LONGS(CL_LONG_MAX, CL_LONG_MAX)),
   GIVES(0x43e0000000000000)},
  {OF(MEAN, LONG), "sum below a long: -2^64", ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN)), GIVES(0xc3e0000000000000)},
  {OF(MEAN, LONG), "extremes leave -1", ELEMENTS(LONGS(CL_LONG_MAX, CL_LONG_MIN)), GIVES(0xbfe0000000000000)},
  {OF(MEAN, ULONG), "sum 3 x 2^64 - 3", ELEMENTS(ULONGS(CL_ULONG_MAX, CL_ULONG_MAX, CL_ULONG_MAX)),
   GIVES(0x43f0000000000000)},
  {OF(MEAN, ULONG), "nothing has no mean", ELEMENTS(NOTHING), GIVES(NAN64)},
  {OF(MEAN, FLOAT), "1 to 4", ELEMENTS(FLOATS(1, 2, 3, 4)), GIVES(0x40200000)},
  // 1.5 + 2.5 x fl(1/3): 2.5 x 11184811/2^25 rounds to 13981014/2^24, the sum 39146838/2^24 ties up to 9786710/2^22.
  {OF(MEAN, FLOAT), "1, 2 and 4: a rounded third", ELEMENTS(FLOATS(1, 2, 4)), GIVES(0x40155556)},
  {OF(MEAN, FLOAT), "infinity and 1", ELEMENTS(FLOAT_BITS(INF32, 0x3f800000)), GIVES(INF32)},
  {OF(MEAN, FLOAT), "both infinities", ELEMENTS(FLOAT_BITS(INF32, MINUS_INF32)), GIVES(NAN32)},
  {OF(MEAN, FLOAT), "the largest twice", ELEMENTS(FLOAT_BITS(0x7f7fffff, 0x7f7fffff)), GIVES(0x7f7fffff)},
  {OF(MEAN, FLOAT), "a difference that overflows", ELEMENTS(FLOAT_BITS(0x7f7fffff, 0xff7fffff)), GIVES(0)},
  {OF(MEAN, FLOAT), "a single -0", ELEMENTS(FLOATS(-0.0f)), GIVES(0x80000000)},
  {OF(MEAN, FLOAT), "-0 three times", ELEMENTS(FLOATS(-0.0f, -0.0f, -0.0f)), GIVES(0x80000000)},
  {OF(MEAN, FLOAT), "+0 after -0", ELEMENTS(FLOATS(-0.0f, -0.0f, 0.0f)), GIVES(0)},
  {OF(MEAN, FLOAT), "+0 before -0", ELEMENTS(FLOATS(0.0f, -0.0f, -0.0f)), GIVES(0)},
  {OF(MEAN, FLOAT), "1 and -1 before -0", ELEMENTS(FLOATS(-1, 1, -0.0f)), GIVES(0)},
  {IGNORING(MEAN, FLOAT), "4 and 2 among NaNs", ELEMENTS(FLOAT_BITS(NAN32, 0x40800000, 0x40000000, NAN32)),
   GIVES(0x40400000)},
  {IGNORING(MEAN, FLOAT), "-0 among NaNs", ELEMENTS(FLOAT_BITS(NAN32, 0x80000000, NAN32, 0x80000000, NAN32)),
   GIVES(0x80000000)},
  {IGNORING(MEAN, FLOAT), "only NaNs", ELEMENTS(FLOAT_BITS(NAN32, NAN32, NAN32)), GIVES(NAN32)},
  {OF(MEAN, HALF), "65504 twice: their sum is no half", ELEMENTS(HALF_BITS(0x7bff, 0x7bff)), GIVES(0x477fe000)},
  {IN_DOUBLE(MEAN, FLOAT), "2^24 and 1", ELEMENTS(FLOATS(16777216, 1)), GIVES(0x4160000010000000)},

  // Variances: of 1 to 4, m2 is 0.5, 0.5 and 4 from the distance of the means
  {OF(VAR, FLOAT), "1 to 4", ELEMENTS(FLOATS(1, 2, 3, 4)), GIVES(0x3fa00000)},
  {OF(VAR, FLOAT), "one element", ELEMENTS(FLOATS(7)), GIVES(0)},
  {OF(VAR, FLOAT), "nothing", ELEMENTS(NOTHING), GIVES(NAN32)},
  {OF(VAR, FLOAT), "an infinity", ELEMENTS(FLOAT_BITS(0x3f800000, INF32, 0x3f800000)), GIVES(NAN32)},
  {OF(VAR, FLOAT), "finite elements, infinite squares", ELEMENTS(FLOATS(1e30f, -1e30f)), GIVES(INF32)},
  {OF(VAR, DOUBLE), "a distant mean cancels nothing", ELEMENTS(DOUBLES(1000000001, 1000000002, 1000000003, 1000000004)),
   GIVES(0x3ff4000000000000)},
  {OF(VAR, INT), "-1 and 1", ELEMENTS(INTS(-1, 1)), GIVES(0x3ff0000000000000)},
  {OF(VAR, LONG), "a distant mean cancels nothing",
   ELEMENTS(LONGS(1760000000000000000, 1760000000000000001, 1760000000000000002, 1760000000000000003,
                  1760000000000000004, 1760000000000000005, 1760000000000000006)),
   GIVES(0x4010000000000000)},
  {OF(VAR, ULONG), "(2^64 - 1)^2 / 4 rounds to 2^126", ELEMENTS(ULONGS(CL_ULONG_MAX, 0)), GIVES(0x47d0000000000000)},
  {OF(VAR, CHAR), "2 / 9", ELEMENTS(CHARS(0, 0, 0, 1, 1, 1, 1, 1, 1)), GIVES(0x3fcc71c71c71c71c)},
  {OF(VAR_SAMPLE, INT), "5 / 3", ELEMENTS(INTS(1, 2, 3, 4)), GIVES(0x3ffaaaaaaaaaaaab)},
  {OF(VAR_SAMPLE, INT), "one element has no variance", ELEMENTS(INTS(7)), GIVES(NAN64)},
  {OF(STD, USHORT), "the root of 5 / 4", ELEMENTS(USHORTS(1, 2, 3, 4)), GIVES(0x3ff1e3779b97f4a8)},
  {OF(STD, LONG), "2^62 beside 0: 2^61", ELEMENTS(LONGS(0, 4611686018427387904)), GIVES(0x43c0000000000000)},
  {OF(STD, FLOAT), "squares that overflow", ELEMENTS(FLOATS(1e30f, 2e30f, 3e30f, 4e30f, 5e30f, 6e30f, 7e30f)),
   GIVES(0x71c9f2ca)},
  {OF(STD, FLOAT), "squares that underflow: of 1 to 7", ELEMENTS(FLOAT_BITS(1, 2, 3, 4, 5, 6, 7)), GIVES(2)},
  {OF(STD, FLOAT), "a difference that overflows", ELEMENTS(FLOAT_BITS(0x7f7fffff, 0xff7fffff)), GIVES(0x7f7fffff)},
  {OF(STD, DOUBLE), "1 and 5 by 2^1000", ELEMENTS(DOUBLES(0x1p1000, 0x5p1000)), GIVES(0x7e80000000000000)},
  {OF(VAR, FLOAT), "4 x 2^126, a sum that overflows", ELEMENTS(FLOATS(0x1p63f, -0x1p63f, 0x1p63f, -0x1p63f)),
   GIVES(0x7e800000)},
  {IGNORING(VAR, FLOAT), "1 and 3 among NaNs", ELEMENTS(FLOAT_BITS(NAN32, 0x3f800000, NAN32, 0x40400000)),
   GIVES(0x3f800000)},
  {IGNORING(VAR, FLOAT), "a NaN is at no distance from 1e30", ELEMENTS(FLOAT_BITS(NAN32, 0x7149f2ca, NAN32)), GIVES(0)},
  {OF(VAR_SAMPLE, FLOAT), "5 / 3", ELEMENTS(FLOATS(1, 2, 3, 4)), GIVES(0x3fd55555)},
  {OF(VAR_SAMPLE, FLOAT), "one element has no variance", ELEMENTS(FLOATS(7)), GIVES(NAN32)},
  {OF(STD_SAMPLE, FLOAT), "the root of 5 / 3", ELEMENTS(FLOATS(1, 2, 3, 4)), GIVES(0x3fa53f4e)},
  {OF(STD_SAMPLE, FLOAT), "one element has no deviation", ELEMENTS(FLOATS(7)), GIVES(NAN32)},
  {OF(STD, FLOAT), "1 and 5", ELEMENTS(FLOATS(1, 5)), GIVES(0x40000000)},
  {OF(STD, BFLOAT16), "1 and 5", ELEMENTS(BFLOAT16_BITS(0x3f80, 0x40a0)), GIVES(0x40000000)},

  // Norms
  {OF(NORM1, CHAR), "-128 has a magnitude", ELEMENTS(CHARS(-128, 127)), GIVES(255)},
  {OF(NORM1, LONG), "so has the least long", ELEMENTS(LONGS(CL_LONG_MIN)), GIVES(0x8000000000000000)},
  {OF(NORM1, LONG), "twice the least long wraps", ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN)), GIVES(0)},
  {OF(NORM1, FLOAT), "signs do not count", ELEMENTS(FLOATS(-1.5f, 2.0f, -0.0f)), GIVES(0x40600000)},
  {OF(NORM1, FLOAT), "a single -0", ELEMENTS(FLOATS(-0.0f)), GIVES(0)},
  {OF(NORM1, CFLOAT), "3 + 4i and 0", ELEMENTS(FLOATS(3, 4, 0, -0.0f)), GIVES(0x40a00000)},
  {OF(NORM1, CFLOAT), "an infinite part, whatever the other", ELEMENTS(FLOAT_BITS(NAN32, MINUS_INF32)), GIVES(INF32)},
  {OF(NORM1, CFLOAT), "a NaN", ELEMENTS(FLOAT_BITS(0, NAN32)), GIVES(NAN32)},
  {OF(NORM1, CFLOAT), "squares would overflow", ELEMENTS(FLOAT_BITS(0x7e400000, 0x7e800000)), GIVES(0x7ea00000)},
  {IGNORING(NORM1, CFLOAT), "a NaN is 0, part by part", ELEMENTS(FLOAT_BITS(NAN32, 0x3f800000, 0x40400000, 0xc0800000)),
   GIVES(0x40c00000)},
  {OF(NORM2, FLOAT), "3, 4", ELEMENTS(FLOATS(3, -4)), GIVES(0x40a00000)},
  {OF(NORM2, FLOAT), "3 and 4 by 2^124", ELEMENTS(FLOAT_BITS(0x7e400000, 0x7e800000)), GIVES(0x7ea00000)},
  {OF(NORM2, FLOAT), "denormals", ELEMENTS(FLOAT_BITS(3, 4)), GIVES(5)},
  {OF(NORM2, FLOAT), "1 is lost beside 2^100", ELEMENTS(FLOAT_BITS(0x3f800000, 0x71800000)), GIVES(0x71800000)},
  {OF(NORM2, FLOAT), "2^-100 is lost beside 1", ELEMENTS(FLOAT_BITS(0x0d800000, 0x3f800000)), GIVES(0x3f800000)},
  {OF(NORM2, FLOAT), "the largest twice", ELEMENTS(FLOAT_BITS(0x7f7fffff, 0x7f7fffff)), GIVES(INF32)},
  {OF(NORM2, FLOAT), "an infinity", ELEMENTS(FLOAT_BITS(MINUS_INF32, 0x3f800000)), GIVES(INF32)},
  {OF(NORM2, FLOAT), "an infinity and a NaN", ELEMENTS(FLOAT_BITS(INF32, NAN32)), GIVES(NAN32)},
  {OF(NORM2, FLOAT), "nothing", ELEMENTS(NOTHING), GIVES(0)},
  {OF(NORM2, DOUBLE), "3 and 4 by 2^1000", ELEMENTS(DOUBLE_BITS(0x7e88000000000000, 0x7e90000000000000)),
   GIVES(0x7e94000000000000)},
  {OF(NORM2, CFLOAT), "3 + 4i", ELEMENTS(FLOATS(3, 4)), GIVES(0x40a00000)},
  {OF(NORM2, INT), "in double", ELEMENTS(INTS(3, -4)), GIVES(0x4014000000000000)},

  // Squares and products
  {OF(SUMSQ, CHAR), "16384 + 9", ELEMENTS(CHARS(-128, 3)), GIVES(0x4009)},
  {OF(SUMSQ, INT), "no sign: 2^63", ELEMENTS(INTS(CL_INT_MIN, CL_INT_MIN)), GIVES(0x8000000000000000)},
  {OF(SUMSQ, CFLOAT), "5 + 25", ELEMENTS(FLOATS(1, 2, 3, -4)), GIVES(0x41f00000)},
  {OF(SUMSQ, FLOAT), "underflow", ELEMENTS(FLOATS(1e-30f, -1e-30f)), GIVES(0)},
  {OF(DOT, FLOAT), "4 - 10 + 18", ELEMENTS(FLOATS(1, 2, 3)), WITH(FLOATS(4, -5, 6)), GIVES(0x41400000)},
  {OF(DOT, FLOAT), "infinity by 0", ELEMENTS(FLOAT_BITS(INF32, 0)), WITH(FLOATS(0, 1)), GIVES(NAN32)},
  {OF(DOT, FLOAT), "a single -0", ELEMENTS(FLOATS(-0.0f)), WITH(FLOATS(5)), GIVES(0x80000000)},
  {IGNORING(DOT, FLOAT), "a pair with a NaN on either side", ELEMENTS(FLOAT_BITS(NAN32, 0x40000000, 0x40400000)),
   WITH(FLOAT_BITS(INF32, NAN32, 0x40800000)), GIVES(0x41400000)},
  {OF(DOT, CHAR), "-16256 + 16129", ELEMENTS(CHARS(-128, 127)), WITH(CHARS(127, 127)), GIVES(0xffffffffffffff81)},
  {OF(DOT, LONG), "2^64 + 3 wraps", ELEMENTS(LONGS(0x4000000000000000, 1)), WITH(LONGS(4, 3)), GIVES(3)},

  // Complex numbers
  {OF(PROD, CFLOAT), "i by i", ELEMENTS(FLOATS(0, 1, 0, 1)), GIVES(0xbf800000, 0)},
  {OF(PROD, CFLOAT), "1 + 2i by 3 + 4i", ELEMENTS(FLOATS(1, 2, 3, 4)), GIVES(0xc0a00000, 0x41200000)},
  {OF(PROD, CFLOAT), "nothing: 1", ELEMENTS(NOTHING), GIVES(0x3f800000, 0)},
  {OF(SUM, CFLOAT), "a NaN stays in its part", ELEMENTS(FLOAT_BITS(NAN32, 0x3f800000, 0, 0x3f800000)),
   GIVES(NAN32, 0x40000000)},
  {IGNORING(SUM, CFLOAT), "parts are judged each by itself", ELEMENTS(FLOAT_BITS(NAN32, 0x3f800000, 0x40000000, NAN32)),
   GIVES(0x40000000, 0x3f800000)},
  {OF(MEAN, CFLOAT), "of 1 + 2i and 3 - 4i", ELEMENTS(FLOATS(1, 2, 3, -4)), GIVES(0x40000000, 0xbf800000)},
  {OF(MEAN, CDOUBLE), "nothing", ELEMENTS(NOTHING), GIVES(NAN64, NAN64)},
  {OF(MEAN, CFLOAT), "-0 and 0", ELEMENTS(FLOATS(-0.0f, 0.0f, -0.0f, 0.0f)), GIVES(0x80000000, 0)},
  {OF(MEAN, CFLOAT), "a NaN stays in its part", ELEMENTS(FLOAT_BITS(NAN32, 0, 0, 0x40000000)),
   GIVES(NAN32, 0x3f800000)},
  {IGNORING(MEAN, CFLOAT), "a NaN in one part leaves both out", ELEMENTS(FLOAT_BITS(NAN32, 0, 0x80000000, 0x40000000)),
   GIVES(0x80000000, 0x40000000)},
  {OF(VAR, CFLOAT), "10 twice, by 2", ELEMENTS(FLOATS(1, 2, 3, -4)), GIVES(0x41200000)},
  {OF(VAR_SAMPLE, CDOUBLE), "10 twice, by 1", ELEMENTS(DOUBLES(1, 2, 3, -4)), GIVES(0x4034000000000000)},
  {OF(STD, CFLOAT), "5: 3 + 4i about 0", ELEMENTS(FLOATS(3, 4, -3, -4)), GIVES(0x40a00000)},
  {OF(STD, CFLOAT), "of large numbers", ELEMENTS(FLOATS(0x3p100f, 0x4p100f, -0x3p100f, -0x4p100f)), GIVES(0x72a00000)},
  {OF(STD, CFLOAT), "of small numbers", ELEMENTS(FLOATS(0x3p-100f, 0x4p-100f, -0x3p-100f, -0x4p-100f)),
   GIVES(0x0ea00000)},
  {OF(STD, CDOUBLE), "of large numbers with one part", ELEMENTS(DOUBLES(0, 0x1p700, 0, -0x1p700)),
   GIVES(0x6bb0000000000000)},
  {OF(STD_SAMPLE, CFLOAT), "one element", ELEMENTS(FLOATS(3, 4)), GIVES(NAN32)},
  {OF(VAR, CFLOAT), "an infinite part", ELEMENTS(FLOAT_BITS(0, INF32, 0, 0)), GIVES(NAN32)},
  {OF(VAR, CDOUBLE), "another infinite part", ELEMENTS(DOUBLE_BITS(MINUS_INF64, 0, 0, 0)), GIVES(NAN64)},
  {IGNORING(VAR, CFLOAT), "a NaN in one part leaves both out",
   ELEMENTS(FLOAT_BITS(0x3f800000, NAN32, 0x40400000, 0, 0x3f800000, 0)), GIVES(0x3f800000)},
  {OF(DOT, CFLOAT), "(1 + 2i)(3 + 4i) + i", ELEMENTS(FLOATS(1, 2, 0, 1)), WITH(FLOATS(3, 4, 1, 0)),
   GIVES(0xc0a00000, 0x41300000)},
  {OF(VDOT, CFLOAT), "(1 - 2i)(3 + 4i) - i", ELEMENTS(FLOATS(1, 2, 0, 1)), WITH(FLOATS(3, 4, 1, 0)),
   GIVES(0x41300000, 0xc0400000)},
  {OF(VDOT, CDOUBLE), "by itself: the sum of squares", ELEMENTS(DOUBLES(3, -4, 1, 1)), WITH(DOUBLES(3, -4, 1, 1)),
   GIVES(0x403b000000000000, 0)},
  {OF(VDOT, FLOAT), "real: as dot", ELEMENTS(FLOATS(1, 2)), WITH(FLOATS(3, 4)), GIVES(0x41300000)},
  {IGNORING(DOT, CFLOAT), "a NaN in any part of a pair leaves it out", ELEMENTS(FLOAT_BITS(NAN32, 0, 0x3f800000, 0)),
   WITH(FLOAT_BITS(0x3f800000, 0, 0x40000000, 0x40400000)), GIVES(0x40000000, 0x40400000)},
  {OF(DOT, CFLOAT), "nothing", ELEMENTS(NOTHING), GIVES(0, 0)},
  {OF(COUNT_NONZERO, CFLOAT), "i, 0 and -0, 1", ELEMENTS(FLOATS(0, 1, 0.0f, -0.0f, 1, 0)), GIVES(2)},
  {OF(COUNT_NONZERO, CDOUBLE), "a NaN is not zero", ELEMENTS(DOUBLE_BITS(0, NAN64)), GIVES(1)},
  {IGNORING(COUNT_NONZERO, CFLOAT), "nor is it counted", ELEMENTS(FLOAT_BITS(0x3f800000, NAN32)), GIVES(0)},
  {OF(ALL, CFLOAT), "i and 1", ELEMENTS(FLOATS(0, 1, 1, 0)), GIVES(1)},
  {OF(ALL, CFLOAT), "0", ELEMENTS(FLOATS(0, 1, 0, -0.0f)), GIVES(0)},
  {OF(ANY, CDOUBLE), "i", ELEMENTS(DOUBLES(0, 0, 0, 1)), GIVES(1)},
  {OF(ANY, CDOUBLE), "zeros", ELEMENTS(DOUBLES(0, -0.0, -0.0, 0)), GIVES(0)},
  {OF(COUNT, CFLOAT), "2", ELEMENTS(FLOATS(0, 0, 1, 1)), GIVES(2)},
  {IGNORING(COUNT, CFLOAT), "a NaN in one part", ELEMENTS(FLOAT_BITS(0, NAN32, NAN32, 0, 0, 0)), GIVES(1)},
  {OF(SUM, CDOUBLE), "by component", ELEMENTS(DOUBLES(1, -1, 2, 1)), GIVES(0x4008000000000000, 0)},

  // Short formats: arithmetic is float's
  {OF(SUM, HALF), "65504 + 1", ELEMENTS(HALF_BITS(0x7bff, 0x3c00)), GIVES(0x477fe100)},
  {OF(SUM, HALF), "both infinities", ELEMENTS(HALF_BITS(0x7c00, 0xfc00)), GIVES(NAN32)},
  {OF(SUM, HALF), "the least denormal, 2^-24", ELEMENTS(HALF_BITS(0x0001)), GIVES(0x33800000)},
  {OF(MIN, HALF), "-0 and a denormal", ELEMENTS(HALF_BITS(0x0001, 0x8000, 0x0000)), GIVES(0x80000000)},
  {OF(MAX, HALF), "a signalling NaN", ELEMENTS(HALF_BITS(0x7c00, 0xfd01)), GIVES(NAN32)},
  {OF(ANY, HALF), "only zeros", ELEMENTS(HALF_BITS(0x8000, 0)), GIVES(0)},
  {OF(SUM, BFLOAT16), "1 + 2^-8, which is no bfloat16", ELEMENTS(BFLOAT16_BITS(0x3f80, 0x3b80)), GIVES(0x3f808000)},
  {OF(MAX, BFLOAT16), "the largest", ELEMENTS(BFLOAT16_BITS(0x7f7f, 0xff80)), GIVES(0x7f7f0000)},

  // Counts, and NaNs that are ignored
  {OF(COUNT_NONZERO, FLOAT), "NaN and denormals are not 0", ELEMENTS(FLOAT_BITS(0, 0x80000000, NAN32, 1, 0x3f800000)),
   GIVES(3)},
  {IGNORING(COUNT_NONZERO, FLOAT), "NaN does not count", ELEMENTS(FLOAT_BITS(NAN32, 0, 0x40000000)), GIVES(1)},
  {OF(COUNT, FLOAT), "all of them", ELEMENTS(FLOAT_BITS(0, 0x80000000, NAN32, 1, 0x3f800000)), GIVES(5)},
  {IGNORING(COUNT, FLOAT), "NaNs are not there", ELEMENTS(FLOAT_BITS(NAN32, 0, 0x7f800000, NAN32)), GIVES(2)},
  {OF(COUNT, ULONG), "nothing", ELEMENTS(NOTHING), GIVES(0)},
  {OF(COUNT_NONZERO, CHAR), "signs do not matter", ELEMENTS(CHARS(0, -1, 0, 5, -128)), GIVES(3)},
  {IGNORING(ANY, FLOAT), "NaN is not true", ELEMENTS(FLOAT_BITS(NAN32, 0)), GIVES(0)},
  {IGNORING(ALL, FLOAT), "only NaNs", ELEMENTS(FLOAT_BITS(NAN32, NAN32)), GIVES(1)},
  {IGNORING(SUM, FLOAT), "1 and 2 among NaNs", ELEMENTS(FLOAT_BITS(NAN32, 0x3f800000, NAN32, 0x40000000)),
   GIVES(0x40400000)},
  {IGNORING(SUM, FLOAT), "only NaNs: +0", ELEMENTS(FLOAT_BITS(NAN32, NAN32)), GIVES(0)},
  {IGNORING(PROD, FLOAT), "2 and 3 beside a NaN", ELEMENTS(FLOAT_BITS(NAN32, 0x40000000, 0x40400000)),
   GIVES(0x40c00000)},
  {IGNORING(MIN, FLOAT), "only NaNs", ELEMENTS(FLOAT_BITS(NAN32)), GIVES(INF32)},
  {IGNORING(MAX, FLOAT), "-infinity beside a NaN", ELEMENTS(FLOAT_BITS(NAN32, MINUS_INF32)), GIVES(MINUS_INF32)},

  // Vectors: the fourth component of a vector of 3 has no meaning
  {VECTORS(SUM, FLOAT, 3), "two of them", ELEMENTS(FLOATS(1, 2, 3, 1e30f, 4, 5, 6, -1e38f)),
   GIVES(0x40a00000, 0x40e00000, 0x41100000, 0)},
  {VECTORS(SUM, FLOAT, 3), "nothing", ELEMENTS(NOTHING), GIVES(0, 0, 0, 0)},
  {VECTORS(MAX, CHAR, 2), "each component by itself", ELEMENTS(CHARS(-1, 5, 3, -7)), GIVES(3, 5)},
  {VECTORS(MIN, DOUBLE, 2), "a NaN in one", ELEMENTS(DOUBLE_BITS(NAN64, 0x3ff0000000000000, 0, 0)), GIVES(NAN64, 0)},
  {VECTORS(PROD, UCHAR, 4), "nothing", ELEMENTS(NOTHING), GIVES(1, 1, 1, 1)},

  // Overflow of the exact sum, not of partial sums
  {DETECTING(SUM, LONG), "one too many", ELEMENTS(LONGS(CL_LONG_MAX, 1)), GIVES(LONG_LOWEST, 1)},
  {DETECTING(SUM, LONG), "and back again", ELEMENTS(LONGS(CL_LONG_MAX, 1, -1)), GIVES(LONG_HIGHEST, 0)},
  {DETECTING(SUM, LONG), "the least", ELEMENTS(LONGS(CL_LONG_MIN, 0)), GIVES(LONG_LOWEST, 0)},
  {DETECTING(SUM, LONG), "one too few", ELEMENTS(LONGS(CL_LONG_MIN, -1)), GIVES(LONG_HIGHEST, 1)},
  {DETECTING(SUM, LONG), "nothing", ELEMENTS(NOTHING), GIVES(0, 0)},
  {DETECTING(SUM, ULONG), "the largest", ELEMENTS(ULONGS(CL_ULONG_MAX - 1, 1)), GIVES(0xffffffffffffffff, 0)},
  {DETECTING(SUM, ULONG), "one too many", ELEMENTS(ULONGS(CL_ULONG_MAX, 1)), GIVES(0, 1)},
  {DETECTING(SUM, ULONG), "twice around", ELEMENTS(ULONGS(CL_ULONG_MAX, CL_ULONG_MAX, 2)), GIVES(0, 1)},
  {DETECTING(PROD, LONG), "nothing", ELEMENTS(NOTHING), GIVES(1, 0)},
  {DETECTING(PROD, LONG), "-2^63", ELEMENTS(LONGS(CL_LONG_MIN)), GIVES(LONG_LOWEST, 0)},
  {DETECTING(PROD, LONG), "-2^63 of three factors", ELEMENTS(LONGS(0x40000000, -0x100000000, 2)),
   GIVES(LONG_LOWEST, 0)},
  {DETECTING(PROD, LONG), "2^63", ELEMENTS(LONGS(CL_LONG_MIN, -1)), GIVES(LONG_LOWEST, 1)},
  {DETECTING(PROD, LONG), "2^63 and back again", ELEMENTS(LONGS(CL_LONG_MIN, -1, -1)), GIVES(LONG_LOWEST, 0)},
  {DETECTING(PROD, LONG), "-2^63 - 1", ELEMENTS(LONGS(-3, 0x2aaaaaaaaaaaaaab, 1)), GIVES(0x7fffffffffffffff, 1)},
  {DETECTING(PROD, LONG), "2^63 - 1", ELEMENTS(LONGS(-0x7fffffffffffffff, 1, -1)), GIVES(LONG_HIGHEST, 0)},
  {DETECTING(PROD, LONG), "2^64: no bit of 64 is set", ELEMENTS(LONGS(-0x100000000, 0x100000000, 3)), GIVES(0, 1)},
  {DETECTING(PROD, LONG), "2^126 times 0", ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN, 0)), GIVES(0, 0)},
  {DETECTING(PROD, LONG), "0 times 2^126", ELEMENTS(LONGS(0, CL_LONG_MIN, CL_LONG_MIN, -7)), GIVES(0, 0)},
  {DETECTING(PROD, ULONG), "the largest", ELEMENTS(ULONGS(0xffffffff, 0x100000001)), GIVES(0xffffffffffffffff, 0)},
  {DETECTING(PROD, ULONG), "2^64", ELEMENTS(ULONGS(0x8000000000000000, 2)), GIVES(0, 1)},
  {DETECTING(PROD, ULONG), "2^64 + 2^32", ELEMENTS(ULONGS(0x100000000, 0x100000001)), GIVES(0x100000000, 1)},
  {DETECTING(PROD, ULONG), "2^64 between zeros", ELEMENTS(ULONGS(0, 0x8000000000000000, 2, 0)), GIVES(0, 0)},
  {DETECTING(NORM1, LONG), "2^63 and 2^63 - 1", ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MAX)),
   GIVES(0xffffffffffffffff, 0)},
  {DETECTING(NORM1, LONG), "2^63 twice", ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN)), GIVES(0, 1)},
  {DETECTING(SUMSQ, LONG), "2^32 squared", ELEMENTS(LONGS(-0x100000000)), GIVES(0, 1)},
  {DETECTING(SUMSQ, LONG), "2^32 - 1 squared", ELEMENTS(LONGS(0xffffffff)), GIVES(0xfffffffe00000001, 0)},
  {DETECTING(SUMSQ, LONG), "2^128: no bit of 128 is set",
   ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN)), GIVES(0, 1)},
  {DETECTING(DOT, LONG), "2^63", ELEMENTS(LONGS(CL_LONG_MIN)), WITH(LONGS(-1)), GIVES(LONG_LOWEST, 1)},
  {DETECTING(DOT, LONG), "2^63 - 1", ELEMENTS(LONGS(CL_LONG_MIN, 1)), WITH(LONGS(-1, -1)), GIVES(LONG_HIGHEST, 0)},
  {DETECTING(DOT, LONG), "2^128", ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN)),
   WITH(LONGS(CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN)), GIVES(0, 1)},
  // 4 x 2^126, then 4 x -(2^126 - 2^63), then 4 x -2^63.
  {DETECTING(DOT, LONG), "2^128 and back again",
   ELEMENTS(LONGS(CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN,
                  CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN)),
   WITH(LONGS(CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MIN, CL_LONG_MAX, CL_LONG_MAX, CL_LONG_MAX, CL_LONG_MAX, 1,
              1, 1, 1)),
   GIVES(0, 0)},

  // Logarithms of sums of exponentials
  {OF(LOGSUMEXP, DOUBLE), "log 2", ELEMENTS(DOUBLES(0, 0)), GIVES(0x3fe62e42fefa39ef), .ulps = 4},
  {OF(LOGSUMEXP, DOUBLE), "1000 + log 2: no overflow", ELEMENTS(DOUBLES(1000, 1000)), GIVES(0x408f458b90bfbe8e),
   .ulps = 4},
  {OF(LOGSUMEXP, DOUBLE), "-infinity", ELEMENTS(DOUBLE_BITS(MINUS_INF64, MINUS_INF64)), GIVES(MINUS_INF64)},
  {OF(LOGSUMEXP, DOUBLE), "infinity", ELEMENTS(DOUBLE_BITS(INF64, 0, MINUS_INF64, INF64)), GIVES(INF64)},
  {OF(LOGSUMEXP, DOUBLE), "infinity and a NaN", ELEMENTS(DOUBLE_BITS(INF64, NAN64)), GIVES(NAN64)},
  {OF(LOGSUMEXP, DOUBLE), "nothing", ELEMENTS(NOTHING), GIVES(MINUS_INF64)},
  {OF(LOGSUMEXP, DOUBLE), "one", ELEMENTS(DOUBLES(5)), GIVES(0x4014000000000000), .ulps = 4},
  {IGNORING(LOGSUMEXP, FLOAT), "2 beside a NaN", ELEMENTS(FLOAT_BITS(NAN32, 0x40000000)), GIVES(0x40000000), .ulps = 4},
  {IGNORING(LOGSUMEXP, FLOAT), "only NaNs", ELEMENTS(FLOAT_BITS(NAN32, NAN32)), GIVES(MINUS_INF32)},
  {OF(LOGSUMEXP, INT), "log 4", ELEMENTS(INTS(0, 0, 0, 0)), GIVES(0x3ff62e42fefa39ef), .ulps = 4},

  // count, nan_count, min, max, min_index, max_index, mean, var, sum
  {OF(STATS, FLOAT), "1 to 4", ELEMENTS(FLOATS(1, 2, 3, 4)),
   GIVES(4, 0, 0x3f800000, 0x40800000, 0, 3, 0x40200000, 0x3fa00000, 0x41200000)},
  {OF(STATS, FLOAT), "a NaN", ELEMENTS(FLOAT_BITS(0x40000000, NAN32, 0x3f800000)),
   GIVES(3, 1, NAN32, NAN32, 1, 1, NAN32, NAN32, NAN32)},
  {IGNORING(STATS, FLOAT), "a NaN", ELEMENTS(FLOAT_BITS(0x40000000, NAN32, 0x3f800000)),
   GIVES(3, 1, 0x3f800000, 0x40000000, 2, 0, 0x3fc00000, 0x3e800000, 0x40400000)},
  {IGNORING(STATS, FLOAT), "only NaNs", ELEMENTS(FLOAT_BITS(NAN32)),
   GIVES(1, 1, INF32, MINUS_INF32, NOWHERE, NOWHERE, NAN32, NAN32, 0)},
  {OF(STATS, INT), "-3 and 5", ELEMENTS(INTS(-3, 5)),
   GIVES(2, 0, 0xfffffffffffffffd, 5, 0, 1, 0x3ff0000000000000, 0x4030000000000000, 2)},
  {OF(STATS, INT), "nothing", ELEMENTS(NOTHING),
   GIVES(0, 0, LONG_HIGHEST, LONG_LOWEST, NOWHERE, NOWHERE, NAN64, NAN64, 0)},

  // Wider states
  {IN_DOUBLE(SUM, FLOAT), "2^24 + 1", ELEMENTS(FLOATS(16777216, 1)), GIVES(0x4170000010000000)},
  {IN_DOUBLE(SUM, INT), "a double of integers", ELEMENTS(INTS(1, 2)), GIVES(0x4008000000000000)},
  {IN_DOUBLE(MAX, CHAR), "nothing: -infinity", ELEMENTS(NOTHING), GIVES(MINUS_INF64)},
};
