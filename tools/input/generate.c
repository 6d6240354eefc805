// One element function per kind and class of type, one loop per kind and type of one number, all from CLRED_TYPE_MAP;
// vectors and complex numbers are made of these. generate.h says what each kind is.

#include "input/generate.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/half.h"

enum { PIECE = 1 << 22 };

static inline uint64_t splitmix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// The sum of the four 16-bit fields.
static inline uint64_t sum_fields(uint64_t word) {
  return (word & 0xffff) + (word >> 16 & 0xffff) + (word >> 32 & 0xffff) + (word >> 48);
}

// S of generate.h, in units of 2^-50.
static inline uint64_t twelve_uniforms(uint64_t word) {
  uint64_t fields =
    sum_fields(splitmix64(word + 1)) + sum_fields(splitmix64(word + 2)) + sum_fields(splitmix64(word + 3));
  return (fields << 34) + (splitmix64(word + 4) >> 30);
}

// The same in units of 2^(bits - 4), rounded, and moved into the range of an unsigned type.
static inline uint64_t normal_integer(uint64_t word, unsigned bits) {
  uint64_t sum = twelve_uniforms(word);
  uint64_t scaled = bits > 54 ? sum << (bits - 54) : (sum + ((uint64_t)1 << (53 - bits % 54))) >> (54 - bits % 54);
  return scaled + ((uint64_t)2 << (bits - 4));
}

static inline double normal_floating(uint64_t word) {
  int64_t centred = (int64_t)twelve_uniforms(word) - ((int64_t)6 << 50);
  return (double)centred * 0x1p-50;
}

// `bits` random bits with the upper ones cleared at random.
static inline uint64_t wide_magnitude(uint64_t word, unsigned bits, unsigned places) {
  return (word & ~((uint64_t)1 << 63)) >> (63 - bits) >> ((word & 0xffff) * places >> 16);
}

static inline cl_float wide_float(uint64_t word) {
  uint32_t sign = (uint32_t)(word >> 63) << 31, exponent = (uint32_t)(word >> 34 & 63) + 127 - 32;
  uint32_t bits = sign | exponent << 23 | (uint32_t)(word >> 40 & 0x7fffff);
  cl_float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline cl_double wide_double(uint64_t word) {
  uint64_t exponent = (word >> 2 & 511) + 1023 - 256;
  uint64_t bits = (word & (uint64_t)1 << 63) | exponent << 52 | (word >> 11 & 0xfffffffffffffu);
  cl_double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The same with an exponent of 4 bits, which half can hold.
static inline cl_half wide_half(uint64_t word) {
  uint64_t exponent = (word >> 34 & 15) + 32 - 8;
  return half_from_double((double)wide_float((word & ~((uint64_t)63 << 34)) | exponent << 34));
}

static inline cl_float uniform_float(uint64_t word) {
  return (cl_float)(word >> 40) * 0x1p-24f;
}
static inline cl_double uniform_double(uint64_t word) {
  return (cl_double)(word >> 11) * 0x1p-53;
}
static inline cl_half uniform_half(uint64_t word) {
  return half_from_double((double)uniform_float(word));
}
static inline cl_bfloat16 uniform_bfloat16(uint64_t word) {
  return bfloat16_from_double((double)uniform_float(word));
}
static inline cl_bfloat16 wide_bfloat16(uint64_t word) {
  return bfloat16_from_double((double)wide_float(word));
}

// A number as an element of the type.
#define FROM_SIGNED(name, x) ((cl_##name)(x))
#define FROM_UNSIGNED(name, x) ((cl_##name)(x))
#define FROM_FLOATING(name, x) FROM_##name(x)
#define FROM_float(x) ((cl_float)(x))
#define FROM_double(x) ((cl_double)(x))
#define FROM_half(x) half_from_double((double)(cl_float)(x))
#define FROM_bfloat16(x) bfloat16_from_double((double)(cl_float)(x))

#define BITS(name) ((unsigned)(8 * sizeof(cl_##name)))
#define ELEMENTS_UNSIGNED(name) \
  static inline cl_##name uniform_##name(uint64_t word) { \
    return (cl_##name)(word >> (64 - BITS(name))); \
  } \
  static inline cl_##name normal_##name(uint64_t word) { \
    return (cl_##name)normal_integer(word, BITS(name)); \
  } \
  static inline cl_##name wide_##name(uint64_t word) { \
    return (cl_##name)(uniform_##name(word) >> ((word & 0xffff) * BITS(name) >> 16)); \
  }
#define ELEMENTS_SIGNED(name) \
  static inline cl_##name uniform_##name(uint64_t word) { \
    return (cl_##name)(word >> (64 - BITS(name))); \
  } \
  static inline cl_##name normal_##name(uint64_t word) { \
    return (cl_##name)(normal_integer(word, BITS(name)) - ((uint64_t)1 << (BITS(name) - 1))); \
  } \
  static inline cl_##name wide_##name(uint64_t word) { \
    cl_##name magnitude = (cl_##name)wide_magnitude(word, BITS(name) - 1, BITS(name)); \
    return (cl_##name)(word >> 63 ? -magnitude : magnitude); \
  }
#define ELEMENTS_FLOATING(name) \
  static inline cl_##name normal_##name(uint64_t word) { \
    return FROM_##name(normal_floating(word)); \
  }
#define ELEMENTS_COMPLEX(name)
#define ELEMENTS(upper, value, name, numpy, class, ...) ELEMENTS_##class(name)
CLRED_TYPE_MAP(ELEMENTS)

// Elements first .. first + count of a recipe, to `out`.
typedef void fill(void *out, uint64_t first, uint64_t count, const struct recipe *recipe);

#define LOOP(kind, name, element) \
  static void fill_##kind##_##name(void *to, uint64_t first, uint64_t count, const struct recipe *recipe) { \
    cl_##name *out = to; \
    const uint64_t seed = recipe->seed; \
    cl_##name value; \
    memcpy(&value, recipe->value.bytes, sizeof value); \
    for (uint64_t i = 0; i < count; i++) \
      out[i] = element; \
    (void)first, (void)seed, (void)value; \
  }
#define LOOPS(class, name) \
  LOOP(iota, name, FROM_##class(name, first + i)) \
  LOOP(ones, name, FROM_##class(name, 1)) \
  LOOP(uniform, name, uniform_##name(splitmix64(seed + first + i))) \
  LOOP(normal, name, normal_##name(splitmix64(seed + first + i))) \
  LOOP(wide, name, wide_##name(splitmix64(seed + first + i))) \
  LOOP(constant, name, value)
#define LOOPS_SIGNED(name) LOOPS(SIGNED, name)
#define LOOPS_UNSIGNED(name) LOOPS(UNSIGNED, name)
#define LOOPS_FLOATING(name) LOOPS(FLOATING, name)
#define LOOPS_COMPLEX(name)
#define LOOPS_OF(upper, row, name, numpy, class, ...) LOOPS_##class(name)
CLRED_TYPE_MAP(LOOPS_OF)

#define FILL_SIGNED(upper, kind, name) [CLRED_TYPE_##upper] = fill_##kind##_##name,
#define FILL_UNSIGNED(upper, kind, name) FILL_SIGNED(upper, kind, name)
#define FILL_FLOATING(upper, kind, name) FILL_SIGNED(upper, kind, name)
#define FILL_COMPLEX(upper, kind, name)
#define BY_TYPE_iota(upper, value, name, numpy, class, ...) FILL_##class(upper, iota, name)
#define BY_TYPE_ones(upper, value, name, numpy, class, ...) FILL_##class(upper, ones, name)
#define BY_TYPE_uniform(upper, value, name, numpy, class, ...) FILL_##class(upper, uniform, name)
#define BY_TYPE_normal(upper, value, name, numpy, class, ...) FILL_##class(upper, normal, name)
#define BY_TYPE_wide(upper, value, name, numpy, class, ...) FILL_##class(upper, wide, name)
#define BY_TYPE_constant(upper, value, name, numpy, class, ...) FILL_##class(upper, constant, name)
#define TYPE_COUNT_ONE(...) +1

static const struct kind {
  const char *name;
  bool seeded;
  bool constant;
  fill *by_type[1 CLRED_TYPE_MAP(TYPE_COUNT_ONE)];
} kinds[] = {{"iota", false, false, {CLRED_TYPE_MAP(BY_TYPE_iota)}},
             {"ones", false, false, {CLRED_TYPE_MAP(BY_TYPE_ones)}},
             {"uniform", true, false, {CLRED_TYPE_MAP(BY_TYPE_uniform)}},
             {"normal", true, false, {CLRED_TYPE_MAP(BY_TYPE_normal)}},
             {"wide", true, false, {CLRED_TYPE_MAP(BY_TYPE_wide)}},
             {"constant", false, true, {CLRED_TYPE_MAP(BY_TYPE_constant)}}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static size_t find_kind(const char *spec, size_t length) {
  size_t kind = 0;
  while (kind < KIND_COUNT && (strlen(kinds[kind].name) != length || memcmp(kinds[kind].name, spec, length) != 0))
    kind++;
  return kind;
}

static int parse_constant(const char *spec, const char *text, struct recipe *recipe) {
  recipe->constant = true;
  recipe->text = text;
  if (text == NULL)
    return fail(EXIT_BAD_USE, "--generate %s: the value is missing; give constant:N:VALUE", spec);
  if (!number_parse(recipe->type.component, text, recipe->value.bytes))
    return fail(EXIT_BAD_USE, "--generate %s: '%s' is no value of type %s", spec, text, recipe->type.name);
  return EXIT_DONE;
}

static int parse_seed(const char *spec, const char *text, struct recipe *recipe) {
  if (text != NULL && !count_parse(text, strlen(text), &recipe->seed))
    return fail(EXIT_BAD_USE, "--generate %s: the seed '%s' is not decimal digits", spec, text);
  return EXIT_DONE;
}

int generate_parse(const char *spec, const clred_type_info *type, struct recipe *recipe) {
  size_t kind_length = strcspn(spec, ":");
  const char *count = spec + kind_length + (spec[kind_length] == ':');
  size_t count_length = strcspn(count, ":");
  const char *third = count[count_length] == ':' ? count + count_length + 1 : NULL;

  *recipe = (struct recipe){.kind = find_kind(spec, kind_length), .type = *type};
  if (recipe->kind == KIND_COUNT)
    return fail(EXIT_BAD_USE, "--generate %s: unknown kind; there are iota, ones, uniform, normal, wide and constant",
                spec);
  if (!count_parse(count, count_length, &recipe->count))
    return fail(EXIT_BAD_USE, "--generate %s: the number of elements is missing, too large or not decimal digits",
                spec);
  return kinds[recipe->kind].constant ? parse_constant(spec, third, recipe) : parse_seed(spec, third, recipe);
}

// How the components of an element are made: `made` of the `room` that it has, the others are 0.
struct components {
  fill *fill;
  size_t size;
  uint64_t made, room;
};

static struct components components_of(const struct recipe *recipe) {
  const struct kind *kind = &kinds[recipe->kind];
  clred_type_info component;
  clred_type_inspect(recipe->type.component, &component);
  bool real_alone = recipe->type.is_complex && !kind->seeded;
  return (struct components){kind->by_type[component.type], component.size, real_alone ? 1 : recipe->type.components,
                             recipe->type.size / component.size};
}

static void fill_piece(const struct components *parts, char *out, uint64_t first, uint64_t count,
                       const struct recipe *recipe) {
  if (parts->made == parts->room) {
    parts->fill(out, first * parts->made, count * parts->made, recipe);
    return;
  }
  memset(out, 0, (size_t)(count * recipe->type.size));
  for (uint64_t i = 0; i < count; i++)
    parts->fill(out + i * recipe->type.size, (first + i) * parts->made, parts->made, recipe);
}

void generate_piece(const struct recipe *recipe, void *out, uint64_t first, uint64_t count) {
  struct components parts = components_of(recipe);
  fill_piece(&parts, out, first, count, recipe);
}

void generate_fill(const struct recipe *recipe, void *out, struct progress *progress) {
  struct components parts = components_of(recipe);
  for (uint64_t first = 0; first < recipe->count; first += PIECE) {
    uint64_t left = recipe->count - first;
    fill_piece(&parts, (char *)out + first * recipe->type.size, first, left < PIECE ? left : PIECE, recipe);
    progress_tell(progress, "generating", first, recipe->count);
  }
}
