// The order of elements as keys on the host, and what follows from ranks: positions of quantiles, numbers between two
// elements. Pure; cl/quantile/order.clh makes the same keys.
#pragma once

#include "clreduce_quantile.h"
#include "model/element.h"

struct clr_ordering {
  const struct clr_type *type;
  bool descending;    // the largest element has the smallest key
  bool nans_first;    // NaNs have the key 0; otherwise `most`
  cl_ulong most;      // the largest key
  cl_ulong infinite;  // the bits of infinity; 0 for integers
};

struct clr_ordering clr_ordering_make(const struct clr_type *type, bool descending, bool nans_first);

// The key of NaNs, and of the element in memory. `element` may be unaligned.
cl_ulong clr_nan_key(const struct clr_ordering *ordering);
cl_ulong clr_order_key(const struct clr_ordering *ordering, const void *element);

// Writes the element with this key. Zero is +0, NaN the NaN of docs/numerics.md. Not for a descending order.
void clr_order_element(const struct clr_ordering *ordering, cl_ulong key, void *element);

// A key with the place and the bits of its element.
struct clr_ranked {
  cl_ulong key, place, bits;
};

// Sorts by key, then by place. `room` has space for `count` elements, too.
void clr_sort_ranked(struct clr_ranked *ranked, struct clr_ranked *room, size_t count);

// The ranks of the elements before and after quantile q of n > 0 elements, and the fraction of its position.
struct clr_position {
  cl_ulong lower, higher;
  double fraction;
};
struct clr_position clr_position_of(double q, cl_ulong n, clred_interpolation interpolation);

// The double nearest to a + fraction x (b - a), where a and b are the elements with these keys; ties go to even, and
// zero is +0. If one element is infinite, the result is this infinity; between both infinities it is NaN.
double clr_between(const struct clr_ordering *ordering, cl_ulong lower, cl_ulong higher, double fraction);
