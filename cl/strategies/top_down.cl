// top_down: each launch combines the upper half of `count` values with the lower half, which has `span` = ceil(count /
// 2) values. The next launch does the same with the `span` values that are left. The first launch reads elements and
// writes states; the later launches fold these states in place. If one value is left, the launch writes the result.
// Launched as at least `span` work-items; no barrier, no local memory.

#include "group/deliver.clh"
#include "common/kernel.clh"

ENTRY(clred_top_down)(ARGUMENTS)
{
  ulong i = get_global_id(0);
  if (i >= span)
    return;
  STATE state = LOAD(i);
  if (i + span < count)
    state = clred_combine(state, LOAD(i + span));
  if (span == 1)
    out[out_index] = clred_lower(state);
  else
    scratch[target + i] = state;
}
