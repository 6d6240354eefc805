// chunked: the order fixed/1 for CPU-like devices. Each work-item walks one long contiguous run of tiles with explicit
// vectors of VECTOR elements; groups of one work-item, no barrier, no local memory.
//   LANES, ROWS   the tile: ROWS x LANES elements, LANES / VECTOR vectors side by side
// A work-item takes `span` tiles (a power of two): one node of the tree. Launched as ceil(tiles / span) groups of one.
// NAME_states folds a list of partials, as one work-item.

#define VECTORS (LANES / VECTOR)

#if SOURCE_IS_STATES
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
#define STATES JOIN(STATE, VECTOR)
#define LIFT JOIN(clred_lift_, VECTOR)
#define COMBINE JOIN(clred_combine_, VECTOR)
#define PAIRS JOIN(clred_pairs_, VECTOR)
#define VLOAD JOIN(vload, VECTOR)

// The node of a full tile: rows onto each other; then neighbouring lanes, first across vectors, which halves their
// number, and in the last vector within it.
STATE clred_tile(__global const ELEMENT *tile, ulong index)
{
  STATES lanes[VECTORS];
  for (uint v = 0; v < VECTORS; v++)
    lanes[v] = LIFT(VLOAD(v, tile), index + v * VECTOR);
  for (uint row = 1; row < ROWS; row++)
    for (uint v = 0; v < VECTORS; v++)
      lanes[v] = COMBINE(lanes[v], LIFT(VLOAD(v, tile + row * LANES), index + row * LANES + v * VECTOR));
  for (uint half_length = VECTORS / 2; half_length > 0; half_length /= 2)
    for (uint v = 0; v < half_length; v++)
      lanes[v] = COMBINE((STATES)(lanes[2 * v].even, lanes[2 * v + 1].even),
                         (STATES)(lanes[2 * v].odd, lanes[2 * v + 1].odd));
  return PAIRS(lanes[0]);
}

// The node of the last tile, which holds `present` elements.
STATE clred_part_of_tile(__global const ELEMENT *tile, ulong index, ulong present)
{
  STATE stack[PAIRS_DEPTH];
  uint depth = 0;
  for (ulong lane = 0; lane < LANES && lane < present; lane++) {
    STATE state = clred_lift(tile[lane], index + lane);
    for (ulong i = lane + LANES; i < present; i += LANES)
      state = clred_combine(state, clred_lift(tile[i], index + i));
    depth = clred_pairs_push(stack, depth, lane, state);
  }
  return clred_pairs_root(stack, depth);
}

STATE clred_node_elements(__global const ELEMENT *source, ulong first, ulong count, ulong tile)
{
  ulong element = tile * (ROWS * LANES);
  if (count - element >= ROWS * LANES)
    return clred_tile(source + first + element, element);
  return clred_part_of_tile(source + first + element, element, count - element);
}

// Tiles from `begin` on, at most span.
ulong clred_node_count_elements(ulong count, ulong begin, ulong span)
{
  return min((count + ROWS * LANES - 1) / (ROWS * LANES) - begin, span);
}
#endif

STATE OWN(clred_fold_list)(__global SOURCE *source, ulong first, ulong count, ulong begin, ulong node_count)
{
  STATE stack[PAIRS_DEPTH];
  uint depth = 0;
  for (ulong i = 0; i < node_count; i++)
    depth = clred_pairs_push(stack, depth, i, OWN(clred_node)(source, first, count, begin + i));
  return clred_pairs_root(stack, depth);
}

ENTRY(chunked)(ARGUMENTS)
{
  ulong tile = SOURCE_IS_STATES ? 0 : get_group_id(0) * span;
  STATE state = OWN(clred_fold_list)(source, first, count, tile, OWN(clred_node_count)(count, tile, span));
  if (IS_ALONE) {
    out[out_index] = clred_lower(state);
    return;
  }
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP && !SOURCE_IS_STATES
  clred_publish(partials + get_group_id(0), state);
  if (clred_is_last_group(ticket))
    out[out_index] = clred_lower(clred_fold_list_states(partials, 0, get_num_groups(0), 0, get_num_groups(0)));
#else
  partials[get_group_id(0)] = state;
#endif
}
