// probes/atomics.cl: tests atomics between all work-items of a launch, and in local memory between those of a group.
//   LONG   1: 64-bit atomics
#include "plan.clh"
#if LONG
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define WORD ulong
#define OF(name) atom_##name
#else
#define WORD uint
#define OF(name) atomic_##name
#endif
#define TRIES 65536

// words[]: 0 counts, 1 adds, 2 bits by or, 3 maximum, 4 minimum, 5 exchanges, 6 compare-and-swap, 7 bits by xor, 8 the
// sum of exchanged values
__kernel void probe_atomics(volatile __global WORD *words, __global WORD *tickets)
{
  WORD id = (WORD)get_global_id(0);
  tickets[id] = OF(inc)(words);
  OF(add)(words + 1, id + 1);
  OF(or)(words + 2, (WORD)1 << (id % 32));
  OF(max)(words + 3, id);
  OF(min)(words + 4, id);
  // Each exchange returns another value, so all values but the last are added exactly once.
  OF(add)(words + 8, OF(xchg)(words + 5, id + 1));
  OF(xor)(words + 7, id + 1);
  if (get_local_id(0) == 0) {
    WORD seen = OF(cmpxchg)(words + 6, 0, 0);
    for (uint tries = 0; tries < TRIES; tries++) {
      WORD found = OF(cmpxchg)(words + 6, seen, seen + 3);
      if (found == seen)
        return;
      seen = found;
    }
  }
}

#if !LONG
__kernel void probe_local_atomics(__local volatile uint *words, __global uint *out)
{
  uint item = get_local_id(0);
  if (item == 0)
    for (uint i = 0; i < 6; i++)
      words[i] = i == 4 ? 0xffffffffu : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(words);
  atomic_add(words + 1, item + 1);
  atomic_max(words + 2, item);
  atomic_or(words + 3, 1u << (item % 32));
  atomic_min(words + 4, item + 5);
  atomic_xor(words + 5, item + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    for (uint i = 0; i < 6; i++)
      out[get_group_id(0) * 6 + i] = words[i];
}
#endif
