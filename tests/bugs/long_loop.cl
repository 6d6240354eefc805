// rusticl (Mesa 22.3) over llvmpipe stops a work-item's loops after 65535 turns and goes on: 65535 comes out.
kernel void bug(global uint *out)
{
  uint turns = 0;
  for (uint i = 0; i < 100000; i++)
    turns += (i ^ turns) != 0xffffffffu;
  out[0] = turns;
}
