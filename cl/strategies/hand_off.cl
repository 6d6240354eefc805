// hand_off: as local_sequential, but a group stops its tree when `span` values are left. The next launch folds these.
// So no launch has steps in which most work-items are idle. A group takes 2 x GROUP_SIZE values.
//   work 0   writes min(present, span) partials for each group, side by side from scratch[target] on
//   work 1   as work 0; then the finish folds the partials of all groups in this launch
//   work 2   the last launch, with span 1: one group writes the result

#include "group/deliver.clh"
#include "group/finish.clh"
#include "common/kernel.clh"

ENTRY(clred_hand_off)(ARGUMENTS)
{
  __local STATE places[GROUP_SIZE];
  FLAG_ROOM;
  ulong begin = get_group_id(0) * (ulong)(2 * GROUP_SIZE);
  uint item = get_local_id(0);
  uint present = (uint)min(count - begin, (ulong)(2 * GROUP_SIZE));
  if (item < present)
    places[item] = LOAD_PAIR(begin + item, begin + present);
  clred_halving(places, GROUP_SIZE, min(present, (uint)GROUP_SIZE), (uint)span);
  if (work == 2) {
    if (item == 0)
      out[out_index] = clred_lower(places[0]);
    return;
  }
  uint left = min(present, (uint)span);
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_ATOMIC
  if (work == 1) {
    if (item < left)
      clred_atomic_fold(partials, places[item]);
    return;
  }
#endif
  if (item < left)
    clred_publish(partials + get_group_id(0) * span + item, places[item]);
#if FINISH == FINISH_LAST_GROUP
  if (work == 1) {
    // All groups but the last have `span` partials. The last group may have fewer.
    ulong before = (get_num_groups(0) - 1) * span;
    ulong in_last = min(count - (get_num_groups(0) - 1) * (ulong)(2 * GROUP_SIZE), span);
    clred_finish_published(before + in_last, places, &flag, partials, ticket, out + out_index);
  }
#endif
}
