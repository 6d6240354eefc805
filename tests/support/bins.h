// Histograms for the suite, and the counts they must have: written anew from docs/histograms.md, by a search through
// all edges in numbers that hold every element exactly.

#ifndef CLREDUCE_TESTS_DEVICE_BINS_H
#define CLREDUCE_TESTS_DEVICE_BINS_H

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"

// EQUAL: from one whole number to another; FRACTION: from one fraction to another; EDGES: given as doubles; LOW_ELEMENT
// and EDGE_ELEMENTS: as elements.
enum bins_kind { BINS_EQUAL, BINS_FRACTION, BINS_EDGES, BINS_LOW_ELEMENT, BINS_EDGE_ELEMENTS, BINS_KINDS };

struct bins {
  clred_type type;
  size_t size;  // of an element
  enum bins_kind kind;
  clred_histogram given;    // points into this struct's memory
  double *numbers;          // the edges as given, or as computed
  unsigned char *elements;  // the edges as elements
  long double *edges;       // what elements are compared with; of equal bins between whole numbers nothing
};

// False where the type has no such bins: too few values for edges of their own.
bool bins_make(struct bins *bins, clred_type type, uint64_t count, enum bins_kind kind);
void bins_release(struct bins *bins);

// Elements at the edges, beside them, between them and outside; zeros, NaNs and infinities.
void bins_fill(const struct bins *bins, void *elements, uint64_t count, random_state *random);

void bins_count(const struct bins *bins, const void *elements, uint64_t count, uint64_t *counts);

#endif
