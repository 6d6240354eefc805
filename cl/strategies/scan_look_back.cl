// scan_look_back: one launch that reads each element once and writes each result once, for GPU-like devices.
// Work-groups take tiles by a ticket, so that all tiles before theirs are already taken, or by their number where
// groups begin in that order, publish the nodes of their tiles (look_back.clh), and scan their own
// (scan/strip.clh). Launch number `launch` of a call begins at tile launch x TILES.

#include "scan/look_back.clh"
#include "scan/sweep.clh"
#if SELECTS
#include "scan/select.clh"
#endif
#include "words/kernel.clh"

#define WINDOW (FAN * LEVELS)
#define BLOCKS (FAN / EIGHT)

// What a group keeps in local memory to look back. Places before which nothing stands have the tile itself, which is
// not used there, so no check is needed.
struct clred_sight {
  __local STATE *window;  // nodes that stand before the tile in its own runs of FAN: window[FAN * level + i]
  __local STATE *blocks;  // of eight of those
  __local STATE *nodes;   // nodes[b] is that of the tile's binary digit b, where it is 1
};

// Asks for the windows of levels begin to end, by the team.
void clred_gather(struct clred_board board, uint tile, uint begin, uint end, STATE own, struct clred_field field,
                  struct clred_sight sight)
{
  for (uint place = get_local_id(0); place < FAN; place += TEAM) {
    uint indices[LEVELS], wanted = 0;
    STATE states[LEVELS];
#pragma unroll
    for (uint level = 0; level < LEVELS; level++) {
      uint digit = DIGIT_OF(tile, level);
      indices[level] = (tile >> FAN_LOG2 * level) - digit + place;
      wanted |= (level >= begin && level < end && place < digit) << level;
    }
    uint found = clred_ask_all(board, wanted, indices, states);
#pragma unroll
    for (uint level = 0; level < LEVELS; level++) {
      if (wanted & ~found & 1u << level && !clred_wait(board, level, indices[level], &states[level]))
        states[level] = clred_rescue(board, level, indices[level], field);
      if (level >= begin && level < end)
        sight.window[level * FAN + place] = wanted >> level & 1 ? states[level] : own;
    }
  }
  TEAM_BARRIER();
}

// Blocks of the full windows of levels begin to end, by the team: one by a work-item each.
void clred_fold_blocks(uint begin, uint end, struct clred_sight sight)
{
  for (uint i = begin * BLOCKS + get_local_id(0); i < end * BLOCKS; i += TEAM)
    sight.blocks[i] = clred_fold_eight(sight.window + i * EIGHT, EIGHT);
  TEAM_BARRIER();
}

// The nodes of the tile's binary digits, by the team, a level by a work-item each.
void clred_digits(uint tile, struct clred_sight sight)
{
  for (uint level = get_local_id(0); level < LEVELS; level += TEAM) {
    uint digit = DIGIT_OF(tile, level);
    __local const STATE *blocks = sight.blocks + level * BLOCKS;
    __local const STATE *from = sight.window + level * FAN + digit / EIGHT * EIGHT;
    __local STATE *to = sight.nodes + level * FAN_LOG2;
    to[4] = FOLLOWING(blocks[0], blocks[1]);
    to[3] = blocks[digit / 16 * 2];
    to[2] = clred_fold_eight(from, 4);
    to[1] = clred_fold_eight(from + (digit & 4), 2);
    to[0] = from[digit & 6];
  }
  TEAM_BARRIER();
}

// The node that the tile completes at this level, from blocks of a window in whose last place it stands itself.
STATE clred_complete_node(struct clred_board board, uint tile, uint level, struct clred_sight sight)
{
  __local const STATE *blocks = sight.blocks + level * BLOCKS;
  STATE node = FOLLOWING(FOLLOWING(blocks[0], blocks[1]), FOLLOWING(blocks[2], blocks[3]));
  if (get_local_id(0) == 0 && level + 1 < LEVELS && clred_speaks(tile))
    clred_tell(board, level + 1, tile >> FAN_LOG2 * (level + 1), node);
  return node;
}

// Gathers all windows, by the team, and makes nodes of them; others wait for the nodes that the tile completes, so
// these come first.
void clred_look(struct clred_board board, uint tile, uint is_whole, STATE node, struct clred_field field,
                struct clred_sight sight)
{
  STATE own = node;
#if FENCE == FENCE_PTX
  uint level = 0;
  for (; is_whole && level < LEVELS && COMPLETES(tile, level); level++) {
    clred_gather(board, tile, level, level + 1, own, field, sight);
    clred_fold_blocks(level, level + 1, sight);
    own = clred_complete_node(board, tile, level, sight);
  }
  clred_gather(board, tile, level, LEVELS, own, field, sight);
  clred_fold_blocks(level, LEVELS, sight);
#else
  // One level after the other for every tile: with barriers in a loop that depends on the tile, PoCL's compiler makes
  // programs that do not end.
#pragma unroll
  for (uint level = 0; level < LEVELS; level++) {
    clred_gather(board, tile, level, level + 1, own, field, sight);
    clred_fold_blocks(level, level + 1, sight);
    is_whole = is_whole && COMPLETES(tile, level);
    if (is_whole)
      own = clred_complete_node(board, tile, level, sight);
  }
#endif
  clred_digits(tile, sight);
}

// What stands before the tile and after it: edges[0] and edges[1], by a work-item each.
void clred_find_edges(__local const STATE *nodes, __local STATE *edges, uint tile, uint is_whole, STATE node,
                      struct clred_prefix call_start, __global STATE *launches, ulong launch)
{
  STATE own = node;
  struct clred_prefix launch_start = call_start;
  if (launch > 0) {
    launch_start.state = launches[BEFORE_LAUNCH(launch)];
    launch_start.is_there = 1;
  }
  for (uint edge = get_local_id(0); edge < 1 + is_whole; edge += TEAM) {
    uint carried = edge ? clred_carry(nodes, tile, &own) : 0;
    struct clred_prefix x = clred_before_tile(nodes, edge ? BEFORE_CARRIED(tile) : tile, launch_start);
    if (edge)
      x.state = carried == DIGITS ? clred_end_launch(launches, launch, own, call_start) : clred_after(x, own).state;
    if (edge || x.is_there)
      edges[edge] = x.state;
  }
}

// ---------------------------------------------------------------- The kernel

ENTRY(clred_scan_look_back)(ARGUMENTS)
{
  __local STATE sweep[SWEEP];
  __local STATE window[WINDOW];
  __local STATE blocks[LEVELS * BLOCKS];
  __local STATE nodes[DIGITS];
  __local STATE edges[2];
#if TICKETS
  __local uint given;
#endif
#if ROOM
  __local uint4 room[ROOM];
#else
  __local uint4 *room = 0;
#endif
  uint item = get_local_id(0), leads = item == 0;
#if TICKETS
  if (leads) {
    given = atomic_inc(ticket);
    if (given == get_num_groups(0) - 1)
      atomic_xchg(ticket, 0u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint tile = given;
#else
  uint tile = get_group_id(0);
#endif
  struct clred_board board = {(volatile __global CELL *)scratch, ticket, tag};
  struct clred_sight sight = {window, blocks, nodes};
  struct clred_in in = SCAN_IN;
  struct clred_out results = OUT_NOW;
  ulong launch_first = launch * TILES * SCAN_TILE, tile_first = launch_first + tile * SCAN_TILE;
  struct clred_extent extent = clred_extent_of(count, tile_first);
  struct clred_strip strip = clred_tile_strip(in, count, tile_first, extent.rows, room);
  struct clred_prefix call_start = START_NOW;
  uint is_there = call_start.is_there || launch > 0 || tile > 0;
  sweep[item] = clred_strip_node(strip);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (IN_TEAM) {
    clred_sweep_up(sweep, extent.strips);
    STATE own = sweep[SWEEP - 1];
    if (leads && extent.is_whole && clred_speaks(tile)) {
      clred_tell(board, 0, tile, own);
#if IN_PLACE
      DEVICE_FENCE();
#endif
    }
    clred_look(board, tile, extent.is_whole, own, (struct clred_field){in, count, launch_first,
                                                                       GROUP_SIZE * STRIP_LANES}, sight);
    clred_find_edges(nodes, edges, tile, extent.is_whole, own, call_start, scratch + work, launch);
    TEAM_BARRIER();
    clred_sweep_down(sweep, extent.strips, is_there, edges);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_put_swept(in, results, tile_first, extent, room, strip, sweep, edges, is_there);
}
