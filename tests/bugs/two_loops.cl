// rusticl (see long_loop.cl) counts the turns of both loops together: the result is 65534.
kernel void bug(global uint *out)
{
  uint turns = 0;
  for (uint i = 0; i < 40000; i++)
    turns += (i ^ turns) != 0xffffffffu;
  for (uint i = 0; i < 40000; i++)
    turns += (i ^ turns) != 0xfffffffeu;
  out[0] = turns;
}
