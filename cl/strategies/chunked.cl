// chunked: reductions in the order fixed/1 on CPU-like devices. Each work-item folds `span` neighbouring tiles (a power
// of two) into one node of the tree, with explicit vectors of VECTOR elements. Launched as ceil(tiles / span) groups of
// one work-item; no barrier, no local memory. NAME_states folds a list of partials, as one work-item.
//   HAS_BINS   1: the order exact adds elements in bins (exact/rows.clh), not by vectors

#include "group/deliver.clh"
#if HAS_BINS
#include "exact/rows.clh"
#else
#include "group/vector_tiles.clh"
#endif
#if SOURCE_IS_STATES || FINISH == FINISH_LAST_GROUP
#include "group/run_states.clh"
#endif
#include "common/kernel.clh"

ENTRY(clred_chunked)(ARGUMENTS)
{
  ONE_ITEM
#if SOURCE_IS_STATES
  STATE state = clred_fold_list_states(source, first, 1, count);
#else
  struct clred_in in = INPUT_FROM(work * TILE);
  STATE state = clred_row_elements(in, in.origin, count, work + get_group_id(0) * span, span);
#endif
  if (IS_ALONE) {
    out[out_index] = clred_lower(state);
    return;
  }
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP && !SOURCE_IS_STATES
  clred_publish(partials + get_group_id(0), state);
  if (!KEEPS_STATES && clred_is_last_group(ticket))
    out[out_index] = clred_lower(clred_fold_list_states(partials, 0, 1, get_num_groups(0)));
#else
  partials[get_group_id(0)] = state;
#endif
}
