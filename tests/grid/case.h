// One call of a problem in any layout: its lines of elements, the arrays that it reads, and what it must write.
#pragma once

#include "elements.h"
#include "support/operators.h"

// Elements first, first + step, ... of the array.
struct line {
  uint64_t first, step, count;
};

#define AXES_MAX 8

// Where the elements are: numbers of the call, and a pattern of lengths for segments and runs. If `dimensions` is not
// 0, the elements are those of an array along an axis, and the library makes the numbers of the call.
struct layout_shape {
  clred_call call;
  unsigned pattern;
  enum flavour flavour;
  bool every_flavour;  // shapes with the other flavours follow
  cl_uint dimensions, axis;
  cl_ulong lengths[AXES_MAX];
};

// Numbers of elements. Lines have each of them, with each flavour; segments and runs have up to the largest.
struct layout_sizes {
  const uint64_t *list;
  size_t count;
  uint64_t most;
};

// The shape with this number; short ones come first. False if the layout has no more of them.
bool layout_shape_at(clred_layout layout, size_t number, const struct layout_sizes *sizes, struct layout_shape *shape);

enum layout_pattern {
  EMPTY,
  ONES,
  FEW,
  SIXTEENS,
  SIXTY_FOURS,
  MIXED,
  POWER_LAW,
  AROUND_TILES,
  GIANT,
  ONE_OF_ALL,
  PATTERNS
};

#define LAYOUT_MARKS_LEAD 3  // offsets, flags or keys before those of the call
#define LAYOUT_OTHER_LEAD 5  // elements of the further input before those of the call
#define STATE_MAX 256        // bytes

struct layout_case {
  const clred_problem *problem;
  const struct sample *sample;  // NULL: built-in operators
  clred_call call;              // without buffers
  struct line *lines;
  uint64_t line_count;
  enum flavour flavour;
  unsigned turn;    // the number of the call
  uint64_t length;  // elements of the array; the further input has LAYOUT_OTHER_LEAD more before
  size_t size, other_size, mark_size;
  unsigned char *elements, *others, *marks;  // others, marks: NULL if the call has none
  uint64_t mark_count;
  bool *kept;  // by a selection: for each element of the line; NULL: there is none
  uint64_t kept_count;
  const void *start;     // the state before the first element of each line; NULL: none
  oracle_result result;  // of the last line that was solved, if it is one result of a built-in operator
};

// Makes the case; the same on every machine. `turn` is the number of the call.
void layout_case_make(struct layout_case *one, const clred_problem *problem, const struct layout_shape *shape,
                      uint64_t turn);
void layout_case_release(struct layout_case *one);

// Writes the expected results of the first `lines` lines to `results`, where the call has its first result. Bytes of
// padding are 0.
void layout_case_solve(struct layout_case *one, const clred_plan *plan, const oracle_tree *tree, uint64_t lines,
                       size_t result_size, unsigned char *results);

// Compares the results of lines, as layout_case_solve writes them, with exact values, if docs/numerics.md has bounds.
bool layout_case_near(const struct layout_case *one, size_t result_size, const unsigned char *results, char *text,
                      size_t size);

// The bins of a problem with a histogram; NULL if the problem has no histogram.
const struct bins *layout_bins(const clred_problem *problem);

// Whether the problem has one of the library's operators, so that the oracle gives results and parts.
bool layout_is_builtin(const clred_problem *problem);

// Whether the problem sums in the order exact, or has a caller's operator that sums exactly.
bool layout_is_exact(const clred_problem *problem);

// The element type of the problem; NONE for a caller's operator that does not sum exactly.
clred_type layout_type(const clred_problem *problem);

// The sample of a problem; NULL if the problem has built-in operators.
const struct sample *layout_sample(const clred_problem *problem);
