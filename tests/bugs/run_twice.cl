// PoCL 7.1, groups of one work-item: runs what follows the loops twice, if these take no turn. The result is 2.
kernel void bug(global uint *out, uint none, uint four)
{
  for (uint i = 0; i < none; i++)
    for (uint j = 0; j < four; j++)
      out[1 + j]++;
  out[0]++;
}
