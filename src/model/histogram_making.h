// Shared by histogram.c and histogram_integers.c, which compute edges.
#ifndef CLR_MODEL_HISTOGRAM_MAKING_H
#define CLR_MODEL_HISTOGRAM_MAKING_H

#include "model/histogram.h"

struct clr_making {
  const clred_histogram *given;
  const struct clr_type *type;
  struct clr_histogram *made;
  struct clr_status *status;
};

// True for equal bins from low to high; false if the caller gave edges.
bool clr_bins_are_equal(const struct clr_making *making);

// Prepares the guess for equal bins from low to high, if it is precise enough. `base` is the lowest element counted.
void clr_guess_bins(const struct clr_making *making, double low, double high, double base);

// Computes edges over integers: from the marks, which must be set, or exactly from edges given as elements.
cl_int clr_make_integer_edges(const struct clr_making *making);

#endif
