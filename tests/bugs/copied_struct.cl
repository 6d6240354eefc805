// rusticl (Mesa 25.0): if a struct is copied and then changed, the copy does not get the first values. The result is 5.
struct pair {
  uint number;
  uint has_value;
};

kernel void bug(global uint *out)
{
  struct pair copies[2], own;
  for (uint i = 0; i < 2; i++) {
    own.number = out[0] + 3 + 2 * i;
    own.has_value = 1;
    copies[i] = own;
  }
  out[0] = copies[0].number + copies[1].number;
}
