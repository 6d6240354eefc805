// scan_reduce_then_scan: three launches on any device. The first folds runs of `span` tiles (a power of two), one run
// for each group. The second, one group, computes the prefix of each run. The third reads the elements again and writes
// the results.
//   scratch[target ..]   the nodes of the runs; after the second launch the prefixes of the runs, and the prefix after
//                        the last run

#include "scan/sweep.clh"
#if SELECTS
#include "scan/select.clh"
#endif
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define SCANS_RUNS clred_scan_reduce_then_scan
#include "scan/befores.clh"
#elif !APPLIES
ENTRY(clred_scan_reduce_then_scan)(ARGUMENTS)
{
  __local STATE sweep[SWEEP];
  __local STATE stack[RUN_DEPTH];
  TILE_ROOM;
  struct clred_in in = SCAN_IN;
  ulong run_first = get_group_id(0) * span * SCAN_TILE;
  uint depth = 0, item = get_local_id(0);
  for (ulong i = 0; i < span && run_first + i * SCAN_TILE < count; i++) {
    ulong tile_first = run_first + i * SCAN_TILE;
    struct clred_extent extent = clred_extent_of(count, tile_first);
    barrier(CLK_LOCAL_MEM_FENCE);
    struct clred_strip strip = clred_tile_strip(in, count, tile_first, extent.rows, room);
    sweep[item] = clred_strip_node(strip);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (IN_TEAM)
      clred_sweep_up(sweep, extent.strips);
    if (LEADS(i)) {
      STATE node = sweep[SWEEP - 1];
      for (ulong bits = i; bits & 1; bits >>= 1)
        node = FOLLOWING(stack[--depth], node);
      stack[depth++] = node;
    }
  }
  // The node of a run that is not whole is not used.
  if (item == 0)
    scratch[target + get_group_id(0)] = stack[0];
}
#else
ENTRY(clred_scan_reduce_then_scan)(ARGUMENTS)
{
  __local STATE sweep[SWEEP];
  __local STATE edges[2];
  __local STATE nodes[RUN_DEPTH];
  __local STATE heads[RUN_DEPTH];
  TILE_ROOM;
  struct clred_in in = SCAN_IN;
  struct clred_out results = OUT_NOW;
  ulong run = get_group_id(0), run_first = run * span * SCAN_TILE;
  uint item = get_local_id(0), starts = start_kind != START_NONE || run > 0;
  if (item == 0 && starts) {
    STATE before = scratch[target + run];
    for (uint b = 0; b < RUN_DEPTH; b++)
      heads[b] = before;
  }
  for (ulong i = 0; i < span && run_first + i * SCAN_TILE < count; i++) {
    ulong tile_first = run_first + i * SCAN_TILE;
    struct clred_extent extent = clred_extent_of(count, tile_first);
    uint has_value = starts || i > 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct clred_strip strip = clred_tile_strip(in, count, tile_first, extent.rows, room);
    sweep[item] = clred_strip_node(strip);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (IN_TEAM) {
      clred_sweep_up(sweep, extent.strips);
      if (LEADS(i)) {
        if (has_value)
          edges[0] = heads[0];
        edges[1] = clred_count_tile(nodes, heads, i, starts, sweep[SWEEP - 1]);
        if (i == span - 1)
          edges[1] = scratch[target + run + 1];
      }
      clred_sweep_down(sweep, extent.strips, has_value, edges);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    clred_put_swept(in, results, tile_first, extent, room, strip, sweep, edges, has_value);
  }
}
#endif
