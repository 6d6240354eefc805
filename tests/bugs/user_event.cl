kernel void bug(global uint *out)
{
  out[0] += 1;
}
