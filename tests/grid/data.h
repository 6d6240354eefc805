// What the grid reduces: for one operator and type, one array in which every size has a stretch of its own. The
// stretches start at offsets that are 0, 1, 3, 7 or 255 past a multiple of 256, and stand apart: what lies between them
// would change the result if it were read. Where one element decides the result, that element is at an end of the
// stretch or anywhere. For dot there is a second array like it.

#ifndef CLREDUCE_TESTS_GRID_DATA_H
#define CLREDUCE_TESTS_GRID_DATA_H

#include "oracle/oracle.h"

#define DATA_STRETCHES_MAX 200
#define DATA_OTHER_LEAD 5  // the second input's stretches stand so many elements further on

// What is mixed into a stretch. Integers know plain ones, zeros and extremes.
enum flavour { PLAIN, ZEROS, DENORMALS, ONE_INFINITY, BOTH_INFINITIES, NANS, EXTREMES, FLAVOURS };

struct stretch {
  uint64_t offset;
  uint64_t count;
  enum flavour flavour;
};

struct data {
  clred_op op;
  clred_type type;
  clred_nan nan;
  size_t size;  // bytes of an element
  void *elements;
  void *others;     // the second input, NULL if the operator has none
  uint64_t length;  // elements, those between the stretches included; `others` has DATA_OTHER_LEAD more
  struct stretch stretches[DATA_STRETCHES_MAX];
  size_t stretch_count;
};

extern const char *const flavour_names[FLAVOURS];

// Fills in the elements for these sizes, the same ones on every machine. Aborts where memory is out.
void data_create(struct data *data, clred_op op, clred_type type, const uint64_t *sizes, size_t size_count);
void data_create_for(struct data *data, const clred_problem *problem, const uint64_t *sizes, size_t size_count);
void data_release(struct data *data);

// The first element of a stretch; that of the second input.
const void *data_at(const struct data *data, const struct stretch *stretch);
const void *data_other_at(const struct data *data, const struct stretch *stretch);

#endif
