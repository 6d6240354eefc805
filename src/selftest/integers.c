// Probes of integers of all widths and of halves: the device's results against the host's.
#include <stdlib.h>
#include <string.h>

#include "selftest/probe.h"

static void expect_integers(const cl_ulong *a, const cl_ulong *b, cl_ulong *out) {
  for (size_t i = 0; i < CLR_PROBE_COUNT; i++, out += CLR_PROBE_RESULTS) {
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

static const char *const integer_names[CLR_PROBE_RESULTS] = {"products",        "mul_hi of ulong", "mul_hi of long",
                                                             "shifts",          "comparisons",     "narrow types",
                                                             "float from long", "float from ulong"};

static void probe_wide(struct clr_prober *prober) {
  cl_ulong *values = malloc(2 * CLR_PROBE_COUNT * sizeof *values),
           *got = calloc(2 * CLR_PROBE_COUNT * CLR_PROBE_RESULTS, sizeof *got), seed = 21;
  const void *const in[] = {values, values + CLR_PROBE_COUNT};
  for (size_t i = 0; values && i < 2 * CLR_PROBE_COUNT; i++) {
    cl_ulong word = clr_random(&seed);
    values[i] = word >> (i % 3 ? 0 : word % 64);
  }
  const size_t size = CLR_PROBE_COUNT * CLR_PROBE_RESULTS * sizeof *got;
  cl_int err = values && got ? clr_probe_numbers(prober, clr_probe_single, "probe_integers", 2, in, sizeof *values, got,
                                                 size, CLR_PROBE_COUNT)
                             : CL_OUT_OF_HOST_MEMORY;
  if (!err)
    expect_integers(values, values + CLR_PROBE_COUNT, got + CLR_PROBE_COUNT * CLR_PROBE_RESULTS);
  for (size_t i = 0; i < CLR_PROBE_COUNT * CLR_PROBE_RESULTS && !err; i++)
    if (got[i] != got[CLR_PROBE_COUNT * CLR_PROBE_RESULTS + i])
      clr_probe_say(prober, CLRED_WRONG, "%s differ from the host's", integer_names[i % CLR_PROBE_RESULTS]);
  if (err)
    clr_probe_say(prober, CLRED_WRONG, "failed with %s", clr_status_name(err));
  free(values);
  free(got);
}

#define NARROW 2

// Reads elements of the narrow types. A type that the device reads wrong is refused from then on.
static void probe_narrow(struct clr_prober *prober) {
  static const clred_type types[] = {CLRED_TYPE_SHORT, CLRED_TYPE_CHAR, CLRED_TYPE_USHORT};
  static const char *const type_names[] = {"short", "char", "ushort"};
  cl_short words[CLR_PROBE_COUNT];
  cl_long got[3 * CLR_PROBE_COUNT];
  const void *const in[] = {words, words, words};
  cl_ulong wrong = 0, seed = 31;
  for (size_t i = 0; i < CLR_PROBE_COUNT; i++)
    words[i] = (cl_short)clr_random(&seed);
  if (clr_probe_numbers(prober, clr_probe_single, "probe_narrow", 3, in, NARROW, got, sizeof got, CLR_PROBE_COUNT))
    return;
  for (size_t i = 0; i < CLR_PROBE_COUNT; i++) {
    const cl_long expected[] = {words[i], ((const cl_char *)words)[i], (cl_ushort)words[i]};
    for (int k = 0; k < 3; k++)
      if (got[3 * i + (size_t)k] != expected[k])
        wrong |= (cl_ulong)1 << k;
  }
  for (int k = 0; k < 3; k++)
    if (wrong >> k & 1)
      clr_probe_correct(prober, "types", prober->found.types & ~((cl_ulong)1 << types[k]),
                        "elements of %s are read wrong", type_names[k]);
}

void clr_probe_integers(struct clr_prober *prober) {
  probe_narrow(prober);
  probe_wide(prober);
}

void clr_probe_halves(struct clr_prober *prober) {
  enum { HALVES = 65536 };
  cl_ushort *halves = malloc(HALVES * sizeof *halves);
  cl_uint *got = calloc(2 * HALVES, sizeof *got), *expected = got + HALVES;
  const void *const in[] = {halves};
  size_t wrong = 0;
  for (cl_uint i = 0; halves && i < HALVES; i++)
    halves[i] = (cl_ushort)i;
  cl_int err = halves && got ? clr_probe_numbers(prober, clr_probe_single, "probe_half", 1, in, sizeof *halves, got,
                                                 HALVES * sizeof *got, HALVES)
                             : CL_OUT_OF_HOST_MEMORY;
  if (!err)
    clr_type_row(CLRED_TYPE_HALF)->widen[CLR_KIND_FLOAT](halves, HALVES, expected);
  for (cl_uint i = 0; i < HALVES && !err; i++) {
    bool is_nan = (i & 0x7c00) == 0x7c00 && i & 1023;
    wrong += is_nan ? (got[i] & 0x7fffffffu) <= 0x7f800000u : got[i] != expected[i];
  }
  if (err || wrong)
    clr_probe_correct(prober, "types", prober->found.types & ~((cl_ulong)1 << CLRED_TYPE_HALF),
                      "%zu of 65536 halves are read wrong%s%s", wrong, err ? ": " : "",
                      err ? clr_status_name(err) : "");
  free(halves);
  free(got);
}
