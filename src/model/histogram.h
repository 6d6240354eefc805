// Bins as the library keeps them: edges as keys (keys.h), which are computed once, so that the bin of an element is
// found by comparing integers, the same on every device.
#ifndef CLR_MODEL_HISTOGRAM_H
#define CLR_MODEL_HISTOGRAM_H

#include "base/status.h"
#include "model/element.h"

struct clr_histogram {
  cl_ulong bins;
  cl_ulong lowest;  // key of the least element that is counted
  cl_ulong span;    // from there to the greatest
  cl_ulong inner;   // inner edges that elements reach, at most bins - 1
  cl_ulong *keys;   // theirs, above `lowest`: the bin of an element is how many of them are not above its own
  double *marks;    // all bins + 1 edges as numbers
  // Equal bins: the whole part of (element - base) * scale + offset is the bin, but for elements so near an edge that
  // what is left lies within `margin` of a whole number; of integers base is `lowest`.
  bool guesses;
  double base, scale, offset, margin;
};

// Computes the edges, or says what is wrong with those given. Release with clr_histogram_release, also after a failure.
cl_int clr_histogram_make(const clred_histogram *given, const struct clr_type *type, struct clr_histogram *made,
                          struct clr_status *status);
void clr_histogram_release(struct clr_histogram *histogram);

#endif
