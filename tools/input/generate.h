// Generated data: the same bits on every machine, by integer arithmetic and powers of two only.
//
// Element i comes from the word w = splitmix64(seed + i), where splitmix64(x) is the mixer of that name applied to
// x + 0x9e3779b97f4a7c15. An integer type has b bits. The kinds are:
//   iota      i, converted to the type (integers modulo 2^b, floating values rounded to nearest)
//   ones      1
//   uniform   floating: the top 24 (float) or 53 (double) bits of w, as a fraction in [0, 1);
//             integers: the top b bits of w, the whole range of the type
//   normal    S = the sum of twelve 16-bit fields (four of each of splitmix64(w + 1), (w + 2), (w + 3)) in units of
//             2^-16, plus the top 34 bits of splitmix64(w + 4) in units of 2^-50: in [0, 12), mean 6, variance 1.
//             floating: S - 6, exact in double and rounded to nearest for float;
//             integers: S in units of 2^(b-4), rounded to nearest, plus 2 such units, and for signed types minus
//             2^(b-1): mean in the middle of the range, deviation 1/16 of it, no element beyond it
//   wide      floating: a random sign, fraction and exponent: 64 binades from 2^-32 (float) or 512 from 2^-256
//             (double); integers: the top b bits of w without the sign, shifted right by 0 to b - 1 places, with a
//             random sign where the type has one
//   constant  the number given, rounded to nearest where the type is floating
// A half or bfloat16 is made as a float and rounded to nearest even, but a wide half has 16 binades, from 2^-8.
// Component c of element i of a vector of n is element i * n + c of the component's type. In the kinds that have a
// seed, the parts of a complex number are made in the same way. In the other kinds its real part is element i, and its
// imaginary part is 0. Fields of w: the sign is bit 63; a float's fraction is bits 40 to 62 and its exponent bits 34 to
// 39; a double's fraction is bits 11 to 62 and its exponent bits 2 to 10; a wide half's exponent is bits 34 to 37; the
// shift is (w mod 2^16) * b / 2^16.
#pragma once

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/number.h"
#include "base/progress.h"

struct recipe {
  size_t kind;  // row of the table of kinds
  clred_type_info type;
  uint64_t count;
  uint64_t seed;
  bool constant;
  const char *text;  // of kind constant: the value as text
  number value;      // the value in the type of the component
};

// Reads KIND:N, KIND:N:SEED or constant:N:VALUE. `spec` must outlive the recipe. Returns an exit code.
int generate_parse(const char *spec, const clred_type_info *type, struct recipe *recipe);

// Writes `count` elements, starting at element `first`. `progress` may be NULL.
void generate_piece(const struct recipe *recipe, void *out, uint64_t first, uint64_t count, struct progress *progress);
