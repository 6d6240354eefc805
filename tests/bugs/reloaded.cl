// PoCL 7.1 reads `held` again where it is used, behind the barriers: the result is 4. It
// divides a kernel at its barriers into parts. Rather than store a value for the next part, it reads the value again
// there, and does not check whether memory was written in between.
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
