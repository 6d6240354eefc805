// global_sequential: each work-group folds a tree in global memory by stride halving, in which active work-items are
// neighbours. A group copies GROUP_SIZE values to scratch[work ...] and folds them there. ceil(count / GROUP_SIZE)
// groups.

#include "group/deliver.clh"
#include "group/finish.clh"
#include "words/kernel.clh"

ENTRY(clred_global_sequential)(ARGUMENTS)
{
  __local uint flag;
  ulong begin = get_group_id(0) * (ulong)GROUP_SIZE;
  uint item = get_local_id(0);
  uint present = (uint)min(count - begin, (ulong)GROUP_SIZE);
  __global STATE *places = scratch + work + begin;
  if (item < present)
    places[item] = LOAD(begin + item);
  clred_halving(places, GROUP_SIZE, present, 1);
  clred_finish(places, &flag, scratch + target, ticket, out + out_index);
}
