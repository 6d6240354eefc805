// Lists of ranges of elements.
#include "partial/ranges.h"

#include "base/arithmetic.h"
#include "partial/portable.h"

void clr_ranges_append(struct clr_ranges *ranges, cl_ulong first, cl_ulong count) {
  if (!count)
    return;
  if (!ranges->count)
    ranges->at[ranges->count++] = (struct clr_element_range){first, first};
  ranges->at[ranges->count - 1].end += count;
}

// --- Two lists ---

// Walks through the ranges of two lists, from left to right.
struct walk {
  const struct clr_ranges *lists[2];
  size_t next[2];
};

static bool take_next(struct walk *walk, struct clr_element_range *range) {
  const struct clr_element_range *heads[2];
  for (size_t i = 0; i < 2; i++)
    heads[i] = walk->next[i] < walk->lists[i]->count ? &walk->lists[i]->at[walk->next[i]] : NULL;
  if (!heads[0] && !heads[1])
    return false;
  const size_t from = !heads[0] || (heads[1] && heads[1]->first < heads[0]->first);
  *range = *heads[from];
  walk->next[from]++;
  return true;
}

static bool find_overlap(const struct clr_ranges *left, const struct clr_ranges *right,
                         struct clr_element_range *overlap) {
  struct walk walk = {{left, right}, {0, 0}};
  struct clr_element_range last = {0, 0}, range;
  while (take_next(&walk, &range)) {
    *overlap = (struct clr_element_range){range.first, clr_min(range.end, last.end)};
    if (range.first < last.end)
      return true;
    last = range;
  }
  return false;
}

// Writes the union, as far as it fits. Returns how many ranges it has.
static size_t unite(const struct clr_ranges *left, const struct clr_ranges *right, struct clr_ranges *both) {
  struct walk walk = {{left, right}, {0, 0}};
  struct clr_element_range last = {0, 0}, range;
  size_t count = 0;
  while (take_next(&walk, &range)) {
    const bool continues = count && range.first == last.end;
    last = (struct clr_element_range){continues ? last.first : range.first, range.end};
    count += !continues;
    if (count <= CLR_PARTIAL_RANGES)
      both->at[count - 1] = last;
  }
  return count;
}

cl_int clr_ranges_check_union(const struct clr_ranges *left, const struct clr_ranges *right,
                              struct clr_status *status) {
  struct clr_element_range overlap;
  struct clr_ranges both;
  if (find_overlap(left, right, &overlap))
    return clr_fail(status, CLRED_PARTIAL_GAP,
                    "left and right both have elements %llu to %llu: they overlap; each element must be in one part",
                    (unsigned long long)overlap.first, (unsigned long long)overlap.end - 1);
  const size_t count = unite(left, right, &both);
  return count <= CLR_PARTIAL_RANGES
           ? CL_SUCCESS
           : clr_fail(status, CLRED_PARTIAL_GAP,
                      "left and right together have %zu ranges of elements, and a partial has at most %d; join "
                      "neighbours first",
                      count, CLR_PARTIAL_RANGES);
}

void clr_ranges_unite(struct clr_ranges *left, const struct clr_ranges *right) {
  struct clr_ranges both;
  both.count = unite(left, right, &both);
  *left = both;
}

// --- Gaps ---

bool clr_ranges_find_gap(const struct clr_ranges *ranges, struct clr_element_range *gap) {
  cl_ulong end = 0;
  for (size_t i = 0; i < ranges->count; i++) {
    *gap = (struct clr_element_range){end, ranges->at[i].first};
    if (gap->first < gap->end)
      return true;
    end = ranges->at[i].end;
  }
  return false;
}

// --- Packed bytes ---

void clr_ranges_put(const struct clr_ranges *ranges, unsigned char *to) {
  for (size_t i = 0; i < ranges->count; i++) {
    clr_portable_put(to + i * CLR_RANGE_BYTES, ranges->at[i].first);
    clr_portable_put(to + i * CLR_RANGE_BYTES + CLR_RANGE_BYTES / 2, ranges->at[i].end);
  }
}

// The ranges are disjoint, so the sum of their elements has 64 bits.
bool clr_ranges_get(struct clr_ranges *ranges, const unsigned char *from, cl_ulong first, cl_ulong elements) {
  cl_ulong sum = 0;
  for (size_t i = 0; i < ranges->count; i++) {
    struct clr_element_range *range = &ranges->at[i];
    range->first = clr_portable_get(from + i * CLR_RANGE_BYTES);
    range->end = clr_portable_get(from + i * CLR_RANGE_BYTES + CLR_RANGE_BYTES / 2);
    if (range->first >= range->end || (i ? range->first <= range[-1].end : range->first != first))
      return false;
    sum += range->end - range->first;
  }
  return sum == elements;
}
