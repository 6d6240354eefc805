// Probes of float and double arithmetic: the device's results against the host's, bit by bit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "selftest/probe.h"

static const char file[] = "probes/numbers.cl";
const char clr_probe_single[] = "#define REAL float\n#define BITS uint\n#define REAL_SIZE 4\n#define AS_BITS as_uint\n";
static const char twofold[] =
  "#define REAL double\n#define BITS ulong\n#define REAL_SIZE 8\n#define AS_BITS as_ulong\n";

#define COUNT CLR_PROBE_COUNT
#define RESULTS CLR_PROBE_RESULTS
enum { ADD, MULTIPLY, CONTRACT, DIVIDE, ROOT, COMPARE, CONVERT, NEGATE };

// ---------------------------------------------------------------- Runs

cl_int clr_probe_numbers(struct clr_prober *prober, const char *defines, const char *name, size_t inputs,
                         const void *const *in, size_t size, void *out, size_t out_size, size_t count) {
  struct clr_probe_argument arguments[4];
  cl_mem buffers[4] = {NULL};
  cl_kernel kernel = clr_probe_kernel(prober, defines, file, false, name);
  for (size_t i = 0; i <= inputs; i++) {
    buffers[i] = clr_probe_buffer(prober, i < inputs ? count * size : out_size, i < inputs ? in[i] : NULL);
    arguments[i] = (struct clr_probe_argument){sizeof buffers[i], &buffers[i]};
  }
  clr_probe_launch(prober, kernel, count, 1, arguments, inputs + 1);
  clr_probe_read(prober, buffers[inputs], 0, out_size, out);
  clr_probe_drop(prober);
  cl_int err = prober->err;
  prober->err = CL_SUCCESS;
  return err;
}

// ---------------------------------------------------------------- float and double

// Kinds of inputs for both types: ordinary numbers; NaN, infinities and zeros; numbers below the least normal one.
enum { ORDINARY, SPECIAL, SMALL };

#define REALS(type, bits_type, fraction_bits, middle, special_bits) \
  static void draw_##type(type *values, int kind, cl_ulong seed) { \
    static const bits_type specials[] = special_bits; \
    for (size_t i = 0; i < COUNT; i++) { \
      cl_ulong word = clr_random(&seed); \
      bits_type sign = (bits_type)(word >> 63) << (sizeof(type) * 8 - 1); \
      bits_type fraction = (bits_type)word & (((bits_type)1 << fraction_bits) - 1); \
      bits_type exponent = (bits_type)(middle + word / 977 % 21) << fraction_bits; \
      bits_type bits = kind == SMALL ? sign | fraction >> word / 7 % 3 : sign | exponent | fraction; \
      if (kind == SPECIAL && i % 2) \
        bits = specials[word % (sizeof specials / sizeof *specials)]; \
      memcpy(&values[i], &bits, sizeof bits); \
    } \
  } \
  static void expect_##type(const type *a, const type *b, const type *c, bits_type *out) { \
    for (size_t i = 0; i < COUNT; i++) { \
      volatile type product = a[i] * b[i]; \
      const type values[RESULTS] = { \
        a[i] + b[i], product, product + c[i], a[i] / b[i], (type)sqrt(fabs((double)a[i])), 0, (type)(int)i, -a[i]}; \
      memcpy(out + i * RESULTS, values, sizeof values); \
      out[i * RESULTS + COMPARE] = \
        (bits_type)((a[i] == b[i]) | (a[i] < b[i]) << 1 | (a[i] > b[i]) << 2 | (a[i] != b[i]) << 3 | \
                    (isnan(a[i]) != 0) << 4 | !(a[i] < b[i]) << 5 | (a[i] <= b[i]) << 6); \
    } \
  } \
  static bool is_nan_##type(bits_type bits) { \
    type value; \
    memcpy(&value, &bits, sizeof bits); \
    return isnan(value); \
  } \
  /* Gives the first result that differs, or RESULTS. All NaNs count as equal. */ \
  static cl_int try_##type(struct clr_prober *prober, const char *defines, int kind, unsigned wanted, \
                           unsigned *differs) { \
    type *values = malloc(3 * COUNT * sizeof *values); \
    bits_type *got = calloc(2 * COUNT * RESULTS, sizeof *got), *expected = got ? got + COUNT * RESULTS : NULL; \
    cl_int err = values && got ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY; \
    *differs = 0; \
    if (!err) { \
      const void *const in[] = {values, values + COUNT, values + 2 * COUNT}; \
      for (size_t i = 0; i < 3; i++) \
        draw_##type(values + i * COUNT, kind, (cl_ulong)(7 + i)); \
      expect_##type(values, values + COUNT, values + 2 * COUNT, expected); \
      err = clr_probe_numbers(prober, defines, "probe_real", 3, in, sizeof *values, got, \
                              COUNT * RESULTS * sizeof *got, COUNT); \
    } \
    for (size_t i = 0; i < COUNT * RESULTS && !err; i++) { \
      bool both = i % RESULTS != COMPARE && is_nan_##type(got[i]) && is_nan_##type(expected[i]); \
      if (wanted >> i % RESULTS & 1 && got[i] != expected[i] && !both) \
        *differs |= 1u << i % RESULTS; \
    } \
    free(values); \
    free(got); \
    return err; \
  }

#define SPECIALS_float \
  { 0, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc01234u, 0x7f800001u, 0x3f800000u }
#define SPECIALS_double \
  { \
    0, (cl_ulong)1 << 63, 0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u, 0xfff8000000001234u, \
      0x3ff0000000000000u \
  }
REALS(float, cl_uint, 23, 117, SPECIALS_float)
REALS(double, cl_ulong, 52, 1013, SPECIALS_double)

static const char *const names[RESULTS] = {"sums",
                                           "products",
                                           "a * b + c, which must not be contracted,",
                                           "quotients",
                                           "roots",
                                           "comparisons",
                                           "conversions from int",
                                           "negations"};

static const char *name_of(unsigned differs) {
  for (unsigned i = 0; i < RESULTS; i++)
    if (differs >> i & 1)
      return names[i];
  return "results";
}

#define BIT(result) (1u << (result))
#define EXACT (BIT(ADD) | BIT(MULTIPLY) | BIT(CONTRACT) | BIT(CONVERT) | BIT(NEGATE))

void clr_probe_floats(struct clr_prober *prober) {
  unsigned differs;
  cl_int err = try_float(prober, clr_probe_single, ORDINARY, EXACT | BIT(COMPARE), &differs);
  if (err)
    clr_probe_say(prober, CLRED_WRONG, "failed with %s", clr_status_name(err));
  else if (differs)
    clr_probe_say(prober, CLRED_WRONG, "%s of float differ from the host's", name_of(differs));
}

void clr_probe_divides(struct clr_prober *prober) {
  unsigned differs;
  cl_int err = try_float(prober, clr_probe_single, ORDINARY, BIT(DIVIDE) | BIT(ROOT), &differs);
  if (!err && differs && prober->programs.rounds_divide)
    clr_probe_say(prober, CLRED_WRONG, "%s of float are reported as correctly rounded, but are not", name_of(differs));
  else if (!err && differs)
    clr_probe_say(
      prober, CLRED_LACKING,
      "%s of float are not correctly rounded, as the device reports: mean, var and similar operators may differ "
      "from other devices' in the last place",
      name_of(differs));
}

void clr_probe_comparisons(struct clr_prober *prober) {
  unsigned differs;
  cl_int err = try_float(prober, clr_probe_single, SPECIAL, EXACT | BIT(COMPARE), &differs);
  if (!err && differs)
    clr_probe_say(prober, CLRED_WRONG, "%s of float are wrong where there are NaNs or infinities: is fast math on?",
                  name_of(differs));
}

void clr_probe_denormals(struct clr_prober *prober) {
  unsigned differs;
  cl_int err = try_float(prober, clr_probe_single, SMALL, BIT(ADD) | BIT(NEGATE), &differs);
  if (!err && differs && prober->reported->denormals) {
    clr_probe_say(prober, CLRED_WRONG, "denormal floats are reported as supported, but count as 0");
    clr_probe_correct(prober, "denormals", 0, "denormal floats count as 0");
  } else if (!err && differs)
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
    unsigned differs;
    cl_int err = try_double(prober, twofold, tries[i].kind, tries[i].wanted, &differs);
    if (err || differs) {
      clr_probe_correct(prober, "fp64", 0, err ? "double: %s%s" : "double: %s are wrong%s",
                        err ? clr_status_name(err) : name_of(differs), err ? "" : tries[i].where);
      return;
    }
  }
}
