// columns_wide: reductions of rows that are columns of an array, on GPU-like devices, in the order fixed/1. A part of a
// row is a run of lanes (a power of two). If a row has one part, its node becomes the result. Otherwise the parts are
// partials in scratch, as [row][part][column], and NAME_states folds them.
//   rows, columns, row_stride, stride   as in clred_call
//   work   the width of a group in work-items (a power of two). The work-items of a group are a grid: `work` wide,
//          GROUP_SIZE / work deep. Neighbours along the width fold neighbouring columns of the array, BLOCK columns
//          each. Work-items along the depth fold consecutive runs of `span` lanes (a power of two) of these columns.
//          The nodes of these runs are folded in local memory to one part. NAME_states folds runs of `span` partials.
//          If `work` is 0, a part has `span` lanes, and a group folds this part of all columns (dense_columns.clh)

#include "group/deliver.clh"
#include "group/dense_columns.clh"
#include "common/kernel.clh"

#undef TAKEN
#undef AMONG
#undef PARTS
#if SOURCE_IS_STATES
#define TAKEN 1
#define AMONG count
#define PARTS 1
#define STATE_BATCH 8
// Folds `length` partials of a column, from partial `begin` on. They are `apart` places apart.
void clred_take_states(__global STATE *column, ulong apart, ulong begin, ulong length, __local STATE *to)
{
  STATE stack[RUN_DEPTH], batch[STATE_BATCH];
  uint depth = 0;
  for (ulong i = 0; i < length; i += STATE_BATCH) {
    // Unrolled, so that several loads are in flight before the first state is used.
#pragma unroll
    for (uint j = 0; j < STATE_BATCH; j++)
      batch[j] = column[(begin + min(i + j, length - 1)) * apart];
    for (uint j = 0; j < STATE_BATCH && i + j < length; j++)
      depth = clred_pairs_push(stack, depth, i + j, batch[j]);
  }
  *to = clred_pairs_root(stack, depth);
}
#else
#define TAKEN BLOCK
#define AMONG clred_all_lanes(count)
#define PARTS ((AMONG + span * deep - 1) / (span * deep))
#endif

ENTRY(clred_columns_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
#if DENSE && !SOURCE_IS_STATES
  DIVIDE_HERE
  if (work == 0) {
    ulong lanes = clred_all_lanes(count), dense_parts = (lanes + span - 1) / span;
    ulong first_lane = get_group_id(0) % dense_parts * span;
    struct clred_in in = INPUT_NOW;
    in.origin = get_group_id(0) / dense_parts * row_stride;
    STATE node = clred_dense_part(in, count, (uint)columns, first_lane, min(span, lanes - first_lane), nodes);
    ulong place = get_group_id(0) * columns + get_local_id(0);
    if (get_local_id(0) < columns && dense_parts == 1)
      out[out_index + place] = clred_lower(node);
    else if (get_local_id(0) < columns)
      scratch[target + place] = node;
    DIVIDE_HERE
    return;
  }
#endif
  uint across = (uint)work, deep = GROUP_SIZE / across, x = get_local_id(0) % across, y = get_local_id(0) / across;
  ulong parts = PARTS, blocks = (columns + across * TAKEN - 1) / (across * TAKEN);
  ulong part = get_group_id(0) / blocks % parts, row = get_group_id(0) / blocks / parts;
  ulong column = (get_group_id(0) % blocks * across + x) * TAKEN, begin = (part * deep + y) * span, among = AMONG;
  __local STATE *mine = nodes + get_local_id(0) * TAKEN;
  if (column < columns && begin < among) {
    ulong length = min(span, among - begin);
#if SOURCE_IS_STATES
    clred_take_states(source + first + row * count * columns + column, columns, begin, length, mine);
#else
    clred_take_columns(INPUT_NOW, row * row_stride, count, begin, length, column, columns, mine);
#endif
  }
  for (uint apart = 1; apart < deep; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y % (2 * apart) == 0 && column < columns && begin + apart * span < among)
      for (uint c = 0; c < TAKEN && column + c < columns; c++)
        mine[c] = clred_combine(mine[c], mine[c + apart * across * TAKEN]);
  }
  for (uint c = 0; y == 0 && c < TAKEN && column + c < columns; c++) {
    if (parts == 1)
      out[out_index + row * columns + column + c] = clred_lower(mine[c]);
    else
      scratch[target + (row * parts + part) * columns + column + c] = mine[c];
  }
}
