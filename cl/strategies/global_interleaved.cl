// global_interleaved: each work-group folds a tree in global memory by stride doubling. Textbooks begin with this
// kernel: its active work-items are far apart, so sub-groups diverge. A group copies GROUP_SIZE values to
// scratch[work ...] and folds them there. ceil(count / GROUP_SIZE) groups.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "words/kernel.clh"

ENTRY(clred_global_interleaved)(ARGUMENTS)
{
  __local uint flag;
  ulong begin = get_group_id(0) * (ulong)GROUP_SIZE;
  uint item = get_local_id(0);
  uint present = (uint)min(count - begin, (ulong)GROUP_SIZE);
  __global STATE *places = scratch + work + begin;
  if (item < present)
    places[item] = LOAD(begin + item);
  clred_doubling(places, GROUP_SIZE, present, 1);
  clred_finish(places, &flag, scratch + target, ticket, out + out_index);
}
