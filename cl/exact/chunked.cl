// chunked in the order exact (strategies/chunked.cl): a work-item keeps its sums in bins (exact/run.clh) over all its
// tiles. It may do so because integer sums do not depend on the order of additions.

#include "exact/run.clh"
#include "group/deliver.clh"
#if FINISH == FINISH_LAST_GROUP
#include "group/run_states.clh"
#endif
#include "words/kernel.clh"

#define TILE (ROWS * LANES_A_TILE)

// The state of `count` neighbouring elements, from element `first` of the row on.
STATE clred_exact_run(struct clred_in in, ulong first, ulong count)
{
  STATE state = clred_identity();
  ulong at = in.origin + first, rows = count / BIN_LANES;
  struct clred_parts sums[SUMS];
  for (uint sum = 0; sum < SUMS; sum++)
    clred_parts_clear(&sums[sum]);
  clred_run_rows(sums, in, at, rows);
  clred_run_integers(sums, in, at + rows * BIN_LANES, (uint)(count % BIN_LANES));
  sums[0].flags |= clred_run_flags(in, at, count, 1);
  clred_parts_get(&sums[0], state.sum.words, BIN_WORDS);
#if BINS_SQUARES
  clred_parts_get(&sums[1], state.squares.words, PRODUCT_WORDS);
#endif
#if BINS_COUNT
  state.count = count;
#endif
  return state;
}

ENTRY(clred_chunked)(ARGUMENTS)
{
  ulong tile = work + get_group_id(0) * span;
  STATE state = clred_exact_run(INPUT_FROM(work * TILE), tile * TILE, min(count - tile * TILE, span * TILE));
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
