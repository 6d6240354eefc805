// What the grid reduces: for one operator and type, one array in which every size has a stretch of its own. The
// stretches start at offsets that are 0, 1, 3, 7 or 255 past a multiple of 256, and stand apart: what lies between them
// would change the result if it were read. Where one element decides the result, that element is at an end of the
// stretch or anywhere.

#ifndef CLREDUCE_TESTS_GRID_DATA_H
#define CLREDUCE_TESTS_GRID_DATA_H

#include "../oracle.h"

#define DATA_STRETCHES_MAX 64

// What is mixed into a stretch of a floating type.
enum flavour { PLAIN, ZEROS, DENORMALS, ONE_INFINITY, BOTH_INFINITIES, NANS, FLAVOURS };

struct stretch {
  uint64_t     offset;
  uint64_t     count;
  enum flavour flavour;
};

struct data {
  clred_op       op;
  clred_type     type;
  size_t         size;  // bytes of an element
  void          *elements;
  uint64_t       length;  // elements, those between the stretches included
  struct stretch stretches[DATA_STRETCHES_MAX];
  size_t         stretch_count;
};

extern const char *const flavour_names[FLAVOURS];

// Fills in the elements for these sizes, the same ones on every machine. Aborts where memory is out.
void data_create(struct data *data, clred_op op, clred_type type, const uint64_t *sizes, size_t size_count);
void data_release(struct data *data);

// The first element of a stretch.
const void *data_at(const struct data *data, const struct stretch *stretch);

#endif
