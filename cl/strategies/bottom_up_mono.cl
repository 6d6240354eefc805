// bottom_up_mono: the launches of bottom_up as rounds of a loop in one work-group, with barriers between rounds. The
// first round reads the source and writes one state for each pair to scratch[target ...]. Launched as exactly one
// group.

#include "group/deliver.clh"
#include "common/kernel.clh"

ENTRY(clred_bottom_up_mono)(ARGUMENTS)
{
  __global STATE *states = scratch + target;
  ulong item = get_local_id(0);
  for (ulong pair = item; 2 * pair < count; pair += GROUP_SIZE) {
    STATE state = LOAD(2 * pair);
    if (2 * pair + 1 < count)
      state = clred_combine(state, LOAD(2 * pair + 1));
    states[pair] = state;
  }
  ulong left = (count + 1) / 2;
  for (ulong stride = 1; stride < left; stride *= 2) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (ulong i = item * 2 * stride; i + stride < left; i += 2 * stride * GROUP_SIZE)
      states[i] = clred_combine(states[i], states[i + stride]);
  }
  if (item == 0)
    out[out_index] = clred_lower(states[0]);
}
