// probes/handing_on.cl: tests that the last group of a launch reads what all others published (device_scope.clh).
#define clred_put_1(to, from) (*(to) = (from))
#include "common/device_scope.clh"

__kernel void probe_last_group(__global STATE *partials, volatile __global uint *ticket, __global STATE *out,
                               uint round)
{
  __local uint flag;
  uint group = get_group_id(0), groups = get_num_groups(0);
  if (get_local_id(0) == 0) {
    clred_publish(partials + group, (uint4)(group + round, 1, group ^ round, 3 * group));
    flag = clred_is_last_group(ticket);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (flag && get_local_id(0) == 0) {
    STATE sum = (uint4)(0, 0, 0, 0);
    DEVICE_FENCE();
    for (uint i = 0; i < groups; i++)
      sum += clred_fetch(partials + i);
    *out = sum;
  }
}
