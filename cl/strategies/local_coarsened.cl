// local_coarsened: as local_sequential, but first each work-item folds `span` values. These are GROUP_SIZE apart, so
// that neighbouring work-items read neighbouring words. A group takes span x GROUP_SIZE values; so there are ceil(count
// / (span x GROUP_SIZE)) groups. If STAGED is above 0, a group first copies its values to local memory, STAGED values
// for each work-item, so all loads are in flight together. Otherwise a work-item folds values as it reads them. Both
// give the same tree.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

ENTRY(clred_local_coarsened)(ARGUMENTS)
{
  FLAG_ROOM;
  ulong begin = get_group_id(0) * span * GROUP_SIZE;
  ulong end = min(count, begin + span * GROUP_SIZE);
  uint item = get_local_id(0);
#if STAGED
  __local STATE places[STAGED * GROUP_SIZE];
  uint present = (uint)(end - begin);
  for (uint i = item; i < present; i += GROUP_SIZE)
    places[i] = LOAD(begin + i);
  // A work-item folds the values that it copied itself, so no barrier is needed.
  if (item < present) {
    STATE state = places[item];
    for (uint i = item + GROUP_SIZE; i < present; i += GROUP_SIZE)
      state = clred_combine(state, places[i]);
    places[item] = state;
  }
#else
  __local STATE places[GROUP_SIZE];
  if (begin + item < end) {
    STATE state = LOAD(begin + item);
    for (ulong i = begin + item + GROUP_SIZE; i < end; i += GROUP_SIZE)
      state = clred_combine(state, LOAD(i));
    places[item] = state;
  }
#endif
  clred_halving(places, GROUP_SIZE, (uint)min(end - begin, (ulong)GROUP_SIZE), 1);
  FINISH_GROUP(places);
}
