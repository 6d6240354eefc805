// scan_wide: one launch for GPU-like devices that reads each element once and writes each result once. A ticket
// gives each work-group its tile, so that all earlier tiles are taken already. If groups begin in the order of their
// numbers, the number of a group is also the number of its tile. A group publishes the tile's node (look_back.clh) and
// scans the tile (scan/strip.clh). Launch number `launch` of a call begins at tile launch x TILES.

#include "scan/look_back.clh"
#include "scan/sweep.clh"
#if SELECTS
#include "scan/select.clh"
#endif
#include "common/prefetch.clh"
#include "common/kernel.clh"

#define WINDOW (FAN * LEVELS)
#define BLOCKS (FAN / EIGHT)

// The local memory of the look-back. If an earlier node does not exist, its place gets the tile's own node: no result
// depends on it, but it is a valid state, so no check is needed.
struct clred_look {
  __local STATE *window;  // window[FAN * level + i]: child i of the node that contains the tile, if child i is earlier
  __local STATE *blocks;  // nodes that each combine eight neighbouring nodes of the window
  __local STATE *nodes;   // nodes[b] is the node of the tile's binary digit b, if this digit is 1
};

// The team reads the windows of the levels from `begin` to `end`.
void clred_gather(struct clred_board board, uint tile, uint begin, uint end, STATE own, struct clred_field field,
                  struct clred_look look)
{
#pragma unroll 1
  for (uint place = get_local_id(0); place < FAN; place += TEAM) {
    uint indices[LEVELS], wanted = 0;
    STATE states[LEVELS];
#pragma unroll
    for (uint level = 0; level < LEVELS; level++) {
      uint digit = DIGIT_OF(tile, level);
      indices[level] = CHILD_OF(tile, level, place);
      wanted |= (level >= begin && level < end && place < digit) << level;
    }
    uint found = clred_read_nodes(board, wanted, indices, states);
#pragma unroll
    for (uint level = 0; level < LEVELS; level++) {
      if (wanted & ~found & 1u << level)
        found |= clred_poll_node(board, level, indices[level], &states[level]) << level;
      if (level >= begin && level < end)
        look.window[level * FAN + place] = wanted >> level & 1 ? states[level] : own;
    }
// This code runs rarely, but if it were unrolled, three copies would take a third of the time to build the program.
#pragma unroll 1
    for (uint level = begin; level < end; level++)
      if (wanted & ~found & 1u << level)
        look.window[level * FAN + place] = clred_compute_node(board, level, CHILD_OF(tile, level, place), field);
  }
  TEAM_BARRIER();
}

// The team folds the blocks of full windows of the levels from `begin` to `end`, one block for each work-item.
void clred_fold_blocks(uint begin, uint end, struct clred_look look)
{
  for (uint i = begin * BLOCKS + get_local_id(0); i < end * BLOCKS; i += TEAM)
    look.blocks[i] = clred_fold_eight(look.window + i * EIGHT, EIGHT);
  TEAM_BARRIER();
}

// The team finds the nodes of the tile's binary digits, one level for each work-item.
void clred_digits(uint tile, struct clred_look look)
{
#pragma unroll 1
  for (uint level = get_local_id(0); level < LEVELS; level += TEAM) {
    uint digit = DIGIT_OF(tile, level);
    __local const STATE *blocks = look.blocks + level * BLOCKS;
    __local const STATE *from = look.window + level * FAN + digit / EIGHT * EIGHT;
    __local STATE *to = look.nodes + level * FAN_LOG2;
    to[4] = FOLLOWING(blocks[0], blocks[1]);
    to[3] = blocks[digit / 16 * 2];
    to[2] = clred_fold_eight(from, 4);
    to[1] = clred_fold_eight(from + (digit & 4), 2);
    to[0] = from[digit & 6];
  }
  TEAM_BARRIER();
}

// Returns the node that the tile completes at this level, and publishes it for the next level. The tile is the last one
// of its window, so all blocks of the window are combined.
STATE clred_complete_node(struct clred_board board, uint tile, uint level, struct clred_look look)
{
  __local const STATE *blocks = look.blocks + level * BLOCKS;
  STATE node = FOLLOWING(FOLLOWING(blocks[0], blocks[1]), FOLLOWING(blocks[2], blocks[3]));
  if (get_local_id(0) == 0 && level + 1 < LEVELS && clred_may_publish(tile))
    clred_publish_node(board, level + 1, tile >> FAN_LOG2 * (level + 1), node);
  return node;
}

// The team reads all windows and folds them. Other groups wait for the nodes that the tile completes, so these come
// first.
void clred_look_back(struct clred_board board, uint tile, uint is_whole, STATE node, struct clred_field field,
                     struct clred_look look)
{
  STATE own = node;
#if FENCE == FENCE_PTX
// Not unrolled: this code takes long to compile.
#pragma unroll 1
  for (uint level = 0, end; level < LEVELS; level = end) {
    bool completes = is_whole && COMPLETES(tile, level);
    end = completes ? level + 1 : LEVELS;
    clred_gather(board, tile, level, end, own, field, look);
    clred_fold_blocks(level, end, look);
    if (completes)
      own = clred_complete_node(board, tile, level, look);
  }
#else
  // The number of iterations must not depend on the tile: PoCL compiles such a loop with barriers to a program that
  // does not end.
#pragma unroll
  for (uint level = 0; level < LEVELS; level++) {
    clred_gather(board, tile, level, level + 1, own, field, look);
    clred_fold_blocks(level, level + 1, look);
    is_whole = is_whole && COMPLETES(tile, level);
    if (is_whole)
      own = clred_complete_node(board, tile, level, look);
  }
#endif
  clred_digits(tile, look);
}

// Writes the prefix of the tile to edges[0] and, if the tile is whole, the prefix after it to edges[1]. Each of these
// prefixes is computed by one work-item.
void clred_find_edges(__local const STATE *nodes, __local STATE *edges, uint tile, uint is_whole, STATE node,
                      struct clred_prefix call_start, __global STATE *launches, ulong launch)
{
  STATE own = node;
  struct clred_prefix launch_start = call_start;
  if (launch > 0) {
    launch_start.state = launches[BEFORE_LAUNCH(launch)];
    launch_start.has_value = 1;
  }
#pragma unroll 1
  for (uint edge = get_local_id(0); edge < 1 + is_whole; edge += TEAM) {
    uint carried = edge ? clred_carry(nodes, tile, &own) : 0;
    struct clred_prefix x = clred_before_tile(nodes, edge ? BEFORE_CARRIED(tile) : tile, launch_start);
    if (edge)
      x.state = carried == DIGITS ? clred_end_launch(launches, launch, own, call_start) : clred_after(x, own).state;
    if (edge || x.has_value)
      edges[edge] = x.state;
  }
}

// ---------------------------------------------------------------- The kernel

ENTRY(clred_scan_wide)(ARGUMENTS)
{
  __local STATE sweep[SWEEP];
  __local STATE window[WINDOW];
  __local STATE blocks[LEVELS * BLOCKS];
  __local STATE nodes[DIGITS];
  __local STATE edges[2];
  GIVEN_ROOM;
  TILE_ROOM;
  uint item = get_local_id(0), leads = item == 0;
  uint tile = TAKE_TILE(ticket);
  struct clred_board board = {(volatile __global CELL *)scratch, tag, ticket};
  struct clred_look look = {window, blocks, nodes};
  struct clred_in in = SCAN_IN;
  struct clred_out results = OUT_NOW;
  ulong launch_first = launch * TILES * SCAN_TILE, tile_first = launch_first + tile * SCAN_TILE;
  struct clred_extent extent = clred_extent_of(count, tile_first);
  if (tile_first + (PREFETCH_DISTANCE + 1) * (ulong)SCAN_TILE <= count)
    clred_fetch_ahead(in.elements + in.origin + tile_first + PREFETCH_DISTANCE * SCAN_TILE, SCAN_TILE * ELEMENT_SIZE);
  struct clred_strip strip = clred_tile_strip(in, count, tile_first, extent.rows, room);
  struct clred_prefix call_start = START_NOW;
  uint has_value = call_start.has_value || launch > 0 || tile > 0;
  sweep[item] = clred_strip_node(strip);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (IN_TEAM) {
    clred_sweep_up(sweep, extent.strips);
    STATE own = sweep[SWEEP - 1];
    if (leads && extent.is_whole && clred_may_publish(tile)) {
      clred_publish_node(board, 0, tile, own);
#if IN_PLACE
      DEVICE_FENCE();
#endif
    }
    clred_look_back(board, tile, extent.is_whole, own,
                    (struct clred_field){in, count, launch_first, GROUP_SIZE * STRIP_LANES}, look);
    clred_find_edges(nodes, edges, tile, extent.is_whole, own, call_start, scratch + work, launch);
    TEAM_BARRIER();
    clred_sweep_down(sweep, extent.strips, has_value, edges);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_put_swept(in, results, tile_first, extent, room, strip, sweep, edges, has_value);
}
