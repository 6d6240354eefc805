// Partials of integers that have gaps between their elements. The suites of partials that join in any order use them.
#pragma once

#include "support/fixture.h"

enum { RANGES_MAX = 64, PACKED_ROOM = 4096 };

// The plan of these partials: a sum of int, made by ranges_open.
extern clred_plan *ranges_plan;
void ranges_open(void);

// A partial of elements `first` to `end - 1`, at most 256. The value of an element is its place, plus 1.
clred_partial *partial_of(cl_ulong first, cl_ulong end);

// Joins these elements to the partial.
void partial_add(clred_partial *partial, cl_ulong first, cl_ulong end);

// A list of ranges: first and end of each.
#define ENDS(...) ((const cl_ulong[]){__VA_ARGS__, 0, 0})
clred_partial *partial_of_ranges(const cl_ulong *ends);

// The partial must have these ranges and no others.
void check_ranges(clred_partial *partial, const cl_ulong *ends);
