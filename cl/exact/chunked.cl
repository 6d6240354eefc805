// chunked in the order exact (strategies/chunked.cl): a work-item keeps its sums in bins (exact/run.clh) over all its
// tiles. It may do so because integer sums do not depend on the order of additions.

#include "exact/run.clh"
#include "group/deliver.clh"
#if FINISH == FINISH_LAST_GROUP
#include "group/run_states.clh"
#endif
#include "common/kernel.clh"

#define TILE (ROWS * LANES_PER_TILE)

ENTRY(clred_chunked)(ARGUMENTS)
{
  ONE_ITEM
  ulong tile = work + get_group_id(0) * span;
  struct clred_in in = INPUT_FROM(work * TILE);
  STATE state = clred_exact_run(in, in.origin + tile * TILE, min(count - tile * TILE, span * TILE));
  if (IS_ALONE) {
    out[out_index] = clred_lower(state);
    return;
  }
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP
  clred_publish(partials + get_group_id(0), state);
  if (!KEEPS_STATES && clred_is_last_group(ticket))
    out[out_index] = clred_lower(clred_fold_list_states(partials, 0, get_num_groups(0)));
#else
  partials[get_group_id(0)] = state;
#endif
}
