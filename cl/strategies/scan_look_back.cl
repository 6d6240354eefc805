// scan_look_back: one launch that reads each element once and writes each result once, for GPU-like devices. Work-groups take
// tiles by a ticket, so that all tiles before theirs are already taken, tell each other what their tiles give (look_back.clh),
// and scan their own (scan_tile.clh). Launch number `launch` of a call begins at tile launch x TILES.

#define WINDOW (FAN * LEVELS)
#define BLOCKS (FAN / EIGHT)

// A whole tile's node, by all work-items of the group; it counts in work-item 0. `sweep` is overwritten.
STATE clred_tile_node(struct clred_in in, ulong count, ulong tile_first, __local STATE *sweep)
{
  barrier(CLK_LOCAL_MEM_FENCE);
  sweep[get_local_id(0)] = clred_scan_lane(in, count, tile_first + get_local_id(0) * ROWS, ROWS);
  clred_sweep_up(sweep, GROUP_SIZE);
  return sweep[SWEEP - 1];
}

// The first of a node's tiles from number i on that nobody has told of; those before it go onto the leader's stack. The same for
// all work-items of the group.
uint clred_next_unknown(struct clred_board board, uint first_tile, uint tiles, uint i, STATE *stack, uint *depth,
                        __local uint *flag)
{
  STATE node;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    for (; i < tiles && clred_ask(board, 0, first_tile + i, &node); i++)
      *depth = clred_pairs_push(stack, *depth, i, node);
    *flag = i;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *flag;
}

// Computes a node that nobody told of, from those of its tiles that are known and the elements of the others. In place, the
// elements of a tile are only as they were if it has not been told of after they were read. The node counts in work-item 0. No
// barrier stands under a condition: PoCL 3.1 makes an endless loop of that.
STATE clred_rescue(struct clred_board board, uint level, uint index, struct clred_in in, ulong count, ulong launch_first,
                   __local STATE *sweep, __local uint *flag)
{
  STATE stack[DIGITS + 1], node;
  uint depth = 0, leads = get_local_id(0) == 0, tiles = 1u << FAN_LOG2 * level, first_tile = index * tiles;
  for (uint i = clred_next_unknown(board, first_tile, tiles, 0, stack, &depth, flag); i < tiles;
       i = clred_next_unknown(board, first_tile, tiles, i + 1, stack, &depth, flag)) {
    uint tile = first_tile + i;
    clred_hesitate();
    STATE computed = clred_tile_node(in, count, launch_first + tile * SCAN_TILE, sweep);
    DEVICE_FENCE();
    if (leads) {
      if (!clred_ask(board, 0, tile, &node)) {
        node = computed;
        clred_tell(board, 0, tile, node);
      }
      depth = clred_pairs_push(stack, depth, i, node);
    }
  }
#ifdef COUNTS_WAITS
  if (leads)
    atomic_inc(board.ticket + 1);
#endif
  if (!leads)
    return node;
  node = clred_pairs_root(stack, depth);
  if (level > 0)
    clred_tell(board, level, index, node);
  return node;
}

// Gathers the nodes that stand before tile `tile` in its own runs of FAN: window[FAN * level + i]. Returns 1 if the group had
// to compute any, which leaves `sweep` overwritten.
uint clred_gather(struct clred_board board, uint tile, struct clred_in in, ulong count, ulong launch_first,
                  __local STATE *window, __local uint *missing, __local STATE *sweep, __local uint *flag)
{
  uint had_to = 0;
  for (uint i = get_local_id(0); i < WINDOW; i += GROUP_SIZE) {
    uint level = i / FAN, digit = tile >> FAN_LOG2 * level & (FAN - 1), wanted = i % FAN;
    STATE node;
    if (wanted < digit) {
      uint found = clred_wait(board, level, (tile >> FAN_LOG2 * level) - digit + wanted, &node);
      if (found)
        window[i] = node;
      else
        atomic_or(missing + level, 1u << wanted);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint level = 0; level < LEVELS; level++) {
    uint digit = tile >> FAN_LOG2 * level & (FAN - 1);
    for (uint absent = missing[level]; absent; absent &= absent - 1) {
      uint i = (uint)popcount((absent & -absent) - 1);
      STATE node = clred_rescue(board, level, (tile >> FAN_LOG2 * level) - digit + i, in, count, launch_first, sweep, flag);
      if (get_local_id(0) == 0)
        window[level * FAN + i] = node;
      had_to = 1;
    }
  }
  if (had_to)
    barrier(CLK_LOCAL_MEM_FENCE);
  return had_to;
}

// The nodes of the tile's binary digits from such windows: nodes[b] where digit b is 1. Blocks of eight by a work-item each.
void clred_digits(uint tile, __local const STATE *window, __local STATE *blocks, __local STATE *nodes)
{
  for (uint i = get_local_id(0); i < LEVELS * BLOCKS; i += GROUP_SIZE) {
    uint level = i / BLOCKS, block = i % BLOCKS, digit = tile >> FAN_LOG2 * level & (FAN - 1), rest = digit % EIGHT;
    __local const STATE *from = window + level * FAN + block * EIGHT;
    __local STATE *to = nodes + level * FAN_LOG2;
    if (block < digit / EIGHT)
      blocks[i] = clred_fold_eight(from, EIGHT);
    if (block != digit / EIGHT)
      continue;
    if (rest & 4)
      to[2] = clred_fold_eight(from, 4);
    if (rest & 2)
      to[1] = clred_fold_eight(from + (rest & 4), 2);
    if (rest & 1)
      to[0] = from[rest - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint level = get_local_id(0); level < LEVELS; level += GROUP_SIZE) {
    uint digit = tile >> FAN_LOG2 * level & (FAN - 1);
    __local const STATE *from = blocks + level * BLOCKS;
    if (digit & 8)
      nodes[level * FAN_LOG2 + 3] = from[digit / 16 * 2];
    if (digit & 16)
      nodes[level * FAN_LOG2 + 4] = FOLLOWING(from[0], from[1]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

ENTRY(scan_look_back)(ARGUMENTS)
{
  __local STATE sweep[SWEEP];
  __local STATE window[WINDOW];
  __local STATE blocks[LEVELS * BLOCKS];
  __local STATE nodes[DIGITS];
  __local STATE edges[2];
  __local uint missing[LEVELS];
  __local uint flag;
  __local uint given;
#if ROOM
  __local uint room[ROOM] __attribute__((aligned(16)));
#else
  __local uint *room = 0;
#endif
  uint item = get_local_id(0), leads = item == 0;
  if (leads) {
    given = atomic_inc(ticket);
    if (given == get_num_groups(0) - 1)
      atomic_xchg(ticket, 0u);
  }
  for (uint i = item; i < LEVELS; i += GROUP_SIZE)
    missing[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint tile = given;
  struct clred_board board = {(volatile __global CELL *)scratch, ticket, tag};
  struct clred_in in = SCAN_IN;
  struct clred_out results = OUT_NOW;
  __global STATE *launches = scratch + work;
  ulong launch_first = launch * TILES * SCAN_TILE, tile_first = launch_first + tile * SCAN_TILE;
  ulong present = min(count - tile_first, SCAN_TILE);
  uint lanes = (uint)((present + ROWS - 1) / ROWS), is_whole = present == SCAN_TILE;
  uint lane_rows = item < lanes ? (uint)min(present - item * ROWS, (ulong)ROWS) : 0;

  STATE held[HELD_ROWS];
  STATE lane = clred_tile_lane(in, count, tile_first, lane_rows, room, held);
  if (lane_rows)
    sweep[item] = lane;
  clred_sweep_up(sweep, lanes);
  if (leads && is_whole && clred_speaks(tile)) {
    clred_tell(board, 0, tile, sweep[SWEEP - 1]);
#if IN_PLACE
    DEVICE_FENCE();
#endif
  }
  STATE own = sweep[SWEEP - 1];
  if (clred_gather(board, tile, in, count, launch_first, window, missing, sweep, &flag)) {
    if (lane_rows)
      sweep[item] = lane;
    clred_sweep_up(sweep, lanes);
  }
  clred_digits(tile, window, blocks, nodes);
  struct clred_prefix before, call_start = START_NOW;
  before.is_there = call_start.is_there || launch > 0 || tile > 0;
  if (leads) {
    struct clred_prefix launch_start = call_start;
    STATE after;
    if (launch > 0) {
      launch_start.state = launches[BEFORE_LAUNCH(launch)];
      launch_start.is_there = 1;
    }
    struct clred_prefix x = clred_before_tile(board, nodes, tile, is_whole, launch_start, own, call_start, launches, launch, &after);
    if (x.is_there)
      edges[0] = x.state;
    if (is_whole)
      edges[1] = after;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (before.is_there)
    before.state = edges[0];
  clred_sweep_down(sweep, lanes, before);
  STATE after;
  if (is_whole && item == GROUP_SIZE - 1)
    after = edges[1];
  else if (lane_rows == ROWS)
    after = sweep[item + 1];
  before.is_there = before.is_there || item > 0;
  if (lane_rows && before.is_there)
    before.state = sweep[item];
  clred_tile_put(in, results, tile_first, lane_rows, room, held, before, after);
}
