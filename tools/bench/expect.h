// What a reduction must give, found on the host by other means than the library's: exact sums, or a plain loop.

#ifndef CLREDUCE_TOOL_BENCH_EXPECT_H
#define CLREDUCE_TOOL_BENCH_EXPECT_H

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

struct expected {
  clred_op op;
  clred_type_info element;
  clred_type_info result;  // type NONE where it has several parts
  const void *elements;
  uint64_t count;
  bool whole;     // one integer: compared bit for bit
  bool real;      // one floating value
  bool place;     // an index, with the value that is there; peers tell the index alone
  uint64_t bits;  // of the integer, or the index
  double value;   // of the other, exact but for one rounding
  double noise;   // how far from it a peer may be, whatever its order of additions
};

// What is none of the three cannot be told in this way: several parts, vectors, and some operators.
void expect(struct expected *expected, clred_op op, clred_type type, const void *elements, uint64_t count);

// Whether a result of ours is right; `depth` is the number of combinations that an element can pass through.
bool expected_allows(const struct expected *expected, const void *result, double depth);

// The same of argmin and argmax; `value` is of `type`.
bool expected_allows_place(const struct expected *expected, uint64_t index, clred_type type, const void *value);

// Whether what a peer spelt is.
bool expected_allows_text(const struct expected *expected, const char *text);

#endif
