// persistent: the launch has as many groups as the device runs at once, and they stay until all data is read. The data
// is cut into loads of 2 x GROUP_SIZE values. Each group has a part: a run of neighbouring loads. Parts differ by at
// most one load. A group fills local memory (STAGED values for each work-item) and folds until GROUP_SIZE values are
// left; with fewer values, work-items would be idle. Then it fills the free part of local memory again. So work-item i
// folds the values i, i + GROUP_SIZE, i + 2 GROUP_SIZE, ... of the part in order, and all work-items are busy until the
// part is read. At the end, stride halving folds the last GROUP_SIZE values. Launched as any number of groups up to
// ceil(count / (2 x GROUP_SIZE)).

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

ENTRY(clred_persistent)(ARGUMENTS)
{
  __local STATE places[STAGED * GROUP_SIZE];
  FLAG_ROOM;
  const ulong load = 2 * GROUP_SIZE, loads = (count + load - 1) / load, group = get_group_id(0);
  ulong each = loads / get_num_groups(0), more = loads % get_num_groups(0);
  ulong begin = (group * each + min(group, more)) * load;
  ulong end = min(count, begin + (each + (group < more ? 1 : 0)) * load);
  uint item = get_local_id(0), kept = 0;
  for (ulong i = begin + item; i < end; kept = 1) {
    uint filled = kept;
    for (; filled < STAGED && i < end; filled++, i += GROUP_SIZE)
      places[filled * GROUP_SIZE + item] = LOAD(i);
    // A work-item folds the values that it read itself, so no barrier is needed before the tree.
    STATE state = places[item];
    for (uint j = 1; j < filled; j++)
      state = clred_combine(state, places[j * GROUP_SIZE + item]);
    places[item] = state;
  }
  clred_halving(places, GROUP_SIZE, (uint)min(end - begin, (ulong)GROUP_SIZE), 1);
  FINISH_GROUP(places);
}
