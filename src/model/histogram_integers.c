// Edges of bins over integers, as keys; and how a guess finds equal bins.
#include <float.h>
#include <math.h>

#include "model/histogram_making.h"
#include "model/keys.h"

// The guess errs by a few roundings, and an edge rounded to an element by half a unit in the last place. The margin, in
// bins, is twice the sum.
static double margin_of(const struct clr_making *making, double low, double high) {
  const struct clr_histogram *made = making->made;
  const struct clr_type *type = making->type;
  const bool in_doubles = type->class == CLR_FLOATING && type->size == 8;
  const double unit = in_doubles ? DBL_EPSILON : FLT_EPSILON,
               guess = 8 * unit * ((double)made->bins + fabs(made->offset) + 1);
  double of_edges = 2 * DBL_EPSILON;
  if (type->class == CLR_FLOATING && !in_doubles)
    of_edges = type->reading == CLR_READING_HALF       ? 0x1p-10
               : type->reading == CLR_READING_BFLOAT16 ? 0x1p-7
                                                       : FLT_EPSILON;
  return guess + 2 * of_edges * made->scale * fmax(fabs(low), fabs(high));
}

bool clr_bins_are_equal(const struct clr_making *making) {
  return !making->given->edges && !making->given->edge_elements;
}

void clr_guess_bins(const struct clr_making *making, double low, double high, double base) {
  struct clr_histogram *made = making->made;
  // With more bins, the precision of a float is too low to guess the bin to within one or two.
  const cl_ulong most_bins = (cl_ulong)1 << 20;
  const bool in_doubles = making->type->class == CLR_FLOATING && making->type->size == 8;
  const double most = in_doubles ? DBL_MAX : FLT_MAX, least = in_doubles ? DBL_MIN : FLT_MIN, width = high - low;
  made->base = base;
  made->scale = (double)made->bins / width;
  made->offset = (base - low) * made->scale;
  made->margin = margin_of(making, low, high);
  made->guesses = made->margin < 1 && made->bins > 1 && made->bins <= most_bins && width <= most &&
                  made->scale >= least && made->scale <= most && made->offset >= -1 && made->offset < (double)most_bins;
}

static cl_int nothing_between(const struct clr_making *making) {
  const struct clr_histogram *made = making->made;
  return clr_fail(making->status, CLRED_INVALID_PROBLEM,
                  "histogram: no %s lies between the first edge %.17g and the last %.17g", making->type->name,
                  made->marks[0], made->marks[made->bins]);
}

// Compares elements with edges as exact numbers.
static cl_int make_by_marks(const struct clr_making *making) {
  struct clr_histogram *made = making->made;
  double low = made->marks[0], high = made->marks[made->bins];
  cl_ulong last, key;
  if (!clr_key_at_least(making->type, low, &made->lowest) || !clr_key_at_most(making->type, high, &last) ||
      last < made->lowest)
    return nothing_between(making);
  made->span = last - made->lowest;
  for (cl_ulong k = 1; k < made->bins && clr_key_at_least(making->type, made->marks[k], &key) && key <= last; k++)
    made->keys[made->inner++] = key - made->lowest;
  if (clr_bins_are_equal(making))
    clr_guess_bins(making, low, high, clr_key_number(making->type, made->lowest));
  return CL_SUCCESS;
}

static cl_int make_by_elements(const struct clr_making *making) {
  struct clr_histogram *made = making->made;
  const unsigned char *elements = making->given->edge_elements;
  size_t size = making->type->size;
  made->lowest = clr_key_at(making->type, elements);
  for (cl_ulong k = 1; k <= made->bins; k++) {
    cl_ulong before = clr_key_at(making->type, elements + (k - 1) * size),
             key = clr_key_at(making->type, elements + k * size);
    if (key <= before)
      return clr_fail(making->status, CLRED_INVALID_PROBLEM,
                      "histogram: edge_elements[%llu] is not above edge_elements[%llu]", (unsigned long long)k,
                      (unsigned long long)k - 1);
    if (k < made->bins)
      made->keys[made->inner++] = key - made->lowest;
    made->span = key - made->lowest;
  }
  return CL_SUCCESS;
}

// Places: integers as distances from the type's lowest value, -2^63 or for ulong 0. The place 2^64 marks the end.
static bool is_long_unsigned(const struct clr_type *type) {
  return type->class == CLR_UNSIGNED && type->size == 8;
}

static cl_ulong place_of_first(const struct clr_type *type) {
  cl_ulong sign = (cl_ulong)1 << 63, half = (cl_ulong)1 << (8 * type->size - 1);
  return is_long_unsigned(type) ? 0 : type->class == CLR_SIGNED ? sign - half : sign;
}

static bool has_place(const struct clr_type *type, double number) {
  double first = is_long_unsigned(type) ? 0 : -0x1p63;
  return number == floor(number) && number >= first && number <= first + 0x1p64;
}

// Returns 0 for the end.
static cl_ulong place_of(const struct clr_type *type, double number) {
  cl_ulong zero = is_long_unsigned(type) ? 0 : (cl_ulong)1 << 63;
  if (number < 0)
    return zero - (cl_ulong)-number;
  return number >= 0x1p64 ? 0 : zero + (cl_ulong)number;
}

// Edge k is the fraction low + k (high - low) / bins. The loop keeps its integer part and its remainder. An element
// reaches the edge if it is at least the next integer.
static cl_int make_exactly(const struct clr_making *making, cl_ulong low, cl_ulong last, double low_mark) {
  struct clr_histogram *made = making->made;
  cl_ulong first = place_of_first(making->type), end = first + clr_key_last(making->type), bins = made->bins;
  cl_ulong lowest = low < first ? first : low, highest = last >= end ? end : last + 1;
  if (lowest > end || highest < lowest)
    return nothing_between(making);
  cl_ulong whole = 0, left = 0, step = (last - low) / bins, step_left = (last - low) % bins + 1;
  made->lowest = lowest - first;
  made->span = highest - lowest;
  for (cl_ulong k = 1; k < bins; k++) {
    whole += step;
    left += step_left;
    whole += left / bins;
    left %= bins;
    cl_ulong above_low = whole + (left > 0), above = above_low < lowest - low ? 0 : above_low - (lowest - low);
    made->marks[k] = low_mark + ((double)whole + (double)left / (double)bins);
    if (above <= made->span)
      made->keys[made->inner++] = above;
  }
  clr_guess_bins(making, low_mark, made->marks[bins], low_mark + (double)(lowest - low));
  return CL_SUCCESS;
}

cl_int clr_make_integer_edges(const struct clr_making *making) {
  const struct clr_type *type = making->type;
  const clred_histogram *given = making->given;
  double low = making->made->marks[0], high = making->made->marks[given->bins];
  if (given->low_element) {
    cl_ulong first = place_of_first(type);
    return make_exactly(making, first + clr_key_at(type, given->low_element),
                        first + clr_key_at(type, given->high_element) - 1, low);
  }
  if (given->edge_elements)
    return make_by_elements(making);
  if (clr_bins_are_equal(making) && has_place(type, low) && has_place(type, high))
    return make_exactly(making, place_of(type, low), place_of(type, high) - 1, low);
  return make_by_marks(making);
}
