// Counts elements in bins on the host: the reference, and histogram_host_serial.
#include "host/histograms.h"

#include <string.h>

#include "model/element.h"

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
