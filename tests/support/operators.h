// Operators of the suites' own, each with the same on the host, so that a loop can say what the device must give. All
// are exact: bits are compared.

#ifndef CLREDUCE_TESTS_DEVICE_OPERATORS_H
#define CLREDUCE_TESTS_DEVICE_OPERATORS_H

#include "support/fixture.h"

struct sample {
  clred_operator op;            // with host callbacks
  size_t element;               // bytes
  size_t result;                // bytes that are compared
  size_t input;                 // bytes of an element of its further input; 0: it has none
  const void *parameter;        // the value of its only parameter; NULL: it has none
  const char *letters;          // elements are bytes out of these; NULL: any bytes
  void (*tidy)(void *element);  // makes any bytes an element; NULL: they are one
  unsigned below;               // elements are floats of whole numbers below this; 0: they are not
};

// Operators that do not commute, and operators that do.
extern const struct sample ordered_samples[];
extern const size_t ordered_sample_count;
extern const struct sample free_samples[];
extern const size_t free_sample_count;

// The sample with this name.
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

// Where the elements of a row lie.
struct row {
  uint64_t first;
  uint64_t input_first;
  uint64_t stride;
  uint64_t count;
};

// What a loop over the row gives: one result, or the results of a scan one behind the other.
void material_fold(const struct material *material, const struct row *row, void *result);
void material_scan(const struct material *material, const struct row *row, const oracle_scan *scan, void *results);

// Folds neighbours on the device and compares with the loop; `what` is for the message.
void material_check(const struct material *material, clred_plan *plan, uint64_t first, uint64_t count,
                    const char *what);

// Names `count` operands of ulong, letter0 and so on, and adds to `lift` the sum of 2 letter0 + 3 letter1 + ...
void name_operands(clred_operand *operands, char (*names)[8], size_t count, char letter, char *lift, size_t size);

#endif
