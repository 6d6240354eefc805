// Which elements each result covers: all elements as one line, or rows that the options define.
#pragma once

#include <clreduce.h>
#include <stdbool.h>

#include "input/input.h"

struct layout {
  clred_layout kind;
  clred_call call;      // count, stride, rows, row_stride and columns; other fields are 0
  cl_ulong results;     // number of rows, which are reduced or scanned
  bool listed;          // the results are an array, even if there is only one: rows, and scans
  unsigned dimensions;  // dimensions of that array; 0 for a single result
  uint64_t shape[NPY_DIMENSIONS_MAX];
  uint64_t step;   // distance of the elements of a row
  uint64_t inner;  // rows are adjacent in blocks of `inner`
  bool in_lines;   // the elements of each row must be adjacent
  // If `axes` is not 0, the elements must be reordered before the call, from C order of this shape.
  unsigned axes;
  uint64_t merged[NPY_DIMENSIONS_MAX];
  unsigned order[NPY_DIMENSIONS_MAX];  // as input_reorder takes it
  const struct input *segments;  // offsets of the rows, maybe not loaded yet; NULL for runs until layout_take_runs
};

// Refuses axes that the input does not have, which need not be counted. Returns an exit code.
int layout_check_axes(const struct args *args, const struct input *input);

// The count of the input must be known. `in_lines`: the elements of each row must be adjacent, so those of rows across
// the fastest axis are reordered, too. Returns an exit code.
int layout_take(const struct args *args, const struct input *input, bool in_lines, struct layout *layout);

// Changes the layout to that of a scan: one result per element, in the shape of the input, or one line for strided
// elements.
void layout_take_scan(const struct input *input, struct layout *layout);

// Changes the layout to segments, with one result each.
void layout_take_segments(const struct input *segments, struct layout *layout);

// Changes the layout to runs by keys or flags. There are at most as many runs as elements.
void layout_take_unknown_runs(clred_layout kind, struct layout *layout);

// Sets the runs that the host found.
void layout_take_runs(const struct input *offsets, struct layout *layout);

// Changes the layout to a line of `kept` results: a selection, or the results of runs.
void layout_take_selection(struct layout *layout, uint64_t kept);

// Index in the input of the first element of a row.
uint64_t layout_first(const struct layout *layout, uint64_t result);

// For a scan: index of the result of an element of a row.
uint64_t layout_scanned(const struct layout *layout, uint64_t row, uint64_t element);

// Number of elements of a row.
uint64_t layout_count(const struct layout *layout, uint64_t result);

// Number of elements in all rows.
uint64_t layout_elements(const struct layout *layout);
