// wide in the order exact (strategies/wide.cl): each work-item keeps sums in bins (exact/run.clh) over all its rows
// of the group's tiles. What leaves the bins is added to the group's integer in local memory (exact/limbs.clh).

#define BIN_ROW_STEP (GROUP_SIZE * BIN_LANES)
#define BIN_LANES_AT_ONCE 2
#define SINK volatile __local uint *
#define SINK_ADD(words, term) clred_limbs_add_term(words, BIN_WORDS, term)
#include "exact/limbs.clh"
#include "exact/run.clh"
#include "group/deliver.clh"
#include "group/hand_over.clh"
#include "group/list_states.clh"
#include "words/kernel.clh"

// The state of `count` neighbouring elements, from element `first` of the row on. Work-item 0 gets it.
STATE clred_exact_group(struct clred_in in, ulong first, ulong count, __local uint *limbs)
{
  STATE state = clred_identity();
  ulong at = in.origin + first, rows = count / BIN_LANES;
  uint item = (uint)get_local_id(0);
  clred_limbs_clear(limbs, BIN_WORDS);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < rows)
    clred_run_rows(limbs, in, at + item * BIN_LANES, (rows - item + GROUP_SIZE - 1) / GROUP_SIZE);
  if (item == 0)
    clred_run_integers(limbs, in, at + rows * BIN_LANES, (uint)(count % BIN_LANES));
  if (item < count)
    atomic_or(limbs + 2 * BIN_WORDS,
              (uint)(clred_run_flags(in, at + item, count - item, GROUP_SIZE) >> EXACT_VALUE_BITS));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    clred_limbs_get(limbs, BIN_WORDS, state.sum.words);
#if BINS_COUNT
  state.count = count;
#endif
  return state;
}

ENTRY(clred_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM], stack[STACK];
  __local uint limbs[2 * BIN_WORDS + 1];
  __local uint flag;
  bool leads = get_local_id(0) == 0;
  bool alone = IS_ALONE;
  uint begun = leads && !alone && !KEEPS_STATES ? clred_begun(ticket) : 0;
  ulong tile = work + get_group_id(0) * span;
  STATE state = clred_exact_group(INPUT_FROM(work * TILE), tile * TILE, min(count - tile * TILE, span * TILE), limbs);
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP
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
  if (flag) {
    uint groups = (uint)get_num_groups(0);
    state = clred_fold_list_states(clred_handed_over(partials, ticket), groups, 0, groups, nodes, stack);
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
