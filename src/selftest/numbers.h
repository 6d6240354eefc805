// Shared by the probes of numbers: they run kernels of cl/probes/numbers.cl over arrays.
#ifndef CLR_PROBES_NUMBERS_H
#define CLR_PROBES_NUMBERS_H

#include "selftest/probe.h"

// Elements of each input, and results for each element.
#define CLR_PROBE_COUNT ((size_t)4096)
#define CLR_PROBE_RESULTS ((size_t)8)

// Defines for the kernels that compute in float.
extern const char clr_probe_single[];

// Launches a kernel over `count` elements of each input, `size` bytes each; reads `out_size` bytes of results.
cl_int clr_probe_numbers(struct clr_prober *prober, const char *defines, const char *name, size_t inputs,
                         const void *const *in, size_t size, void *out, size_t out_size, size_t count);

#endif
