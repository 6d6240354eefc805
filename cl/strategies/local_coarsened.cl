// local_coarsened: local_sequential, but first each work-item folds `span` values. They are GROUP_SIZE apart, so that
// neighbouring work-items read neighbouring words. A group takes span x GROUP_SIZE values; ceil(count / that) groups.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "words/kernel.clh"

ENTRY(clred_local_coarsened)(ARGUMENTS)
{
  __local STATE places[GROUP_SIZE];
  __local uint flag;
  ulong begin = get_group_id(0) * span * GROUP_SIZE;
  ulong end = min(count, begin + span * GROUP_SIZE);
  uint item = get_local_id(0);
  if (begin + item < end) {
    STATE state = LOAD(begin + item);
    for (ulong i = begin + item + GROUP_SIZE; i < end; i += GROUP_SIZE)
      state = clred_combine(state, LOAD(i));
    places[item] = state;
  }
  clred_halving(places, GROUP_SIZE, (uint)min(end - begin, (ulong)GROUP_SIZE), 1);
  clred_finish(places, &flag, scratch + target, ticket, out + out_index);
}
