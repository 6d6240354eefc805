// Calls of every kind over the same whole numbers. Their sums are exact in any order, so a loop gives each result. The
// program `threads` makes many of them at once, and `kernels` runs every kernel under a checker.
#pragma once

#include "support/device.h"
#include "support/random.h"

#define NUMBERS 16384
#define SEGMENTS 64
#define BINS 16
#define BLOCKS 1800  // elements of 256 bytes

// Constant after numbers_create.
struct numbers {
  float values[NUMBERS];
  cl_int keys[NUMBERS];
  cl_uchar flags[NUMBERS];  // where keys change
  cl_uint offsets[SEGMENTS + 1];
  cl_mem values_buffer, keys_buffer, flags_buffer, offsets_buffer;
  // Each block begins with a value. Offsets and flags give the same rows: a short one and a long one.
  cl_mem blocks_buffer, block_offsets_buffer, block_flags_buffer;
};

void numbers_create(struct numbers *numbers, const struct device *device, uint64_t seed);
void numbers_release(struct numbers *numbers);

// What a call computes, as far as the expected results depend on it.
struct asked {
  cl_ulong first, count;  // the elements; `count` is that of each row or column
  cl_ulong rows, columns;
  const cl_uint *offsets;  // of rows; NULL: rows have `count` elements, or are runs
  bool finds_runs, has_keys;
  size_t bytes;  // bytes of the results that are compared
  float parameter;
  const void *parameters[1];
  float result;  // the result in host memory if `in_memory`
  bool in_memory;
  clred_outcome outcome;
};

// A call over one line of elements.
#define CALL_OVER(first_, count_) ((struct asked){.first = (first_), .count = (count_), .rows = 1, .columns = 1})

// The largest call. If `elements` is 0, calls have no elements. If `rows` is 1, a row has all elements.
struct call_limits {
  cl_ulong elements, rows;
};

// A random call of a plan of this problem. Results go to `out` and `keys_out`, or to host memory. The operator is one
// of those below, sum of float, or argmax of float with states of double.
clred_call call_draw(const clred_problem *problem, const struct numbers *numbers, struct call_limits limits, cl_mem out,
                     cl_mem keys_out, struct asked *asked, random_state *random);

// True if calls of such a plan may have no elements.
bool call_may_be_empty(const clred_problem *problem);

// True if the results and keys are those of a loop.
bool call_is_right(const clred_problem *problem, const struct numbers *numbers, const struct asked *asked,
                   const void *out, const cl_int *keys_out);

extern const clred_operator calls_scaled;  // sums of elements times a parameter
extern const clred_operator calls_last;    // does not commute
extern const clred_operator calls_blocks;  // sums the first float of each block
extern const clred_selection calls_selection;
extern const clred_histogram calls_histogram, calls_weights;  // each element is its own weight
