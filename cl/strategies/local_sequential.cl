// local_sequential: each work-group folds a tree in local memory by stride halving, in which active work-items are
// neighbours. A group takes 2 x GROUP_SIZE values and makes the first step as it reads them. Launched as ceil(count /
// (2 GROUP_SIZE)) groups.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

ENTRY(clred_local_sequential)(ARGUMENTS)
{
  __local STATE places[GROUP_SIZE];
  FLAG_ROOM;
  ulong begin = get_group_id(0) * (ulong)(2 * GROUP_SIZE);
  uint item = get_local_id(0);
  uint present = (uint)min(count - begin, (ulong)(2 * GROUP_SIZE));
  if (item < present)
    places[item] = LOAD_PAIR(begin + item, begin + present);
  clred_halving(places, GROUP_SIZE, min(present, (uint)GROUP_SIZE), 1);
  FINISH_GROUP(places);
}
