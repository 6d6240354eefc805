// One scalar of any type of the tables: edge values and random ones.
#pragma once

#include "model/element.h"

// A stream of random numbers. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
cl_ulong clr_random(cl_ulong *state);

// The range of random numbers. MODERATE: [-1, 1], for integers -100 to 100. POSITIVE: [0, 1] and 0 to 100. WIDE: many
// magnitudes, for integers all values.
enum clr_range { CLR_RANGE_MODERATE, CLR_RANGE_POSITIVE, CLR_RANGE_WIDE };

// A number, or an end of the type's range. Integer types take the nearest value they have.
enum clr_edge {
  CLR_EDGE_NUMBER,
  CLR_EDGE_TINY,
  CLR_EDGE_BIG,
  CLR_EDGE_INFINITY,
  CLR_EDGE_MINUS_INFINITY,
  CLR_EDGE_NAN
};
struct clr_sample {
  enum clr_edge kind;
  double number;
};

// The edge values of a type, small ones first.
const struct clr_sample *clr_edges_of(const struct clr_type *type, unsigned *count);

void clr_put_sample(const struct clr_type *type, const struct clr_sample *sample, void *to);
void clr_put_drawn(const struct clr_type *type, enum clr_range range, cl_ulong *random, void *to);
