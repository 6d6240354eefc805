// Bins of a histogram: edges as keys (element.h), computed once. Comparisons of integers find the bin of an element,
// with the same result on every device.
#pragma once

#include "base/status.h"
#include "model/element.h"

#define CLR_BINS_MAX ((cl_ulong)1 << 31)
#define CLR_AXES_MAX 3

struct clr_histogram {
  cl_ulong bins;
  cl_ulong lowest;  // key of the smallest element that is counted
  cl_ulong span;    // distance from `lowest` to the key of the largest element that is counted
  cl_ulong inner;   // inner edges that elements can reach, at most bins - 1
  cl_ulong *keys;   // keys of the inner edges, minus `lowest`. An element's bin is the number of edges at or below its
                    // key
  double *marks;    // all bins + 1 edges as numbers
  // For equal bins: the bin is the integer part of (element - base) * scale + offset. If the fraction is within
  // `margin` of an integer, the edge must be compared. For integers, base is `lowest`.
  bool guesses;
  double base, scale, offset, margin;
  struct clr_histogram *next;  // the next axis, owned; NULL: this is the last axis
  cl_ulong results;            // the product of the bins of this axis and of those after it
};

// 64-bit cells in which a device sums the weights of a bin; also for counts, which have no type of weights. Floating
// weights need one cell for each 32 bits that a weight may have, and one for flags (cl/strategies/histogram_cells.cl).
cl_ulong clr_bin_cells(clred_type weight_type);

// The number of results: the product of the bins of all axes. CL_ULONG_MAX if it does not fit.
cl_ulong clr_histogram_results(const clred_histogram *given);

// Computes the edges, or rejects the caller's edges. Release with clr_histogram_release, also after a failure.
cl_int clr_histogram_make(const clred_histogram *given, const struct clr_type *type, struct clr_histogram *made,
                          struct clr_status *status);
void clr_histogram_release(struct clr_histogram *histogram);
