// scan_look_back: one launch that reads each element once and writes each result once, for GPU-like devices. Work-groups take
// tiles by a ticket, so that all tiles before theirs are already taken, tell each other what their tiles give (look_back.clh),
// and scan their own (scan_strip.clh). Launch number `launch` of a call begins at tile launch x TILES.

#define WINDOW (FAN * LEVELS)
#define BLOCKS (FAN / EIGHT)

// What a group keeps in local memory to look back.
struct clred_sight {
  __local STATE *window;  // nodes that stand before the tile in its own runs of FAN: window[FAN * level + i]
  __local STATE *blocks;  // of eight of those
  __local STATE *nodes;   // nodes[b] is that of the tile's binary digit b, where it is 1
};

// Asks for the windows of levels begin to end, by the team.
void clred_gather(struct clred_board board, uint tile, uint begin, uint end, struct clred_field field, struct clred_sight sight)
{
  for (uint place = get_local_id(0); place < FAN; place += TEAM) {
    uint indices[LEVELS], wanted = 0;
    STATE states[LEVELS];
#pragma unroll
    for (uint level = 0; level < LEVELS; level++) {
      uint digit = tile >> FAN_LOG2 * level & (FAN - 1);
      indices[level] = (tile >> FAN_LOG2 * level) - digit + place;
      wanted |= (level >= begin && level < end && place < digit) << level;
    }
    uint found = clred_ask_all(board, wanted, indices, states);
#pragma unroll
    for (uint level = 0; level < LEVELS; level++) {
      if (!(wanted >> level & 1))
        continue;
      if (!(found >> level & 1) && !clred_wait(board, level, indices[level], &states[level]))
        states[level] = clred_rescue(board, level, indices[level], field);
      sight.window[level * FAN + place] = states[level];
    }
  }
  TEAM_BARRIER();
}

// The nodes of the tile's binary digits from full windows, by the team: blocks of eight by a work-item each.
void clred_digits(uint tile, uint begin, uint end, struct clred_sight sight)
{
  for (uint i = begin * BLOCKS + get_local_id(0); i < end * BLOCKS; i += TEAM) {
    uint level = i / BLOCKS, block = i % BLOCKS, digit = tile >> FAN_LOG2 * level & (FAN - 1), rest = digit % EIGHT;
    __local const STATE *from = sight.window + level * FAN + block * EIGHT;
    __local STATE *to = sight.nodes + level * FAN_LOG2;
    if (block < digit / EIGHT)
      sight.blocks[i] = clred_fold_eight(from, EIGHT);
    if (block != digit / EIGHT)
      continue;
    if (rest & 4)
      to[2] = clred_fold_eight(from, 4);
    if (rest & 2)
      to[1] = clred_fold_eight(from + (rest & 4), 2);
    if (rest & 1)
      to[0] = from[rest - 1];
  }
  TEAM_BARRIER();
  for (uint level = begin + get_local_id(0); level < end; level += TEAM) {
    uint digit = tile >> FAN_LOG2 * level & (FAN - 1);
    __local const STATE *from = sight.blocks + level * BLOCKS;
    if (digit & 8)
      sight.nodes[level * FAN_LOG2 + 3] = from[digit / 16 * 2];
    if (digit & 16)
      sight.nodes[level * FAN_LOG2 + 4] = FOLLOWING(from[0], from[1]);
  }
  TEAM_BARRIER();
}

// Gathers all windows, by the team, and makes nodes of them; others wait for the nodes that the tile completes, so these come first.
void clred_look(struct clred_board board, uint tile, uint is_whole, STATE own, struct clred_field field, struct clred_sight sight)
{
  uint level = 0;
  for (; is_whole && level < LEVELS && COMPLETES(tile, level); level++) {
    clred_gather(board, tile, level, level + 1, field, sight);
    clred_digits(tile, level, level + 1, sight);
    if (get_local_id(0) == 0)
      own = clred_complete(board, sight.nodes + level * FAN_LOG2, tile, level, own);
  }
  clred_gather(board, tile, level, LEVELS, field, sight);
  clred_digits(tile, level, LEVELS, sight);
}

// What stands before the tile and after it: edges[0] and edges[1].
void clred_find_edges(__local const STATE *nodes, __local STATE *edges, uint tile, uint is_whole, STATE own,
                      struct clred_prefix call_start, __global STATE *launches, ulong launch)
{
  struct clred_prefix launch_start = call_start;
  STATE after = own;
  if (launch > 0) {
    launch_start.state = launches[BEFORE_LAUNCH(launch)];
    launch_start.is_there = 1;
  }
  struct clred_prefix x = clred_before_tile(nodes, tile, is_whole, launch_start, own, call_start, launches, launch, &after);
  if (x.is_there)
    edges[0] = x.state;
  if (is_whole)
    edges[1] = after;
}

// ---------------------------------------------------------------- The kernel

ENTRY(scan_look_back)(ARGUMENTS)
{
  __local STATE sweep[SWEEP];
  __local STATE window[WINDOW];
  __local STATE blocks[LEVELS * BLOCKS];
  __local STATE nodes[DIGITS];
  __local STATE edges[2];
  __local uint given;
#if ROOM
  __local uint4 room[ROOM];
#else
  __local uint4 *room = 0;
#endif
  uint item = get_local_id(0), leads = item == 0;
  if (leads) {
    given = atomic_inc(ticket);
    if (given == get_num_groups(0) - 1)
      atomic_xchg(ticket, 0u);
  }
  for (uint i = item; i < DIGITS; i += GROUP_SIZE)
    nodes[i] = clred_identity();
  barrier(CLK_LOCAL_MEM_FENCE);
  uint tile = given;
  struct clred_board board = {(volatile __global CELL *)scratch, ticket, tag};
  struct clred_sight sight = {window, blocks, nodes};
  struct clred_in in = SCAN_IN;
  struct clred_out results = OUT_NOW;
  ulong launch_first = launch * TILES * SCAN_TILE, tile_first = launch_first + tile * SCAN_TILE;
  struct clred_extent extent = clred_extent_of(count, tile_first);
  struct clred_strip strip = clred_tile_strip(in, count, tile_first, extent.rows, room);
  struct clred_prefix call_start = START_NOW;
  uint is_there = call_start.is_there || launch > 0 || tile > 0;
  if (extent.rows)
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
    clred_look(board, tile, extent.is_whole, own, (struct clred_field){in, count, launch_first, GROUP_SIZE * STRIP_LANES}, sight);
    if (leads)
      clred_find_edges(nodes, edges, tile, extent.is_whole, own, call_start, scratch + work, launch);
    clred_sweep_down(sweep, extent.strips, is_there, edges);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_put_swept(in, results, tile_first, extent, room, strip, sweep, edges, is_there);
}
