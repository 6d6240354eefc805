// chunked: reductions in the order fixed/1 on CPU-like devices. Each work-item folds `span` neighbouring tiles (a power
// of two) into one node of the tree, with explicit vectors of VECTOR elements. Launched as ceil(tiles / span) groups of
// one work-item; no barrier, no local memory. NAME_states folds a list of partials, as one work-item.

#include "group/deliver.clh"
#include "group/vector_tiles.clh"
#if SOURCE_IS_STATES || FINISH == FINISH_LAST_GROUP
#include "group/run_states.clh"
#endif
#include "common/kernel.clh"

#if !SOURCE_IS_STATES
// Folds `tiles` tiles, from tile `begin` on.
STATE clred_fold_tiles(struct clred_in in, ulong count, ulong begin, ulong tiles)
{
  STATE stack[PAIRS_DEPTH];
  uint depth = 0;
  for (ulong i = 0; i < tiles; i++)
    depth = clred_pairs_push(stack, depth, i, clred_tile(in, (begin + i) * TILE,
                                                         min(count - (begin + i) * TILE, (ulong)TILE)));
  return clred_pairs_root(stack, depth);
}
#endif

ENTRY(clred_chunked)(ARGUMENTS)
{
  ONE_ITEM
#if SOURCE_IS_STATES
  STATE state = clred_fold_list_states(source, first, count);
#else
  ulong tile = work + get_group_id(0) * span;
  STATE state = clred_fold_tiles(INPUT_FROM(work * TILE), count, tile, min((count + TILE - 1) / TILE - tile, span));
#endif
  if (IS_ALONE) {
    out[out_index] = clred_lower(state);
    return;
  }
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP && !SOURCE_IS_STATES
  clred_publish(partials + get_group_id(0), state);
  if (!KEEPS_STATES && clred_is_last_group(ticket))
    out[out_index] = clred_lower(clred_fold_list_states(partials, 0, get_num_groups(0)));
#else
  partials[get_group_id(0)] = state;
#endif
}
