// A function that changes a parameter of a struct type must not change the caller's struct.
struct pair {
  uint number;
  uint has_value;
};

struct pair next(struct pair x, uint step)
{
  x.number += step;
  x.has_value = 1;
  return x;
}

__kernel void bug(__global uint *out)
{
  struct pair first;
  first.number = out[0];
  first.has_value = 0;
  uint sum = 0;
  for (uint i = 0; i < 4; i++)
    sum += next(first, 1).number;
  out[0] = sum;
}
