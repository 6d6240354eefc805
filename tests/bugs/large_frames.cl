// PoCL 3.1 keeps private variables that live across a barrier on the stack of one thread, for all work-items of the
// group. Here they need 8 MiB, and the process crashes. PoCL reports that groups of 4096 are possible.
kernel void bug(global uint *out)
{
  float kept[512];
  uint item = get_local_id(0);
  for (uint i = 0; i < 512; i++)
    kept[i] = (float)(out[i & 7] + i + item);
  barrier(CLK_GLOBAL_MEM_FENCE);
  float sum = 0;
  for (uint i = 0; i < 512; i++)
    sum += kept[(i * 7 + item) & 511];
  out[item] = sum > 0 ? 1 : 0;
}
