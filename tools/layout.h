// Where the elements of each result are: one line of neighbours, or as --stride and --axis say.

#ifndef CLREDUCE_TOOL_LAYOUT_H
#define CLREDUCE_TOOL_LAYOUT_H

#include <clreduce.h>
#include <stdbool.h>

#include "input.h"

struct layout {
  clred_layout kind;
  clred_call   call;        // count, stride, rows, row_stride and columns; the rest is 0
  cl_ulong     results;
  bool         listed;      // the results are an array, however many there are: --axis
  unsigned     dimensions;  // of that array; 0 without --axis
  uint64_t     shape[NPY_DIMENSIONS_MOST];
  uint64_t     step;        // from an element of a row to the next; results are `inner` neighbours, ...
  uint64_t     inner;       // ... then the next `inner` after call.count of these
};

// For an input whose count is known. An exit code.
int layout_take(const struct args *args, const struct input *input, struct layout *layout);

// The place in the input of a result's first element.
uint64_t layout_first(const struct layout *layout, uint64_t result);

// Elements read in all.
uint64_t layout_elements(const struct layout *layout);

#endif
