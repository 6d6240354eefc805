// Probes of integers, halves, float and double: the device's results against the host's, bit by bit.
#include <math.h>
#include <string.h>

#include "selftest/probe.h"

const char clr_probe_single[] = "#define REAL float\n#define BITS uint\n#define REAL_SIZE 4\n#define AS_BITS as_uint\n";
static const char twofold[] =
  "#define REAL double\n#define BITS ulong\n#define REAL_SIZE 8\n#define AS_BITS as_ulong\n";

#define COUNT ((size_t)4096)
#define RESULTS 8
enum { ADD, MULTIPLY, CONTRACT, DIVIDE, ROOT, COMPARE, CONVERT, NEGATE };

// ---------------------------------------------------------------- Kernels of probes/numbers.cl over arrays

struct arrays {
  const char *defines, *kernel;
  size_t count;            // elements of each input; the inputs are one after another
  size_t inputs, in_size;  // at most 3 inputs; bytes of an element
  size_t results, size;    // results of each element; bytes of a result, 4 or 8
  cl_ulong infinity;       // 0, or the bits of infinity: all NaNs then count as equal
};

static void run(struct clr_prober *prober, const struct arrays *arrays) {
  const size_t in_bytes = arrays->count * arrays->in_size, bytes = arrays->count * arrays->results * arrays->size;
  struct clr_argument arguments[4];
  cl_mem buffers[4];
  cl_kernel kernel = clr_probe_kernel(prober, arrays->defines, "probes/numbers.cl", false, arrays->kernel);
  for (size_t i = 0; i < arrays->inputs; i++)
    buffers[i] = clr_probe_buffer(prober, in_bytes, (const char *)prober->in + i * in_bytes);
  buffers[arrays->inputs] = clr_probe_buffer(prober, bytes, NULL);
  for (size_t i = 0; i <= arrays->inputs; i++)
    arguments[i] = (struct clr_argument){sizeof buffers[i], &buffers[i]};
  clr_probe_launch(prober, kernel, arrays->count, 1, arguments, arrays->inputs + 1);
  clr_probe_read(prober, buffers[arrays->inputs], 0, bytes, prober->got);
  clr_probe_drop(prober);
}

static bool is_nan(const struct arrays *arrays, cl_ulong word) {
  const cl_ulong sign = (cl_ulong)1 << (arrays->size * 8 - 1);
  return arrays->infinity && (word & (sign - 1)) > arrays->infinity;
}

// Runs the kernel on `in`. Bit i of the answer says that result i of some element is not as in `expected`; it is 0
// after an error.
static unsigned compare(struct clr_prober *prober, const struct arrays *arrays) {
  unsigned differs = 0;
  run(prober, arrays);
  for (size_t i = 0; i < arrays->count * arrays->results && !prober->err; i++) {
    cl_ulong got = clr_bits_get((const char *)prober->got + i * arrays->size, arrays->size);
    cl_ulong expected = clr_bits_get((const char *)prober->expected + i * arrays->size, arrays->size);
    if (got != expected && !(is_nan(arrays, got) && is_nan(arrays, expected)))
      differs |= 1u << i % arrays->results;
  }
  return differs;
}

// Returns the name of the lowest bit that is set.
static const char *name_of(const char *const *names, unsigned differs) {
  while (!(differs & 1)) {
    differs >>= 1;
    names++;
  }
  return *names;
}

// ---------------------------------------------------------------- Integers and halves

static void expect_integers(const cl_ulong *a, const cl_ulong *b, cl_ulong *out) {
  for (size_t i = 0; i < COUNT; i++, out += RESULTS) {
    cl_ulong x = a[i], y = b[i];
    cl_long s = (cl_long)x, t = (cl_long)y;
    cl_ulong low = (x & CL_UINT_MAX) * (y & CL_UINT_MAX), middle = (x >> 32) * (y & CL_UINT_MAX) + (low >> 32);
    cl_ulong other = (x & CL_UINT_MAX) * (y >> 32) + (middle & CL_UINT_MAX);
    const float from_signed = (float)s, from_unsigned = (float)x;
    cl_uint bits[2];
    memcpy(&bits[0], &from_signed, sizeof from_signed);
    memcpy(&bits[1], &from_unsigned, sizeof from_unsigned);
    out[0] = x * y;
    out[1] = (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
    out[2] = out[1] - (s < 0 ? y : 0) - (t < 0 ? x : 0);
    out[3] = (cl_ulong)(s >> (y & 63));
    out[4] = (cl_ulong)((s < t) | (x < y) << 1 | ((cl_int)x < (cl_int)y) << 2);
    out[5] = (cl_ulong)(cl_long)(cl_char)x + (cl_ulong)(cl_long)(cl_short)x * 3 + (cl_ulong)(cl_uchar)x * 5 +
             (cl_ulong)(cl_long)(cl_int)x * 7;
    out[6] = bits[0];
    out[7] = bits[1];
  }
}

static void probe_wide(struct clr_prober *prober) {
  static const char *const names[RESULTS] = {"products",    "mul_hi of ulong", "mul_hi of long",  "shifts",
                                             "comparisons", "narrow types",    "float from long", "float from ulong"};
  const struct arrays arrays = {clr_probe_single, "probe_integers", COUNT, 2, sizeof(cl_ulong),
                                RESULTS,          sizeof(cl_ulong), 0};
  cl_ulong *values = prober->in, seed = 21;
  for (size_t i = 0; i < 2 * COUNT; i++) {
    cl_ulong word = clr_random(&seed);
    values[i] = word >> (i % 3 ? 0 : word % 64);
  }
  expect_integers(values, values + COUNT, prober->expected);
  unsigned differs = compare(prober, &arrays);
  if (differs)
    clr_probe_say(prober, CLRED_WRONG, "%s differ from the host's", name_of(names, differs));
  if (prober->err)
    clr_probe_say(prober, CLRED_WRONG, "failed with %s", clr_status_name(prober->err));
}

// Reads elements of the narrow types. A type that the device reads wrong is refused from then on.
static void probe_narrow(struct clr_prober *prober) {
  static const clred_type types[] = {CLRED_TYPE_SHORT, CLRED_TYPE_CHAR, CLRED_TYPE_USHORT};
  static const char *const type_names[] = {"short", "char", "ushort"};
  const struct arrays arrays = {clr_probe_single, "probe_narrow", COUNT, 3, sizeof(cl_short), 3, sizeof(cl_long), 0};
  cl_short *words = prober->in;
  cl_long *expected = prober->expected;
  cl_ulong seed = 31;
  for (size_t i = 0; i < COUNT; i++)
    words[i] = words[COUNT + i] = words[2 * COUNT + i] = (cl_short)clr_random(&seed);
  for (size_t i = 0; i < COUNT; i++) {
    expected[3 * i] = words[i];
    expected[3 * i + 1] = ((const cl_char *)words)[i];
    expected[3 * i + 2] = (cl_ushort)words[i];
  }
  unsigned differs = compare(prober, &arrays);
  for (int k = 0; k < 3; k++)
    if (differs >> k & 1)
      clr_probe_correct(prober, "types", prober->found.types & ~((cl_ulong)1 << types[k]),
                        "elements of %s are read wrong", type_names[k]);
}

void clr_probe_integers(struct clr_prober *prober) {
  probe_narrow(prober);
  probe_wide(prober);
}

void clr_probe_halves(struct clr_prober *prober) {
  const size_t all = 65536;
  const struct arrays arrays = {clr_probe_single, "probe_half", all, 1, sizeof(cl_half), 1,
                                sizeof(cl_float), 0x7f800000u};
  cl_half *halves = prober->in;
  for (size_t i = 0; i < all; i++)
    halves[i] = (cl_half)i;
  clr_type_row(CLRED_TYPE_HALF)->widen[CLR_KIND_FLOAT](halves, all, prober->expected);
  unsigned differs = compare(prober, &arrays);
  if (prober->err || differs)
    clr_probe_correct(prober, "types", prober->found.types & ~((cl_ulong)1 << CLRED_TYPE_HALF),
                      "some of 65536 halves are read wrong%s", clr_probe_because(prober));
}

// ---------------------------------------------------------------- float and double

// Kinds of inputs for both types: ordinary numbers; NaN, infinities and zeros; numbers below the smallest normal one.
enum { ORDINARY, SPECIAL, SMALL };

struct real {
  const char *defines;
  size_t size;
  int fraction_bits;
  cl_ulong middle;  // the exponent of 1
  void (*expect)(const void *in, void *expected);
};

#define EXPECT(type, bits_type) \
  static void expect_##type(const void *in, void *expected) { \
    const type *a = in, *b = a + COUNT, *c = b + COUNT; \
    bits_type *out = expected; \
    for (size_t i = 0; i < COUNT; i++, out += RESULTS) { \
      volatile type product = a[i] * b[i]; \
      const type values[RESULTS] = { \
        a[i] + b[i], product, product + c[i], a[i] / b[i], (type)sqrt(fabs((double)a[i])), 0, (type)(int)i, -a[i]}; \
      memcpy(out, values, sizeof values); \
      out[COMPARE] = (bits_type)((a[i] == b[i]) | (a[i] < b[i]) << 1 | (a[i] > b[i]) << 2 | (a[i] != b[i]) << 3 | \
                                 (isnan(a[i]) != 0) << 4 | !(a[i] < b[i]) << 5 | (a[i] <= b[i]) << 6); \
    } \
  }
EXPECT(float, cl_uint)
EXPECT(double, cl_ulong)

static const struct real float_type = {clr_probe_single, 4, 23, 127, expect_float};
static const struct real double_type = {twofold, 8, 52, 1023, expect_double};

static cl_ulong infinity_of(const struct real *real) {
  return (2 * real->middle + 1) << real->fraction_bits;
}

static cl_ulong draw(const struct real *real, int kind, size_t i, cl_ulong word) {
  const cl_ulong sign = (cl_ulong)1 << (real->size * 8 - 1), infinity = infinity_of(real);
  const cl_ulong least = (cl_ulong)1 << real->fraction_bits, quiet = infinity | least / 2;
  const cl_ulong specials[] = {
    0, sign, infinity, sign | infinity, quiet, sign | quiet | 0x1234, infinity | 1, real->middle * least};
  cl_ulong fraction = word & (least - 1), exponent = (real->middle - 10 + word / 977 % 21) * least;
  if (kind == SPECIAL && i % 2)
    return specials[word % (sizeof specials / sizeof *specials)];
  return (word >> 63 ? sign : 0) | (kind == SMALL ? fraction >> word / 7 % 3 : exponent | fraction);
}

// Returns which of the wanted results differ.
static unsigned try_type(struct clr_prober *prober, const struct real *real, int kind, unsigned wanted) {
  const struct arrays arrays = {real->defines, "probe_real", COUNT,      3,
                                real->size,    RESULTS,      real->size, infinity_of(real)};
  for (size_t input = 0; input < 3; input++) {
    cl_ulong seed = 7 + input;
    for (size_t i = 0; i < COUNT; i++)
      clr_bits_put(draw(real, kind, i, clr_random(&seed)), real->size,
                   (char *)prober->in + (input * COUNT + i) * real->size);
  }
  real->expect(prober->in, prober->expected);
  return compare(prober, &arrays) & wanted;
}

static const char *const names[RESULTS] = {"sums",
                                           "products",
                                           "a * b + c, which must not be contracted,",
                                           "quotients",
                                           "roots",
                                           "comparisons",
                                           "conversions from int",
                                           "negations"};

#define BIT(result) (1u << (result))
#define EXACT (BIT(ADD) | BIT(MULTIPLY) | BIT(CONTRACT) | BIT(CONVERT) | BIT(NEGATE))

void clr_probe_floats(struct clr_prober *prober) {
  unsigned differs = try_type(prober, &float_type, ORDINARY, EXACT | BIT(COMPARE));
  if (prober->err)
    clr_probe_say(prober, CLRED_WRONG, "failed with %s", clr_status_name(prober->err));
  else if (differs)
    clr_probe_say(prober, CLRED_WRONG, "%s of float differ from the host's", name_of(names, differs));
}

void clr_probe_divides(struct clr_prober *prober) {
  unsigned differs = try_type(prober, &float_type, ORDINARY, BIT(DIVIDE) | BIT(ROOT));
  if (differs && prober->programs.rounds_divide)
    clr_probe_say(prober, CLRED_WRONG, "%s of float are reported as correctly rounded, but are not",
                  name_of(names, differs));
  else if (differs)
    clr_probe_say(
      prober, CLRED_LACKING,
      "%s of float are not correctly rounded, as the device reports: mean, var and similar operators may differ "
      "from other devices' in the last place",
      name_of(names, differs));
}

void clr_probe_comparisons(struct clr_prober *prober) {
  unsigned differs = try_type(prober, &float_type, SPECIAL, EXACT | BIT(COMPARE));
  if (differs)
    clr_probe_say(prober, CLRED_WRONG, "%s of float are wrong where there are NaNs or infinities: is fast math on?",
                  name_of(names, differs));
}

void clr_probe_denormals(struct clr_prober *prober) {
  unsigned differs = try_type(prober, &float_type, SMALL, BIT(ADD) | BIT(NEGATE));
  if (differs && prober->reported->denormals) {
    clr_probe_say(prober, CLRED_WRONG, "denormal floats are reported as supported, but count as 0");
    clr_probe_correct(prober, "denormals", 0, "denormal floats count as 0");
  } else if (differs)
    clr_probe_say(
      prober, CLRED_LACKING,
      "floats below 2^-126 count as 0, as the device reports: sums of them differ from those of other devices");
}

void clr_probe_doubles(struct clr_prober *prober) {
  static const struct {
    int kind;
    unsigned wanted;
    const char *where;
  } tries[] = {{ORDINARY, EXACT | BIT(COMPARE) | BIT(DIVIDE) | BIT(ROOT), ""},
               {SPECIAL, EXACT | BIT(COMPARE), " where there are NaNs or infinities"},
               {SMALL, BIT(ADD) | BIT(NEGATE), " where they are denormal"}};
  if (!prober->reported->fp64) {
    clr_probe_say(prober, CLRED_LACKING, "the device reports none");
    return;
  }
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    unsigned differs = try_type(prober, &double_type, tries[i].kind, tries[i].wanted);
    const char *trouble = clr_probe_trouble(prober);
    if (trouble || differs) {
      clr_probe_correct(prober, "fp64", 0, trouble ? "double: %s%s" : "double: %s are wrong%s",
                        trouble ? trouble : name_of(names, differs), trouble ? "" : tries[i].where);
      return;
    }
  }
}
