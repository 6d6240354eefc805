// User-defined operators for the suites, with host callbacks, so that a loop gives the expected results. All are exact,
// so the suites compare bits.
#pragma once

#include "support/fixture.h"

struct sample {
  clred_operator op;            // with host callbacks
  size_t element;               // bytes
  size_t result;                // bytes that are compared
  size_t input;                 // bytes of an element of its further input; 0: it has none
  const void *parameter;        // the value of its only parameter; NULL: it has none
  const char *letters;          // elements are bytes of this string; NULL: any bytes
  void (*tidy)(void *element);  // changes bytes to a valid element; NULL: not needed
  unsigned below;               // elements are floats of whole numbers below this; 0: they are not
};

// Operators that do not commute, and operators that do.
extern const struct sample ordered_samples[];
extern const size_t ordered_sample_count;
extern const struct sample free_samples[];
extern const size_t free_sample_count;

const struct sample *sample_named(const char *name);

// Makes `count` operands of ulong with the names letter0, letter1, ..., and appends "+ 2 * letter0 + 3 * letter1 ..."
// to `lift`.
void name_operands(clred_operand *operands, char (*names)[8], size_t count, char letter, char *lift, size_t size);
