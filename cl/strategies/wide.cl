// wide: the order fixed/1 for GPU-like devices. Neighbouring work-items read neighbouring words of VECTOR elements, all
// rows of a tile's column in flight at once; one launch, and the last group to finish folds the partials.
//   LANES, ROWS   the tile: ROWS x LANES elements; a column is VECTOR lanes wide, so a tile has LANES / VECTOR columns
//   NODES         columns a group folds in one turn, one node each; a power of two
// A group takes `span` tiles (a power of two): one node of the tree. Its nodes are a list of columns, tile after tile, and
// adjacent pairs over that list are adjacent pairs over lanes and then over tiles, because only the last tile of all may
// lack columns. Launched as ceil(tiles / span) groups. NAME_states folds a list of partials, as one group.

#define RADIX 8
#define COLUMNS (LANES / VECTOR)

#if SOURCE_IS_STATES
// One work-item folds up to RADIX nodes that lie `apart` from each other, in adjacent pairs; nodes at `present` or beyond
// are absent.
STATE clred_fold_neighbours(__local STATE *nodes, uint begin, uint apart, uint present)
{
  STATE held[RADIX];
  for (uint i = 0; i < RADIX; i++)
    held[i] = nodes[min(begin + i * apart, (uint)(NODES - 1))];
  for (uint half_length = 1; half_length < RADIX; half_length *= 2)
    for (uint i = 0; i + half_length < RADIX; i += 2 * half_length)
      if (begin + (i + half_length) * apart < present)
        held[i] = clred_combine(held[i], held[i + half_length]);
  return held[0];
}

// Folds nodes[0 .. present) in adjacent pairs into nodes[0], which work-item 0 may read without a further barrier.
void clred_fold_nodes(__local STATE *nodes, uint present)
{
  for (uint apart = 1; apart < NODES; apart *= RADIX) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i * RADIX * apart < present; i += GROUP_SIZE)
      nodes[i * RADIX * apart] = clred_fold_neighbours(nodes, i * RADIX * apart, apart, present);
  }
}

STATE clred_node_states(__global STATE *source, ulong first, ulong count, ulong index)
{
#if FINISH == FINISH_LAST_GROUP
  return clred_fetch(source + first + index);
#else
  return source[first + index];
#endif
}

ulong clred_node_count_states(ulong count, ulong begin, ulong span)
{
  return count;
}
#else
// The node of one column of the last tile, which holds `present` elements from `element` on.
STATE clred_part_of_column(__global const ELEMENT *source, ulong first, ulong element, ulong present, uint lane)
{
  STATE stack[PAIRS_DEPTH];
  uint depth = 0;
  for (uint i = 0; i < VECTOR && lane + i < present; i++) {
    ulong at = element + lane + i;
    STATE state = clred_lift(source[first + at], at);
    for (ulong row = LANES; row + lane + i < present; row += LANES)
      state = clred_combine(state, clred_lift(source[first + at + row], at + row));
    depth = clred_pairs_push(stack, depth, i, state);
  }
  return clred_pairs_root(stack, depth);
}

#define ELEMENTS JOIN(ELEMENT, VECTOR)
#define STATES JOIN(STATE, VECTOR)
#define LIFT JOIN(clred_lift_, VECTOR)
#define COMBINE JOIN(clred_combine_, VECTOR)
#define PAIRS JOIN(clred_pairs_, VECTOR)
#define VLOAD JOIN(vload, VECTOR)

// The node of one column of a full tile. A vector type promises its own alignment, which makes the load one
// instruction; a range that begins anywhere else is read by vload, which promises an element's.
STATE clred_column(__global const ELEMENT *column, ulong index)
{
  ELEMENTS row[ROWS];
  if (((size_t)column & (VECTOR * ELEMENT_SIZE - 1)) == 0) {
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
      row[r] = *(__global const ELEMENTS *)(column + r * LANES);
  } else {
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
      row[r] = VLOAD(0, column + r * LANES);
  }
  STATES lanes = LIFT(row[0], index);
#pragma unroll
  for (uint r = 1; r < ROWS; r++)
    lanes = COMBINE(lanes, LIFT(row[r], index + r * LANES));
  return PAIRS(lanes);
}

STATE clred_node_elements(__global const ELEMENT *source, ulong first, ulong count, ulong index)
{
  ulong element = index / COLUMNS * (ROWS * LANES);
  uint lane = (uint)(index % COLUMNS) * VECTOR;
  if (count - element >= ROWS * LANES)
    return clred_column(source + first + element + lane, element + lane);
  return clred_part_of_column(source, first, element, count - element, lane);
}

// Columns that tiles begin .. begin + span have between them.
ulong clred_node_count_elements(ulong count, ulong begin, ulong span)
{
  ulong left = count - begin * (ROWS * LANES);
  if (left >= span * (ROWS * LANES))
    return span * COLUMNS;
  ulong in_last = min(left % (ROWS * LANES), (ulong)LANES);
  return left / (ROWS * LANES) * COLUMNS + (in_last + VECTOR - 1) / VECTOR;
}
#endif

// Folds nodes begin .. begin + node_count of the source's list; the result counts in work-item 0.
STATE OWN(clred_fold_list)(__global SOURCE *source, ulong first, ulong count, ulong begin, ulong node_count,
                           __local STATE *nodes)
{
  STATE stack[PAIRS_DEPTH];
  uint depth = 0;
  for (ulong turn = 0; turn * NODES < node_count; turn++) {
    uint present = (uint)min(node_count - turn * NODES, (ulong)NODES);
    for (uint i = get_local_id(0); i < present; i += GROUP_SIZE)
      nodes[i] = OWN(clred_node)(source, first, count, begin + turn * NODES + i);
    clred_fold_nodes(nodes, present);
    if (get_local_id(0) == 0)
      depth = clred_pairs_push(stack, depth, turn, nodes[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return get_local_id(0) == 0 ? clred_pairs_root(stack, depth) : (STATE)IDENTITY;
}

ENTRY(wide)(ARGUMENTS)
{
  __local STATE nodes[NODES];
  __local uint flag;
  ulong tile = get_group_id(0) * span;
  ulong node_count = OWN(clred_node_count)(count, tile, span);
  STATE state = OWN(clred_fold_list)(source, first, count, SOURCE_IS_STATES ? 0 : tile * COLUMNS, node_count, nodes);
  bool leads = get_local_id(0) == 0;
  bool alone = IS_ALONE;
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP && !SOURCE_IS_STATES
  if (leads) {
    flag = 0;
    if (alone) {
      out[out_index] = clred_lower(state);
    } else {
      clred_publish(partials + get_group_id(0), state);
      flag = clred_is_last_group(ticket);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (flag) {
    DEVICE_FENCE();
    state = clred_fold_list_states(partials, 0, get_num_groups(0), 0, get_num_groups(0), nodes);
    if (leads)
      out[out_index] = clred_lower(state);
  }
#else
  if (leads && alone)
    out[out_index] = clred_lower(state);
  else if (leads)
    partials[get_group_id(0)] = state;
#endif
}
