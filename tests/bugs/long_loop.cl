// rusticl (Mesa 22.3) over llvmpipe ends the loops of a work-item after 65535 turns: the result is 65535.
kernel void bug(global uint *out)
{
  uint turns = 0;
  for (uint i = 0; i < 100000; i++)
    turns += (i ^ turns) != 0xffffffffu;
  out[0] = turns;
}
