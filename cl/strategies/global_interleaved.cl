// global_interleaved: each work-group folds a tree in global memory by stride doubling. Textbooks begin with this
// kernel: its active work-items are far apart, so sub-groups diverge. Because the input is never modified, a group
// copies 2 x GROUP_SIZE values to scratch[work ...] and folds them there. Work-item i owns place 2i, so all work-items
// are active in the first step. Launched as ceil(count / (2 x GROUP_SIZE)) groups.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

ENTRY(clred_global_interleaved)(ARGUMENTS)
{
  FLAG_ROOM;
  ulong begin = get_group_id(0) * (ulong)(2 * GROUP_SIZE);
  uint item = get_local_id(0);
  uint present = (uint)min(count - begin, (ulong)(2 * GROUP_SIZE));
  __global STATE *places = scratch + work + begin;
  for (uint i = item; i < present; i += GROUP_SIZE)
    places[i] = LOAD(begin + i);
  clred_doubling(places, 2 * GROUP_SIZE, present, 2);
  FINISH_GROUP(places);
}
