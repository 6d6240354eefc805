// PoCL 7.1 reads `held` again where it is used, behind the barriers: the result is 4. It computes values again in the
// next part of a divided kernel in place of storing them for each work-item, and does not ask whether memory was
// written in between.
kernel void bug(global uint *out, uint none, uint four)
{
  local uint words[8];
  uint item = get_local_id(0);
  words[item] = out[8 + item] + 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint held = words[7 - item];
  barrier(CLK_LOCAL_MEM_FENCE);
  words[item] = four;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[item] = held;
}
