// rows_wide: many rows along the fastest axis on GPU-like devices, each row in the order fixed/1. A unit is a run of
// `span` tiles (a power of two) of one row. A group folds `work` units (a power of two), each of which has NODES / work
// places for its nodes. So a group may fold many short rows or one long row. If `work` is 1, the unit may have more
// than NODES nodes. If a row has one unit, its node becomes the result. Otherwise the units of a row are partials side
// by side, and NAME_states folds them.
//   rows, row_stride   the number of rows, and the distance between them

#include "group/deliver.clh"
#include "group/list_elements.clh"
#include "group/list_states.clh"
#include "common/kernel.clh"

#undef PARTS
#undef ROW
#undef BEGIN
#undef UNIT_NODES
#if SOURCE_IS_STATES
#define PARTS 1
#define ROW(row) clred_left_in(source + first + (row) * count)
#define BEGIN(part) 0
#define UNIT_NODES(part) count
#else
#define PARTS (((count + TILE - 1) / TILE + span - 1) / span)
#define ROW(row) clred_row(INPUT_NOW, (row) * row_stride)
#define BEGIN(part) ((part) * span * COLUMNS)
#define UNIT_NODES(part) clred_node_count_elements(count, (part) * span, span)

struct clred_in clred_row(struct clred_in in, ulong origin)
{
  struct clred_in row = in;
  row.origin = origin;
  return row;
}
#endif

// Folds four places, `apart` places apart, in adjacent pairs. The first is place `place` of its unit.
STATE OWN(clred_fold_four)(__local const STATE *nodes, uint apart, uint place, uint present)
{
  STATE a = nodes[0], b = nodes[apart], c = nodes[2 * apart], d = nodes[3 * apart];
  if (place + apart < present)
    a = clred_combine(a, b);
  if (place + 3 * apart < present)
    c = clred_combine(c, d);
  return place + 2 * apart < present ? clred_combine(a, c) : a;
}

// Folds the places of each unit in adjacent pairs. Each unit has `present` nodes; `end` is the end of the last unit.
void OWN(clred_fold_places)(__local STATE *nodes, uint end, uint places, uint present)
{
  uint apart = 1;
  for (; 4 * apart <= places; apart *= 4) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0) * 4 * apart; i < end; i += GROUP_SIZE * 4 * apart)
      nodes[i] = OWN(clred_fold_four)(nodes + i, apart, i & (places - 1), present);
  }
  if (apart == places)
    return;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0) * 2 * apart; i < end; i += GROUP_SIZE * 2 * apart)
    if ((i & (places - 1)) + apart < present)
      nodes[i] = clred_combine(nodes[i], nodes[i + apart]);
}

// For rows that consist of whole vectors and are no longer than a tile row. Each node is one load, and a work-item has
// all of its loads in flight at once. After the last row, work-items fold the last row again; these nodes are not used.
#if !SOURCE_IS_STATES && VECTOR > 1 && !IN_ORDER && NODES >= GROUP_SIZE
#define NODES_PER_ITEM (NODES / GROUP_SIZE)
#undef SHORTEST
#define SHORTEST 1
void clred_one_load_each(struct clred_in in, ulong row, ulong rows, ulong row_stride, uint node, uint rows_per_turn,
                         __local STATE *nodes)
{
  FULL_HELD held[NODES_PER_ITEM];
  bool aligned = JOIN(clred_is_aligned_, VECTOR)(in, 0) && row_stride % VECTOR == 0;
#pragma unroll
  for (uint i = 0; i < NODES_PER_ITEM; i++) {
    struct clred_in at = clred_row(in, min(row + i * rows_per_turn, rows - 1) * row_stride);
    held[i] = aligned ? HOLD_ALIGNED(at, node * VECTOR) : HOLD(at, node * VECTOR);
  }
#pragma unroll
  for (uint i = 0; i < NODES_PER_ITEM; i++)
    nodes[get_local_id(0) + i * GROUP_SIZE] = JOIN(clred_pairs_, VECTOR)(
      JOIN(clred_moved_, VECTOR)(LIFT_HELD(held[i], node * VECTOR, 0, in), node * VECTOR));
}
#else
#undef SHORTEST
#define SHORTEST 0
#endif

ENTRY(clred_rows_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
  __local STATE stack[STACK];
  DIVIDE_HERE
  uint item = get_local_id(0), units = (uint)work, places = NODES / units, places_log2 = 31 - clz(places);
  ulong parts = PARTS, first_unit = get_group_id(0) * (ulong)units, all_units = rows * parts;
  if (units == 1) {
    ulong part = first_unit % parts;
    STATE state = OWN(clred_fold_list)(ROW(first_unit / parts), count, BEGIN(part), UNIT_NODES(part), nodes, stack);
    if (item == 0)
      nodes[0] = state;
  } else if (parts == 1 && places <= GROUP_SIZE) {
    // Each work-item folds node number `node` of one row after another.
    uint node = item & (places - 1), node_count = (uint)UNIT_NODES(0), rows_per_turn = GROUP_SIZE >> places_log2;
    ulong row = first_unit + (item >> places_log2);
#if SHORTEST
    if (count <= LANES_PER_TILE && count % VECTOR == 0)
      clred_one_load_each(INPUT_NOW, row, rows, row_stride, min(node, node_count - 1), rows_per_turn, nodes);
    else
#endif
#pragma unroll 4
    for (uint i = item; i < NODES; i += GROUP_SIZE, row += rows_per_turn)
      if (row < rows && node < node_count)
        nodes[i] = OWN(clred_node)(ROW(row), count, node);
    OWN(clred_fold_places)(nodes, (uint)min((ulong)units, rows - first_unit) << places_log2, places, node_count);
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
    STATE state = OWN(clred_found)(ROW((first_unit + i) / parts), count, nodes[i << places_log2]);
    if (parts == 1)
      out[out_index + first_unit + i] = clred_lower(state);
    else
      scratch[target + first_unit + i] = state;
  }
}
