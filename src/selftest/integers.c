// Probes of integers of all widths and of halves: the device's results against the host's.
#include <string.h>

#include "selftest/probe.h"

#define COUNT ((size_t)4096)
#define RESULTS 8

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
  const struct clr_probe_arrays arrays = {clr_probe_single, "probe_integers", COUNT, 2, sizeof(cl_ulong),
                                          RESULTS,          sizeof(cl_ulong), 0};
  cl_ulong *values = prober->in, seed = 21;
  for (size_t i = 0; i < 2 * COUNT; i++) {
    cl_ulong word = clr_random(&seed);
    values[i] = word >> (i % 3 ? 0 : word % 64);
  }
  expect_integers(values, values + COUNT, prober->expected);
  unsigned differs = clr_probe_compare(prober, &arrays);
  if (differs)
    clr_probe_say(prober, CLRED_WRONG, "%s differ from the host's", clr_probe_name(names, differs));
  if (prober->err)
    clr_probe_say(prober, CLRED_WRONG, "failed with %s", clr_status_name(prober->err));
}

// Reads elements of the narrow types. A type that the device reads wrong is refused from then on.
static void probe_narrow(struct clr_prober *prober) {
  static const clred_type types[] = {CLRED_TYPE_SHORT, CLRED_TYPE_CHAR, CLRED_TYPE_USHORT};
  static const char *const type_names[] = {"short", "char", "ushort"};
  const struct clr_probe_arrays arrays = {
    clr_probe_single, "probe_narrow", COUNT, 3, sizeof(cl_short), 3, sizeof(cl_long), 0};
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
  unsigned differs = clr_probe_compare(prober, &arrays);
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
  const struct clr_probe_arrays arrays = {clr_probe_single, "probe_half", all, 1, sizeof(cl_half), 1,
                                          sizeof(cl_float), 0x7f800000u};
  cl_half *halves = prober->in;
  for (size_t i = 0; i < all; i++)
    halves[i] = (cl_half)i;
  clr_type_row(CLRED_TYPE_HALF)->widen[CLR_KIND_FLOAT](halves, all, prober->expected);
  unsigned differs = clr_probe_compare(prober, &arrays);
  if (prober->err || differs)
    clr_probe_correct(prober, "types", prober->found.types & ~((cl_ulong)1 << CLRED_TYPE_HALF),
                      "some of 65536 halves are read wrong%s", clr_probe_because(prober));
}
