// columns_chunked: reductions of rows that are columns of an array, on CPU-like devices, in the order fixed/1. A part
// of a row is a run of `span` lanes (a power of two). A unit is the same part of each of BLOCK neighbouring columns. A
// work-item folds `work` units one after another, with explicit vectors across the columns. If a row has one part, its
// node becomes the result. Otherwise the parts are partials in scratch, as [row][part][column], and NAME_states folds
// them.
//   rows, columns, row_stride, stride   as in clred_call

#include "group/deliver.clh"
#include "group/run_states.clh"
#include "group/column_blocks.clh"
#include "common/kernel.clh"

#undef TAKEN
#undef PARTS
#if SOURCE_IS_STATES
#define TAKEN 1
#define PARTS 1
#else
#define TAKEN BLOCK
#define PARTS ((clred_all_lanes(count) + span - 1) / span)
#endif

ENTRY(clred_columns_chunked)(ARGUMENTS)
{
  ONE_ITEM
  ulong parts = PARTS, blocks = (columns + TAKEN - 1) / TAKEN;
  ulong end = min((get_group_id(0) + 1) * work, rows * parts * blocks);
  for (ulong unit = get_group_id(0) * work; unit < end; unit++) {
    STATE nodes[TAKEN];
    ulong column = unit % blocks * TAKEN, part = unit / blocks % parts, row = unit / blocks / parts;
#if SOURCE_IS_STATES
    nodes[0] = clred_fold_list_states(source, first + row * count * columns + column, columns, count);
#else
    clred_take_columns(INPUT_NOW, row * row_stride, count, part * span, min(span, clred_all_lanes(count) - part * span),
                       column, columns, nodes);
#endif
    for (uint c = 0; c < TAKEN && column + c < columns; c++) {
      if (parts == 1)
        out[out_index + row * columns + column + c] = clred_lower(nodes[c]);
      else
        scratch[target + (row * parts + part) * columns + column + c] = nodes[c];
    }
  }
}
