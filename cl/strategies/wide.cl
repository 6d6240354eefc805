// wide: the order fixed/1 for GPU-like devices. Neighbouring work-items read neighbouring words of VECTOR elements, all
// rows of a tile's column in flight at once; one launch, and one of its groups folds the partials (hand_over.clh).
// A group takes `span` tiles (a power of two): one node of the tree. Its nodes are a list of columns, tile after tile, and
// adjacent pairs over that list are adjacent pairs over lanes and then over tiles, because only the last tile of all may
// lack columns. Launched as ceil(tiles / span) groups. NAME_states folds a list of partials, as one group.

ENTRY(wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
  __local STATE stack[STACK];
  __local uint flag;
  bool leads = get_local_id(0) == 0;
  bool alone = IS_ALONE;
#if SOURCE_IS_STATES
  STATE state = clred_fold_list_states(clred_left_in(source + first), count, 0, count, nodes, stack);
#else
  uint begun = leads && !alone && !KEEPS_STATES ? clred_begun(ticket) : 0;
  ulong tile = work + get_group_id(0) * span;
  ulong node_count = clred_node_count_elements(count, tile, span);
  struct clred_in in = INPUT_FROM(work * TILE);
  STATE state = clred_found_elements(in, count, clred_fold_list_elements(in, count, tile * COLUMNS, node_count, nodes, stack));
#endif
  // Asked for above the loops, what becomes of the partial takes registers from them: sums of doubles took 7 % more time.
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP && !SOURCE_IS_STATES
  if (leads) {
    flag = 0;
    if (alone)
      out[out_index] = clred_lower(state);
    else if (KEEPS_STATES)
      partials[get_group_id(0)] = state;
    else
      flag = clred_hand_over(partials, ticket, begun, state);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (flag) {
    state = clred_fold_list_states(clred_handed_over(partials, ticket), get_num_groups(0), 0, get_num_groups(0), nodes, stack);
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
