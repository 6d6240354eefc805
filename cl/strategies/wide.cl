// wide: reductions in the order fixed/1 on GPU-like devices. Neighbouring work-items read neighbouring vectors of
// VECTOR elements, ROWS_AT_ONCE rows at a time. A group folds the columns of `span` tiles (a power of two) in adjacent
// pairs (group/nodes.clh, group/exact.clh). One group folds the partials (group/hand_over.clh). NAME_states folds a
// list of partials, as one group.

#include "group/deliver.clh"
#include "group/hand_over.clh"
#if SOURCE_IS_STATES || !EXACT
#include "group/list_states.clh"
#endif
#if !SOURCE_IS_STATES
#if EXACT
#include "group/exact.clh"
#else
#include "group/list_elements.clh"
#endif
#endif
#include "common/kernel.clh"

#undef WIDE_ROOM
#undef FOLD_COLUMNS
#undef FOLD_PARTIALS
#if EXACT && !SOURCE_IS_STATES
#define WIDE_ROOM __local NODE nodes[ROOM_OF_ITEMS]
#define FOLD_COLUMNS(in, count, begin, node_count) clred_fold_columns(in, count, begin, node_count, nodes)
#define FOLD_PARTIALS(list, groups, state) clred_fold_handed_over(list, groups, span * TILE, nodes, state)
#else
#define WIDE_ROOM __local STATE nodes[NODE_ROOM], stack[STACK]
#define FOLD_COLUMNS(in, count, begin, node_count) clred_fold_list_elements(in, count, begin, node_count, nodes, stack)
#define FOLD_PARTIALS(list, groups, state) clred_fold_in_order(list, groups, nodes, stack, state)
#endif

#if !SOURCE_IS_STATES && !EXACT
bool clred_fold_in_order(struct clred_partials list, uint groups, __local STATE *nodes, __local STATE *stack,
                              __private STATE *state)
{
  *state = clred_fold_list_states(list, groups, 0, groups, nodes, stack);
  return get_local_id(0) == 0;
}
#endif

ENTRY(clred_wide)(ARGUMENTS)
{
  WIDE_ROOM;
  bool leads = get_local_id(0) == 0;
  bool alone = IS_ALONE;
#if SOURCE_IS_STATES
  STATE state = clred_fold_list_states(clred_left_in(source + first), count, 0, count, nodes, stack);
#else
  uint begun = leads && !alone && !KEEPS_STATES ? clred_begun(ticket) : 0;
  ulong tile = work + get_group_id(0) * span;
  ulong node_count = clred_node_count_elements(count, tile, span);
  struct clred_in in = INPUT_FROM(work * TILE);
  STATE state = clred_found_elements(in, count, FOLD_COLUMNS(in, count, tile * COLUMNS, node_count));
#endif
  // Computed here: above the loops the pointer would occupy registers, and sums of doubles would take 7 % longer.
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP && !SOURCE_IS_STATES
  __local uint flag;
  if (leads) {
    flag = 0;
    if (alone)
      out[out_index] = clred_lower(state);
    else if (KEEPS_STATES)
      partials[get_group_id(0)] = state;
    else
      flag = clred_hand_over(partials, ticket, begun, NODE_OF(state, tile * TILE));
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (flag && FOLD_PARTIALS(clred_handed_over(partials, ticket), get_num_groups(0), &state))
    out[out_index] = clred_lower(state);
#else
  if (leads && alone)
    out[out_index] = clred_lower(state);
  else if (leads)
    partials[get_group_id(0)] = state;
#endif
}
