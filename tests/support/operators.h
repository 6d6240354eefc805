// User-defined operators for the tests, with host callbacks, so that a loop gives the expected results. All are exact,
// so the tests compare bits. Independent of Check.
#pragma once

#include "support/device.h"
#include "support/random.h"

struct sample {
  clred_operator op;            // with host callbacks
  size_t element;               // bytes
  size_t result;                // bytes that are compared
  size_t input;                 // bytes of an element of its further input; 0: it has none
  const void *parameter;        // the value of its only parameter; NULL: it has none
  const char *letters;          // elements are bytes of this string; NULL: any bytes
  void (*tidy)(void *element);  // changes bytes to a valid element; NULL: not needed
  void (*clear)(void *result);  // sets padding to 0; NULL: there is none
  clred_type exact;             // sums of this type in the order exact, without callbacks; NONE: another operator
  unsigned below;               // elements are floats of whole numbers below this; 0: they are not
};

// Operators that do not commute, operators that do, and sums in the order exact.
extern const struct sample ordered_samples[];
extern const size_t ordered_sample_count;
extern const struct sample free_samples[];
extern const size_t free_sample_count;
extern const struct sample exact_samples[2];

// Aborts if no operator has the name.
const struct sample *sample_named(const char *name);

// Elements of a sample, or those of its further input.
void sample_fill(const struct sample *of, bool further, void *elements, uint64_t count, random_state *random);

// Where the elements of a row are: from x on, `stride` apart, and those of the further input from y on. The loops over
// them: one result, or the consecutive results of a scan.
struct sample_row {
  const unsigned char *x, *y;
  uint64_t stride, count;
};
void sample_fold(const struct sample *of, const struct sample_row *row, void *result);
void sample_scan(const struct sample *of, const struct sample_row *row, const oracle_scan *scan, void *results);
