// top_down_mono: the launches of top_down as rounds of a loop in one work-group, with barriers between rounds. The
// first round reads the source and writes its lower half to scratch[target ...]. Launched as exactly one group.

#include "group/deliver.clh"
#include "common/kernel.clh"

ENTRY(clred_top_down_mono)(ARGUMENTS)
{
  __global STATE *states = scratch + target;
  ulong item = get_local_id(0);
  ulong half_length = (count + 1) / 2;
  for (ulong i = item; i < half_length; i += GROUP_SIZE) {
    STATE state = LOAD(i);
    if (i + half_length < count)
      state = clred_combine(state, LOAD(i + half_length));
    states[i] = state;
  }
  for (ulong length = half_length; length > 1; length = half_length) {
    half_length = (length + 1) / 2;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (ulong i = item; i + half_length < length; i += GROUP_SIZE)
      states[i] = clred_combine(states[i], states[i + half_length]);
  }
  if (item == 0)
    out[out_index] = clred_lower(states[0]);
}
