// probes/limits.cl: tests whether the limits that the driver reports hold, and how the device lays out types.

// Work-items pass a number to their neighbours through global memory; work-item 0 adds up what arrived.
__kernel void probe_group(volatile __global uint *places, __global uint *sums)
{
  uint item = get_local_id(0), size = get_local_size(0), sum = 0;
  volatile __global uint *mine = places + get_group_id(0) * size;
  mine[item] = item + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  uint heard = mine[(item + 1) % size];
  barrier(CLK_GLOBAL_MEM_FENCE);
  mine[item] = 3 * heard;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (item == 0) {
    for (uint i = 0; i < size; i++)
      sum += mine[i];
    sums[get_group_id(0)] = sum;
  }
}

// Each group writes its own mark to all of its local memory. Each work-item reads words that other work-items wrote.
__kernel void probe_local(__local uint *words, uint count, __global uint *wrong)
{
  uint item = get_local_id(0), size = get_local_size(0), bad = 0;
  uint mark = (get_group_id(0) + 1) * 2654435761u;
  for (uint round = 0; round < 2; round++) {
    for (uint i = item; i < count; i += size)
      words[i] = mark ^ i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < count; i += size)
      bad += words[count - 1 - i] != (mark ^ (count - 1 - i));
    barrier(CLK_LOCAL_MEM_FENCE);
    mark = ~mark;
  }
  wrong[get_global_id(0)] = bad;
}

struct clred_mixed {
  uchar  a;
  ulong  b;
  ushort c;
  float  d;
};
struct clred_pair {
  float value;
  ulong index;
};
__kernel void probe_sizes(__global ulong *sizes)
{
  struct clred_mixed mixed;
  sizes[0] = sizeof(uchar) + 16 * sizeof(ushort) + 256 * sizeof(uint) + 4096 * sizeof(ulong) + 65536 * sizeof(float);
  sizes[1] = sizeof(struct clred_mixed);
  sizes[2] = (ulong)((size_t)&mixed.d - (size_t)&mixed);
  sizes[3] = sizeof(struct clred_pair);
  sizes[4] = sizeof(float3);
  sizes[5] = sizeof(ulong4);
}

// Enqueued twice: the second launch must see what the first wrote.
__kernel void probe_step(__global uint *words, uint step)
{
  uint i = get_global_id(0), next = i + 1 < get_global_size(0) ? i + 1 : 0;
  __global uint *from = words + (step & 1 ? get_global_size(0) : 0);
  __global uint *to = words + (step & 1 ? 0 : get_global_size(0));
  to[i] = from[next] + 1;
}

// Reads and writes the end of a large buffer.
__kernel void probe_end(__global uint *words, ulong last)
{
  words[last] = words[last] + words[0];
}
