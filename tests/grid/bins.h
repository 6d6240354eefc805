// Histograms for cases, and their expected counts. Each element is searched among all edges, as
// docs/quantiles.md defines them, in numbers that hold every element exactly.
#pragma once

#include "support/random.h"

// Equal bins between whole numbers (EQUAL), between fractions (FRACTION) or between elements (LOW_ELEMENT); edges given
// as doubles (EDGES) or as elements (EDGE_ELEMENTS).
enum bins_kind { BINS_EQUAL, BINS_FRACTION, BINS_EDGES, BINS_LOW_ELEMENT, BINS_EDGE_ELEMENTS, BINS_KINDS };

struct bins {
  clred_histogram given;  // points into this struct's memory
  clred_type type;
  size_t size;  // of an element
  enum bins_kind kind;
  double *numbers;          // the edges as given, or as computed
  unsigned char *elements;  // the edges as elements
  long double *edges;       // compared with elements; unused for equal bins between whole numbers
};

// False if the type has too few values for edges that all differ.
bool bins_make(struct bins *bins, clred_type type, uint64_t count, enum bins_kind kind);

// Fills `elements` with values at the edges, next to them, between them and outside; zeros, NaNs and infinities.
void bins_fill(const struct bins *bins, void *elements, uint64_t count, random_state *random);

void bins_count(const struct bins *bins, const void *elements, uint64_t count, uint64_t *counts);
