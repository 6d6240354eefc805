// Calls of every sort over one range of whole numbers, whose sums are exact in any order, so that a loop tells each
// result. The programs `threads` and `kernels` make them: many at once, and every kernel under a checker.

#ifndef CLREDUCE_TESTS_CALLS_H
#define CLREDUCE_TESTS_CALLS_H

#include "support/device.h"
#include "support/random.h"

#define NUMBERS 16384
#define SEGMENTS 64
#define BINS 16
#define BLOCKS 1800  // elements of 256 bytes

// Nobody changes any of it once it is made.
struct numbers {
  float values[NUMBERS];
  double before[NUMBERS + 1];  // the sum of the values before
  cl_int keys[NUMBERS];
  cl_uchar flags[NUMBERS];  // where keys change
  cl_uint offsets[SEGMENTS + 1];
  cl_mem values_buffer, keys_buffer, flags_buffer, offsets_buffer;
  cl_mem blocks_buffer,
    block_offsets_buffer;  // blocks begin with the first values; a short segment of them and a long one
};

void numbers_create(struct numbers *numbers, const struct device *device, uint64_t seed);
void numbers_release(struct numbers *numbers);

// What was asked of a call, as far as it is needed to know what must come out.
struct asked {
  cl_ulong first, count, rows, columns;
  size_t bytes;  // of results that are compared
  float parameter;
  const void *parameters[1];
  float result;  // in host memory, where `in_memory`
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
  CALL_KEYS,
  CALL_HEADS,
  CALL_KEPT,
  CALL_COUNTS
};

// How large a call may be. `elements` 0 is a call over none; where `rows` is 1, a row has all of them.
struct call_limits {
  cl_ulong elements, rows;
};

// Draws a call of this kind, with results in `out` and keys in `keys_out`, or in host memory.
clred_call call_draw(enum call_kind kind, const struct numbers *numbers, struct call_limits limits, cl_mem out,
                     cl_mem keys_out, struct asked *asked, random_state *random);

// Whether such a call may be over no elements.
bool call_may_be_empty(enum call_kind kind);

// Whether results (or keys) are what the loop says.
bool call_is_right(enum call_kind kind, const struct numbers *numbers, const struct asked *asked, const void *out,
                   const cl_int *keys_out);

// What plans of these kinds are made of; the rest of a problem is a sum of floats.
extern const clred_operator calls_scaled;  // times a parameter
extern const clred_operator calls_last;    // does not commute
extern const clred_operator calls_blocks;  // of blocks, what they begin with
extern const clred_selection calls_selection;
extern const clred_histogram calls_histogram;

// The loops themselves.
float calls_sum(const struct numbers *numbers, cl_ulong first, cl_ulong count);
bool calls_kept_are_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, const float *kept,
                          cl_ulong number);
bool calls_counts_are_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, const cl_ulong *counts);
bool calls_scan_is_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, bool exclusive,
                         const float *results);

#endif
