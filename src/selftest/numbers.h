// What probes of numbers share: kernels of cl/probes/numbers.cl over arrays.
#ifndef CLR_PROBES_NUMBERS_H
#define CLR_PROBES_NUMBERS_H

#include "selftest/probe.h"

// Elements of each input, and results for each of them.
#define CLR_PROBE_COUNT ((size_t)4096)
#define CLR_PROBE_RESULTS ((size_t)8)

// Defines of the kernels for float.
extern const char clr_probe_single[];

// One launch over inputs of `size` bytes an element: `count` of each, and so many results of `out_size` bytes in all.
cl_int clr_probe_numbers(struct clr_prober *prober, const char *defines, const char *name, size_t inputs,
                         const void *const *in, size_t size, void *out, size_t out_size, size_t count);

#endif
