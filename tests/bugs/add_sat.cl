// rusticl (Mesa 22.3): add_sat wraps, and the result is 2147483648.
kernel void bug(global uint *out)
{
  out[0] = (uint)add_sat(INT_MAX, 1);
}
