// rusticl (Mesa 22.3): it wraps, and 2147483648 comes out.
kernel void bug(global uint *out)
{
  out[0] = (uint)add_sat(INT_MAX, 1);
}
