// Which elements a partial holds, if its operator is exact in any order: a sorted list of ranges that are disjoint and
// no neighbours. Such partials join in any order, so they may have gaps for a while.
#pragma once

#include "base/status.h"

// More ranges than this are refused, so that packed partials stay small.
#define CLR_PARTIAL_RANGES 64

// Elements `first` to `end - 1`, at least one.
struct clr_element_range {
  cl_ulong first, end;
};

struct clr_ranges {
  size_t count;
  struct clr_element_range at[CLR_PARTIAL_RANGES];
};

// Adds `count` elements behind the last range. If there is no range, they begin at element `first`.
void clr_ranges_append(struct clr_ranges *ranges, cl_ulong first, cl_ulong count);

// Fails if both lists have an element, or if the union has too many ranges.
cl_int clr_ranges_check_union(const struct clr_ranges *left, const struct clr_ranges *right, struct clr_status *status);

// Adds the ranges of `right`, which clr_ranges_check_union accepts.
void clr_ranges_unite(struct clr_ranges *left, const struct clr_ranges *right);

// The elements that are missing before the last range: the first of them, up to the next range. False if there are
// none.
bool clr_ranges_find_gap(const struct clr_ranges *ranges, struct clr_element_range *gap);

// --- Packed bytes: two numbers for each range ---

#define CLR_RANGE_BYTES 16

void clr_ranges_put(const struct clr_ranges *ranges, unsigned char *to);

// Reads `ranges->count` ranges. False if no partial has such a list with this first element and number of elements.
bool clr_ranges_get(struct clr_ranges *ranges, const unsigned char *from, cl_ulong first, cl_ulong elements);
