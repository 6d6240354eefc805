// Probes of float and double arithmetic: the device's results against the host's, bit by bit.
#include <math.h>
#include <string.h>

#include "selftest/probe.h"

const char clr_probe_single[] = "#define REAL float\n#define BITS uint\n#define REAL_SIZE 4\n#define AS_BITS as_uint\n";
static const char twofold[] =
  "#define REAL double\n#define BITS ulong\n#define REAL_SIZE 8\n#define AS_BITS as_ulong\n";

#define COUNT ((size_t)4096)
#define RESULTS 8
enum { ADD, MULTIPLY, CONTRACT, DIVIDE, ROOT, COMPARE, CONVERT, NEGATE };

// ---------------------------------------------------------------- Kernels over arrays

static void run(struct clr_prober *prober, const struct clr_probe_arrays *arrays) {
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

static bool is_nan(const struct clr_probe_arrays *arrays, cl_ulong word) {
  const cl_ulong sign = (cl_ulong)1 << (arrays->size * 8 - 1);
  return arrays->infinity && (word & (sign - 1)) > arrays->infinity;
}

unsigned clr_probe_compare(struct clr_prober *prober, const struct clr_probe_arrays *arrays) {
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

const char *clr_probe_name(const char *const *names, unsigned differs) {
  while (!(differs & 1)) {
    differs >>= 1;
    names++;
  }
  return *names;
}

// ---------------------------------------------------------------- float and double

// Kinds of inputs for both types: ordinary numbers; NaN, infinities and zeros; numbers below the least normal one.
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
  const struct clr_probe_arrays arrays = {real->defines, "probe_real", COUNT,      3,
                                          real->size,    RESULTS,      real->size, infinity_of(real)};
  for (size_t input = 0; input < 3; input++) {
    cl_ulong seed = 7 + input;
    for (size_t i = 0; i < COUNT; i++)
      clr_bits_put(draw(real, kind, i, clr_random(&seed)), real->size,
                   (char *)prober->in + (input * COUNT + i) * real->size);
  }
  real->expect(prober->in, prober->expected);
  return clr_probe_compare(prober, &arrays) & wanted;
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
    clr_probe_say(prober, CLRED_WRONG, "%s of float differ from the host's", clr_probe_name(names, differs));
}

void clr_probe_divides(struct clr_prober *prober) {
  unsigned differs = try_type(prober, &float_type, ORDINARY, BIT(DIVIDE) | BIT(ROOT));
  if (differs && prober->programs.rounds_divide)
    clr_probe_say(prober, CLRED_WRONG, "%s of float are reported as correctly rounded, but are not",
                  clr_probe_name(names, differs));
  else if (differs)
    clr_probe_say(
      prober, CLRED_LACKING,
      "%s of float are not correctly rounded, as the device reports: mean, var and similar operators may differ "
      "from other devices' in the last place",
      clr_probe_name(names, differs));
}

void clr_probe_comparisons(struct clr_prober *prober) {
  unsigned differs = try_type(prober, &float_type, SPECIAL, EXACT | BIT(COMPARE));
  if (differs)
    clr_probe_say(prober, CLRED_WRONG, "%s of float are wrong where there are NaNs or infinities: is fast math on?",
                  clr_probe_name(names, differs));
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
                        trouble ? trouble : clr_probe_name(names, differs), trouble ? "" : tries[i].where);
      return;
    }
  }
}
