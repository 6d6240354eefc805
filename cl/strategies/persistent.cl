// persistent: just enough groups to fill the device, each works until the data is exhausted: work-item i of group g folds
// values g GROUP_SIZE + i and every all-groups-wide stride after it, in order; then stride halving in local memory.
// Any number of groups up to ceil(count / GROUP_SIZE).

ENTRY(persistent)(ARGUMENTS)
{
  __local STATE places[GROUP_SIZE];
  __local uint flag;
  ulong begin = get_group_id(0) * (ulong)GROUP_SIZE;
  ulong stride = get_num_groups(0) * (ulong)GROUP_SIZE;
  uint item = get_local_id(0);
  if (begin + item < count) {
    STATE state = LOAD(begin + item);
    for (ulong i = begin + item + stride; i < count; i += stride)
      state = clred_combine(state, LOAD(i));
    places[item] = state;
  }
  clred_halving(places, GROUP_SIZE, (uint)min(count - begin, (ulong)GROUP_SIZE), 1);
  clred_finish(places, &flag, scratch + target, ticket, out + out_index);
}
