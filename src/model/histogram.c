// Makes the bins of a histogram: checks the caller's edges and computes their keys.
#include "model/histogram_making.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "model/keys.h"

#define BINS_MAX ((cl_ulong)1 << 31)

// --- The caller's edges ---

static cl_int check_given(const clred_histogram *given, struct clr_status *status) {
  const bool has_edges = given->edges || given->edge_elements, has_elements = given->low_element || given->high_element;
  const bool has_numbers = !(given->low == 0 && given->high == 0);
  if (given->bins == 0)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: bins is 0; give at least 1");
  if (given->bins > BINS_MAX)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: bins %llu is above %llu",
                    (unsigned long long)given->bins, (unsigned long long)BINS_MAX);
  if (given->edges && given->edge_elements)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "histogram: edges and edge_elements are both given; leave one of them out");
  if (has_edges && (has_elements || has_numbers))
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "histogram: edges are given together with low and high; leave these out");
  if (has_elements && has_numbers)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: low and high are given together with %s",
                    given->low_element ? "low_element" : "high_element");
  if (has_elements && !(given->low_element && given->high_element))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "histogram: %s is given without %s",
                    given->low_element ? "low_element" : "high_element",
                    given->low_element ? "high_element" : "low_element");
  return CL_SUCCESS;
}

// The key of a NaN decodes to a value beyond all numbers.
static double element_number(const struct clr_type *type, const void *elements, cl_ulong index) {
  double number = clr_key_number(type, clr_key_at(type, (const unsigned char *)elements + index * type->size));
  cl_ulong key;
  return type->class == CLR_FLOATING && !clr_key_nearest(type, number, &key) ? INFINITY : number;
}

static double low_of(const struct clr_making *making) {
  const clred_histogram *given = making->given;
  return given->low_element ? element_number(making->type, given->low_element, 0) : given->low;
}

static double high_of(const struct clr_making *making) {
  const clred_histogram *given = making->given;
  return given->high_element ? element_number(making->type, given->high_element, 0) : given->high;
}

static cl_int check_range(const struct clr_making *making, double low, double high) {
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

// The marks of equal bins, as NumPy computes them.
static void mark_equally(struct clr_histogram *made, double low, double high) {
  double width = high - low, bins = (double)made->bins;
  double step = isfinite(width) ? width / bins : high / bins - low / bins;
  // high - low may overflow.
  made->marks[0] = low + 0.0;
  for (cl_ulong k = 1; k < made->bins; k++)
    made->marks[k] = fmin((double)k * step + low, high);
  made->marks[made->bins] = high;
}

static cl_int mark_as_given(const struct clr_making *making) {
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

// --- The guess of a bin ---

// --- Floating elements ---

static cl_int no_finite(const struct clr_making *making, cl_ulong k) {
  const char *type = making->type->name;
  double number = making->made->marks[k];
  if (clr_bins_are_equal(making))
    return clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: %s %.17g is no finite %s", k ? "high" : "low",
                    number, type);
  return clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: edges[%llu], %.17g, is no finite %s",
                  (unsigned long long)k, number, type);
}

// Rounds the mark of an edge to its element.
static cl_int round_mark(const struct clr_making *making, cl_ulong k, cl_ulong *key) {
  struct clr_histogram *made = making->made;
  if (!clr_key_nearest(making->type, made->marks[k], key))
    return no_finite(making, k);
  made->marks[k] = clr_key_number(making->type, *key);
  return CL_SUCCESS;
}

static cl_int make_floating(const struct clr_making *making) {
  struct clr_histogram *made = making->made;
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): all were marked, by a loop that the analyzer leaves early
  double low = made->marks[0], high = made->marks[made->bins];
  cl_ulong first, last, key;
  cl_int err = round_mark(making, 0, &first);
  if (!err)
    err = round_mark(making, made->bins, &last);
  if (!err && first == last && clr_bins_are_equal(making))
    err = clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: low %.17g and high %.17g are the same %s", low,
                   high, making->type->name);
  for (cl_ulong k = 1; k < made->bins && !err; k++) {
    err = round_mark(making, k, &key);
    if (!err)
      made->keys[k - 1] = key - first;
  }
  for (cl_ulong k = 1; k <= made->bins && !err && !clr_bins_are_equal(making); k++)
    if (!(made->marks[k - 1] < made->marks[k]))
      err = clr_fail(making->status, CLRED_INVALID_PROBLEM, "histogram: edges[%llu] and edges[%llu] are the same %s",
                     (unsigned long long)k - 1, (unsigned long long)k, making->type->name);
  if (err)
    return err;
  made->lowest = first;
  made->span = last - first;
  made->inner = made->bins - 1;
  if (clr_bins_are_equal(making))
    clr_guess_bins(making, low, high, made->marks[0]);
  return CL_SUCCESS;
}

// --- Make a histogram ---

cl_int clr_histogram_make(const clred_histogram *given, const struct clr_type *type, struct clr_histogram *made,
                          struct clr_status *status) {
  const struct clr_making making = {given, type, made, status};
  *made = (struct clr_histogram){.bins = given->bins};
  cl_int err = check_given(given, status);
  if (!err && clr_bins_are_equal(&making))
    err = check_range(&making, low_of(&making), high_of(&making));
  if (err)
    return err;
  made->keys = malloc((size_t)given->bins * sizeof *made->keys);
  made->marks = malloc((size_t)(given->bins + 1) * sizeof *made->marks);
  if (!made->keys || !made->marks)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for the edges of %llu bins",
                    (unsigned long long)given->bins);
  if (clr_bins_are_equal(&making))
    mark_equally(made, low_of(&making), high_of(&making));
  else
    err = mark_as_given(&making);
  if (err)
    return err;
  return type->class == CLR_FLOATING ? make_floating(&making) : clr_make_integer_edges(&making);
}

void clr_histogram_release(struct clr_histogram *histogram) {
  free(histogram->keys);
  free(histogram->marks);
  histogram->keys = NULL;
  histogram->marks = NULL;
}
