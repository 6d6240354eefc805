// Computes keys of elements and of numbers.
#include "model/keys.h"

#include <math.h>
#include <string.h>

static cl_ulong sign_of(const struct clr_type *type) {
  return (cl_ulong)1 << (8 * type->size - 1);
}

static cl_ulong bits_at(const struct clr_type *type, const void *element) {
  union {
    cl_uchar one;
    cl_ushort two;
    cl_uint four;
    cl_ulong eight;
  } bits;
  memcpy(&bits, element, type->size);
  return type->size == 1 ? bits.one : type->size == 2 ? bits.two : type->size == 4 ? bits.four : bits.eight;
}

static cl_ulong floating_key(cl_ulong sign, bool is_negative, cl_ulong magnitude) {
  return is_negative ? sign - magnitude : sign + magnitude;
}

cl_ulong clr_key_at(const struct clr_type *type, const void *element) {
  cl_ulong bits = bits_at(type, element), sign = sign_of(type);
  if (type->class == CLR_FLOATING)
    return floating_key(sign, (bits & sign) != 0, bits & (sign - 1));
  return type->class == CLR_SIGNED ? bits ^ sign : bits;
}

// Binary digits of a significand, and the exponents of the least and the greatest normal number.
struct format {
  int digits, least, most;
};

static struct format format_of(const struct clr_type *type) {
  static const struct format half = {11, -14, 15}, bfloat16 = {8, -126, 127}, single = {24, -126, 127},
                             wide = {53, -1022, 1023};
  if (type->reading == CLR_READING_HALF)
    return half;
  return type->reading == CLR_READING_BFLOAT16 ? bfloat16 : type->size == 4 ? single : wide;
}

bool clr_key_nearest(const struct clr_type *type, double number, cl_ulong *key) {
  const struct format format = format_of(type);
  int exponent;
  if (!isfinite(number))
    return false;
  frexp(number, &exponent);
  exponent = number == 0 || exponent - 1 < format.least ? format.least : exponent - 1;
  // Add the significand without its hidden bit to the exponent's bits. If it was rounded up to the next power of two,
  // it carries into the exponent.
  cl_ulong hidden = (cl_ulong)1 << (format.digits - 1);
  cl_ulong significand = (cl_ulong)rint(ldexp(fabs(number), format.digits - 1 - exponent));
  cl_ulong magnitude = (cl_ulong)(exponent - format.least) * hidden + significand;
  *key = floating_key(sign_of(type), number < 0, magnitude);
  return magnitude < (cl_ulong)(format.most - format.least + 2) * hidden;
}

static double floating_number(const struct clr_type *type, cl_ulong key) {
  const struct format format = format_of(type);
  cl_ulong sign = sign_of(type), magnitude = key < sign ? sign - key : key - sign;
  cl_ulong hidden = (cl_ulong)1 << (format.digits - 1), exponent = magnitude / hidden;
  double significand = (double)(exponent ? magnitude % hidden + hidden : magnitude);
  double number = ldexp(significand, (int)(exponent ? exponent - 1 : 0) + format.least - (format.digits - 1));
  return key < sign ? -number : number;
}

static double least_number(const struct clr_type *type) {
  return type->class == CLR_SIGNED ? -(double)sign_of(type) : 0;
}

// Returns the key of an integer within the type's range.
static cl_ulong whole_key(const struct clr_type *type, double number) {
  return type->class == CLR_SIGNED ? (cl_ulong)(cl_long)number + sign_of(type) : (cl_ulong)number;
}

cl_ulong clr_key_last(const struct clr_type *type) {
  return sign_of(type) - 1 + sign_of(type);
}

bool clr_key_at_least(const struct clr_type *type, double number, cl_ulong *key) {
  double whole = ceil(number), least = least_number(type);
  if (whole >= least + 2 * (double)sign_of(type))
    return false;
  *key = whole <= least ? 0 : whole_key(type, whole);
  return true;
}

bool clr_key_at_most(const struct clr_type *type, double number, cl_ulong *key) {
  double whole = floor(number), least = least_number(type);
  if (whole < least)
    return false;
  *key = whole >= least + 2 * (double)sign_of(type) ? clr_key_last(type) : whole_key(type, whole);
  return true;
}

double clr_key_number(const struct clr_type *type, cl_ulong key) {
  if (type->class == CLR_FLOATING)
    return floating_number(type, key);
  if (type->class == CLR_UNSIGNED)
    return (double)key;
  cl_ulong sign = sign_of(type);
  return key < sign ? -(double)(sign - key) : (double)(key - sign);
}
