// PoCL 7.1 ends by a segmentation fault while it compiles a kernel of two parts that each begin with a condition around
// barriers, if a variable of the kernel is set on only one way through a part. The parts share the start of the kernel,
// where PoCL keeps the variables, and it handles the variables once for each part. A barrier as the first statement
// avoids it.
kernel void bug(global uint *out, uint none, uint four)
{
  uint item = get_local_id(0), found;
  if (none == 0) {
    for (uint i = 0; i < four; i++) {
      barrier(CLK_GLOBAL_MEM_FENCE);
      if (item < 4)
        found = out[8 + item] + 7;
      barrier(CLK_GLOBAL_MEM_FENCE);
      if (item < 4)
        out[item] = found;
    }
  } else {
    for (uint i = 0; i < four; i++) {
      barrier(CLK_GLOBAL_MEM_FENCE);
      out[item] = out[8 + item + i] + 3;
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (item >= 4)
    out[item] = 1;
}
