// global_sequential: each work-group folds a tree in global memory by stride halving, in which active work-items are
// neighbours. Because the input is never modified, a group copies 2 x GROUP_SIZE values to scratch[work ...] and folds
// them there. All work-items are active in the first step. Launched as ceil(count / (2 x GROUP_SIZE)) groups.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

ENTRY(clred_global_sequential)(ARGUMENTS)
{
  FLAG_ROOM;
  ulong begin = get_group_id(0) * (ulong)(2 * GROUP_SIZE);
  uint item = get_local_id(0);
  uint present = (uint)min(count - begin, (ulong)(2 * GROUP_SIZE));
  __global STATE *places = scratch + work + begin;
  for (uint i = item; i < present; i += GROUP_SIZE)
    places[i] = LOAD(begin + i);
  clred_halving(places, 2 * GROUP_SIZE, present, 1);
  FINISH_GROUP(places);
}
