// Loops over elements in order, on the host: the strategies host_serial, scan_host_serial and histogram_host_serial,
// and the reference of selections and histograms.
#include "host/in_order.h"

#include <string.h>

// --- Reductions ---

// Widen neighbouring elements in pieces that fit the first-level cache.
static void fold_piece(const struct clr_values *values, cl_ulong from, cl_ulong count, void *state) {
  enum { PIECE = 512 };
  const struct clr_operation *operation = values->operation;
  size_t value_size = clr_type_row(clr_kind_type(operation->kind))->size;
  cl_double wide[PIECE];
  union clr_room lifted;
  for (; count; from += PIECE) {
    cl_ulong length = count < PIECE ? count : PIECE;
    operation->element.row->widen[operation->kind](
      (const unsigned char *)values->elements + from * operation->element.size, length, wide);
    for (cl_ulong i = 0; i < length; i++) {
      const struct clr_host_element given = {(const unsigned char *)wide + i * value_size, NULL, from + i,
                                             operation->ignores_nan};
      operation->host->lift(&given, &lifted);
      operation->host->combine(state, &lifted);
    }
    count -= length;
  }
}

void clr_fold_elements(const struct clr_values *values, void *state) {
  const struct clr_operation *operation = values->operation;
  union clr_room lifted;
  clr_lift(values, 0, state);
  if (operation->form && operation->form->inputs == 1 && operation->element.components == 1 && values->stride == 1 &&
      operation->element.row->class != CLR_COMPLEX) {
    fold_piece(values, 1, values->count - 1, state);
    return;
  }
  for (cl_ulong i = 1; i < values->count; i++) {
    clr_lift(values, i, &lifted);
    clr_state_combine(operation, state, &lifted);
  }
}

// --- Scans and selections ---

void clr_scan_in_order(const struct clr_scan *scan, const struct clr_values *values) {
  struct clr_prefix x = clr_scan_start(scan, values->operation);
  union clr_room lifted;
  for (cl_ulong i = 0; i < values->count; i++) {
    // Lift first: writing the result may overwrite the element.
    clr_scan_lift(scan, values, i, &lifted);
    if (!scan->inclusive)
      clr_scan_put(scan, values, i, &x);
    clr_prefix_add(values->operation, &x, &lifted);
    if (scan->inclusive)
      clr_scan_put(scan, values, i, &x);
  }
}

cl_ulong clr_select_in_order(const struct clr_values *values, void *results) {
  const struct clr_operation *operation = values->operation;
  size_t size = operation->result_size;
  cl_ulong kept = 0;
  for (cl_ulong i = 0; i < values->count; i++) {
    const void *element =
      (const unsigned char *)values->elements + (size_t)(i * values->stride) * operation->element.size;
    if (clr_keeps(values, i))
      memcpy((unsigned char *)results + (size_t)kept++ * size, operation->custom->keeping.indices ? &i : element, size);
  }
  return kept;
}

// --- Histograms ---

// Finds the bin: the number of inner edges that are at most `above`, the element's key minus the lowest key.
static cl_ulong find_bin(const struct clr_histogram *histogram, cl_ulong above) {
  cl_ulong first = 0, left = histogram->inner;
  while (left > 0) {
    cl_ulong half = left / 2;
    if (histogram->keys[first + half] <= above) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  return first;
}

void clr_count_elements(const struct clr_histogram *histogram, const struct clr_type *type, const void *elements,
                        cl_ulong count, cl_ulong *counts) {
  const unsigned char *element = elements;
  memset(counts, 0, (size_t)histogram->bins * sizeof *counts);
  for (cl_ulong i = 0; i < count; i++, element += type->size) {
    cl_ulong key = clr_key_at(type, element), above = key - histogram->lowest;
    if (key >= histogram->lowest && above <= histogram->span)
      counts[find_bin(histogram, above)]++;
  }
}
