// local_interleaved: each work-group folds a tree in local memory by stride doubling. Textbooks call this tree
// divergent. A group takes 2 x GROUP_SIZE values; work-item i owns value 2 i. Launched as ceil(count / (2 GROUP_SIZE))
// groups.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

ENTRY(clred_local_interleaved)(ARGUMENTS)
{
  __local STATE places[2 * GROUP_SIZE];
  FLAG_ROOM;
  ulong begin = get_group_id(0) * (ulong)(2 * GROUP_SIZE);
  uint item = get_local_id(0);
  uint present = (uint)min(count - begin, (ulong)(2 * GROUP_SIZE));
  if (item < present)
    places[item] = LOAD(begin + item);
  if (item + GROUP_SIZE < present)
    places[item + GROUP_SIZE] = LOAD(begin + item + GROUP_SIZE);
  clred_doubling(places, 2 * GROUP_SIZE, present, 2);
  FINISH_GROUP(places);
}
