// scan_look_back: one launch that reads each element once and writes each result once, for GPU-like devices. Work-groups take
// tiles by a ticket, so that all tiles before theirs are already taken, tell each other what their tiles give (look_back.clh),
// and scan their own (scan_tile.clh). Launch number `launch` of a call begins at tile launch x TILES.

#define WINDOW (FAN * SIGHTS)
#define BLOCKS (FAN / EIGHT)
#define TILE_DEPTH 16

// What a group keeps in local memory to look back.
struct clred_sight {
  __local STATE *window;  // nodes that stand before the tile in its own runs of FAN: window[FAN * level + i]; and then the tiles of
                          // the node that stands p nodes before its own: window[FAN * (LEVELS - 1 + p) + i]
  __local STATE *blocks;  // of eight of those
  __local STATE *nodes;   // nodes[b] is that of the tile's binary digit b, where it is 1
};

// Where the elements are, for a node that nobody told of.
struct clred_field {
  struct clred_in in;
  ulong count;
  ulong launch_first;
};

// A whole tile's node, by one work-item.
STATE clred_tile_node(struct clred_field field, uint tile)
{
  STATE stack[TILE_DEPTH];
  uint depth = 0;
  ulong first = field.launch_first + tile * SCAN_TILE;
  for (uint lane = 0; lane < GROUP_SIZE * STRIP_LANES; lane++)
    depth = clred_pairs_push(stack, depth, lane, clred_scan_lane(field.in, field.count, first + lane * ROWS, ROWS));
  return clred_pairs_root(stack, depth);
}

// Computes a node that nobody told of, from those of its tiles that are known and the elements of the others, by one work-item. In
// place, the elements of a tile are only as they were if it has not been told of after they were read.
STATE clred_rescue(struct clred_board board, uint level, uint index, struct clred_field field)
{
  STATE stack[DIGITS + 1], node;
  uint depth = 0, tiles = 1u << FAN_LOG2 * level;
  for (uint i = 0; i < tiles; i++) {
    uint tile = index * tiles + i;
    if (!clred_ask(board, 0, tile, &node)) {
      STATE computed = clred_tile_node(field, tile);
      DEVICE_FENCE();
      if (!clred_ask(board, 0, tile, &node)) {
        node = computed;
        clred_tell(board, 0, tile, node);
      }
    }
    depth = clred_pairs_push(stack, depth, i, node);
  }
#ifdef COUNTS_WAITS
  atomic_inc(board.ticket + 1);
#endif
  node = clred_pairs_root(stack, depth);
  if (level > 0)
    clred_tell(board, level, index, node);
  return node;
}

// The binary digits of a level, as one number: how many of the level's nodes stand before the tile in its own run.
#define DIGIT(tile, level) ((tile) >> FAN_LOG2 * (level) & (FAN - 1))

// How many nodes of level 1 are folded from their tiles.
uint clred_past(uint tile, uint begin, uint end)
{
  return PAST > 0 && begin <= 1 && end > 1 ? min(DIGIT(tile, 1), (uint)PAST) : 0;
}

// What place `place` of a window is asked for: the nodes' indices; bit i of the answer says that there is one to ask for.
uint clred_wanted(uint tile, uint begin, uint end, uint place, uint *indices)
{
  uint wanted = 0, past = clred_past(tile, begin, end);
#pragma unroll
  for (uint level = 0; level < LEVELS; level++) {
    uint before = DIGIT(tile, level) - (level == 1 ? past : 0);
    indices[level] = (tile >> FAN_LOG2 * level) - DIGIT(tile, level) + place;
    wanted |= (level >= begin && level < end && place < before) << level;
  }
#pragma unroll
  for (uint p = 1; p <= PAST; p++) {
    indices[LEVELS - 1 + p] = ((tile >> FAN_LOG2) - p) * FAN + place;
    wanted |= (p <= past) << (LEVELS - 1 + p);
  }
  return wanted;
}

// Fills the windows of levels begin to end, by the team.
void clred_gather(struct clred_board board, uint tile, uint begin, uint end, struct clred_field field, struct clred_sight sight)
{
  for (uint place = get_local_id(0); place < FAN; place += TEAM) {
    uint indices[SIGHTS], wanted = clred_wanted(tile, begin, end, place, indices);
    STATE states[SIGHTS];
    uint found = clred_ask_all(board, wanted, indices, states);
#pragma unroll
    for (uint i = 0; i < SIGHTS; i++) {
      if (!(wanted >> i & 1))
        continue;
      if (!(found >> i & 1) && !clred_wait(board, LEVEL_AT(i), indices[i], &states[i]))
        states[i] = clred_rescue(board, LEVEL_AT(i), indices[i], field);
      sight.window[i * FAN + place] = states[i];
    }
  }
  TEAM_BARRIER();
}

// The nodes of level 1 that are folded from their tiles, to their places in the window, by the team.
void clred_fold_past(uint past, uint tile, struct clred_sight sight)
{
  for (uint i = get_local_id(0); i < past * BLOCKS; i += TEAM)
    sight.blocks[i] = clred_fold_eight(sight.window + LEVELS * FAN + i * EIGHT, EIGHT);
  TEAM_BARRIER();
  for (uint i = get_local_id(0); i < past; i += TEAM)
    sight.window[FAN + DIGIT(tile, 1) - 1 - i] = clred_fold_eight(sight.blocks + i * BLOCKS, BLOCKS);
  TEAM_BARRIER();
}

// A block of eight of a level's window, or the nodes of the digits that name a part of it.
void clred_fold_block(uint digit, uint block, __local const STATE *window, __local STATE *blocks, __local STATE *nodes)
{
  uint rest = digit % EIGHT;
  __local const STATE *from = window + block * EIGHT;
  if (block < digit / EIGHT)
    blocks[block] = clred_fold_eight(from, EIGHT);
  if (block != digit / EIGHT)
    return;
  if (rest & 4)
    nodes[2] = clred_fold_eight(from, 4);
  if (rest & 2)
    nodes[1] = clred_fold_eight(from + (rest & 4), 2);
  if (rest & 1)
    nodes[0] = from[rest - 1];
}

// The nodes of the tile's binary digits from full windows, by the team.
void clred_digits(uint tile, uint begin, uint end, struct clred_sight sight)
{
#if PAST
  uint past = clred_past(tile, begin, end);
  if (past)
    clred_fold_past(past, tile, sight);
#endif
  for (uint i = begin * BLOCKS + get_local_id(0); i < end * BLOCKS; i += TEAM) {
    uint level = i / BLOCKS;
    clred_fold_block(DIGIT(tile, level), i % BLOCKS, sight.window + level * FAN, sight.blocks + level * BLOCKS,
                     sight.nodes + level * FAN_LOG2);
  }
  TEAM_BARRIER();
  for (uint level = begin + get_local_id(0); level < end; level += TEAM) {
    __local const STATE *from = sight.blocks + level * BLOCKS;
    if (DIGIT(tile, level) & 8)
      sight.nodes[level * FAN_LOG2 + 3] = from[DIGIT(tile, level) / 16 * 2];
    if (DIGIT(tile, level) & 16)
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
  __local STATE blocks[SIGHTS * BLOCKS];
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
  ulong present = min(count - tile_first, SCAN_TILE);
  uint strips = (uint)((present + STRIP - 1) / STRIP), is_whole = present == SCAN_TILE;
  uint strip_rows = item < strips ? (uint)min(present - item * STRIP, (ulong)STRIP) : 0;

  struct clred_strip strip = clred_tile_strip(in, count, tile_first, strip_rows, room);
  struct clred_prefix before, call_start = START_NOW;
  STATE own = clred_identity();
  before.is_there = call_start.is_there || launch > 0 || tile > 0;
  if (strip_rows)
    sweep[item] = clred_strip_node(strip);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (IN_TEAM) {
    clred_sweep_up(sweep, strips);
    own = sweep[SWEEP - 1];
    if (leads && is_whole && clred_speaks(tile)) {
      clred_tell(board, 0, tile, own);
#if IN_PLACE
      DEVICE_FENCE();
#endif
    }
    clred_look(board, tile, is_whole, own, (struct clred_field){in, count, launch_first}, sight);
    if (leads)
      clred_find_edges(nodes, edges, tile, is_whole, own, call_start, scratch + work, launch);
    clred_sweep_down(sweep, strips, before.is_there, edges);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  STATE after = clred_identity();
  if (is_whole && item == GROUP_SIZE - 1)
    after = edges[1];
  else if (strip_rows == STRIP)
    after = sweep[item + 1];
  before.is_there = before.is_there || item > 0;
  if (strip_rows && before.is_there)
    before.state = sweep[item];
  clred_tile_put(in, results, tile_first, strip_rows, room, strip, before, after);
}
