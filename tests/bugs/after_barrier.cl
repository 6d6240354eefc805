// PoCL 3.1 to 7.1: if a condition has barriers in it, and a branch on the work-item follows the last of them, all
// work-items take the branch that work-item 0 takes. Here all of them enter the loop that only 17 may enter. PoCL
// compiles a copy of the code behind the condition for each arm of the branch (BarrierTailReplication), so that the
// branch seems to lead to different barriers. A barrier as the last statement of the condition avoids it.
kernel void bug(global uint *out)
{
  local uint present;
  uint item = get_local_id(0);
  if (item == 0)
    present = 17 + out[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (present < 100) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < present; i += 64)
      out[4095 - i] = 1;
  }
  if (item == 0)
    out[4095] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    out[4094] = 1;
}
