// Cases computed by hand: operator, type, subject of the case, bits of the result, elements. The bits are those of the
// result type (long, ulong, float, double or uint), so 0xfff...f for a sum of chars is -1 as a long. FIXED marks cases
// that depend on the order of combination; they are for the order fixed/1.

#include "hand_literals.h"

#define FREE false
#define FIXED true

#define BIG 16777216.0f                  // 2^24: adding 1 changes nothing, adding 2 does
#define HUGE_INTEGER 9007199254740992.0  // 2^53: the same for double

static const struct hand_case {
  clred_op op;
  clred_type type;
  const char *what;
  uint64_t bits;
  bool fixed;
  const void *elements;
  size_t count;
} hand_cases[] = {
  // No elements: the identity
  {CLRED_OP_SUM, CLRED_TYPE_INT, "empty sum", 0, FREE, NOTHING},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "empty sum is +0", 0, FREE, NOTHING},
  {CLRED_OP_PROD, CLRED_TYPE_UCHAR, "empty product", 1, FREE, NOTHING},
  {CLRED_OP_PROD, CLRED_TYPE_DOUBLE, "empty product", 0x3ff0000000000000, FREE, NOTHING},
  {CLRED_OP_MIN, CLRED_TYPE_CHAR, "empty minimum is that of the state", 0x7fffffffffffffff, FREE, NOTHING},
  {CLRED_OP_MIN, CLRED_TYPE_FLOAT, "empty minimum is infinity", 0x7f800000, FREE, NOTHING},
  {CLRED_OP_MAX, CLRED_TYPE_SHORT, "empty maximum is that of the state", 0x8000000000000000, FREE, NOTHING},
  {CLRED_OP_MAX, CLRED_TYPE_DOUBLE, "empty maximum is -infinity", 0xfff0000000000000, FREE, NOTHING},
  {CLRED_OP_MIN, CLRED_TYPE_UINT, "empty minimum without sign", 0xffffffffffffffff, FREE, NOTHING},
  {CLRED_OP_AND, CLRED_TYPE_USHORT, "empty and has all ones of the state", 0xffffffffffffffff, FREE, NOTHING},
  {CLRED_OP_AND, CLRED_TYPE_LONG, "empty and has all ones", 0xffffffffffffffff, FREE, NOTHING},
  {CLRED_OP_OR, CLRED_TYPE_ULONG, "empty or", 0, FREE, NOTHING},
  {CLRED_OP_ALL, CLRED_TYPE_FLOAT, "of nothing, all are", 1, FREE, NOTHING},
  {CLRED_OP_ANY, CLRED_TYPE_INT, "no element is true", 0, FREE, NOTHING},

  // Sums of integers: 64 bits, wrapping
  {CLRED_OP_SUM, CLRED_TYPE_CHAR, "negative element", 0xffffffffffffffff, FREE, CHARS(-1)},
  {CLRED_OP_SUM, CLRED_TYPE_CHAR, "past the element's range", 0xfe, FREE, CHARS(127, 127)},
  {CLRED_OP_SUM, CLRED_TYPE_CHAR, "below the element's range", 0xffffffffffffff00, FREE, CHARS(-128, -128)},
  {CLRED_OP_SUM, CLRED_TYPE_UCHAR, "no sign", 0x1fe, FREE, UCHARS(255, 255)},
  {CLRED_OP_SUM, CLRED_TYPE_SHORT, "signs cancel", 0xffffffffffffffff, FREE, SHORTS(-32768, 32767)},
  {CLRED_OP_SUM, CLRED_TYPE_USHORT, "past 16 bits", 0x1fffe, FREE, USHORTS(65535, 65535)},
  {CLRED_OP_SUM, CLRED_TYPE_INT, "past 31 bits", 0x80000000, FREE, INTS(CL_INT_MAX, 1)},
  {CLRED_OP_SUM, CLRED_TYPE_INT, "below 31 bits", 0xffffffff7fffffff, FREE, INTS(CL_INT_MIN, -1)},
  {CLRED_OP_SUM, CLRED_TYPE_UINT, "past 32 bits", 0x1fffffffe, FREE, UINTS(CL_UINT_MAX, CL_UINT_MAX)},
  {CLRED_OP_SUM, CLRED_TYPE_LONG, "wraps", 0x8000000000000000, FREE, LONGS(CL_LONG_MAX, 1)},
  {CLRED_OP_SUM, CLRED_TYPE_LONG, "wraps to 0", 0, FREE, LONGS(CL_LONG_MIN, CL_LONG_MIN)},
  {CLRED_OP_SUM, CLRED_TYPE_ULONG, "wraps", 1, FREE, ULONGS(CL_ULONG_MAX, 2)},

  // Products of integers
  {CLRED_OP_PROD, CLRED_TYPE_CHAR, "minus by minus", 0x4000, FREE, CHARS(-128, -128)},
  {CLRED_OP_PROD, CLRED_TYPE_CHAR, "minus by plus", 0xffffffffffffc080, FREE, CHARS(-128, 127)},
  {CLRED_OP_PROD, CLRED_TYPE_USHORT, "three factors", 0xfffd0002ffff, FREE, USHORTS(65535, 65535, 65535)},
  {CLRED_OP_PROD, CLRED_TYPE_INT, "past 32 bits", 0x3fffffff00000001, FREE, INTS(CL_INT_MAX, CL_INT_MAX)},
  {CLRED_OP_PROD, CLRED_TYPE_LONG, "wraps", 1, FREE, LONGS(CL_LONG_MAX, CL_LONG_MAX)},
  {CLRED_OP_PROD, CLRED_TYPE_LONG, "the least by -1 is the least", 0x8000000000000000, FREE, LONGS(CL_LONG_MIN, -1)},
  {CLRED_OP_PROD, CLRED_TYPE_ULONG, "wraps to 0", 0, FREE, ULONGS(0x100000000, 0x100000000)},

  // Extremes of integers
  {CLRED_OP_MIN, CLRED_TYPE_CHAR, "signed", 0xffffffffffffff80, FREE, CHARS(0, 127, -128, 5)},
  {CLRED_OP_MIN, CLRED_TYPE_UCHAR, "unsigned", 1, FREE, UCHARS(255, 1, 128)},
  {CLRED_OP_MAX, CLRED_TYPE_CHAR, "all negative", 0xffffffffffffffff, FREE, CHARS(-3, -1, -128)},
  {CLRED_OP_MAX, CLRED_TYPE_UINT, "the top bit is no sign", 0x80000000, FREE, UINTS(0x7fffffff, 0x80000000)},
  {CLRED_OP_MIN, CLRED_TYPE_LONG, "the least", 0x8000000000000000, FREE, LONGS(0, CL_LONG_MIN, CL_LONG_MAX)},
  {CLRED_OP_MAX, CLRED_TYPE_ULONG, "the greatest", 0xffffffffffffffff, FREE, ULONGS(1, CL_ULONG_MAX, 0)},

  // Bitwise operators
  {CLRED_OP_AND, CLRED_TYPE_UCHAR, "no bits from the widening", 0x0c, FREE, UCHARS(0x3c, 0x0f)},
  {CLRED_OP_AND, CLRED_TYPE_CHAR, "signs stay", 0xfffffffffffffff0, FREE, CHARS(-16, -1)},
  {CLRED_OP_OR, CLRED_TYPE_SHORT, "the sign spreads", 0xffffffffffff8001, FREE, SHORTS(-32768, 1)},
  {CLRED_OP_XOR, CLRED_TYPE_UINT, "twice the same is nothing", 7, FREE, UINTS(0xdeadbeef, 7, 0xdeadbeef)},
  {CLRED_OP_XOR, CLRED_TYPE_INT, "odd number of minus ones", 0xffffffffffffffff, FREE, INTS(-1, -1, -1)},

  // Logical operators: any number but 0 is true
  {CLRED_OP_ALL, CLRED_TYPE_INT, "any number but 0 is true", 1, FREE, INTS(-1, 2, 256)},
  {CLRED_OP_ALL, CLRED_TYPE_UCHAR, "one zero", 0, FREE, UCHARS(1, 0, 255)},
  {CLRED_OP_ALL, CLRED_TYPE_FLOAT, "-0 is zero", 0, FREE, FLOATS(1.0f, -0.0f)},
  {CLRED_OP_ALL, CLRED_TYPE_FLOAT, "NaN is not zero", 1, FREE, FLOAT_BITS(0x7fc00000, 0xffc00001)},
  {CLRED_OP_ANY, CLRED_TYPE_FLOAT, "a denormal is not zero", 1, FREE, FLOAT_BITS(0, 0x80000000, 1)},
  {CLRED_OP_ANY, CLRED_TYPE_DOUBLE, "both zeros are", 0, FREE, DOUBLES(0.0, -0.0)},
  {CLRED_OP_ANY, CLRED_TYPE_LONG, "only the top half set", 1, FREE, LONGS(0, 0x100000000)},

  // Single elements
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "a single -0 stays -0", 0x80000000, FREE, FLOATS(-0.0f)},
  {CLRED_OP_PROD, CLRED_TYPE_DOUBLE, "a single denormal", 0x8000000000000001, FREE, DOUBLE_BITS(0x8000000000000001)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "a single NaN becomes the canonical one", 0x7fc00000, FREE, FLOAT_BITS(0xffc12345)},
  {CLRED_OP_MIN, CLRED_TYPE_DOUBLE, "a signalling NaN becomes the canonical one", 0x7ff8000000000000, FREE,
   DOUBLE_BITS(0xfff0000000000001)},
  {CLRED_OP_MAX, CLRED_TYPE_USHORT, "a single 0", 0, FREE, USHORTS(0)},

  // Zeros, infinities and NaN
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "-0 and -0", 0x80000000, FREE, FLOATS(-0.0f, -0.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "-0 and +0", 0, FREE, FLOATS(-0.0f, 0.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_DOUBLE, "x and -x", 0, FREE, DOUBLES(1.5, -1.5)},
  {CLRED_OP_MIN, CLRED_TYPE_FLOAT, "-0 is less than +0", 0x80000000, FREE, FLOATS(0.0f, -0.0f, 0.0f)},
  {CLRED_OP_MAX, CLRED_TYPE_FLOAT, "+0 is more than -0", 0, FREE, FLOATS(-0.0f, 0.0f, -0.0f)},
  {CLRED_OP_MAX, CLRED_TYPE_DOUBLE, "only -0", 0x8000000000000000, FREE, DOUBLES(-0.0, -0.0)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "infinity stays", 0x7f800000, FREE, FLOAT_BITS(0x7f800000, 0xff7fffff)},
  {CLRED_OP_SUM, CLRED_TYPE_DOUBLE, "both infinities", 0x7ff8000000000000, FREE,
   DOUBLE_BITS(0x7ff0000000000000, 0xfff0000000000000)},
  {CLRED_OP_PROD, CLRED_TYPE_FLOAT, "infinity by 0", 0x7fc00000, FREE, FLOAT_BITS(0x7f800000, 0)},
  {CLRED_OP_PROD, CLRED_TYPE_FLOAT, "-infinity by -2", 0x7f800000, FREE, FLOAT_BITS(0xff800000, 0xc0000000)},
  {CLRED_OP_PROD, CLRED_TYPE_DOUBLE, "-0 by 3", 0x8000000000000000, FREE, DOUBLES(-0.0, 3.0)},
  {CLRED_OP_MIN, CLRED_TYPE_FLOAT, "NaN last", 0x7fc00000, FREE, FLOAT_BITS(0x3f800000, 0xff800000, 0x7fc00000)},
  {CLRED_OP_MAX, CLRED_TYPE_FLOAT, "NaN first, with sign", 0x7fc00000, FREE, FLOAT_BITS(0xffffffff, 0x7f800000)},
  {CLRED_OP_MIN, CLRED_TYPE_DOUBLE, "infinities", 0xfff0000000000000, FREE,
   DOUBLE_BITS(0x7ff0000000000000, 0xfff0000000000000, 0)},
  {CLRED_OP_MAX, CLRED_TYPE_DOUBLE, "all -infinity", 0xfff0000000000000, FREE,
   DOUBLE_BITS(0xfff0000000000000, 0xfff0000000000000)},

  // Rounding, overflow, denormals
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "0.1 and 0.2", 0x3e99999a, FREE, FLOATS(0.1f, 0.2f)},
  {CLRED_OP_SUM, CLRED_TYPE_DOUBLE, "0.1 and 0.2", 0x3fd3333333333334, FREE, DOUBLES(0.1, 0.2)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "ties go to even", 0x4b800000, FREE, FLOATS(BIG, 1.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "ties go to even, upwards", 0x4b800002, FREE, FLOATS(BIG + 2.0f, 1.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "overflow", 0x7f800000, FREE, FLOAT_BITS(0x7f7fffff, 0x7f7fffff)},
  {CLRED_OP_PROD, CLRED_TYPE_FLOAT, "overflow", 0xff800000, FREE, FLOATS(-1e30f, 1e30f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "denormals add exactly", 5, FREE, FLOAT_BITS(2, 3)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "denormals become normal", 0x00800000, FREE, FLOAT_BITS(0x007fffff, 1)},
  {CLRED_OP_SUM, CLRED_TYPE_DOUBLE, "normals become denormal", 1, FREE,
   DOUBLE_BITS(0x0010000000000001, 0x8010000000000000)},
  {CLRED_OP_PROD, CLRED_TYPE_FLOAT, "halving a denormal ties to even", 2, FREE, FLOAT_BITS(3, 0x3f000000)},
  {CLRED_OP_PROD, CLRED_TYPE_DOUBLE, "underflow to -0", 0x8000000000000000, FREE,
   DOUBLE_BITS(0x8000000000000001, 0x3fe0000000000000)},
  {CLRED_OP_PROD, CLRED_TYPE_FLOAT, "a third by 3", 0x3f800000, FREE, FLOAT_BITS(0x3eaaaaab, 0x40400000)},

  // The order fixed/1, by the example of docs/order.md
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "3: (1 + 2^24) + -2^24", 0, FIXED, FLOATS(1.0f, BIG, -BIG)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "4: (1 + 2^24) + (1 + -2^24)", 0x3f800000, FIXED, FLOATS(1.0f, BIG, 1.0f, -BIG)},
  {CLRED_OP_PROD, CLRED_TYPE_FLOAT, "4: pairs beyond the range", 0x3f800000, FREE,
   FLOATS(0x1p-100f, 0x1p-100f, 0x1p100f, 0x1p100f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "66: lanes before pairs", 0x3f800000, FIXED,
   FLOATS([0] = BIG, [1] = 1.0f, [64] = -BIG, [65] = 0.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "66: lanes, not in order", 0x4b800001, FIXED,
   FLOATS([0] = BIG, [1] = 1.0f, [64] = 1.0f, [65] = 1.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_DOUBLE, "34: 32 lanes of double", 0x3ff0000000000000, FIXED,
   DOUBLES([0] = HUGE_INTEGER, [1] = 1.0, [32] = -HUGE_INTEGER, [33] = 0.0)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "1024: the rows of a lane in order", 0, FIXED,
   FLOATS([2] = 1.0f, [66] = BIG, [130] = 1.0f, [194] = -BIG, [1023] = 0.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "1025: the last rises alone", 0x3f800000, FIXED,
   FLOATS([0] = BIG, [1] = -BIG, [64] = 1.0f, [1024] = 1.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "1025: lanes first, the last at the end", 0x40000000, FIXED,
   FLOATS([0] = BIG, [1] = 1.0f, [64] = -BIG, [1024] = 1.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_DOUBLE, "513: the last rises alone", 0x3ff0000000000000, FIXED,
   DOUBLES([0] = HUGE_INTEGER, [1] = -HUGE_INTEGER, [32] = 1.0, [512] = 1.0)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "3 tiles: the first two, then the third", 0, FIXED,
   FLOATS([0] = BIG, [1024] = 1.0f, [2048] = -BIG, [3071] = 0.0f)},
  {CLRED_OP_SUM, CLRED_TYPE_FLOAT, "4 tiles: two and two", 0x3f800000, FIXED,
   FLOATS([0] = 1.0f, [1024] = BIG, [2048] = 1.0f, [3072] = -BIG, [4095] = 0.0f)},
};
