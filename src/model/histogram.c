// Makes the bins of a histogram: checks the caller's edges and computes their keys.
#include "model/histogram.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"

struct making {
  const clred_histogram *given;
  const struct clr_type *type;
  struct clr_histogram *made;
  struct clr_status *status;
};

// True for equal bins from low to high; false if the caller gave edges.
static bool bins_are_equal(const struct making *making) {
  return !making->given->edges && !making->given->edge_elements;
}

// --- The caller's edges ---

static cl_int check_given(const clred_histogram *given, struct clr_status *status) {
  const bool has_edges = given->edges || given->edge_elements, has_elements = given->low_element || given->high_element;
  const bool has_numbers = !(given->low == 0 && given->high == 0);
  if (given->bins == 0)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: bins is 0; give at least 1");
  if (given->bins > CLR_BINS_MAX)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: bins %llu is above %llu",
                    (unsigned long long)given->bins, (unsigned long long)CLR_BINS_MAX);
  if (given->edges && given->edge_elements)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "histogram: edges and edge_elements are both given; leave one of them out");
  if (has_edges && (has_elements || has_numbers))
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "histogram: edges are given together with low and high; leave these out");
  const char *element = given->low_element ? "low_element" : "high_element";
  if (has_elements && has_numbers)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "histogram: low and high are given together with %s; leave one of them out", element);
  if (has_elements && !(given->low_element && given->high_element))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: %s is given without %s", element,
                    given->low_element ? "high_element" : "low_element");
  return CL_SUCCESS;
}

// The key of a NaN decodes to a value beyond all numbers.
static double element_number(const struct clr_type *type, const void *elements, cl_ulong index) {
  double number = clr_key_number(type, clr_key_at(type, (const unsigned char *)elements + index * type->size));
  cl_ulong key;
  return type->class == CLR_FLOATING && !clr_key_nearest(type, number, &key) ? INFINITY : number;
}

static double end_of(const struct making *making, const void *element, double number) {
  return element ? element_number(making->type, element, 0) : number;
}

static double low_of(const struct making *making) {
  return end_of(making, making->given->low_element, making->given->low);
}

static double high_of(const struct making *making) {
  return end_of(making, making->given->high_element, making->given->high);
}

static cl_int check_range(const struct making *making, double low, double high) {
  const clred_histogram *given = making->given;
  if (!isfinite(low) || !isfinite(high))
    return clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: %s is not finite",
                    isfinite(low) ? "high" : "low");
  bool below = given->low_element
                 ? clr_key_at(making->type, given->low_element) < clr_key_at(making->type, given->high_element)
                 : low < high;
  return below
           ? CL_SUCCESS
           : clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: low %.17g is not below high %.17g", low, high);
}

// The marks of equal bins, as NumPy computes them. high - low may overflow.
static void mark_equally(struct clr_histogram *made, double low, double high) {
  double width = high - low, bins = (double)made->bins;
  double step = isfinite(width) ? width / bins : high / bins - low / bins;
  made->marks[0] = low + 0.0;
  for (cl_ulong k = 1; k < made->bins; k++)
    made->marks[k] = fmin((double)k * step + low, high);
  made->marks[made->bins] = high;
}

static cl_int mark_as_given(const struct making *making) {
  const clred_histogram *given = making->given;
  double *marks = making->made->marks;
  const char *name = given->edges ? "edges" : "edge_elements";
  for (cl_ulong k = 0; k <= given->bins; k++) {
    marks[k] = given->edges ? given->edges[k] : element_number(making->type, given->edge_elements, k);
    if (!isfinite(marks[k]))
      return clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: %s[%llu] is not finite", name,
                      (unsigned long long)k);
    // Different long integers may become the same double; their keys are compared later.
    if (k && (given->edges ? !(marks[k - 1] < marks[k]) : marks[k - 1] > marks[k]))
      return clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: %s[%llu] is not above %s[%llu]", name,
                      (unsigned long long)k, name, (unsigned long long)k - 1);
  }
  return CL_SUCCESS;
}

// Returns, in bins, at least twice the error of a guess. The error is that of a few roundings, and half the distance of
// elements, because edges are rounded to elements. Small elements lie equally far apart, and a device may take a small
// float for 0.
static double margin_of(const struct making *making, double low, double high) {
  const struct clr_histogram *made = making->made;
  const struct clr_type *type = making->type;
  const bool in_doubles = type->class == CLR_FLOATING && type->size == 8;
  const double unit = in_doubles ? DBL_EPSILON : FLT_EPSILON,
               guess = 8 * unit * ((double)made->bins + fabs(made->offset) + 1);
  double of_edges = 2 * DBL_EPSILON, of_small = 0;
  if (type->class == CLR_FLOATING && !in_doubles) {
    const bool is_half = type->reading == CLR_READING_HALF;
    of_edges = is_half ? 0x1p-10 : type->reading == CLR_READING_BFLOAT16 ? 0x1p-7 : FLT_EPSILON;
    of_small = is_half ? 0x1p-25 : 2 * FLT_MIN;
  }
  return guess + 2 * made->scale * fmax(of_edges * fmax(fabs(low), fabs(high)), of_small);
}

// Prepares the guess for equal bins from low to high, if it is precise enough. `base` is the lowest element counted.
static void guess_bins(const struct making *making, double low, double high, double base) {
  struct clr_histogram *made = making->made;
  // A guess must fit into an int. If the margin is less than 1, no guess is two bins away.
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

// --- Floating elements ---

static cl_int no_finite(const struct making *making, cl_ulong k) {
  const char *type = making->type->name;
  double number = making->made->marks[k];
  if (bins_are_equal(making))
    return clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: %s %.17g is no finite %s", k ? "high" : "low",
                    number, type);
  return clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: edges[%llu], %.17g, is no finite %s",
                  (unsigned long long)k, number, type);
}

// Rounds the mark of an edge to the nearest element.
static cl_int round_mark(const struct making *making, cl_ulong k, cl_ulong *key) {
  struct clr_histogram *made = making->made;
  if (!clr_key_nearest(making->type, made->marks[k], key))
    return no_finite(making, k);
  made->marks[k] = clr_key_number(making->type, *key);
  return CL_SUCCESS;
}

static cl_int make_floating(const struct making *making) {
  struct clr_histogram *made = making->made;
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): all were marked, by a loop that the analyzer leaves early
  double low = made->marks[0], high = made->marks[made->bins];
  cl_ulong first, last, key;
  cl_int err = round_mark(making, 0, &first);
  if (!err)
    err = round_mark(making, made->bins, &last);
  if (!err && first == last && bins_are_equal(making))
    err = clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: low %.17g and high %.17g are the same %s", low,
                   high, making->type->name);
  for (cl_ulong k = 1; k < made->bins && !err; k++) {
    err = round_mark(making, k, &key);
    if (!err)
      made->keys[k - 1] = key - first;
  }
  for (cl_ulong k = 1; k <= made->bins && !err && !bins_are_equal(making); k++)
    if (!(made->marks[k - 1] < made->marks[k]))
      err = clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: edges[%llu] and edges[%llu] are the same %s",
                     (unsigned long long)k - 1, (unsigned long long)k, making->type->name);
  if (err)
    return err;
  made->lowest = first;
  made->span = last - first;
  made->inner = made->bins - 1;
  if (bins_are_equal(making))
    guess_bins(making, low, high, made->marks[0]);
  return CL_SUCCESS;
}

// --- Integer elements ---

static cl_int nothing_between(const struct making *making) {
  const struct clr_histogram *made = making->made;
  return clr_fail(making->status, CLRED_INVALID_PROBLEM,
                  "histogram: no %s lies between the first edge %.17g and the last %.17g", making->type->name,
                  made->marks[0], made->marks[made->bins]);
}

// Makes the bins from the marks. Elements and edges are compared as exact numbers.
static cl_int make_by_marks(const struct making *making) {
  struct clr_histogram *made = making->made;
  double low = made->marks[0], high = made->marks[made->bins];
  cl_ulong last, key;
  if (!clr_key_at_least(making->type, low, &made->lowest) || !clr_key_at_most(making->type, high, &last) ||
      last < made->lowest)
    return nothing_between(making);
  made->span = last - made->lowest;
  for (cl_ulong k = 1; k < made->bins && clr_key_at_least(making->type, made->marks[k], &key) && key <= last; k++)
    made->keys[made->inner++] = key - made->lowest;
  if (bins_are_equal(making))
    guess_bins(making, low, high, clr_key_number(making->type, made->lowest));
  return CL_SUCCESS;
}

static cl_int make_by_elements(const struct making *making) {
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

// Edge k is the fraction low + k (high - low) / bins. The loop keeps its integer part and its remainder. An element
// reaches the edge if it is at least the next integer.
static cl_int make_exactly(const struct making *making, cl_ulong low, cl_ulong last, double low_mark) {
  struct clr_histogram *made = making->made;
  cl_ulong first = clr_place_of_first(making->type), end = first + clr_key_last(making->type), bins = made->bins;
  cl_ulong lowest = low < first ? first : low, highest = last >= end ? end : last + 1;
  if (lowest > end || highest < lowest)
    return nothing_between(making);
  cl_ulong whole = 0, left = 0, step = (last - low) / bins, step_left = (last - low) % bins + 1;
  made->lowest = lowest - first;
  made->span = highest - lowest;
  for (cl_ulong k = 1; k < bins; k++) {
    left += step_left;
    whole += step + left / bins;
    left %= bins;
    cl_ulong above_low = whole + (left > 0), above = above_low < lowest - low ? 0 : above_low - (lowest - low);
    made->marks[k] = low_mark + ((double)whole + (double)left / (double)bins);
    if (above <= made->span)
      made->keys[made->inner++] = above;
  }
  guess_bins(making, low_mark, made->marks[bins], low_mark + (double)(lowest - low));
  return CL_SUCCESS;
}

static cl_int make_integer_edges(const struct making *making) {
  const struct clr_type *type = making->type;
  const clred_histogram *given = making->given;
  double low = making->made->marks[0], high = making->made->marks[given->bins];
  if (given->low_element) {
    cl_ulong first = clr_place_of_first(type);
    return make_exactly(making, first + clr_key_at(type, given->low_element),
                        first + clr_key_at(type, given->high_element) - 1, low);
  }
  if (given->edge_elements)
    return make_by_elements(making);
  if (bins_are_equal(making) && clr_has_place(type, low) && clr_has_place(type, high))
    return make_exactly(making, clr_place_of(type, low), clr_place_of(type, high) - 1, low);
  return make_by_marks(making);
}

static cl_int make_axis(const clred_histogram *given, const struct clr_type *type, struct clr_histogram *made,
                        struct clr_status *status) {
  const struct making making = {given, type, made, status};
  *made = (struct clr_histogram){.bins = given->bins, .results = clr_histogram_results(given)};
  cl_int err = check_given(given, status);
  if (!err && bins_are_equal(&making))
    err = check_range(&making, low_of(&making), high_of(&making));
  if (err)
    return err;
  // calloc also fails if the size exceeds the 32 bits of a size_t.
  made->keys = calloc((size_t)given->bins, sizeof *made->keys);
  made->marks = calloc((size_t)(given->bins + 1), sizeof *made->marks);
  if (!made->keys || !made->marks)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for the edges of %llu bins",
                    (unsigned long long)given->bins);
  if (bins_are_equal(&making))
    mark_equally(made, low_of(&making), high_of(&making));
  else
    err = mark_as_given(&making);
  if (err)
    return err;
  return type->class == CLR_FLOATING ? make_floating(&making) : make_integer_edges(&making);
}

// --- Axes and weights ---

cl_ulong clr_bin_cells(clred_type weight_type) {
  const struct clr_type *type = clr_type_row(weight_type);
  return !type || type->class != CLR_FLOATING ? 1 : type->size == 8 ? 67 : 10;
}

cl_ulong clr_histogram_results(const clred_histogram *given) {
  cl_ulong results = 1;
  for (; given; given = given->next)
    results = clr_multiply(results, given->bins);
  return results;
}

static cl_int check_axes(const clred_histogram *given, struct clr_status *status) {
  size_t axes = 1;
  for (const clred_histogram *axis = given->next; axis; axis = axis->next) {
    if (++axes > CLR_AXES_MAX)
      return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: next: there are more than %d axes; leave some out",
                      CLR_AXES_MAX);
    if (axis->weight_type)
      return clr_fail(status, CLRED_INVALID_PROBLEM,
                      "histogram: next: axis %zu has a weight_type; set that of the first axis instead", axes - 1);
  }
  return axes == 1 || clr_histogram_results(given) <= CLR_BINS_MAX
           ? CL_SUCCESS
           : clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: next: all axes together have more than %llu bins",
                      (unsigned long long)CLR_BINS_MAX);
}

cl_int clr_histogram_make(const clred_histogram *given, const struct clr_type *type, struct clr_histogram *made,
                          struct clr_status *status) {
  cl_int err = check_axes(given, status);
  *made = (struct clr_histogram){0};
  if (!err)
    err = make_axis(given, type, made, status);
  for (size_t axis = 1; given->next && !err; axis++, given = given->next) {
    struct clr_status of_axis = {0};
    made->next = calloc(1, sizeof *made->next);
    if (!made->next)
      return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying a histogram");
    made = made->next;
    err = make_axis(given->next, type, made, &of_axis);
    if (err)
      clr_fail(status, err, "axis %zu: %.*s", axis, CLR_MESSAGE_SIZE - 32, of_axis.message);
  }
  return err;
}

void clr_histogram_release(struct clr_histogram *histogram) {
  if (histogram->next)
    clr_histogram_release(histogram->next);
  free(histogram->next);
  free(histogram->keys);
  free(histogram->marks);
  histogram->next = NULL;
  histogram->keys = NULL;
  histogram->marks = NULL;
}
