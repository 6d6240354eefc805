// probes/loops.cl: counts iterations of loops, because some devices end long loops early, without an error. If a plan
// may need many iterations, src/runtime/loop_limit.c launches the second kernel. The probe "turns of loops" launches
// all kernels.

// Runs one loop, two loops, and a loop in a loop, each with `count` iterations in all. The result depends on the number
// of iterations that ran.
#define STEP(state) ((state) * 1664525u + 1013904223u)
__kernel void probe_loops(__global uint *states, uint count)
{
  uint state = get_global_id(0);
  for (uint i = 0; i < count; i++)
    state = STEP(state);
  states[0] = state;
}
__kernel void probe_two_loops(__global uint *states, uint count)
{
  uint state = get_global_id(0);
  for (uint i = 0; i < count / 2; i++)
    state = STEP(state);
  for (uint i = count / 2; i < count; i++)
    state = STEP(state);
  states[0] = state;
}
__kernel void probe_nested_loops(__global uint *states, uint count, uint inner)
{
  uint state = get_global_id(0);
  for (uint i = 0; i < count / inner; i++)
    for (uint j = 0; j < inner; j++)
      state = STEP(state);
  states[0] = state;
}
