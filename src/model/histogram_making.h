// What the makers of edges share.
#ifndef CLR_MODEL_HISTOGRAM_MAKING_H
#define CLR_MODEL_HISTOGRAM_MAKING_H

#include "model/histogram.h"

struct clr_making {
  const clred_histogram *given;
  const struct clr_type *type;
  struct clr_histogram *made;
  struct clr_status *status;
};

// Whether bins are equal, from low to high; else edges were given.
bool clr_bins_are_equal(const struct clr_making *making);

// Prepares the guess of equal bins from low to high, or finds that it would not be good enough; `base`: the lowest
// element counted.
void clr_guess_bins(const struct clr_making *making, double low, double high, double base);

// Edges over integers, from the marks, which are set, or as exact as the elements are.
cl_int clr_make_integer_edges(const struct clr_making *making);

#endif
