// persistent_interleaved: just enough groups to fill the device, which loop over all data. Of N work-items, work-item k
// folds values k, k + N, k + 2 N, ... in order. Then each group folds a tree in local memory by stride halving.
// Launched as any number of groups up to ceil(count / GROUP_SIZE). BATCH loads are in flight at once. With one load,
// work-items would mostly wait for memory, because no other groups can run meanwhile.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

#define BATCH 4

ENTRY(clred_persistent_interleaved)(ARGUMENTS)
{
  __local STATE places[GROUP_SIZE];
  FLAG_ROOM;
  ulong begin = get_group_id(0) * (ulong)GROUP_SIZE;
  ulong all_items = get_num_groups(0) * (ulong)GROUP_SIZE;
  uint item = get_local_id(0);
  if (begin + item < count) {
    STATE state = LOAD(begin + item);
    ulong i = begin + item + all_items;
    for (; i + (BATCH - 1) * all_items < count; i += BATCH * all_items) {
      STATE batch[BATCH];
#pragma unroll
      for (uint j = 0; j < BATCH; j++)
        clred_put_1(&batch[j], LOAD(i + j * all_items));
#pragma unroll
      for (uint j = 0; j < BATCH; j++)
        clred_put_1(&state, clred_combine(state, batch[j]));
    }
    for (; i < count; i += all_items)
      state = clred_combine(state, LOAD(i));
    places[item] = state;
  }
  clred_halving(places, GROUP_SIZE, (uint)min(count - begin, (ulong)GROUP_SIZE), 1);
  FINISH_GROUP(places);
}
