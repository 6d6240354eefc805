// The data of the grid: for one operator and type, an array with a stretch for each size. The stretches start 0, 1, 3,
// 7 or 255 elements past a multiple of 256. The elements between them would change the result if they were read. If one
// element decides the result, it is at an end of the stretch or at a random place. dot has a second array.
#pragma once

#include "oracle/oracle.h"

#define DATA_STRETCHES_MAX 200
#define DATA_OTHER_LEAD 5  // the offset of the stretches in the second input

// Special values in a stretch. Integers have only PLAIN, ZEROS and EXTREMES.
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
  uint64_t length;  // all elements, also between the stretches; `others` has DATA_OTHER_LEAD more
  struct stretch stretches[DATA_STRETCHES_MAX];
  size_t stretch_count;
};

extern const char *const flavour_names[FLAVOURS];

// Makes the elements for these sizes, the same on every machine. Aborts if memory is out.
void data_create(struct data *data, clred_op op, clred_type type, const uint64_t *sizes, size_t size_count);
void data_create_for(struct data *data, const clred_problem *problem, const uint64_t *sizes, size_t size_count);
void data_release(struct data *data);

// The first element of a stretch in the first and in the second input.
const void *data_at(const struct data *data, const struct stretch *stretch);
const void *data_other_at(const struct data *data, const struct stretch *stretch);
