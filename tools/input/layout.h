// Where the elements of each result are: one line of neighbours, or as --stride and --axis say.

#ifndef CLREDUCE_TOOL_LAYOUT_H
#define CLREDUCE_TOOL_LAYOUT_H

#include <clreduce.h>
#include <stdbool.h>

#include "input/input.h"

struct layout {
  clred_layout kind;
  clred_call call;      // count, stride, rows, row_stride and columns; the rest is 0
  cl_ulong results;     // rows, each of which is folded or scanned
  bool listed;          // the results are an array, however many there are: --axis, and scans
  unsigned dimensions;  // of that array; 0 without one
  uint64_t shape[NPY_DIMENSIONS_MOST];
  uint64_t step;   // from an element of a row to the next; results are `inner` neighbours, ...
  uint64_t inner;  // ... then the next `inner` after call.count of these
  const struct input
    *segments;  // SEGMENTS: the offsets, which may not be loaded yet; of runs NULL until layout_take_runs
};

// For an input whose count is known. An exit code.
int layout_take(const struct args *args, const struct input *input, struct layout *layout);

// Makes the layout that of a scan: as many results as elements, in the input's shape, or one after another where not
// all elements are taken.
void layout_take_scan(const struct input *input, struct layout *layout);

// Makes the layout that of segments, whose results are a list.
void layout_take_segments(const struct input *segments, struct layout *layout);

// Makes the layout that of runs by keys or flags, of which there may be as many as elements.
void layout_take_told(clred_layout kind, struct layout *layout);

// Of such a layout, what the host found the runs to be.
void layout_take_runs(const struct input *offsets, struct layout *layout);

// That of a selection, or of the results of runs: an array of `kept` results, whatever the input's shape.
void layout_take_selection(struct layout *layout, uint64_t kept);

// The place in the input of a result's first element.
uint64_t layout_first(const struct layout *layout, uint64_t result);

// Of a scan, the place among the results of that of a row's element.
uint64_t layout_scanned(const struct layout *layout, uint64_t row, uint64_t element);

// How many elements it is made of.
uint64_t layout_count(const struct layout *layout, uint64_t result);

// Elements read in all.
uint64_t layout_elements(const struct layout *layout);

#endif
