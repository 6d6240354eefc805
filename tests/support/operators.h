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

// Elements and further inputs for a sample, on the host and in buffers.
struct material {
  const struct sample *of;
  size_t length;
  unsigned char *elements;
  unsigned char *input;  // NULL where there is none
  cl_mem in;
  cl_mem input_buffer;
};

struct material material_create(const struct sample *of, size_t length);
void material_release(struct material *material);

// Where the elements of a row are.
struct row {
  uint64_t first;
  uint64_t input_first;
  uint64_t stride;
  uint64_t count;
};

// The result of a loop over the row, or the consecutive results of a scan.
void material_fold(const struct material *material, const struct row *row, void *result);
void material_scan(const struct material *material, const struct row *row, const oracle_scan *scan, void *results);

// Reduces a range on the device and compares with the loop. `what` is for the message.
void material_check(const struct material *material, clred_plan *plan, uint64_t first, uint64_t count,
                    const char *what);

// Makes `count` operands of ulong with the names letter0, letter1, ..., and appends "+ 2 * letter0 + 3 * letter1 ..."
// to `lift`.
void name_operands(clred_operand *operands, char (*names)[8], size_t count, char letter, char *lift, size_t size);
