// bottom_up: each launch combines pairs of values that are `span` apart; work-item i combines the pair that begins at 2
// x span x i. The next launch has twice the span. The first launch (span 1) reads elements and writes one state for
// each pair. The later launches fold these states in place; their `count` is the number of states. If one value is
// left, the launch writes the result. Needs at least ceil(count / (2 span)) work-items; no barrier, no local memory.

#include "group/deliver.clh"
#include "common/kernel.clh"

ENTRY(clred_bottom_up)(ARGUMENTS)
{
  ulong pair = get_global_id(0);
  ulong left = pair * 2 * span;
  if (left >= count)
    return;
  STATE state = LOAD(left);
  if (left + span < count)
    state = clred_combine(state, LOAD(left + span));
  if (count <= 2 * span)
    out[out_index] = clred_lower(state);
  else
    scratch[target + (SOURCE_IS_STATES ? left : pair)] = state;
}
