// histogram_atomic: one atomic on a count in global memory for each element. Neighbouring work-items read neighbouring
// elements.

#include "histogram/histogram.clh"

ENTRY(clred_histogram_atomic)(ARGUMENTS)
{
  __global const STORED *elements = source + first + work;
  __global const KEY *edges = EDGES_NOW;
  struct clred_bins bins = BINS_NOW;
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
    uint bin = clred_bin_of(elements[i], edges, bins);
    if (bin != NO_SLOT)
      ADD_COUNT(bin, 1);
  }
}
