// The expected result of a reduction, computed on the host without the library: exact sums, or a plain loop.
#pragma once

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

struct expected {
  clred_op op;
  clred_type_info element;
  clred_type_info result;  // type NONE if the result has several parts
  const void *elements;
  uint64_t count;
  bool whole;     // one integer, compared bit by bit
  bool real;      // one floating value
  bool place;     // an index and the value at it; peers send only the index
  uint64_t bits;  // the integer or the index
  double value;   // the floating value, rounded once
  double noise;   // how far a peer may be from `value`, for any order of additions
};

// `count` must not be 0. None of the three flags is set for results of several parts, vectors, and some operators.
void expect(struct expected *expected, clred_op op, clred_type type, const void *elements, uint64_t count);

// True if a result of the library is right. `depth`: how many combinations an element can pass through.
bool expected_allows(const struct expected *expected, const void *result, double depth);

// The same for argmin and argmax; `value` has type `type`.
bool expected_allows_place(const struct expected *expected, uint64_t index, clred_type type, const void *value);

// True if the value that a peer sent as text is right.
bool expected_allows_text(const struct expected *expected, const char *text);
