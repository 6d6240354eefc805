// rows_chunked: many rows along the fastest axis on CPU-like devices, each row in the order fixed/1. A unit is a run of
// `span` tiles (a power of two) of one row. A work-item folds `work` units one after another, with explicit vectors. If
// a row has one unit, its node becomes the result. Otherwise the units of a row are partials side by side, and
// NAME_states folds them, one row for each work-item.
//   HAS_BINS           1: the order exact adds elements in bins (exact/rows.clh), not by vectors
//   rows, row_stride   the number of rows, and the distance between them

#include "group/deliver.clh"
#include "group/run_states.clh"
#include "group/short_rows.clh"
#include "common/kernel.clh"

#if SHORT_ROW && !SOURCE_IS_STATES
// Folds rows of `count` elements, from row `first` on, VECTOR rows at a time. Stops if fewer than VECTOR rows are left
// before `end`, or if whole vectors would reach past the end of the last row. Returns the first row that it did not
// fold.
INLINE ulong clred_rows_together(struct clred_in in, uint count, ulong rows, ulong row_stride, ulong first, ulong end,
                                 __global RESULT *results)
{
  ulong row = first, elements = (rows - 1) * row_stride + count, read = (count + VECTOR - 1) / VECTOR * VECTOR;
  for (; row + VECTOR <= end && (row + VECTOR - 1) * row_stride + read <= elements; row += VECTOR) {
    struct clred_short_rows block;
    STATE nodes[VECTOR];
#pragma unroll
    for (uint i = 0; i < VECTOR; i++) {
      block.begin[i] = (row + i) * row_stride;
      block.count[i] = count;
    }
    clred_fold_short_rows(in, &block, nodes);
#pragma unroll
    for (uint i = 0; i < VECTOR; i++)
      results[row + i] = clred_lower(nodes[i]);
  }
  return row;
}
#endif

ENTRY(clred_rows_chunked)(ARGUMENTS)
{
  ONE_ITEM
#if SOURCE_IS_STATES
  ulong parts = 1;
#else
  struct clred_in in = INPUT_NOW;
  in.end = (rows - 1) * row_stride + count;
  if (count <= TILE) {
    ulong row = get_group_id(0) * work, last = min(row + work, rows);
#if SHORT_ROW
    if (count > 0 && count <= SHORT_ROW)
      row = clred_rows_together(in, (uint)count, rows, row_stride, row, last, out + out_index);
#endif
    for (; row < last; row++) {
      in.origin = row * row_stride;
#if PREFETCHES
      for (ulong at = 0; at < count; at += ELEMENTS_PER_LINE)
        PREFETCH(in.elements + in.origin + at);
#endif
#if SHORT_ROWS && VECTOR > 1 && !IN_ORDER
      if (count < LANES_PER_TILE)
        out[out_index + row] = clred_lower(clred_part_of_row(in, 0, (uint)count));
      else
#endif
        out[out_index + row] = clred_lower(clred_tile(in, 0, count));
    }
    return;
  }
  ulong parts = ((count + TILE - 1) / TILE + span - 1) / span;
#endif
  ulong end = min((get_group_id(0) + 1) * work, rows * parts);
  for (ulong unit = get_group_id(0) * work; unit < end; unit++) {
#if SOURCE_IS_STATES
    STATE state = clred_fold_list_states(source, first + unit * count, 1, count);
#else
    STATE state = clred_row_elements(in, unit / parts * row_stride, count, unit % parts * span, span);
#endif
    if (parts == 1)
      out[out_index + unit] = clred_lower(state);
    else
      scratch[target + unit] = state;
  }
}
