// Calls in every layout over the same number of elements, and the lines of elements that each result comes from. For
// the suites that test something else in all layouts.
#pragma once

#include "support/fixture.h"

#define LINES_ELEMENTS 5000
enum { LINE_COUNT_MAX = 16000 };

// Elements first, first + step, ...
struct line {
  cl_ulong first, step, count;
};

// In the order of the results of a reduction.
struct lines {
  struct line list[LINE_COUNT_MAX];
  size_t count;
};

// The lines of a call in a layout without segments. They begin after the offset of its elements.
void lines_of_call(const clred_call *call, clred_layout layout, struct lines *lines);

// The problem in this layout.
clred_problem lines_problem(clred_problem problem, clred_layout layout);

// A call for such a problem, without the buffers of elements and results.
clred_call lines_lay_out(clred_layout layout, struct lines *lines);
