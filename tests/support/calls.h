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
  double before[NUMBERS + 1];  // the sum of the values before
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
  cl_ulong first, count, rows, columns;
  size_t bytes;  // bytes of the results that are compared
  float parameter;
  const void *parameters[1];
  float result;  // the result in host memory if `in_memory`
  bool in_memory;
  clred_outcome outcome;
};

enum call_kind {
  CALL_SUM,
  CALL_SCALED,
  CALL_LAST,
  CALL_GREATEST /* in doubles */,
  CALL_INCLUSIVE,
  CALL_EXCLUSIVE,
  CALL_ROWS,
  CALL_COLUMNS,
  CALL_ROWS_SCANNED,
  CALL_SEGMENTS,
  CALL_SEGMENTS_SCANNED,
  CALL_BLOCKS,
  CALL_BLOCKS_SCANNED,
  CALL_BLOCKS_BY_HEADS,
  CALL_BLOCKS_SCANNED_BY_HEADS,
  CALL_KEYS,
  CALL_HEADS,
  CALL_RUNS_SCANNED,
  CALL_KEPT,
  CALL_COUNTS
};

// The largest call. If `elements` is 0, calls have no elements. If `rows` is 1, a row has all elements.
struct call_limits {
  cl_ulong elements, rows;
};

// A random call of this kind. Results go to `out` and `keys_out`, or to host memory.
clred_call call_draw(enum call_kind kind, const struct numbers *numbers, struct call_limits limits, cl_mem out,
                     cl_mem keys_out, struct asked *asked, random_state *random);

// True if calls of this kind may have no elements.
bool call_may_be_empty(enum call_kind kind);

// True if the results and keys are those of the loop.
bool call_is_right(enum call_kind kind, const struct numbers *numbers, const struct asked *asked, const void *out,
                   const cl_int *keys_out);

// Operators, a selection and a histogram for plans of these kinds. Other plans are sums of floats.
extern const clred_operator calls_scaled;  // sums of elements times a parameter
extern const clred_operator calls_last;    // does not commute
extern const clred_operator calls_blocks;  // sums the first float of each block
extern const clred_selection calls_selection;
extern const clred_histogram calls_histogram;

// The loops that give the expected results.
float calls_sum(const struct numbers *numbers, cl_ulong first, cl_ulong count);
bool calls_kept_are_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, const float *kept,
                          cl_ulong number);
bool calls_counts_are_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, const cl_ulong *counts);
bool calls_scan_is_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, bool exclusive,
                         const float *results);
