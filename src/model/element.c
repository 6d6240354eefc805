// The table of types, elements of a type, and the keys that stand for elements.
#include "model/element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- half and bfloat16, which the host's compiler may lack. Both are subsets of float. ---

static cl_float as_float(cl_uint bits) {
  cl_float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Shift exponent and fraction into place. The biases differ by 112; multiplying by 2^112 corrects that, for denormals
// too.
static cl_float half_to_float(cl_ushort bits) {
  cl_uint sign = (cl_uint)(bits & 0x8000) << 16, magnitude = (cl_uint)(bits & 0x7fff) << 13;
  if (magnitude >= 0x0f800000)
    return as_float(sign | (magnitude + 0x70000000));
  cl_float value = as_float(magnitude) * 0x1p112f;
  return sign ? -value : value;
}

static cl_float bfloat16_to_float(cl_ushort bits) {
  return as_float((cl_uint)bits << 16);
}

// --- Types ---

// Callers' memory may be unaligned, so elements are copied.
#define READ_PLAIN(type, value) (value)
#define READ_HALF(type, value) half_to_float(value)
#define READ_BFLOAT16(type, value) bfloat16_to_float(value)
#define READ_COMPLEX(type, value) (value)
#define PARTS_PLAIN 1
#define PARTS_HALF 1
#define PARTS_BFLOAT16 1
#define PARTS_COMPLEX 2

#define WIDEN(kind_id, kind, id, stored, reading) \
  static void widen_##id##_to_##kind(const void *elements, cl_ulong count, void *values) { \
    for (cl_ulong i = 0; i < count * PARTS_##reading; i++) { \
      cl_##stored value; \
      memcpy(&value, (const unsigned char *)elements + i * sizeof value, sizeof value); \
      ((cl_##kind *)values)[i] = (cl_##kind)READ_##reading(stored, value); \
    } \
  }
#define WIDEN_ALL(id, value, name, numpy, class, wide, stored, reading, ...) CLR_KIND_MAP(WIDEN, id, stored, reading)
CLRED_TYPE_MAP(WIDEN_ALL)

#define WIDENS(kind_id, kind, id) widen_##id##_to_##kind,
#define ROW(id, value, name, numpy, class, wide, stored, reading, need) \
  {CLRED_TYPE_##id, \
   #name, \
   numpy, \
   CLR_##class, \
   CLRED_TYPE_##wide, \
   #stored, \
   CLR_READING_##reading, \
   CLR_NEEDS_##need, \
   sizeof(cl_##stored) * PARTS_##reading, \
   {CLR_KIND_MAP(WIDENS, id)}},
static const struct clr_type types[] = {CLRED_TYPE_MAP(ROW)};

const struct clr_type *clr_type_at(size_t index) {
  return index < sizeof types / sizeof *types ? &types[index] : NULL;
}

const struct clr_type *clr_type_row(clred_type type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].id == type)
      return &types[i];
  return NULL;
}

static bool is_vector_width(unsigned components) {
  return components == 2 || components == 3 || components == 4 || components == 8 || components == 16;
}

bool clr_element_make(clred_type type, struct clr_element *element) {
  unsigned components = (unsigned)type >> 8;
  const struct clr_type *row = clr_type_row((clred_type)((unsigned)type & 0xff));
  if (!row || (components && (!is_vector_width(components) || row->reading != CLR_READING_PLAIN)))
    return false;
  *element = (struct clr_element){.row = row, .components = components ? components : 1};
  element->stride = components == 3 ? 4 : element->components;
  element->size = row->size * element->stride;
  if (components)
    snprintf(element->name, sizeof element->name, "%s%u", row->name, components);
  else
    snprintf(element->name, sizeof element->name, "%s", row->name);
  return true;
}

bool clr_element_is_complex(const struct clr_element *element) {
  return element->row && element->row->reading == CLR_READING_COMPLEX;
}

static clred_type vector_named(const char *name) {
  size_t letters = strcspn(name, "0123456789");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    struct clr_element element;
    if (strlen(types[i].name) != letters || strncmp(types[i].name, name, letters) != 0)
      continue;
    clred_type vector = CLRED_VECTOR(types[i].id, strtoul(name + letters, NULL, 10) & 0xff);
    if (clr_element_make(vector, &element) && strcmp(element.name, name) == 0)
      return vector;
  }
  return CLRED_TYPE_NONE;
}

clred_type clr_type_spelt(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].reading != CLR_READING_COMPLEX && strcmp(types[i].name, name) == 0)
      return types[i].id;
  return vector_named(name);
}

// int8 and float16 are NumPy's scalars here, not OpenCL's vectors.
clred_type clr_type_named(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0 || strcmp(types[i].numpy_name, name) == 0)
      return types[i].id;
  return vector_named(name);
}

#define KIND_TYPE(id, ...) CLRED_TYPE_##id,
static const clred_type kinds[CLR_KINDS] = {CLR_KIND_MAP(KIND_TYPE, )};

enum clr_kind clr_kind_of(clred_type type) {
  for (int kind = 0; kind < CLR_KINDS; kind++)
    if (kinds[kind] == type)
      return (enum clr_kind)kind;
  return CLR_KINDS;
}

enum clr_kind clr_kind_of_integer(enum clr_class class, size_t size) {
  for (int kind = 0; kind < CLR_KINDS; kind++)
    if (clr_type_row(kinds[kind])->class == class && clr_type_row(kinds[kind])->size == size)
      return (enum clr_kind)kind;
  return CLR_KINDS;
}

clred_type clr_kind_type(enum clr_kind kind) {
  return kinds[kind];
}

enum clr_kind clr_kind_real(enum clr_kind kind) {
  return kind == CLR_KIND_FLOAT ? CLR_KIND_FLOAT : CLR_KIND_DOUBLE;
}

// --- Keys ---

static cl_ulong sign_of(const struct clr_type *type) {
  return (cl_ulong)1 << (8 * type->size - 1);
}

cl_ulong clr_bits_get(const void *from, size_t size) {
  union {
    cl_uchar one;
    cl_ushort two;
    cl_uint four;
    cl_ulong eight;
  } bits;
  memcpy(&bits, from, size);
  return size == 1 ? bits.one : size == 2 ? bits.two : size == 4 ? bits.four : bits.eight;
}

void clr_bits_put(cl_ulong bits, size_t size, void *to) {
  const cl_uchar one = (cl_uchar)bits;
  const cl_ushort two = (cl_ushort)bits;
  const cl_uint four = (cl_uint)bits;
  const void *const from[] = {[1] = &one, [2] = &two, [4] = &four, [8] = &bits};
  memcpy(to, from[size], size);
}

static cl_ulong floating_key(cl_ulong sign, bool is_negative, cl_ulong magnitude) {
  return is_negative ? sign - magnitude : sign + magnitude;
}

cl_ulong clr_key_at(const struct clr_type *type, const void *element) {
  cl_ulong bits = clr_bits_get(element, type->size), sign = sign_of(type);
  if (type->class == CLR_FLOATING)
    return floating_key(sign, (bits & sign) != 0, bits & (sign - 1));
  return type->class == CLR_SIGNED ? bits ^ sign : bits;
}

// Binary digits of a significand, and the exponents of the smallest and the largest normal number.
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
  // The exponent's bits are exponent - least, plus 1 from the hidden bit of the significand. A significand that was
  // rounded up to the next power of two adds 2, which gives the next exponent.
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

// --- Places of whole numbers ---

static bool is_long_unsigned(const struct clr_type *type) {
  return type->class == CLR_UNSIGNED && type->size == 8;
}

cl_ulong clr_place_of_first(const struct clr_type *type) {
  cl_ulong sign = (cl_ulong)1 << 63, half = (cl_ulong)1 << (8 * type->size - 1);
  return is_long_unsigned(type) ? 0 : type->class == CLR_SIGNED ? sign - half : sign;
}

bool clr_has_place(const struct clr_type *type, double number) {
  double first = is_long_unsigned(type) ? 0 : -0x1p63;
  return number == floor(number) && number >= first && number <= first + 0x1p64;
}

cl_ulong clr_place_of(const struct clr_type *type, double number) {
  cl_ulong zero = is_long_unsigned(type) ? 0 : (cl_ulong)1 << 63;
  if (number < 0)
    return zero - (cl_ulong)-number;
  return number >= 0x1p64 ? 0 : zero + (cl_ulong)number;
}
