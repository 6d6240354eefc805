// rows_wide: many rows along the fastest axis on GPU-like devices; every row by itself in the order fixed/1. A unit is a run
// of `span` tiles (a power of two) of one row. `work` units (a power of two) share a group, each with NODES / work places for
// its nodes, so that many short rows fill a group as well as one long one does; a unit alone in its group may take several
// turns. A row of one unit gives its result, one of several leaves partials side by side; NAME_states folds those.
//   rows, row_stride   how many rows, and from one to the next

#undef PARTS
#undef ROW
#undef BEGIN
#undef UNIT_NODES
#if SOURCE_IS_STATES
#define PARTS 1
#define ROW(row) (source + first + (row) * count)
#define BEGIN(part) 0
#define UNIT_NODES(part) count
#else
#define PARTS (((count + TILE - 1) / TILE + span - 1) / span)
#define ROW(row) clred_row(INPUT_NOW, (row) * row_stride)
#define BEGIN(part) ((part) * span * COLUMNS)
#define UNIT_NODES(part) clred_node_count_elements(count, (part) * span, span)

struct clred_in clred_row(struct clred_in in, ulong origin)
{
  in.origin = origin;
  return in;
}
#endif

// Adjacent pairs within each unit's places, of which `present` are taken. Places of units that are not there may be combined
// too: nobody looks at them.
void OWN(clred_fold_places)(__local STATE *nodes, uint places, uint present)
{
  for (uint apart = 1; apart < places; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0) * 2 * apart; i < NODES; i += GROUP_SIZE * 2 * apart)
      if ((i & (places - 1)) + apart < present)
        nodes[i] = clred_combine(nodes[i], nodes[i + apart]);
  }
}

ENTRY(rows_wide)(ARGUMENTS)
{
  __local STATE nodes[NODES];
  __local STATE stack[STACK];
  uint item = get_local_id(0), units = (uint)work, places = NODES / units, places_log2 = 31 - clz(places);
  ulong parts = PARTS, first_unit = get_group_id(0) * (ulong)units, all_units = rows * parts;
  if (units == 1) {
    ulong part = first_unit % parts;
    STATE state = OWN(clred_fold_list)(ROW(first_unit / parts), count, BEGIN(part), UNIT_NODES(part), nodes, stack);
    if (item == 0)
      nodes[0] = state;
  } else if (parts == 1 && places <= GROUP_SIZE) {
    // Every work-item meets the same node of one row after another.
    uint node = item & (places - 1), node_count = (uint)UNIT_NODES(0), rows_a_turn = GROUP_SIZE >> places_log2;
    ulong row = first_unit + (item >> places_log2);
#pragma unroll 4
    for (uint i = item; i < NODES; i += GROUP_SIZE, row += rows_a_turn)
      if (row < rows && node < node_count)
        nodes[i] = OWN(clred_node)(ROW(row), count, node);
    OWN(clred_fold_places)(nodes, places, node_count);
  } else {
    for (uint i = item; i < NODES; i += GROUP_SIZE) {
      ulong unit = first_unit + (i >> places_log2), part = unit % parts;
      uint node = i & (places - 1);
      if (unit < all_units && node < UNIT_NODES(part))
        nodes[i] = OWN(clred_node)(ROW(unit / parts), count, BEGIN(part) + node);
    }
    for (uint apart = 1; apart < places; apart *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint i = item * 2 * apart; i < NODES; i += GROUP_SIZE * 2 * apart) {
        ulong unit = first_unit + (i >> places_log2);
        if (unit < all_units && (i & (places - 1)) + apart < UNIT_NODES(unit % parts))
          nodes[i] = clred_combine(nodes[i], nodes[i + apart]);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < units && first_unit + i < all_units; i += GROUP_SIZE) {
    if (parts == 1)
      out[out_index + first_unit + i] = clred_lower(nodes[i << places_log2]);
    else
      scratch[target + first_unit + i] = nodes[i << places_log2];
  }
}
